"""Pictures of a finding become files that the report names."""

import builtins

import numpy as np
import pytest

from softwood.papers import report
from softwood.papers.findings import Beside, Finding
from softwood.papers.paper import Paper, Part
from softwood.papers.pictures import panels
from softwood.papers.reproduce import reproduce

pytest.importorskip("matplotlib")


def drawn_part(draw):
    finding = Finding(pictures={"curves": draw})
    return Paper("small", "A. Author.", (Part("figure1", "Curves", lambda setting: finding),))


def one_panel():
    figure, (ax,) = panels(1, 1)
    ax.plot([0, 1], [0, 1])
    return figure


def by_pyplot():
    import matplotlib.pyplot as plt

    return plt.figure()


def test_panels_come_row_by_row():
    figure, axes = panels(2, 3, (2.0, 1.0), sharex=True)
    assert figure.get_size_inches().tolist() == [6.0, 2.0]
    places = [ax.get_subplotspec() for ax in axes]
    assert [(p.rowspan.start, p.colspan.start) for p in places] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2),
    ]  # fmt: skip


@pytest.mark.parametrize("draw", [one_panel, by_pyplot])
def test_a_picture_is_saved_named_and_forgotten(monkeypatch, tmp_path, draw):
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.use("Agg")
    monkeypatch.setattr("softwood.papers.reproduce.load_paper", lambda key: drawn_part(draw))
    lines, open_before = [], plt.get_fignums()
    reproduce("small", output=tmp_path, tell=lines.append)
    assert f"picture: {tmp_path / 'figure1-curves.png'}" in lines
    assert (tmp_path / "figure1-curves.png").read_bytes().startswith(b"\x89PNG")
    assert "![Curves](figure1-curves.png)" in (tmp_path / "figure1.md").read_text()
    assert plt.get_fignums() == open_before


def test_without_matplotlib_the_numbers_remain(monkeypatch, tmp_path):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.setattr("softwood.papers.reproduce.load_paper", lambda key: drawn_part(one_panel))
    lines = []
    reproduce("small", output=tmp_path, tell=lines.append)
    assert any("no pictures" in line and "softwood[plot]" in line for line in lines)
    assert (tmp_path / "figure1.md").exists()


def test_numbers_of_ours_alone_are_printed_once():
    table = Beside.ours_alone("errors", ("iris",), ("a", "b", "c", "d"), np.arange(4.0)[None])
    text = report.text(Finding((table,)))
    assert "theirs" not in text
    assert text.splitlines()[-1].split() == ["iris", "0.0000", "1.0000", "2.0000", "3.0000"]


def test_a_reference_that_is_not_the_papers_says_so():
    one = np.array([[1.0]])
    table = Beside("errors", ("iris",), ("C4.5",), one, one, source="reference")
    header = report.text(Finding((table,))).splitlines()[1]
    assert "C4.5: reference" in header
    assert "theirs" not in header
