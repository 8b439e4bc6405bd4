"""The pages: what they list, and how their links are led and checked."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import softwood

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.append(str(DOCS / "_ext"))

from check_links import broken_links  # noqa: E402
from elsewhere import linked  # noqa: E402

MODULES = list(softwood._MODULES)


def listed():
    lines = (DOCS / "api" / "index.rst").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.startswith("   softwood.")]


def test_the_reference_lists_names_that_are_there_and_once():
    names = listed()
    assert len(names) == len(set(names))
    for name in names:
        package, _, last = name.rpartition(".")
        assert getattr(import_module(package), last) is not None


@pytest.mark.parametrize("module", ["", *MODULES])
def test_the_reference_lists_all_that_is_public(module):
    package = import_module(f"softwood.{module}".rstrip("."))
    shown = [getattr(import_module(n.rpartition(".")[0]), n.rpartition(".")[2]) for n in listed()]
    wanted = [name for name in package.__all__ if name not in ("__version__", *MODULES)]
    missing = [n for n in wanted if not any(getattr(package, n) is each for each in shown)]
    assert not missing


def test_all_errors_are_listed():
    text = (ROOT / "src" / "softwood" / "errors.py").read_text(encoding="utf-8")
    names = {f"softwood.errors.{name}" for name in re.findall(r"^class (\w+)", text, re.M)}
    assert names <= set(listed())


@pytest.mark.parametrize(
    ("source", "page", "text", "expected"),
    [
        ("docs/guide/a.md", "docs/guide/a.md", "[b](b.md#c)", "[b](b.md#c)"),
        (
            "docs/guide/a.md",
            "docs/guide/a.md",
            "[t](../../benchmarks/README.md#x)",
            "[t](../benchmarks.md#x)",
        ),
        ("CONTRIBUTING.md", "docs/contributing.md", "[d](docs/a.md)", "[d](a.md)"),
        (
            "docs/a.md",
            "docs/a.md",
            "[m](../Makefile)",
            "[m](https://github.com/softwood-trees/softwood/blob/main/Makefile)",
        ),
        ("docs/a.md", "docs/a.md", "[w](https://a.b/c)", "[w](https://a.b/c)"),
    ],
)
def test_links_work_in_the_pages_as_they_do_in_the_repository(source, page, text, expected):
    assert linked(text, source, page) == expected


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="x"><a href="b.html#y">b</a><a href="#x">x</a>')
    (tmp_path / "b.html").write_text('<a href="c.html"></a><a href="https://d.e"></a>')
    assert list(broken_links(tmp_path)) == [
        "a.html: b.html#y: no such anchor",
        "b.html: c.html: no such file",
    ]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/which-model.md"])
def test_the_table_of_numbers_is_one_that_a_command_made(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    table = text.partition("<!-- made by benchmarks/bench_families.py -->")[2]
    assert table.partition("<!-- end of it -->")[0].count("\n| ") > 5
