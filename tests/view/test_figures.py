import re
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
import pytest

from softwood.plot._palette import INK
from softwood.view._figures import Figures
from tests.view.tables import HOSTILE


def clipped(ax):
    """Draw what needs ids: a clip path, markers and an image."""
    ax.plot([0, 1], [0, 1], "o-")
    ax.imshow([[0, 1], [1, 0]])


def ids_of(svg):
    return re.findall(r'\bid="([^"]*)"', svg)


def test_two_figures_that_are_alike_share_no_id():
    figures = Figures()
    first, second = (figures.draw(clipped, "alt", "caption").svg for _ in range(2))
    assert ids_of(first)
    assert not set(ids_of(first)) & set(ids_of(second))
    for svg in (first, second):
        assert len(ids_of(svg)) == len(set(ids_of(svg)))
        linked = re.findall(r'(?:url\(|href=")#([^")]*)', svg)
        assert linked
        assert set(linked) <= set(ids_of(svg))


def test_the_same_drawing_is_the_same_text():
    assert Figures().draw(clipped, "a", "b").svg == Figures().draw(clipped, "a", "b").svg


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_a_text(name):
    svg = Figures().draw(lambda ax: ax.set(title=name, xlabel=f"of {name}"), name, "").svg
    root = ET.fromstring(svg)  # it is well formed
    texts = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]
    lines = [line for line in name.split("\n") if line.strip()]
    for line in lines:
        printable = "".join(
            c if c.isprintable() else c.encode("unicode_escape").decode() for c in line
        )
        assert any(printable in text for text in texts)
    assert not [e for e in root.iter() if e.tag.split("}")[1] in ("script", "style", "metadata")]


def test_ink_follows_the_page():
    svg = Figures().draw(lambda ax: ax.axhline(0.5, color=INK), "alt", "").svg
    assert "var(--ink)" in svg
    assert INK not in svg


def test_the_label_is_escaped():
    svg = Figures().draw(clipped, '"><b>', "").svg
    assert ET.fromstring(svg).get("aria-label") == '"><b>'
    assert ET.fromstring(svg).get("role") == "img"


def test_a_figure_of_its_own_size_is_closed_even_if_it_cannot_be_drawn(monkeypatch):
    figures = Figures()
    drawn = figures.draw_new(lambda: plt.figure(figsize=(3, 2)).add_subplot(), "alt", "")
    assert (drawn.width, drawn.natural) == (288, True)

    def fail(*_):
        raise OSError("no")

    monkeypatch.setattr(figures, "_inline", fail)
    with pytest.raises(OSError, match="no"):
        figures.draw_new(lambda: plt.figure().add_subplot(), "alt", "")
    assert plt.get_fignums() == []
