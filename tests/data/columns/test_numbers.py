"""Numbers in the styles of many countries: found out, and read to the last printed digit."""

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from softwood.data.columns.numbers import NumberFormat, is_currency, number_format, numbers_of

STYLES = [(".", ""), (".", ","), (".", " "), (".", "'"), (",", ""), (",", "."), (",", " ")]
UNITS = ["", "%", "€", "$", "CHF", "kg", "km/h", "°C"]
numbers = st.lists(st.integers(-(10**11), 10**11), min_size=4, max_size=12, unique=True)


def written(cents, decimal, thousands, unit, before, n_digits=2):
    """Return cents as a text of a style, as an oracle in plain Python would."""
    whole, rest = divmod(abs(cents), 10**n_digits)
    text = f"{whole:,}".replace(",", thousands) if thousands else str(whole)
    text = f"{text}{decimal}{rest:0{n_digits}d}"
    sign = "-" if cents < 0 else ""
    if before and unit in ("€", "$", "CHF"):
        return f"{sign}{unit} {text}"
    return f"{sign}{text} {unit}".strip()


@given(
    cents=numbers,
    style=st.sampled_from(STYLES),
    unit=st.sampled_from(UNITS),
    before=st.booleans(),
)
def test_every_style_is_read_to_the_last_digit(cents, style, unit, before):
    decimal, thousands = style
    values = pl.Series("v", [written(c, decimal, thousands, unit, before) for c in cents])
    found = number_format(values, decimal)
    assert found is not None
    form, missing = found
    assert missing == ()
    assert form.unit == unit
    assert form.decimal == decimal
    assert form.thousands in ("", thousands)
    expected = [float(f"{'-' if c < 0 else ''}{abs(c) // 100}.{abs(c) % 100:02d}") for c in cents]
    assert numbers_of(values, form).to_list() == expected


@given(cents=numbers, style=st.sampled_from(STYLES))
def test_thousands_are_found_where_they_are(cents, style):
    decimal, thousands = style
    assume(thousands and any(abs(c) >= 10**5 for c in cents))
    values = pl.Series([written(c, decimal, thousands, "", False) for c in cents])
    assert number_format(values, decimal)[0] == NumberFormat(decimal, thousands, "")


@given(values=st.lists(st.floats(allow_nan=False), min_size=1, max_size=9, unique=True))
def test_what_python_writes_is_read_exactly(values):
    texts = pl.Series([repr(value) for value in values])
    form, _ = number_format(texts)
    assert form == NumberFormat()
    assert numbers_of(texts, form).to_list() == values


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["(1,200)", "1,200"], [-1200.0, 1200.0]),
        (["-$5", "$-6", "$ 7"], [-5.0, -6.0, 7.0]),
        (["\u22125", "+6"], [-5.0, 6.0]),
        (["1\u00a0234", "12\u202f345"], [1234.0, 12345.0]),
        (["1 year", "2 years", "30 Years"], [1.0, 2.0, 30.0]),
        (["5 kg", "6kg", "7", "8 kg", "9 kg", "1 kg", "2 kg", "3 kg", "4 kg", "0 kg"], None),
        (["inf", "-Infinity", "2"], [float("inf"), float("-inf"), 2.0]),
    ],
)
def test_signs_brackets_blanks_and_plurals(texts, expected):
    series = pl.Series(texts)
    form, _ = number_format(series)
    read = numbers_of(series, form).to_list()
    assert None not in read
    assert read == (expected or [5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 0.0])


@pytest.mark.parametrize(
    "texts",
    [
        ["A1", "A2", "A3"],
        ["007", "008"],
        ["1_000", "2"],
        ["\uff11\uff12", "1\uff12"],
        ["5 kg", "6 lb", "7 kg"],
        ["1,23", "1.2.3"],
        ["1-2", "3-4"],
        ["(5", "6)"],
        ["--5", "6"],
        ["1.234.5", "2"],
        ["unknown", "?"],
        ["12:30", "13:30"],
        ["192.168.0.1", "10.0.0.1"],
        ["", "x1"],
    ],
)
def test_what_is_no_column_of_numbers(texts):
    assert number_format(pl.Series(texts)) is None


def test_words_for_missing_values_are_kept_by_name():
    form, words = number_format(pl.Series(["5%", "Unknown", "7 %", "-"]))
    assert (form.kind, words) == ("percent", ("-", "Unknown"))
    assert number_format(pl.Series([], dtype=pl.String)) is None


def test_texts_in_another_style_are_not_read():
    read = numbers_of(pl.Series(["1,5", "$3", "2.50", "soon", None]), NumberFormat())
    assert read.to_list() == [None, None, 2.5, None, None]


def test_a_million_characters_take_no_time():
    texts = pl.Series(["1,2." * 250_000, "(" * 1_000_000, "1" * 1_000_000, " " * 999_999 + "1"])
    assert number_format(texts) is None
    assert numbers_of(texts, NumberFormat()).to_list()[:2] == [None, None]


@pytest.mark.parametrize(
    ("unit", "is_money"), [("€", True), ("Kč", True), ("kg", False), ("", False)]
)
def test_currencies(unit, is_money):
    assert is_currency(unit) == is_money
