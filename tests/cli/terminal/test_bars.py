"""Bars are as long as what they show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.cli.terminal._bars import bar, change, stacked, whole_cells
from softwood.cli.terminal._drawing import Canvas

PLAIN, COLOURED, ASCII = Canvas(80), Canvas(80, is_coloured=True), Canvas(80, "ascii")
EIGHTHS = " ▏▎▍▌▋▊▉█"


@given(st.floats(0.0, 1.0), st.integers(1, 30))
def test_a_bar_is_right_to_an_eighth_of_a_cell(share, width):
    text = bar(PLAIN, share, width).plain
    drawn = sum(EIGHTHS.index(c) for c in text) / 8
    assert len(text) == width
    assert abs(drawn - share * width) <= 1 / 8


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "    "), (1e-9, "▏   "), (7.0, "████"), (float("nan"), "    ")]
)
def test_a_little_is_not_nothing_and_odd_shares_stay_inside(share, text):
    assert bar(PLAIN, share, 4).plain == text


def test_ascii():
    assert bar(ASCII, 0.5, 4).plain == "##  "
    assert stacked(ASCII, [0.25, 0.75], 4, first=0).plain == "#..."


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6), st.integers(1, 20))
def test_cells_add_up_and_are_fair(shares, width):
    cells = whole_cells(shares, width)
    total = sum(shares) or None
    fair = [width * share / total if total else width / len(shares) for share in shares]
    assert sum(cells) == width
    assert all(abs(n - wanted) < 1.0 + 1e-6 for n, wanted in zip(cells, fair, strict=True))


def test_each_class_has_its_colour_the_predicted_one_first():
    text = stacked(COLOURED, [0.25, 0.75], 8, first=1)
    assert text.plain == "█" * 8
    ends = [(span.start, span.end, str(span.style)) for span in text.spans if span.end > span.start]
    assert ends == [(0, 6, COLOURED.colour(1)), (6, 8, COLOURED.colour(0))]


def test_what_is_not_pure_does_not_look_so():
    assert stacked(PLAIN, [0.98, 0.02], 8, first=0).plain == "███████░"
    assert stacked(PLAIN, [1.0, 0.0], 8, first=0).plain == "████████"


def test_changes_go_both_ways_from_the_middle():
    assert change(PLAIN, 1.0, 1.0, 9).plain == "    │████"
    assert change(PLAIN, -0.5, 1.0, 9).plain == "  ██│    "
    assert change(PLAIN, 0.0, 0.0, 9).plain == "    │    "
