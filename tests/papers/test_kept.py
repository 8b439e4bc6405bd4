"""What is kept of reproductions: the format, and the files that are kept in this repository."""

import ast
import json
import re
from pathlib import Path

import pytest

from softwood.papers import kept
from softwood.papers.findings import Finding
from softwood.papers.paper import KEYS, Paper, Part, load_paper
from softwood.papers.rules import most
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Verdict, judge

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "reproduced"
INCLUDED = re.compile(r"```\{include\} (\S*/reproduced/\S+)\n(.*?)```", re.DOTALL)
SOURCE = ROOT / "src" / "softwood" / "papers"


def small():
    claim = judge("Table 1", "trees err", "they do", most(7, 2, 10, "sets"))
    part = Part("table1", "Errors", lambda setting: Finding((), (claim,)))
    return Paper("small", "A. Author.", (part, Part("table2", "More", part.run)))


# -- the format ----------------------------------------------------------------------


def test_a_part_comes_back_as_it_was_kept(tmp_path):
    paper = small()
    first, second = (
        kept.entry(paper, part, part.run(Setting()), Setting(full=full), 5.0)
        for part, full in zip(paper.parts, (False, True), strict=True)
    )
    kept.write(tmp_path, paper, {"table2": second, "table1": first})
    back = kept.read(tmp_path)
    assert list(back) == ["table1", "table2"]  # the order of the paper
    assert back["table1"] == json.loads(json.dumps(first))
    assert back["table2"]["command"] == "softwood reproduce small table2 --full"
    assert back["table1"]["claims"][0]["verdict"] == Verdict.HOLDS


def test_another_format_is_refused(tmp_path):
    (tmp_path / kept.NAME).write_text('{"format": 0, "parts": {}}')
    with pytest.raises(ValueError, match="of format 0, this version reads"):
        kept.read(tmp_path)
    assert kept.read(tmp_path / "nowhere") == {}


def test_a_part_is_done_while_its_files_and_the_code_are_there(tmp_path, monkeypatch):
    paper, store = small(), tmp_path / "small.sqlite"
    made = kept.entry(paper, paper.parts[0], paper.parts[0].run(Setting()), Setting(), 1.0)
    (tmp_path / "table1.md").write_text("the part")
    kept.Done(store, resume=True).note(made, tmp_path, ["table1.md"], 1.0)
    wanted = made["command"]
    assert kept.Done(store, resume=True).entry(wanted, tmp_path / "elsewhere") is None  # no file
    (tmp_path / "table1.md").write_text("the same part by another run")
    assert kept.Done(store, resume=True).entry(wanted, tmp_path) is None
    (tmp_path / "table1.md").write_text("the part")
    assert kept.Done(store, resume=True).entry(wanted, tmp_path) == json.loads(json.dumps(made))
    assert kept.Done(store, resume=False).entry(wanted, tmp_path) is None
    monkeypatch.setattr(kept, "code_digest", lambda: "another")
    assert kept.Done(store, resume=True).entry(wanted, tmp_path) is None


# -- the files of this repository -----------------------------------------------------


@pytest.fixture(scope="module")
def found():
    return {key: kept.read(KEPT / key) for key in KEYS}


@pytest.mark.parametrize("key", KEYS)
def test_every_part_is_kept(found, key):
    paper = load_paper(key)
    assert list(found[key]) == [part.key for part in paper.parts]
    for part in paper.parts:
        assert found[key][part.key]["title"] == part.title
        assert (KEPT / key / f"{part.key}.md").exists()


def test_every_kept_claim_has_a_verdict_and_the_rule_it_comes_from(found):
    for parts in found.values():
        for claim in (claim for entry in parts.values() for claim in entry["claims"]):
            assert claim["verdict"] in set(Verdict)
            if claim["verdict"] != Verdict.NO_DATA:
                assert claim["rule"].startswith("holds if")
                assert claim["number"]


@pytest.mark.parametrize("key", KEYS)
def test_every_claim_that_the_code_can_make_is_kept(found, key):
    texts = [claim["claim"] for entry in found[key].values() for claim in entry["claims"]]
    patterns = [p for path in (SOURCE / key).glob("*.py") for p in claims_of(path)]
    assert patterns
    lost = [p for p in patterns if not any(re.fullmatch(p, text) for text in texts)]
    assert not lost


def test_pages_are_made_of_the_kept_files(found):
    from softwood.papers.pages import claims_page, every_claim

    assert (KEPT / "README.md").read_text(encoding="utf-8") == every_claim(found)
    for key in KEYS:
        page = (KEPT / key / "claims.md").read_text(encoding="utf-8")
        assert page == claims_page(load_paper(key), found[key])


def test_pages_of_the_docs_find_what_they_read_from_the_kept_files():
    found = 0
    for page in (ROOT / "docs").rglob("*.md"):
        for path, options in INCLUDED.findall(page.read_text(encoding="utf-8")):
            source = (page.parent / path).read_text(encoding="utf-8")
            marks = re.findall(r'^:(?:start-after|end-before): "(.+)"$', options, re.MULTILINE)
            for mark in marks:
                assert source.count(mark) == 1, (page.name, path, mark)
            found += bool(marks)
    assert found >= len(KEYS)


def test_kept_files_stay_small():
    sizes = [path.stat().st_size for path in KEPT.rglob("*") if path.suffix != ".sqlite"]
    assert sum(sizes) < 5_000_000


def claims_of(path):
    """Return patterns of the claims that a module makes, those without data left out."""
    found = []
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = {
            node.targets[0].id: node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for call in ast.walk(function):
            is_call = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            if is_call and call.func.id == "judge" and not is_none(call.args[3]):
                found.append(pattern_of(call.args[1], names))
            if is_call and call.func.id == "_never":
                found.append(pattern_of(call.args[0], names))
    return found


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def pattern_of(node, names):
    if isinstance(node, ast.Name):
        return pattern_of(names[node.id], names) if node.id in names else ".+"
    if isinstance(node, ast.Constant):
        return re.escape(node.value)
    return "".join(
        re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in node.values
    )
