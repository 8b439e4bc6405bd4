"""Progress is shown once work takes long, and counts kernels that are compiled."""

import io
import time

import pytest

from softwood._progress import is_watched, tell_progress
from softwood.cli import _bar
from softwood.cli._bar import progress
from softwood.cli._screen import set_switches


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(_bar, "SECONDS_BEFORE", -1.0)
    monkeypatch.setattr(_bar, "SECONDS_BETWEEN_LINES", -1.0)


def test_lines_where_there_is_no_terminal(at_once, capsys):
    with progress("fitting", n_kernels=5):
        tell_progress("trees", 3, 10)
        tell_progress("compiling grow", 7, None)
        tell_progress("compiling prune", 9, None)
        assert is_watched()
    assert not is_watched()
    assert capsys.readouterr().err.splitlines() == [
        "softwood: fitting: trees, 3 of 10",
        "softwood: fitting: compiling grow, 0 of 5",
        "softwood: fitting: compiling prune, 2 of 5",
    ]


def test_a_bar_on_a_terminal(at_once, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress("fitting"):
        tell_progress("trees [red]", 3, 10)
    assert "3/10" in terminal.getvalue()
    assert "trees [red]" in terminal.getvalue()


def test_nothing_of_short_work_or_where_nobody_wants_it(capsys, monkeypatch):
    with progress("fitting"):
        tell_progress("trees", 3, 10)
    monkeypatch.setattr(_bar, "SECONDS_BEFORE", -1.0)
    monkeypatch.setattr(_bar, "SECONDS_BETWEEN_LINES", -1.0)
    set_switches(["--quiet"])
    with progress("fitting"):
        tell_progress("trees", 3, 10)
    set_switches([])
    assert capsys.readouterr().err == ""


def test_a_bar_comes_by_itself_where_nothing_is_told(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(_bar, "SECONDS_BEFORE", 0.05)
    with progress("reading"):
        deadline = time.monotonic() + 10
        while "reading" not in terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.05)
    assert "reading" in terminal.getvalue()
    with progress("short"):
        pass
    time.sleep(0.1)
    assert "short" not in terminal.getvalue()
