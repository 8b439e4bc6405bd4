"""A table described: what each column is, how much of it is missing, what becomes of it."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from softwood.data.columns.infer import plan_of
from softwood.data.columns.moments import is_ambiguous
from softwood.data.columns.plan import (
    CONSTANT,
    DATE,
    EMPTY,
    IDENTIFIER,
    TEXT,
    TIME,
    ColumnPlan,
    Preparation,
    without_parts,
)
from softwood.data.columns.polars import as_polars
from softwood.data.readers.names import listed

if TYPE_CHECKING:
    import polars as pl

_WHY = {
    IDENTIFIER: "it tells which row is which",
    TEXT: "it is text of many words",
    EMPTY: "it has no values",
    CONSTANT: "it has one value",
}
MANY_ROWS = 200_000  # of which distinct values are not counted one by one
HEADINGS = ("column", "type", "gaps", "distinct", "what is done with it")


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """One column: what it is, and what is done with it.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        What it holds, such as ``"number"``, ``"date"`` or ``"identifier"``.
    n_missing, n_distinct : int
        Rows without a value, and different values.
    action : str
        What is done with it, in words.
    plan : ColumnPlan
        The same for machines.
    """

    name: str
    kind: str
    n_missing: int
    n_distinct: int
    action: str
    plan: ColumnPlan

    def to_dict(self) -> dict[str, Any]:
        """Return what is printed, for JSON."""
        keys = ("name", "kind", "n_missing", "n_distinct", "action")
        return {key: getattr(self, key) for key in keys} | {"is_used": self.plan.is_used}


@dataclass(frozen=True, slots=True)
class TableDescription:
    """All columns of a table; prints as a table."""

    columns: tuple[ColumnDescription, ...]
    n_rows: int

    def __iter__(self) -> Iterator[ColumnDescription]:
        return iter(self.columns)

    def preparation(self, target: ColumnPlan | None = None) -> Preparation:
        """Return how the columns become features."""
        taken = [] if target is None else [target.name]
        return Preparation(tuple(without_parts(c.plan, taken) for c in self.columns), target)

    def records(self) -> list[tuple[str, ...]]:
        """Return what is printed: five texts for each column."""
        return [
            (c.name, c.kind, _gaps(c.n_missing, self.n_rows), f"{c.n_distinct:,}", c.action)
            for c in self.columns
        ]

    def as_dicts(self) -> list[dict[str, str]]:
        """Return what is printed, by its headings."""
        return [dict(zip(HEADINGS, record, strict=True)) for record in self.records()]

    def __str__(self) -> str:
        rows = [HEADINGS, *self.records()]
        widths = [max(len(row[k]) for row in rows) for k in range(4)]
        lines = []
        for row in rows:
            cells = [
                f"{row[k]:<{widths[k]}}" if k < 2 else f"{row[k]:>{widths[k]}}" for k in range(4)
            ]
            lines.append("  ".join([*cells, row[4]]).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{text}</th>' for text in HEADINGS)
        rows = "".join(
            f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>"
            for row in self.records()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def describe(
    frame: Any,
    *,
    keep: Collection[str] = (),
    nominal: Collection[str] = (),
    drop: Collection[str] = (),
    decimal: str = ".",
) -> TableDescription:
    """Say what the columns of a table are, and what softwood would do with them.

    Numbers may be written with per cent signs, currencies, units and separators of thousands;
    dates and times in many ways; yes and no in any spelling. Columns that tell which row is which,
    and free text, would be left out.

    Parameters
    ----------
    frame : frame of pandas, polars or Arrow, array, or Table
        The table.
    keep : collection of str
        Columns that are not to be left out.
    nominal : collection of str
        Columns whose values are categories, though they may look like numbers or dates.
    drop : collection of str
        Columns to leave out.
    decimal : {".", ","}, default="."
        What stands before fractions where texts could be read either way.

    Returns
    -------
    TableDescription
        Prints as a table; ``preparation()`` is what models keep.

    See Also
    --------
    softwood.TableCleaner : The same as a step of a pipeline.

    Examples
    --------
    >>> import pandas as pd
    >>> from softwood.data import describe
    >>> frame = pd.DataFrame({"share": ["51%", None, "7%"], "since": ["1.2.2024", "9.3.2024", "?"]})
    >>> print(describe(frame.replace("?", None)))
    column  type     gaps  distinct  what is done with it
    share   percent   33%         2  read as numbers, without '%'
    since   date      33%         2  days since 1970, and its weekday (%d.%m.%Y)
    """
    table = as_polars(frame)
    _check_names(table.columns, keep=keep, nominal=nominal, drop=drop)
    columns = []
    for series in table:
        meant = "category" if series.name in nominal else "keep" if series.name in keep else None
        columns.append(described(series, decimal, meant, series.name in drop, table.columns))
    return TableDescription(tuple(columns), table.height)


def described(
    series: pl.Series,
    decimal: str = ".",
    meant: str | None = None,
    is_dropped: bool = False,
    taken: Collection[str] = (),
) -> ColumnDescription:
    """Return what one column is; no part of a date gets a name that is ``taken``."""
    plan = without_parts(plan_of(series, decimal, meant), taken)
    action = _action(plan, series)
    if is_dropped:
        plan, action = replace(plan, is_used=False), "left out, as you say"
    n_missing = series.null_count()
    if plan.missing:
        n_missing += int(series.is_in(list(plan.missing)).sum())
    n_distinct = _n_distinct(series) - len(plan.missing)
    return ColumnDescription(series.name, plan.kind, n_missing, n_distinct, action, plan)


def _n_distinct(series: pl.Series) -> int:
    """Return how many values differ; of very many, nearly."""
    if series.len() > MANY_ROWS:
        return int(series.drop_nulls().approx_n_unique())
    return int(series.n_unique()) - int(series.null_count() > 0)


def _gaps(n_missing: int, n_rows: int) -> str:
    if not n_missing:
        return "0"
    share = 100.0 * n_missing / n_rows
    return f"{share:.0f}%" if share >= 1.0 else "<1%"


def _check_names(columns: list[str], **options: Collection[str]) -> None:
    for option, names in options.items():
        unknown = [name for name in names if name not in columns]
        if unknown:
            raise ValueError(
                f"{option} names {listed(unknown)}; the columns are {listed(columns, 30)}"
            )


def _action(plan: ColumnPlan, series: pl.Series) -> str:
    if not plan.is_used:
        return f"left out: {_WHY[plan.kind]}"
    if plan.kind == DATE:
        parts = f", and its {', '.join(plan.parts)}" if plan.parts else ""
        return f"days since 1970{parts}{_written(plan, series)}{_gap_words(plan)}"
    if plan.kind == TIME:
        return f"hours since midnight{_gap_words(plan)}"
    if plan.is_number:
        return _action_of_numbers(plan)
    n_distinct = _n_distinct(series)
    merged = n_distinct - len(set(dict(plan.spellings).values())) if plan.spellings else 0
    said = f"; {merged} other spelling{'s' if merged > 1 else ''} merged" if merged > 0 else ""
    return f"categories{said}"


def _gap_words(plan: ColumnPlan) -> str:
    return f", {listed(plan.missing, 3)} as missing" if plan.missing else ""


def _written(plan: ColumnPlan, series: pl.Series) -> str:
    if not plan.formats:
        return ""
    known = series.drop_nulls().unique()
    if known.dtype.is_numeric():
        return f" ({plan.formats[0]})"
    known = known.filter(~known.is_in(list(plan.missing)))
    unsure = (
        ": month and day could be the other way round" if is_ambiguous(known, plan.formats) else ""
    )
    return f" ({' or '.join(plan.formats)}{unsure})"


def _action_of_numbers(plan: ColumnPlan) -> str:
    form = plan.number
    said = []
    if form is not None and form.unit:
        said.append(f"without {form.unit!r}")
    if form is not None and form.thousands:
        sign = "blanks" if form.thousands == " " else repr(form.thousands)
        said.append(f"{sign} between thousands")
    if form is not None and form.decimal == ",":
        said.append("with decimal comma")
    if plan.missing:
        said.append(f"{listed(plan.missing, 3)} as missing")
    return ", ".join(["read as numbers", *said]) if said else "as it is"
