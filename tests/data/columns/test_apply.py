"""Columns prepared: the same features by whatever door rows come in."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood import C45Classifier, load, save
from softwood.data.columns.apply import columns_of, prepared, prepared_rows
from softwood.data.columns.describe import describe
from softwood.data.columns.plan import ColumnPlan
from softwood.data.columns.polars import as_polars
from softwood.data.readers.rows import opened

MESSY = {
    "share": st.integers(0, 100).map(lambda n: f"{n} %"),
    "price": st.integers(0, 9_999_999).map(lambda n: f"€ {n / 100:,.2f}"),
    "day": st.dates(date(1900, 1, 1), date(2099, 1, 1)).map(lambda d: f"{d:%d.%m.%Y}"),
    "flag": st.sampled_from(["yes", "No", "Y", "n"]),
    "wood": st.sampled_from(["Oak", "oak ", "FIR", "elm", "Straße", "STRASSE"]),
    "size": st.floats(-1e6, 1e6).map(repr),
    "code": st.integers(0, 20).map(lambda n: f"0{n}"),
}
rows = st.lists(
    st.fixed_dictionaries({name: st.none() | cell for name, cell in MESSY.items()}),
    min_size=6,
    max_size=20,
)


def same(table, other):
    assert table.names == other.names
    for one, two in zip(table.columns, other.columns, strict=True):
        if one.is_nominal:
            assert one.as_objects().tolist() == two.as_objects().tolist(), one.name
        else:
            np.testing.assert_array_equal(one.values, two.values, err_msg=one.name)


@given(rows=rows)
def test_csv_pandas_and_polars_give_the_same_features(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("apply") / "a.csv"
    rows = [row for row in rows if any(row.values())] + [
        dict.fromkeys(MESSY, None) | {"code": "01"}
    ]
    polars = pl.DataFrame(rows, schema=dict.fromkeys(MESSY, pl.String))
    pandas = pd.DataFrame(rows, columns=list(MESSY), dtype=object)
    polars.write_csv(path)
    keep = list(MESSY)
    preparation = describe(polars, keep=keep).preparation()
    assert describe(pandas, keep=keep).preparation() == preparation
    expected = prepared(preparation, as_polars(polars))
    same(prepared(preparation, as_polars(pandas)), expected)
    with opened([path], as_text=preparation.as_text) as found:
        same(prepared(preparation, found.collect()), expected)


def churn():
    rng = np.random.default_rng(3)
    n = 80
    return pd.DataFrame(
        {
            "share": [f"{k} %" for k in rng.integers(0, 100, n)],
            "since": pd.date_range("2020-01-01", periods=n, freq="17D").strftime("%d.%m.%Y"),
            "wood": rng.choice(["Oak", "oak", "fir"], n),
            "flag": rng.choice(["yes", "NO", "y", None], n),
        }
    )


def test_model_files_prepare_as_training_did(tmp_path):
    frame = churn()
    preparation = describe(frame).preparation()
    y = np.where(frame["share"].str.rstrip(" %").astype(int) > 40, "hi", "lo")
    model = C45Classifier(min_samples_leaf=1).fit(prepared(preparation, as_polars(frame)), y)
    assert model.predict(frame).tolist() == y.tolist()
    save(model, tmp_path / "m.softwood")
    again = load(tmp_path / "m.softwood")
    assert again.schema_.preparation == preparation
    frame.to_csv(tmp_path / "a.csv", index=False)
    for same_rows in (
        frame,
        pl.DataFrame(frame.to_dict("list")),
        pd.read_csv(tmp_path / "a.csv"),
        prepared(preparation, as_polars(frame)),
    ):
        assert again.predict(same_rows).tolist() == y.tolist()
    assert prepared_rows(again.schema_, np.zeros((2, 3))).shape == (2, 3)


def test_a_column_that_is_not_there_is_named():
    preparation = describe(churn()).preparation()
    with pytest.raises(ValueError, match=r"columns 'share', 'flag' that the model"):
        prepared(preparation, as_polars(churn()[["since", "wood"]]))


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [("share", "many", "a number"), ("since", "soon", "a date"), ("share", "5 kg", "a number")],
)
def test_what_cannot_be_read_is_told_with_its_row(name, value, what):
    preparation = describe(churn()).preparation()
    frame = churn()
    frame.loc[7, name] = value
    with pytest.raises(ValueError, match=rf"'{name}' holds '{value}' \(row 7\).*{what}.*--na"):
        prepared(preparation, as_polars(frame))


def test_later_files_may_write_in_another_way():
    preparation = describe(churn()).preparation()
    frame = churn()
    expected = prepared(preparation, as_polars(frame))
    frame["share"] = frame["share"].str.replace(" %", ",0 %")
    frame["since"] = pd.to_datetime(frame["since"], format="%d.%m.%Y")
    same(prepared(preparation, as_polars(frame)), expected)
    frame["share"] = frame["share"].str.rstrip(",0 %").replace("", "0").astype(float)
    frame["since"] = frame["since"].astype(str)
    got = prepared(preparation, as_polars(frame))
    np.testing.assert_array_equal(got["since"].values, expected["since"].values)


def test_times_and_durations():
    clock = ColumnPlan("t", "time of day", formats=("%H:%M",))
    assert columns_of(clock, pl.Series("t", ["12:30", None]))[0].values.tolist()[0] == 12.5
    as_times = pl.Series("t", ["12:30:00"]).str.to_time()
    assert columns_of(clock, as_times)[0].values.tolist() == [12.5]
    days = pl.Series("d", [1.5 * 86_400_000_000]).cast(pl.Duration("us"))
    assert columns_of(ColumnPlan("d", "number"), days)[0].values.tolist() == [1.5]


def test_a_column_without_values_in_a_later_file():
    preparation = describe(churn()).preparation()
    frame = as_polars(churn()).with_columns(pl.lit(None).alias(name) for name in churn())
    table = prepared(preparation, frame)
    for column in table.columns:
        gaps = column.values == -1 if column.is_nominal else np.isnan(column.values)
        assert gaps.all(), column.name
