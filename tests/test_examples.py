"""The examples run, say something or draw something, and stand in the gallery's form."""

import ast
import os
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
WITHOUT_JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"


def test_there_are_enough_of_them():
    assert len(EXAMPLES) >= 15


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_a_title_and_says_what_it_shows(example):
    text = ast.get_docstring(ast.parse(example.read_text(encoding="utf-8")))
    title, rule, empty, *rest = text.splitlines()
    assert set(rule) == {"="}
    assert len(rule) == len(title)
    assert empty == ""
    assert rest


@pytest.mark.skipif(WITHOUT_JIT, reason="they would take minutes")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(example, tmp_path, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)
    pyplot.close("all")
    with pyplot.rc_context():
        pyplot.switch_backend("agg")
        runpy.run_path(str(example), run_name="__main__")
    assert pyplot.get_fignums()
    pyplot.close("all")
    assert not list(tmp_path.iterdir())  # nothing is left behind
