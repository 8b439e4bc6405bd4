"""What a column is: guessed from its name and its values."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from softwood.data.columns.moments import (
    COMPACT,
    MONTHS,
    clock_format,
    date_formats,
    days_of_moments,
    days_of_texts,
    parts_that_matter,
)
from softwood.data.columns.numbers import NOT_KNOWN, NumberFormat, number_format
from softwood.data.columns.plan import (
    CATEGORY,
    CONSTANT,
    DATE,
    EMPTY,
    IDENTIFIER,
    NUMBER,
    TEXT,
    TIME,
    YES_NO,
    ColumnPlan,
)
from softwood.data.identifiers import FEW_ROWS, looks_like_identifier

if TYPE_CHECKING:
    import polars as pl

TRUE = frozenset(
    ["true", "t", "yes", "y", "on", "1", "ja", "j", "oui", "o", "si", "sí", "да", "是"]
)
FALSE = frozenset(["false", "f", "no", "n", "off", "0", "nein", "non", "нет", "否"])
MANY_WORDS, LONG = 4.0, 40.0  # of free text, on average
FIRST = 1000  # values that may tell enough
MOST_SPELLINGS = 200  # distinct texts among which the same in other letters are looked for
_ID_NAME = re.compile(
    r"(^|[\s_.-])(id|ids|uuid|guid|key|index|row|rownum|rowid|nr|no|num)([\s_.-]|$)|[a-z](ID|Id)$",
)
_NAMELESS = re.compile(r"|unnamed[_: ]*[0-9]*|column_1", re.IGNORECASE)
_NAMES_OF_ROWS = re.compile(r"|unnamed_1|unnamed: 0", re.IGNORECASE)  # R's have no heading
LEAST_ROWS = 3
_ROW_NUMBERS = (0, 1)  # what they begin with


def plan_of(series: pl.Series, decimal: str = ".", meant: str | None = None) -> ColumnPlan:
    """Return what a column is.

    Parameters
    ----------
    series : polars.Series
        Its values; texts without blanks around them.
    decimal : {".", ","}
        What numbers of the file have before their fractions.
    meant : {"category", "keep"}, optional
        What the user says: the values are categories, or the column is not to be left out.

    Examples
    --------
    >>> import polars as pl
    >>> from softwood.data.columns.infer import plan_of
    >>> plan_of(pl.Series("rate", ["51%", "3%"])).kind
    'percent'
    """
    name = series.name
    known = series.drop_nulls()
    if not known.len():
        return ColumnPlan(name, EMPTY, is_used=False)
    if meant == "category":
        return ColumnPlan(name, CATEGORY)
    if _are_fractions(known):  # most columns of large tables: nothing else is to be found out
        return ColumnPlan(name, NUMBER, number=NumberFormat())
    distinct = known.unique(maintain_order=True)
    plan = _by_type(series, distinct, decimal)
    if meant == "keep":
        return _kept(plan)
    if distinct.len() == 1 and known.len() > 1:
        has_gaps = known.len() < series.len()
        return plan if has_gaps else ColumnPlan(name, CONSTANT, is_used=False)
    return plan


def _by_type(series: pl.Series, distinct: pl.Series, decimal: str) -> ColumnPlan:
    import polars as pl

    name, dtype = series.name, series.dtype
    if dtype == pl.String:
        return _of_texts(series, distinct, decimal)
    if dtype in (pl.Date, pl.Datetime):
        return ColumnPlan(name, DATE, parts=parts_that_matter(days_of_moments(distinct)))
    if dtype == pl.Time:
        return ColumnPlan(name, TIME)
    if dtype == pl.Boolean:
        return ColumnPlan(name, YES_NO)
    if dtype.is_numeric() or dtype == pl.Duration:
        return _of_numbers(series, distinct)
    return ColumnPlan(name, CATEGORY)


def _kept(plan: ColumnPlan) -> ColumnPlan:
    if plan.is_used:
        return plan
    kind = NUMBER if plan.number is not None or plan.kind == CONSTANT else CATEGORY
    return replace(plan, kind=kind, is_used=True)


# -- numbers -------------------------------------------------------------------------


def _of_numbers(series: pl.Series, distinct: pl.Series) -> ColumnPlan:
    import polars as pl

    name, form = series.name, NumberFormat()
    if series.dtype == pl.Duration or not _are_whole(distinct):
        return ColumnPlan(name, NUMBER, number=form)
    if _are_compact_dates(distinct):
        texts = distinct.cast(pl.Int64).cast(pl.String)
        parts = parts_that_matter(days_of_texts(texts, [COMPACT]))
        return ColumnPlan(name, DATE, formats=(COMPACT,), parts=parts)
    if _are_identifiers(series, distinct):
        return ColumnPlan(name, IDENTIFIER, is_used=False, number=form)
    return ColumnPlan(name, NUMBER, number=form)


def _are_fractions(known: pl.Series) -> bool:
    """Whether numbers differ, and some have fractions, as the first ones tell."""
    if not known.dtype.is_float():
        return False
    head = known.head(FIRST)
    return head.n_unique() > 1 and not _are_whole(head)


def _are_whole(distinct: pl.Series) -> bool:
    import polars as pl

    if distinct.dtype.is_integer():
        return True
    if distinct.dtype.is_decimal():
        distinct = distinct.cast(pl.Float64)
    return bool((distinct == distinct.round(0)).all() and distinct.is_finite().all())


def _are_compact_dates(distinct: pl.Series) -> bool:
    """Whether all numbers are such as 20240131."""
    import polars as pl

    if distinct.len() < FEW_ROWS // 3 or not distinct.is_between(19000101, 21001231).all():
        return False
    texts = distinct.cast(pl.Int64).cast(pl.String)
    return bool(days_of_texts(texts, [COMPACT]).null_count() == 0)


def _are_identifiers(series: pl.Series, distinct: pl.Series) -> bool:
    """Whether whole numbers tell which row is which: all differ, and the name says so too.

    Numbers of rows have no name, or one that says so.
    """
    if distinct.len() < series.len():
        return False
    if _NAMELESS.fullmatch(series.name):
        steps = series.diff().drop_nulls()
        return bool((steps == 1).all()) and int(series[0]) in _ROW_NUMBERS
    return series.len() > FEW_ROWS and is_name_of_identifier(series.name)


def is_name_of_identifier(name: str) -> bool:
    """Whether a column is called as identifiers are.

    Examples
    --------
    >>> from softwood.data.columns.infer import is_name_of_identifier
    >>> [is_name_of_identifier(name) for name in ("customer_id", "CustomerID", "width", "paid")]
    [True, True, False, False]
    """
    return _ID_NAME.search(name) is not None or _ID_NAME.search(name.lower()) is not None


# -- texts ---------------------------------------------------------------------------


def _of_texts(series: pl.Series, distinct: pl.Series, decimal: str) -> ColumnPlan:
    name = series.name
    yes_no = _yes_or_no(name, distinct, series)
    if yes_no is not None:
        return yes_no
    written = number_format(distinct, decimal)
    if written is not None:
        form, words = written
        if _are_numbered(series, distinct, form, words):
            return ColumnPlan(name, IDENTIFIER, is_used=False, number=form)
        return ColumnPlan(name, form.kind, number=form, missing=words)
    moments = _of_moments(name, distinct)
    if moments is not None:
        return moments
    kind = _kind_of_words(name, distinct, series)
    if kind != CATEGORY:
        return ColumnPlan(name, kind, is_used=False)
    return ColumnPlan(name, CATEGORY, spellings=_spellings(series, distinct))


def _are_numbered(
    series: pl.Series, distinct: pl.Series, form: NumberFormat, words: Collection[str]
) -> bool:
    from softwood.data.columns.numbers import numbers_of

    if words or form.unit or distinct.len() < series.len():
        return False
    numbers = numbers_of(series, form)
    return _are_whole(numbers) and _are_identifiers(numbers, distinct)


def _of_moments(name: str, distinct: pl.Series) -> ColumnPlan | None:
    words = tuple(sorted(text for text in distinct if text.casefold() in NOT_KNOWN))
    known = distinct.filter(~distinct.is_in(list(words))) if words else distinct
    clock = clock_format(known)
    if clock is not None:
        return ColumnPlan(name, TIME, formats=(clock,), missing=words)
    forms = date_formats(known)
    if forms is None:
        return None
    parts = parts_that_matter(days_of_texts(known, forms))
    if set(forms) <= set(MONTHS):  # the first stands for all days of a month
        parts = tuple(part for part in parts if part == "month")
    return ColumnPlan(name, DATE, formats=forms, parts=parts, missing=words)


def _yes_or_no(name: str, distinct: pl.Series, series: pl.Series) -> ColumnPlan | None:
    """Return the plan of yes and no, of which each may be written in several ways."""
    if distinct.len() > len(TRUE) + len(FALSE):
        return None
    words = [text.lower() for text in distinct.to_list()]
    yes = {word for word in words if word in TRUE}
    no = {word for word in words if word in FALSE}
    if not yes or not no or len(yes | no) < len(set(words)) or set(words) == {"0", "1"}:
        return None
    if distinct.len() == 2:
        return ColumnPlan(name, YES_NO)
    label = {word: _usual(series, yes) for word in yes} | {word: _usual(series, no) for word in no}
    return ColumnPlan(name, YES_NO, spellings=tuple(sorted(label.items())))


def _usual(series: pl.Series, words: Collection[str]) -> str:
    """Return the commonest spelling of some words."""
    own = series.filter(series.str.to_lowercase().is_in(list(words)))
    counts = own.value_counts(sort=True)
    most = counts.filter(counts["count"] == counts["count"][0])
    return str(sorted(most[series.name].to_list())[0])


def _kind_of_words(name: str, distinct: pl.Series, series: pl.Series) -> str:
    n_known = series.len() - series.null_count()
    length: Any = distinct.str.len_chars().mean()
    words: Any = (distinct.str.count_matches(r"\s+") + 1).mean()
    share = distinct.len() / n_known
    is_long = (words >= MANY_WORDS and share > 0.1) or length > LONG
    if is_long and distinct.len() > FEW_ROWS // 3 and share > 0.1:
        return TEXT
    if looks_like_identifier(distinct.len(), n_known):
        return IDENTIFIER
    if _NAMES_OF_ROWS.fullmatch(name) and LEAST_ROWS < distinct.len() == series.len():
        return IDENTIFIER
    if is_name_of_identifier(name) and distinct.len() > FEW_ROWS and share > 0.1:
        return IDENTIFIER
    return CATEGORY


def _spellings(series: pl.Series, distinct: pl.Series) -> tuple[tuple[str, str], ...]:
    """Return what small letters stand for, where categories differ in large and small ones only."""
    if distinct.len() > MOST_SPELLINGS:
        return ()
    texts = distinct.to_list()
    folded = {" ".join(text.lower().split()) for text in texts}
    if len(folded) == len(texts):
        return ()
    counts = dict(series.drop_nulls().value_counts().rows())
    label: dict[str, str] = {}
    for text in sorted(texts, key=lambda text: (-counts[text], text)):
        label.setdefault(" ".join(text.lower().split()), text)
    return tuple(sorted(label.items()))
