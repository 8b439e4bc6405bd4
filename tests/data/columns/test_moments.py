"""Dates and times in every format we know: found out, and read back."""

from datetime import UTC, datetime, timedelta, timezone

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.columns import moments
from softwood.data.columns.moments import (
    clock_format,
    date_formats,
    days_of_moments,
    days_of_texts,
    hours_of_texts,
    is_ambiguous,
    part_of,
    parts_that_matter,
)

EPOCH = datetime(1970, 1, 1)
DATES = [form for form in moments._DATES if not form.endswith("%y")]
SHORT = [form for form in moments._DATES if form.endswith("%y")]
CLOCKS = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p"]
dates = st.datetimes(datetime(1900, 1, 1), datetime(2100, 12, 31))
minutes = dates.map(lambda moment: moment.replace(second=0, microsecond=0))


def days(moment):
    return (moment - EPOCH) / timedelta(days=1)


@given(form=st.sampled_from(DATES), values=st.lists(dates, min_size=2, max_size=9, unique=True))
def test_dates_are_read_back(form, values):
    texts = pl.Series("d", [value.strftime(form) for value in values])
    whole = [float((value - EPOCH).days) for value in values]
    assert days_of_texts(texts, [form]).to_list() == whole
    found = date_formats(texts.unique(maintain_order=True)) if texts.n_unique() > 1 else (form,)
    assert found is not None
    assert days_of_texts(texts, found).null_count() == 0


@given(
    form=st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"]),
    clock=st.sampled_from(CLOCKS),
    values=st.lists(minutes, min_size=2, max_size=6, unique=True),
)
def test_dates_with_times_are_read_back(form, clock, values):
    texts = pl.Series([f"{value.strftime(form)} {value.strftime(clock)}" for value in values])
    read = days_of_texts(texts, [f"{form} {clock}"]).to_list()
    assert read == pytest.approx([days(value) for value in values], abs=1e-9)
    assert date_formats(texts) is not None


@pytest.mark.parametrize("form", SHORT)
def test_short_years(form):
    values = [datetime(2021, 12, 31), datetime(1999, 2, 25)]
    texts = pl.Series([value.strftime(form) for value in values])
    assert date_formats(texts) == (form,)
    assert days_of_texts(texts, [form]).to_list() == [days(value) for value in values]


@given(values=st.lists(minutes, min_size=2, max_size=6, unique=True), hours=st.integers(-11, 12))
def test_offsets_are_taken_off(values, hours):
    zone = timezone(timedelta(hours=hours))
    texts = pl.Series([value.replace(tzinfo=zone).isoformat() for value in values])
    found = date_formats(texts)
    there = [value.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None) for value in values]
    assert days_of_texts(texts, found).to_list() == pytest.approx([days(t) for t in there])


def test_zulu_is_greenwich():
    texts = pl.Series(["2024-01-31T12:00:00Z", "2024-02-01T00:00:00Z"])
    assert days_of_texts(texts, date_formats(texts)).to_list() == [19753.5, 19754.0]


def test_all_texts_decide_which_is_the_month():
    early = [f"{d:02d}/01/2024" for d in range(1, 13)]
    assert date_formats(pl.Series(early)) == ("%m/%d/%Y",)
    assert is_ambiguous(pl.Series(early), ("%m/%d/%Y",))
    late = [*early * 1, "31/01/2024"]
    assert date_formats(pl.Series(late)) == ("%d/%m/%Y",)
    assert not is_ambiguous(pl.Series(late), ("%d/%m/%Y",))
    many = [f"{1 + k % 12:02d}/{1 + k // 12 % 12:02d}/{2000 + k // 144}" for k in range(400)]
    assert date_formats(pl.Series([*many, "13/01/2020"])) == ("%d/%m/%Y",)


@pytest.mark.parametrize(
    "texts",
    [
        ["1.2.3", "1.2.4"],
        ["soon", "later"],
        ["2024-13-01", "2024-12-32"],
        ["2024-01-01", "never"],
        ["1/2", "3/4"],
        ["0001-01-01", "0002-01-01"],
        ["2024-01-01"],
        ["10.0.0.1", "10.0.0.2"],
        ["555-12-34", "555-12-35"],
    ],
)
def test_what_is_no_column_of_dates(texts):
    assert date_formats(pl.Series(texts)) is None


def test_months_and_mixtures():
    assert date_formats(pl.Series(["Jan 2024", "Feb 2023"])) == ("%b %Y",)
    mixed = pl.Series(["2024-01-31", "31.12.2023", "2024-02-01"])
    assert date_formats(mixed) == ("%Y-%m-%d", "%d.%m.%Y")
    assert days_of_texts(mixed, date_formats(mixed)).to_list() == [19753.0, 19722.0, 19754.0]


# -- times of day, and parts ----------------------------------------------------------------


@given(form=st.sampled_from(CLOCKS), values=st.lists(minutes, min_size=2, max_size=6, unique=True))
def test_times_of_day(form, values):
    texts = pl.Series([value.strftime(form) for value in values])
    hours = [value.hour + value.minute / 60 for value in values]
    assert hours_of_texts(texts, form).to_list() == pytest.approx(hours)
    found = clock_format(texts.unique()) if texts.n_unique() > 1 else form
    assert hours_of_texts(texts, found).to_list() == pytest.approx(hours)


def test_what_is_no_time_of_day():
    assert clock_format(pl.Series(["25:00", "26:00"])) is None
    assert clock_format(pl.Series(["12:30", "noon"])) is None


@given(value=dates, shift=st.integers(-9999, 9999))
def test_the_same_clock_is_the_same_number_on_every_day(value, shift):
    other = value + timedelta(days=shift) if abs(value.year - 2000) < 60 else value
    two = pl.Series([value, other], dtype=pl.Datetime("us"))
    hours = part_of(days_of_moments(two), "hour").to_list()
    assert hours[0] == hours[1]
    clock = value - value.replace(hour=0, minute=0, second=0, microsecond=0)
    assert hours[0] == pytest.approx(clock / timedelta(hours=1), abs=1e-6)


@given(values=st.lists(dates, min_size=1, max_size=5))
def test_parts_are_those_of_the_calendar(values):
    series = days_of_moments(pl.Series(values, dtype=pl.Datetime("us")))
    assert part_of(series, "weekday").to_list() == [value.isoweekday() for value in values]
    assert part_of(series, "month").to_list() == [value.month for value in values]


def test_parts_come_only_where_they_come_back():
    assert parts_that_matter(pl.Series([], dtype=pl.Float64)) == ()
    assert parts_that_matter(pl.Series([0.0, 5.0])) == ()
    assert parts_that_matter(pl.Series([0.0, 7.0, 14.0, 21.0])) == ()  # always a Thursday
