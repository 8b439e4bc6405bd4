"""Columns that look like identifiers are named, unless they are few, numeric or meant."""

import warnings

import numpy as np
import pytest

from softwood.data.identifiers import (
    FEW_ROWS,
    looks_like_identifier,
    tell_of_identifiers,
    tell_of_untested,
)
from softwood.data.table import Column, Table
from softwood.errors import IdentifierWarning, UntestedColumnWarning


def column_of(name, n_rows, n_distinct, n_gone=0):
    codes = (np.arange(n_rows) % n_distinct).astype(np.int32)
    codes[n_rows - n_gone :] = -1
    return Column(name, codes, tuple(f"v{k}" for k in range(n_distinct)))


def told(*columns, meant=None):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        tell_of_identifiers(Table(columns), meant)
    return [str(one.message) for one in seen if one.category is IdentifierWarning]


@pytest.mark.parametrize(
    ("n_distinct", "n_known", "is_one"),
    [
        (FEW_ROWS, FEW_ROWS, False),
        (FEW_ROWS + 1, FEW_ROWS + 1, True),
        (50, 100, False),
        (51, 100, True),
        (0, 0, False),
    ],
)
def test_more_than_half_of_many_values_are_distinct(n_distinct, n_known, is_one):
    assert looks_like_identifier(n_distinct, n_known) is is_one


def test_the_column_is_named_with_its_counts():
    (message,) = told(column_of("code", 100, 90), column_of("colour", 100, 5))
    assert message.startswith("column 'code' looks like an identifier: 90 different categories")
    assert "in 100 rows" in message


def test_gaps_are_not_counted():
    (message,) = told(column_of("code", 100, 90, n_gone=60))
    assert "40 different categories in 40 rows" in message


def test_columns_that_are_meant_or_numeric_are_not_named():
    code, number = column_of("code", 100, 90), Column("x", np.arange(100.0))
    assert not told(code, number, meant=np.array([True, False]))
    assert len(told(code, number, meant=np.array([False, True]))) == 1


@pytest.mark.parametrize(
    ("names", "words"),
    [(["a"], "^column 'a' is not tested"), (["a", "b"], "^columns 'a', 'b' are not tested")],
)
def test_untested_columns_are_named_together(names, words):
    with pytest.warns(UntestedColumnWarning, match=words):
        tell_of_untested(names)


@pytest.mark.filterwarnings("error")
def test_where_all_are_tested_nothing_is_said():
    assert tell_of_untested([]) is None
