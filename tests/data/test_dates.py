"""Dates become numbers, the same ones from every door, and stay readable."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest

from softwood import (
    C45Classifier,
    CARTClassifier,
    Gradient,
    SoftTreeClassifier,
    load,
    plot_tree,
    save,
)
from softwood.data.dates import date_text, days_of_text
from softwood.data.encode import table_of
from softwood.data.table import Column, Table
from softwood.errors import DateWarning

TEXTS = [f"2024-{month:02}-{day:02} 0{day % 9}:30" for month in (1, 2, 3) for day in range(1, 15)]
PLAIN = np.array(TEXTS, dtype="datetime64[us]")
LATE = np.where(np.datetime64("2024-02-05") < PLAIN, "late", "early")
DAYS = PLAIN.astype(np.int64) / 86_400e6


def frame(when):
    return pd.DataFrame({"when": when, "noise": np.resize([1.0, 2.0, 3.0], len(TEXTS))})


DATES = {
    "datetime64[ns]": lambda: frame(pd.Series(PLAIN.astype("datetime64[ns]"))),
    "in another time zone": lambda: frame(
        pd.Series(PLAIN).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    ),
    "periods of a minute": lambda: frame(pd.PeriodIndex(TEXTS, freq="min")),
    "objects": lambda: frame(pd.Series(list(pd.to_datetime(TEXTS)), dtype=object)),
    "python's own": lambda: frame(pd.Series(PLAIN.astype(object), dtype=object)),
    "polars": lambda: pl.DataFrame({"when": PLAIN, "noise": frame(PLAIN)["noise"].to_numpy()}),
    "polars in another time zone": lambda: pl.DataFrame(
        {"when": PLAIN, "noise": frame(PLAIN)["noise"].to_numpy()}
    ).with_columns(pl.col("when").dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")),
}


@pytest.mark.parametrize("kind", DATES)
def test_every_door_gives_the_same_bits_and_says_nothing(kind):
    column = table_of(DATES[kind]()).columns[0]
    assert column.is_date
    np.testing.assert_array_equal(column.values, DAYS)


def test_texts_give_the_same_bits_and_are_told():
    with pytest.warns(
        DateWarning, match="column 'when' holds dates as text, such as '2024-01-01 01"
    ):
        by_text = CARTClassifier().fit(frame(TEXTS), LATE)
    by_type = CARTClassifier().fit(frame(PLAIN), LATE)
    assert by_text.tree_ == by_type.tree_
    assert by_text.schema_ == by_type.schema_
    assert by_type.schema_.features[0].is_date
    for rows in (frame(TEXTS), *(make() for make in DATES.values())):
        assert (by_text.predict(rows) == LATE).all()


def test_arrays_hold_dates_too():
    array = PLAIN[:, None]
    model = CARTClassifier().fit(array, LATE)
    assert model.schema_.features[0].is_date
    objects = PLAIN.astype(object)[:, None]
    for rows in (array, objects, np.array(TEXTS, dtype=object)[:, None], DAYS[:, None]):
        assert (model.predict(rows) == LATE).all()
        assert "x0 is 2024-01-01 01:30, so" in str(model.explain(rows[:1]))
    assert "x0 is 2024-01-01 01:30" in str(model.explain(array[:1].astype("datetime64[ns]")))


def test_days_and_dates_with_only_a_day():
    assert days_of_text("1970-01-11") == 10.0
    table = table_of(pd.DataFrame({"day": [dt.date(1970, 1, 11), None]}))
    np.testing.assert_array_equal(table.columns[0].values, [10.0, np.nan])
    column = table_of(pl.DataFrame({"day": [dt.date(1970, 1, 11), None]})).columns[0]
    np.testing.assert_array_equal(column.values, [10.0, np.nan])


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2024-3-1", "20240301", "2024-03-01 25:00", "2024-03-01x", "x2024-03-01", "",
     "2024-03-01 12", "12:30", "now", "2024-03", "0000-01-01", "٢٠٢٤-03-01"],
)  # fmt: skip
def test_what_is_no_date(text):
    assert days_of_text(text) is None


def test_texts_of_which_one_is_no_date_stay_categories():
    model = C45Classifier().fit(frame(["soon", "later", *TEXTS[:1]] * 14), LATE)
    assert model.schema_.features[0].categories == ("2024-01-01 01:30", "later", "soon")
    one = C45Classifier().fit(frame(["2024-01-01"] * 42), LATE)  # one date is no series of them
    assert one.schema_.features[0].is_nominal


def test_declared_categories_stay_categories():
    weeks = np.resize(["2024-01-01", "2024-01-08"], len(TEXTS))
    for model, X in (
        (C45Classifier(categorical_features=["when"]), frame(weeks)),
        (C45Classifier(), frame(pd.Categorical(weeks))),
        (C45Classifier(categorical_features=["when"]), frame(pd.to_datetime(weeks))),
    ):
        model.fit(X, LATE)
        assert model.schema_.features[0].categories == ("2024-01-01", "2024-01-08")
        np.testing.assert_array_equal(model.predict(X), model.predict(frame(weeks)))


def test_text_that_is_not_chosen_may_be_dates():
    X = frame(TEXTS).assign(noise=np.resize(["a", "b"], len(TEXTS)))
    with pytest.warns(DateWarning):
        model = CARTClassifier(categorical_features=["noise"]).fit(X, LATE)
    assert [feature.is_date for feature in model.schema_.features] == [True, False]


def test_what_was_a_date_must_be_one():
    model = CARTClassifier().fit(frame(PLAIN), LATE)
    bad = frame(["2024-01-01"] * 41 + ["soon"])
    with pytest.raises(
        ValueError, match=r"'when' held dates in training, but holds 'soon' \(row 41"
    ):
        model.predict(bad)
    with pytest.raises(ValueError, match=r"held dates in training, but holds 20240301.0 \(row 0"):
        model.predict(frame(20240301))
    np.testing.assert_array_equal(
        model.predict(frame(np.nan)),
        model.predict(frame(pd.NaT)),  # nothing known: no complaint
    )
    numbers = CARTClassifier().fit(frame(DAYS), LATE)
    with pytest.raises(ValueError, match="is numeric in this model, but holds '2024-01-01 01:30'"):
        numbers.predict(frame(PLAIN))


def test_periods_are_read_as_they_are_written():
    for freq in ("M", "Q", "W", "D"):
        when = pd.period_range("2022-01", periods=20, freq=freq)
        X, y = pd.DataFrame({"when": when}), np.arange(20) > 9
        model = CARTClassifier().fit(X, y)
        assert (model.predict(X) == y).all()
        assert (model.predict(X.astype(str)) == y).all()


def test_thresholds_are_shown_as_dates(tmp_path):
    model = CARTClassifier().fit(frame(PLAIN), LATE)
    save(model, tmp_path / "m.softwood")
    again = load(tmp_path / "m.softwood")
    assert again.schema_ == model.schema_
    for one in (model, again):
        assert one.export_text().splitlines()[0] == "when <= 2024-02-04 17:00: early (18.0)"
        assert one.get_rules()["rule"].tolist() == [
            "when > 2024-02-04 17:00",
            "when <= 2024-02-04 17:00",
        ]
        said = str(one.explain({"when": "2024-01-01", "noise": 1.0}))
        assert "when is 2024-01-01, so when <= 2024-02-04 17:00" in said
        moment = dt.datetime(2024, 3, 1, 12, 30)
        assert "when is 2024-03-01 12:30, so" in str(one.explain([moment, 1.0]))
    texts = [text.get_text() for text in plot_tree(model).texts]
    assert any("<= 2024-02-04 17:00" in text.replace("\n", " ") for text in texts)
    soft = SoftTreeClassifier(method=Gradient(n_epochs=2), max_leaf_nodes=2, random_state=0).fit(
        frame(PLAIN), LATE
    )
    assert "soft from 202" in soft.export_text()


def test_words_for_dates():
    assert [date_text(days) for days in (-1.0, 0.25, 19783 + 1 / 86400)] == [
        "1969-12-31",
        "1970-01-01 06:00",
        "2024-03-01 00:00:01",
    ]
    assert date_text(19783 + 1.5 / 86400, exact=True) == "2024-03-01 00:00:01.5"
    assert date_text(-1e12) == "-1000000000000 days after 1970-01-01"


def test_tables_of_dates_go_to_pandas_and_back():
    table = Table((Column("when", np.array([19783.25, np.nan]), is_date=True),))
    again = table_of(table.to_pandas()).columns[0]
    assert again.is_date
    np.testing.assert_array_equal(again.values, table.columns[0].values)
