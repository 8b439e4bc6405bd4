"""Data sets made from others: rows left out, labels joined, known slips put right.

Every function takes a table whose last column is the target, and returns another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from softwood._types import BoolArray
from softwood.data.table import MISSING_CODE, Column, Table
from softwood.datasets.shaping import recode

Transform = Callable[[Table], Table]


def complete_rows(table: Table) -> Table:
    """Leave out the rows with a missing value."""
    return table.take(~_any(table, _is_missing))


def ripley(table: Table) -> Table:
    """Ripley's version of pima: no zeros that stand for missing values, and no insu."""
    measured = [table[name] for name in ("plas", "pres", "skin", "mass")]
    return table.take(np.all([column.values != 0 for column in measured], axis=0)).drop(["insu"])


def statlog_dna(table: Table) -> Table:
    """Statlog's version of splice: no rows with D, R or S, and N (any base) read as G."""
    ambiguous = _any(table.drop([table.names[-1]]), lambda column: _holds(column, "DRS"))
    *bases, target = table.take(~ambiguous).columns
    return Table((*(recode(base, {"N": "G"}, order="ACGT") for base in bases), target))


def float_glass(table: Table) -> Table:
    """Window glass: float-processed (classes 1 and 3) against not (class 2)."""
    windows = table.take(_holds(table.columns[-1], "123"))
    return _with_labels(windows, {"1": "float", "2": "non-float", "3": "float"})


def any_disease(table: Table) -> Table:
    """Heart disease of any degree (1 to 4) against none (0)."""
    return _with_labels(table, {"0": "absence", **dict.fromkeys("1234", "presence")})


def dear_houses(table: Table) -> Table:
    """Houses whose median value is below 21 against the others."""
    is_high = (table.columns[-1].values >= 21).astype(np.int32)
    return Table((*table.columns[:-1], Column("class", is_high, ("low", "high"))))


def adult_fifth(table: Table) -> Table:
    """Keep a random but fixed fifth of the complete rows, in their order."""
    complete = complete_rows(table)
    chosen = np.random.default_rng(0).choice(len(complete), len(complete) // 5, replace=False)
    return complete.take(np.sort(chosen))


def uci_iris(table: Table) -> Table:
    """Iris as UCI has it: its rows 35 and 38 differ from Fisher's table."""
    columns = [Column(c.name, c.values.copy(), c.categories) for c in table.columns]
    for column, value in zip(columns[:4], (4.9, 3.1, 1.5, 0.1), strict=True):
        column.values[[34, 37]] = value
    return Table(tuple(columns))


TRANSFORMS: Mapping[str, Transform] = MappingProxyType(
    {
        transform.__name__: transform
        for transform in (
            complete_rows,
            ripley,
            statlog_dna,
            float_glass,
            any_disease,
            dear_houses,
            adult_fifth,
            uci_iris,
        )
    }
)


def _any(table: Table, test: Callable[[Column], BoolArray]) -> BoolArray:
    """Return which rows pass the test in some column."""
    found: BoolArray = np.any([test(column) for column in table.columns], axis=0)
    return found


def _is_missing(column: Column) -> BoolArray:
    missing: BoolArray
    missing = column.values == MISSING_CODE if column.is_nominal else np.isnan(column.values)
    return missing


def _holds(column: Column, categories: str) -> BoolArray:
    """Return which rows hold one of the categories, each a single character."""
    codes = [code for code, text in enumerate(column.categories or ()) if text in categories]
    return np.isin(column.values, codes)


def _with_labels(table: Table, labels: Mapping[str, str]) -> Table:
    order = tuple(dict.fromkeys(labels.values()))
    return Table((*table.columns[:-1], recode(table.columns[-1], labels, order=order)))
