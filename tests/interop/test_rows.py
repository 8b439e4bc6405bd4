"""How imported models read rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.tree import DecisionTreeClassifier

from softwood.data.schema import Feature, Schema
from softwood.errors import UnknownCategoryWarning
from softwood.interop import import_model
from softwood.interop._rows import RowReader, numeric_schema, with_other

NAN = np.nan
MAX = np.finfo(np.float64).max
NUMBERS = RowReader(numeric_schema(2))
COLOURS = Schema((Feature("size"), Feature("colour", ("blue", "red", "(other)"))))
CODES = RowReader(COLOURS, codes_above=-1.0, unknown="other")


def test_numbers_of_every_kind():
    expected = [[1.0, NAN], [0.0, 2.0]]
    for X in (expected, np.array(expected, dtype=np.float32), np.array([[1, None], [0, 2]])):
        assert_array_equal(NUMBERS.encode(X), expected)
    assert_array_equal(NUMBERS.encode([[True, False]]), [[1.0, 0.0]])
    assert NUMBERS.encode([[np.inf, -np.inf]]).tolist() == [[MAX, -MAX]]


def test_the_input_is_not_changed():
    X = np.array([[0.0, -1.0], [np.inf, 2.0]])
    before = X.copy()
    RowReader(numeric_schema(2), missing_value=-1.0, zero=1e-9, zero_is_missing=(0,)).encode(X)
    assert_array_equal(X, before)


def test_frames():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x0": [1.5, None], "x1": [True, False]})
    assert_array_equal(NUMBERS.encode(frame), [[1.5, 1.0], [NAN, 0.0]])
    named = RowReader(numeric_schema(2, ["a", "b"]), checks_names=True)
    assert_array_equal(named.encode([[1.0, 2.0]]), [[1.0, 2.0]])
    with pytest.raises(ValueError, match=r"those of training, \['a', 'b'\]; got \['x0', 'x1'\]"):
        named.encode(frame)
    with pytest.raises(ValueError, match="'x1' is numeric in this model, but holds 'red'"):
        NUMBERS.encode(frame.assign(x1=["red", "blue"]))


def test_missing_values_have_many_forms():
    reader = RowReader(numeric_schema(2), missing_value=-999.1, zero=1e-35, zero_is_missing=(1,))
    X = [[-999.1, 1e-36], [1e-36, -999.1], [np.float32(-999.1), -0.0]]
    assert_array_equal(reader.encode(X), [[NAN, NAN], [0.0, NAN], [NAN, NAN]])


def test_a_missing_value_can_be_infinite():
    reader = RowReader(numeric_schema(2), missing_value=np.inf)
    assert_array_equal(reader.encode([[np.inf, -np.inf]]), [[NAN, -MAX]])


def test_integers_may_be_rounded():
    X = np.array([[2**25 + 1, 3]])
    assert NUMBERS.encode(X).tolist() == [[2.0**25 + 1, 3.0]]
    assert RowReader(numeric_schema(2), rounds_integers=True).encode(X).tolist() == [[2.0**25, 3.0]]


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_codes_and_names():
    rows = [[0.0, code] for code in (0.0, 1.9, -0.5, -1.0, 2.0, 77.0, NAN)]
    assert_array_equal(CODES.encode(rows)[:, 1], [0.0, 1.0, 0.0, 2.0, 2.0, 2.0, NAN])
    names = np.array([[0.0, name] for name in ("red", "blue", "green", None)], dtype=object)
    assert_array_equal(CODES.encode(names)[:, 1], [1.0, 0.0, 2.0, NAN])
    missing = RowReader(COLOURS)
    assert_array_equal(missing.encode(names)[:, 1], [1.0, 0.0, NAN, NAN])
    spread = RowReader(COLOURS, unknown="spread")
    assert_array_equal(spread.encode(names)[:, 1], [1.0, 0.0, -2.0, NAN])


def test_one_more_category():
    assert with_other(("a", "b")) == ("a", "b", "(other)")
    assert with_other((3, 7)) == (3, 7, 8)
    assert with_other(()) == (0,)


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ([1.0, 2.0], ValueError, "X must be 2-D"),
        ([[1.0, 2.0, 3.0]], ValueError, "X has 3 features, but the model was fitted with 2"),
        (csr_array(np.eye(2)), TypeError, r"X must be dense; got csr_array"),
    ],
)
def test_what_is_not_a_table_is_refused(X, error, message):
    with pytest.raises(error, match=message):
        NUMBERS.encode(X)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_gaps_are_filled_and_unknown_categories_are_gaps():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"size": [1.5, None, 2.0], "colour": ["red", None, "green"]})
    spread = RowReader(COLOURS, unknown="spread", fill=(7.0, 0.0))
    assert_array_equal(spread.encode(frame), [[1.5, 1.0], [7.0, 0.0], [2.0, NAN]])
    missing = RowReader(COLOURS, unknown="missing", fill=(7.0, 0.0))
    assert_array_equal(missing.encode(frame)[2], [2.0, 0.0])
    with pytest.raises(ValueError, match="fill must hold a number for each of 2 columns"):
        RowReader(COLOURS, fill=(1.0,))


def test_unknown_categories_are_told_once_for_all_columns():
    two = Schema((Feature("colour", ("blue", "red")), Feature("shape", ("round", "flat"))))
    rows = np.array([["green", "flat"], ["mauve", "long"], ["green", None]], dtype=object)
    with pytest.warns(UnknownCategoryWarning) as told:
        RowReader(two).encode(rows)
    assert len(told) == 1
    message = str(told[0].message)
    assert "column 'colour' in 3 rows ('green', 'mauve')" in message
    assert "column 'shape' in 1 row ('long')" in message
    assert "taken as missing" in message


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_have_the_names_that_they_show(make):
    """Columns of pandas are attributes, and those of Arrow are not named by ``columns``."""
    rows = {"names": [1.0, 2.0, 3.0, 4.0], "column_names": [0.0, 0.0, 1.0, 1.0]}
    theirs = DecisionTreeClassifier().fit(pd.DataFrame(rows), [0, 0, 1, 1])
    ours = import_model(theirs)
    assert ours.predict(make(rows)).tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"those of training, \['names', 'column_names'\]; got"):
        ours.predict(make({"names": rows["names"], "other": rows["column_names"]}))
