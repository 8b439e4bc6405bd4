"""Frames of any library as frames of polars."""

from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from softwood.data.columns.polars import as_polars, frame_of_row
from softwood.data.table import Column, Table


def test_texts_are_stripped_and_blanks_are_gaps():
    frame = {"k": [" oak ", "", "  ", None]}
    for made in (pl.DataFrame(frame), pd.DataFrame(frame)):
        assert as_polars(made)["k"].to_list() == ["oak", None, None, None]


def test_types_of_pandas():
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None], dtype="Int64"),
            "x": [0.5, np.nan],
            "b": [True, False],
            "d": pd.to_datetime(["2024-01-31", None]),
            "c": pd.Categorical(["u", None], categories=["v", "u"]),
            "o": [1, "x"],
            "p": [date(2024, 1, 31), None],
        }
    )
    frame["z"] = frame["d"].dt.tz_localize("Europe/Berlin")
    found = as_polars(frame)
    assert found["d"].to_list() == [datetime(2024, 1, 31), None]
    assert found["z"].dt.replace_time_zone(None).to_list() == [datetime(2024, 1, 30, 23), None]
    assert found["n"].to_list() == [1.0, None]
    assert found["x"].to_list() == [0.5, None]
    assert found.schema["b"] == pl.Boolean
    assert found["c"].dtype.categories.to_list() == ["v", "u"]
    assert found["o"].to_list() == ["1", "x"]
    assert found["p"].to_list() == [date(2024, 1, 31), None]


def test_arrays_and_tables():
    assert as_polars(np.array([[1.0, np.nan]])).row(0) == (1.0, None)
    table = Table((Column("k", np.array([0, -1], dtype=np.int32), ("a",)),))
    assert as_polars(table)["k"].to_list() == ["a", None]


def test_one_row_by_names():
    row = frame_of_row({"x": 3, "k": " oak ", 7: None, "t": True})
    assert row.columns == ["x", "k", "7", "t"]
    assert row.row(0) == (3, "oak", None, True)


@pytest.mark.parametrize("values", [[np.int64(3), None], [np.float32(3.0), None]])
def test_numbers_in_columns_of_objects(values):
    assert as_polars(pd.DataFrame({"x": pd.Series(values, dtype=object)}))["x"].to_list() == [
        3.0,
        None,
    ]
