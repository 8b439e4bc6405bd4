"""Dates as numbers: days since 1970-01-01, the time of day as a fraction, in UTC.

Every door goes through whole microseconds, so that a date from a frame and the same date from a
file are the same number to the last bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.table import MISSING_CODE, PER_DAY, Column, Table
from softwood.data.telling import tell
from softwood.errors import DateWarning

EXAMPLE = "2024-03-01 or 2024-03-01 12:30"
_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
_TIME = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
_ISO = re.compile(rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}({_TIME})?")
_MONTH = re.compile(r"([0-9]{4})(?:-([0-9]{2})|Q([1-4]))?")  # how periods are written


def days_of_datetimes(values: AnyArray) -> FloatArray:
    """Return numpy's dates, of any unit, as days; NaN for those that are missing.

    Examples
    --------
    >>> days_of_datetimes(np.array(["1970-01-02T12", "NaT"], dtype="datetime64[h]"))
    array([1.5, nan])
    """
    microseconds = values.astype("datetime64[us]")
    days: FloatArray = microseconds.astype(np.int64) / PER_DAY
    days[np.isnat(microseconds)] = np.nan
    return days


def is_date(value: Any) -> bool:
    """Whether an object is a date, a point in time or, for its start, a period."""
    return isinstance(value, date | np.datetime64) or type(value).__name__ == "Period"


def days_of_object(value: Any) -> float:
    """Return an object that :func:`is_date` as days."""
    if type(value).__name__ == "Period":
        value = value.start_time
    if isinstance(value, np.datetime64):
        return float(days_of_datetimes(np.array([value]))[0])
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return _days(_microseconds(value))


def days_of_text(text: Any) -> float | None:
    """Return an ISO date, or date and time, as days; None if it is something else.

    Examples
    --------
    >>> days_of_text("1970-01-02"), days_of_text("1970-01-01T12:00+12:00"), days_of_text("soon")
    (1.0, 0.0, None)
    """
    if not isinstance(text, str) or not _ISO.fullmatch(text):
        return None
    try:
        return _days(_microseconds(datetime.fromisoformat(text)))
    except ValueError:  # the 30th of February
        return None


def _days_of_period(text: Any) -> float | None:
    """Return the start of a period: ``2024``, ``2024-03``, ``2024Q1`` or ``start/end``."""
    text = text.partition("/")[0] if isinstance(text, str) else ""
    found = _MONTH.fullmatch(text)
    if found is None:
        return days_of_text(text)
    year, month, quarter = found.groups()
    return days_of_text(f"{year}-{month or f'{3 * int(quarter or 1) - 2:02}'}-01")


def _microseconds(moment: datetime) -> int:
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return (moment - _EPOCH) // _MICROSECOND


def _days(microseconds: int) -> float:
    return float(np.int64(microseconds) / PER_DAY)


def date_text(days: float, *, exact: bool = False) -> str:
    """Return days as a date, with the time of day if there is one.

    Parameters
    ----------
    days : float
        Days since 1970-01-01.
    exact : bool, default=False
        Whether to write microseconds; otherwise it is rounded to seconds.

    Examples
    --------
    >>> date_text(19783.0), date_text(19783.5), date_text(1e9)
    ('2024-03-01', '2024-03-01 12:00', '1000000000 days after 1970-01-01')
    """
    unit = 1 if exact else 1_000_000
    try:
        moment = _EPOCH + timedelta(microseconds=round(days * (PER_DAY // unit)) * unit)
    except OverflowError:
        return f"{days:.15g} days after 1970-01-01"
    if moment.microsecond:
        return moment.isoformat(" ").rstrip("0")
    return moment.isoformat(" ").removesuffix(":00").removesuffix(" 00:00")


# -- columns -----------------------------------------------------------------------


def are_dates(texts: Sequence[Any] | None, least: int = 2) -> bool:
    """Whether distinct values look like dates: two or more, and all of them ISO dates."""
    if texts is None or len(texts) < least or days_of_text(texts[0]) is None:
        return False
    return all(days_of_text(text) is not None for text in texts)


def with_dates(table: Table, kept: BoolArray) -> Table:
    """Return the table with columns of texts that are all dates as numbers, and say so.

    Columns that are ``kept``, or were declared to hold categories, stay as they are.
    """
    columns = []
    for column, stays in zip(table.columns, kept, strict=True):
        if not stays and may_be_dates(column) and are_dates(column.categories):
            tell_of_dates(column.name, (column.categories or ())[0])
            column = as_dates(column)
        columns.append(column)
    return replace(table, columns=tuple(columns))


def may_be_dates(column: Column) -> bool:
    """Whether nobody has said that the values of a column of text are categories."""
    return bool(column.categories) and not column.is_declared


def tell_of_dates(name: str, example: str) -> None:
    """Say that a column of text is read as dates."""
    tell(
        DateWarning(
            f"column {name!r} holds dates as text, such as {example!r}: they are read as numbers, "
            "days since 1970-01-01. Give it the dtype datetime to say that this is right, or name "
            "it in categorical_features (--nominal) to keep its values as categories"
        )
    )


def as_dates(column: Column) -> Column:
    """Return a column as one of dates, in days; a value that is none is an error.

    Texts are ISO dates, or what periods are written as, whose start is taken.
    """
    if column.is_date:
        return column
    if column.categories is None:
        known = np.flatnonzero(~np.isnan(column.values))
        if known.size:
            raise _no_date(column, int(known[0]))
        return replace(column, is_date=True)
    days = np.full(len(column.categories) + 1, np.nan)  # code -1 picks the last entry
    for code, text in enumerate(column.categories):
        found = _days_of_period(text)
        days[code] = np.nan if found is None else found
    unread = np.flatnonzero(np.isnan(days[column.values]) & (column.values != MISSING_CODE))
    if unread.size:
        raise _no_date(column, int(unread[0]))
    return Column(column.name, days[column.values], is_date=True)


def _no_date(column: Column, row: int) -> ValueError:
    seen = column.as_objects()[row]
    seen = seen.item() if isinstance(seen, np.generic) else seen
    return ValueError(
        f"column {column.name!r} held dates in training, but holds {seen!r} (row {row}); "
        f"give dates, such as {EXAMPLE}, or a missing value"
    )


def as_date_texts(column: Column) -> Column:
    """Return a column of dates as a nominal one, with the dates as texts, ascending."""
    distinct, codes = np.unique(column.values, return_inverse=True)
    n_known = int(np.count_nonzero(~np.isnan(distinct)))
    codes = np.where(codes < n_known, codes, MISSING_CODE).astype(np.int32)
    texts = tuple(date_text(days, exact=True) for days in distinct[:n_known].tolist())
    return Column(column.name, codes, texts)
