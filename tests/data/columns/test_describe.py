"""Descriptions of tables: the same for pandas and polars, and safe to show."""

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data import describe
from softwood.data.columns.plan import ColumnPlan

cells = st.none() | st.sampled_from(["1", "2.5", "3%", "x", "yes", "no", "2024-01-31", "?", "$5"])


@given(
    columns=st.integers(1, 12).flatmap(
        lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_pandas_and_polars_are_described_alike(columns):
    named = {f"c{k}": values for k, values in enumerate(columns)}
    pandas = describe(pd.DataFrame(named, dtype=object))
    polars = describe(pl.DataFrame(named, schema=dict.fromkeys(named, pl.String)))
    assert pandas == polars
    assert str(pandas) == str(polars)


def test_numbers_dates_and_booleans_are_described_alike():
    pandas = pd.DataFrame(
        {
            "n": [1, 2, 2],
            "x": [0.5, None, 2.0],
            "b": [True, False, True],
            "d": pd.to_datetime(["2024-01-01", "2024-03-01", None]),
            "c": pd.Categorical(["u", "v", "u"]),
        }
    )
    for frame in (pl.from_pandas(pandas), pandas.convert_dtypes()):
        for one, two in zip(describe(pandas), describe(frame), strict=True):
            assert one.to_dict() == two.to_dict()


def test_words_for_gaps_are_counted_as_gaps():
    column = describe(pd.DataFrame({"x": ["1", "unknown", "unknown", "2", None]})).columns[0]
    assert (column.n_missing, column.n_distinct) == (3, 2)
    assert "'unknown' as missing" in column.action


def test_parts_of_dates_take_no_other_columns_name():
    dates = [f"2020-{m:02d}-{d:02d}" for m in range(1, 13) for d in (1, 9)] + ["2022-01-01"]
    frame = pd.DataFrame({"date": dates, "date.month": range(25)})
    found = describe(frame)
    assert "month" not in found.columns[0].action
    features = found.preparation().features
    assert len(set(features)) == len(features)
    alone = describe(frame[["date"]]).preparation(ColumnPlan("date.weekday", "category"))
    assert "date.weekday" not in alone.features
    assert "date.month" in alone.features


def test_names_are_escaped_where_a_page_shows_them():
    shown = describe(pd.DataFrame({"<script>": [1, 2], "b": ["<b>", "x"]}))._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.parametrize("option", ["keep", "nominal", "drop"])
def test_unknown_names_are_refused(option):
    with pytest.raises(ValueError, match=f"{option} names 'z'; the columns are 'x'"):
        describe(pd.DataFrame({"x": [1, 2]}), **{option: ["z"]})


def test_columns_can_be_dropped_kept_and_declared():
    frame = pd.DataFrame({"id": [f"u{k}" for k in range(60)], "x": range(60), "k": [1, 2] * 30})
    found = describe(frame, keep=["id"], drop=["x"], nominal=["k"])
    assert [column.plan.is_used for column in found] == [True, False, True]
    assert found.columns[1].action == "left out, as you say"
    assert found.columns[2].kind == "category"
