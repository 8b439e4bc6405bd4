"""Dates and times as people write them, and the parts of them that come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

FIRST = 200  # distinct texts that a format is tried on before all
MOST_FORMATS = 3  # in one column
LEAST = 2  # distinct dates
YEARS = (1800, 2200)
_DATES = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y"),
    *("%m-%d-%Y", "%d %b %Y", "%d-%b-%Y", "%d/%b/%Y", "%b %d, %Y", "%b %d %Y", "%d. %B %Y"),
    *("%d %B %Y", "%B %d, %Y", "%B %d %Y", "%a, %d %b %Y", "%d.%m.%y", "%m/%d/%y", "%d/%m/%y"),
    *("%d-%m-%y", "%d-%b-%y", "%d %b %y"),
)
_CLOCKS = ("%H:%M", "%H:%M:%S", "%H:%M:%S%.f", "%I:%M %p", "%I:%M:%S %p", "%H:%M:%S %z")
_WITH_ZONE = ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%z")
MONTHS = ("%Y-%m", "%m/%Y", "%b %Y", "%B %Y")
COMPACT = "%Y%m%d"
_SHORT_YEARS = tuple(form for form in _DATES if form.endswith("%y"))
_MIRRORED = {"%m/%d/%Y": "%d/%m/%Y", "%m/%d/%y": "%d/%m/%y", "%d-%m-%Y": "%m-%d-%Y"}
_DAY = 86_400_000_000
_PARTS = {"hour": 1, "weekday": 7, "month": 366}  # days after which each comes back


def date_formats(values: pl.Series) -> tuple[str, ...] | None:
    """Return the formats in which distinct texts are dates; None if some are none.

    Examples
    --------
    >>> import polars as pl
    >>> from softwood.data.columns.moments import date_formats
    >>> date_formats(pl.Series(["31.12.2023", "1.2.2024"]))
    ('%d.%m.%Y',)
    """
    if values.len() < LEAST or not values.head(FIRST).str.contains(r"\d").all():
        return None
    left: pl.Series = values
    found: list[str] = []
    while left.len() and len(found) < MOST_FORMATS:
        best = _best_format(left)
        if best is None:
            return None
        found.append(best)
        left = left.filter(days_of_texts(left, [best]).is_null())
    return tuple(found) if not left.len() else None


def _best_format(values: pl.Series) -> str | None:
    """Return the format that reads most texts, at least the first; the earlier if several do."""
    head = values.head(FIRST)
    best, most = None, 0
    for form in _formats(str(head[0])):
        n_read = head.len() - days_of_texts(head, [form]).null_count()
        if n_read > most and days_of_texts(head.head(1), [form]).null_count() == 0:
            # Of two orders of day and month, only all texts can tell.
            mirror = _mirrored(form)
            if mirror is not None and _n_read(values, mirror) > _n_read(values, form):
                form = mirror
            best, most = form, n_read
    return best


def is_ambiguous(values: pl.Series, forms: Sequence[str]) -> bool:
    """Whether days and months could as well be read the other way round."""
    mirror = _mirrored(forms[0]) if len(forms) == 1 else None
    return mirror is not None and _n_read(values, mirror) == values.len()


def _mirrored(form: str) -> str | None:
    for one, other in (*_MIRRORED.items(), *((b, a) for a, b in _MIRRORED.items())):
        if form.startswith(one):
            return other + form[len(one) :]
    return None


def _n_read(values: pl.Series, form: str) -> int:
    return int(values.len() - days_of_texts(values, [form]).null_count())


def _formats(example: str) -> Iterator[str]:
    """Yield the formats that might read a text, which has a clock or not."""
    if ":" not in example:
        yield from _DATES
        yield from MONTHS
        return
    yield from _WITH_ZONE
    for date in _DATES:
        for clock in _CLOCKS:
            yield f"{date} {clock}"
            yield f"{date}T{clock}"
            yield f"{date}, {clock}"


def known_formats() -> frozenset[str]:
    """Return all formats of dates that are ever found; others are not ours."""
    return frozenset([*_formats(""), *_formats(":"), COMPACT])


def known_clocks() -> frozenset[str]:
    """Return all formats of times of day."""
    return frozenset(_CLOCKS)


def days_of_texts(values: pl.Series, forms: Sequence[str]) -> pl.Series:
    """Return texts as days since 1970-01-01; null where no format reads them.

    Examples
    --------
    >>> import polars as pl
    >>> from softwood.data.columns.moments import days_of_texts
    >>> days_of_texts(pl.Series(["1970-01-02 12:00", "soon"]), ["%Y-%m-%d %H:%M"]).to_list()
    [1.5, None]
    """
    import polars as pl

    text = pl.col(values.name or "values")
    tries = [_moment(text, form) for form in forms]
    moments = pl.DataFrame({values.name or "values": values}).select(pl.coalesce(tries))
    return days_of_moments(moments.to_series()).alias(values.name)


def _moment(text: pl.Expr, form: str) -> pl.Expr:
    import polars as pl

    zone = "UTC" if "%z" in form else None
    if zone:
        text = text.str.replace("Z$", "+00:00")
    if form.startswith(_SHORT_YEARS):  # 1.2.3 is no date
        text = pl.when(text.str.contains(r"^\d+\D+\w+\D\d{2}(\D|$)")).then(text)
    if form in MONTHS:
        text, form = pl.lit("01 ") + text, f"%d {form}"
    if ":" not in form and "%H" not in form:
        moment = text.str.to_date(form, strict=False).cast(pl.Datetime("us"))
    else:
        moment = text.str.to_datetime(form, strict=False, time_unit="us", time_zone=zone)
    moment = moment.dt.replace_time_zone(None) if zone else moment
    return pl.when(moment.dt.year().is_between(*YEARS)).then(moment)


def days_of_moments(moments: pl.Series) -> pl.Series:
    """Return dates, or dates and times, as days; times of a zone as those of Greenwich."""
    import polars as pl

    if getattr(moments.dtype, "time_zone", None) is not None:
        moments = moments.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    microseconds = moments.cast(pl.Datetime("us")).dt.epoch("us")
    return (microseconds.cast(pl.Float64) / _DAY).alias(moments.name)


# -- times of day --------------------------------------------------------------------


def clock_format(values: pl.Series) -> str | None:
    """Return the format in which distinct texts are times of day; None if they are not."""
    if values.len() < LEAST or not values.head(FIRST).str.contains(r"^\d{1,2}:\d{2}").all():
        return None
    for form in _CLOCKS[:-1]:
        if not hours_of_texts(values, form).null_count():
            return form
    return None


def hours_of_texts(values: pl.Series, form: str) -> pl.Series:
    """Return times of day as hours; null where the format does not read them."""
    import polars as pl

    times = values.str.to_time(form, strict=False)
    return (times.cast(pl.Int64) / 3_600_000_000_000).alias(values.name)


# -- what comes back -----------------------------------------------------------------


def parts_that_matter(days: pl.Series) -> tuple[str, ...]:
    """Return the parts of dates that come back within their range.

    The number of days tells everything else: a month says more than the day does only if it was
    seen in two years.

    Examples
    --------
    >>> import polars as pl
    >>> from softwood.data.columns.moments import parts_that_matter
    >>> parts_that_matter(pl.Series([0.0, 3.0, 50.0])), parts_that_matter(pl.Series([0.0, 800.5]))
    (('weekday',), ('hour', 'weekday', 'month'))
    """
    known = days.drop_nulls()
    if not known.len():
        return ()
    span = float(known.max()) - float(known.min())
    has_clock = bool((known != known.floor()).any())
    came = [part for part, period in _PARTS.items() if span > period]
    if not has_clock:
        came = [part for part in came if part != "hour"]
    return tuple(part for part in came if part_of(known, part).n_unique() > 1)


def part_of(days: pl.Series, part: str) -> pl.Series:
    """Return a part of dates, which are days since 1970-01-01: weekdays from Monday, 1."""
    import polars as pl

    microseconds = (days * _DAY).round().cast(pl.Int64)
    moments = microseconds.cast(pl.Datetime("us"))
    if part == "hour":
        # By milliseconds: the same clock on two days must give the same number, and days as floats
        # are not sure of the last microsecond.
        milliseconds = (days * _DAY / 1000).round().cast(pl.Int64)
        return (milliseconds % (_DAY // 1000)) / 3_600_000
    found = moments.dt.weekday() if part == "weekday" else moments.dt.month()
    return found.cast(pl.Float64)
