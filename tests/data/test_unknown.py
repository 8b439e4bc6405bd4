"""Categories that training has not seen are counted, and told once for all columns."""

import numpy as np
import pytest

from softwood.data.table import Column
from softwood.data.unknown import SHOWN, Unknown, tell_unknown
from softwood.errors import UnknownCategoryWarning

CODES = np.array([3, 0, 3, 2, 1, 4, -1], dtype=np.int32)
COLOURS = Column("colour", CODES, ("blue", "green", "red", "pink", "grey"))


def test_examples_come_as_the_rows_do():
    found = Unknown.of(COLOURS, np.array([1, 0, 1, 1, 0, 0, 0], dtype=bool))
    assert found == Unknown("colour", 3, ("pink", "red"), 2)
    assert str(found) == "column 'colour' in 3 rows ('pink', 'red')"


def test_many_are_counted_and_some_are_shown():
    found = Unknown.of(COLOURS, COLOURS.values >= 0)
    assert len(found.examples) == SHOWN
    assert str(found) == "column 'colour' in 6 rows ('pink', 'blue', 'red' and 2 more)"


def test_one_row_is_one_row():
    assert "in 1 row (" in str(Unknown.of(COLOURS, COLOURS.values == 2))


@pytest.mark.parametrize(
    ("handle_unknown", "fate"),
    [("spread", "divided among all branches"), ("missing", "taken as missing")],
)
def test_all_columns_are_told_of_at_once(handle_unknown, fate):
    one = Unknown.of(COLOURS, COLOURS.values == 2)
    with pytest.warns(UnknownCategoryWarning, match=rf"'red'.*; column 'x'.*{fate}") as told:
        tell_unknown([one, Unknown("x", 1, (7,), 1)], handle_unknown)
    assert len(told) == 1


@pytest.mark.filterwarnings("error")
def test_nothing_unknown_is_not_told_of():
    assert tell_unknown([], "spread") is None
