"""Text from data reaches the terminal as text, and within its width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from softwood.cli.terminal._safe import printable, shortened, visible

HOSTILE = [
    "\x1b[31mred",
    "a\nb",
    "tab\t",
    "\x07",
    "\x9b31m",
    "\u202eevil",
    "\u200b",
    "\ud800",
    "\r",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp437"])
def test_nothing_acts_on_the_terminal(text, encoding):
    shown = printable(text, encoding)
    assert shown.encode(encoding)
    assert shown.replace("\u2068", "").replace("\u2069", "").isprintable()


@given(st.text())
def test_all_text_can_be_shown_everywhere(text):
    assert visible(text).isprintable()
    assert printable(text, "ascii").isascii()
    assert printable(text).encode().decode() == printable(text)


def test_plain_text_stays_as_it_is():
    assert printable("[red]naïve 名前[/red]") == "[red]naïve 名前[/red]"


def test_right_to_left_is_kept_to_itself():
    words = "\u05e9\u05dc \u05e2\u05d5"
    assert printable(f"a {words} <= 1") == f"a \u2068{words}\u2069 <= 1"
    assert cell_len("\u2068\u2069") == 0


@given(st.text(), st.integers(0, 30))
def test_a_shortened_text_fits(text, width):
    text = visible(text)
    short = shortened(text, width)
    assert cell_len(short) <= width
    assert short == text or cell_len(text) > width


def test_the_middle_goes_and_both_ends_stay():
    assert shortened("a_long_name_of_a_column", 11) == "a_lon…olumn"
    assert shortened("名前名前名前", 7) == "名…前"
    assert shortened("abcdef", 4, "..") == "a..f"
    assert shortened("abcdef", 1) == "…"
    assert shortened("abcdef", 0) == ""
