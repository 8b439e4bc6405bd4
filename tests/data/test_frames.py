"""Frames of pandas, polars and Arrow become the same table, whatever their types are called."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from softwood.data.frames import matrix_of_frame, table_of_frame

VALUES = {
    "number": [1.5, None, -2.0],
    "whole": [3, 1, 2],
    "flag": [True, None, False],
    "text": ["b", "a", None],
    "day": [dt.date(1970, 1, 2), None, dt.date(1969, 12, 31)],
    "moment": [dt.datetime(1970, 1, 1, 6), dt.datetime(1970, 1, 2), None],
}
MAKERS = {
    "pandas": pd.DataFrame,
    "pandas of Arrow": lambda values: pd.DataFrame(values).convert_dtypes(dtype_backend="pyarrow"),
    "pandas, nullable": lambda values: pd.DataFrame(values).convert_dtypes(),
    "polars": pl.DataFrame,
    "Arrow": pa.table,
}


@pytest.mark.parametrize("maker", MAKERS)
def test_every_library_makes_the_same_table(maker):
    table = table_of_frame(MAKERS[maker](VALUES))
    number, whole, flag, text, day, moment = table.columns
    assert table.names == list(VALUES)
    np.testing.assert_array_equal(number.values, [1.5, np.nan, -2.0])
    np.testing.assert_array_equal(whole.values, [3.0, 1.0, 2.0])
    assert flag.categories == (False, True)
    assert flag.values.tolist() == [1, -1, 0]
    assert text.categories == ("a", "b")
    assert text.values.tolist() == [1, 0, -1]
    assert day.is_date
    assert moment.is_date
    np.testing.assert_array_equal(day.values, [1.0, np.nan, -1.0])
    np.testing.assert_array_equal(moment.values, [0.25, 1.0, np.nan])


def test_declared_categories_keep_their_order_even_if_some_are_not_there():
    declared = pd.CategoricalDtype(["small", "large", "huge"], ordered=True)
    for frame in (
        pd.DataFrame({"size": pd.Series(["large", None, "small"], dtype=declared)}),
        pl.DataFrame({"size": ["large", None, "small"]}).cast(
            {"size": pl.Enum(["small", "large", "huge"])}
        ),
    ):
        (column,) = table_of_frame(frame).columns
        assert column.categories == ("small", "large", "huge")
        assert column.values.tolist() == [1, -1, 0]
        assert column.is_declared


def test_nobody_declared_the_order_of_polars_categoricals():
    frame = pl.DataFrame({"c": ["z", "a", "z"]}).cast({"c": pl.Categorical})
    (column,) = table_of_frame(frame).columns
    assert column.categories == ("a", "z")
    assert column.values.tolist() == [1, 0, 1]


def test_intervals_of_a_cut_are_texts():
    (column,) = table_of_frame(pd.DataFrame({"age": pd.cut([1, 9, 5], [0, 4, 10])})).columns
    assert column.categories == ("(0, 4]", "(4, 10]")
    assert column.values.tolist() == [0, 1, 1]


def test_moments_are_those_of_greenwich():
    moments = pd.to_datetime(["1970-01-01 01:00", "1970-01-02 01:00"]).tz_localize("Europe/Paris")
    (column,) = table_of_frame(pd.DataFrame({"at": moments})).columns
    assert column.values.tolist() == [0.0, 1.0]


def test_types_that_only_pandas_has():
    frame = pd.DataFrame(
        {
            "sparse": pd.arrays.SparseArray([0.0, 0.0, 2.0]),
            "month": pd.period_range("1970-01", periods=3, freq="M"),
        }
    )
    sparse, month = table_of_frame(frame).columns
    assert sparse.values.tolist() == [0.0, 0.0, 2.0]
    assert month.is_date
    assert month.values.tolist() == [0.0, 31.0, 59.0]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"c": pd.to_timedelta([1, 2], unit="D")}), r"dt\.total_seconds\(\)"),
        (pl.DataFrame({"c": [dt.timedelta(1)]}), r"dt\.total_seconds\(\)"),
        (pl.DataFrame({"c": [dt.time(1)]}), "such as hours"),
        (pd.DataFrame({"c": [1j, 2j]}), "the real and the imaginary parts"),
        (pd.DataFrame({"c": pd.interval_range(0, 2)}), "the middle of the intervals"),
        (pl.DataFrame({"c": [[1], [2]]}), "turn it into one of these"),
    ],
    ids=["durations", "polars durations", "times", "complex", "intervals", "lists"],
)
def test_other_types_are_named_with_what_would_do(frame, words):
    with pytest.raises(TypeError, match=f"column 'c' has dtype .*{words}"):
        table_of_frame(frame)


@pytest.mark.parametrize("maker", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("whole", ["int8", "int64", "uint32", "float32"])
def test_plain_numbers_are_read_at_once_as_they_are_one_by_one(maker, whole):
    values = {"a": np.array([1.5, np.nan, -0.1]), "b": np.array([3, 1, 100], dtype=whole)}
    frame = maker(values)
    matrix = matrix_of_frame(frame)
    assert matrix.flags.c_contiguous
    assert matrix.dtype == np.float64
    one_by_one = np.column_stack([column.values for column in table_of_frame(frame).columns])
    np.testing.assert_array_equal(matrix, one_by_one)
    np.testing.assert_array_equal(matrix[:, 1], values["b"].astype(float))


def test_gaps_of_polars_are_gaps_and_a_frame_is_not_shared():
    frame = pl.DataFrame({"a": [1, None], "b": [0.5, None]})
    np.testing.assert_array_equal(matrix_of_frame(frame), [[1.0, 0.5], [np.nan, np.nan]])
    whole = pd.DataFrame(np.zeros((2, 2)), columns=["a", "b"])
    matrix_of_frame(whole)[:] = 7.0
    assert (whole == 0.0).all(axis=None)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1.0], "b": ["x"]}),
        pd.DataFrame({"a": [True]}),
        pd.DataFrame({"a": pd.array([1], dtype="Int64")}),
        pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
        pl.DataFrame({"a": ["x"]}),
        pl.DataFrame({"a": [dt.date(2020, 1, 1)]}),
        pa.table({"a": [1.0]}),
    ],
)
def test_other_columns_are_asked_one_by_one(frame):
    assert matrix_of_frame(frame) is None


@pytest.mark.parametrize("n_rows", [3, 40])
def test_few_texts_are_read_as_many_are(n_rows):
    texts = (["b", None, "a", "Ü", ""] * 8)[:n_rows]
    (few,) = table_of_frame(pl.DataFrame({"t": texts})).columns
    (same,) = table_of_frame(pd.DataFrame({"t": np.array(texts, dtype=object)})).columns
    assert few.categories == same.categories
    np.testing.assert_array_equal(few.values, same.values)
