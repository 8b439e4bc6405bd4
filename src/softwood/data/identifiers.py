"""Columns of so many categories that nothing can be learned from them, and what is said of them."""

from __future__ import annotations

import numpy as np

from softwood._types import BoolArray
from softwood.data.table import Table
from softwood.data.telling import tell
from softwood.errors import IdentifierWarning, UntestedColumnWarning

FEW_ROWS = 30  # in so few, many distinct values say nothing


def looks_like_identifier(n_distinct: int, n_known: int) -> bool:
    """Whether more than half of many values are distinct."""
    return n_known > FEW_ROWS and 2 * n_distinct > n_known


def tell_of_identifiers(table: Table, meant: BoolArray | None) -> None:
    """Warn of nominal columns that look like identifiers, but not of those that are ``meant``."""
    for j, column in enumerate(table.columns):
        if column.categories is None or (meant is not None and meant[j]):
            continue
        if len(column.categories) > FEW_ROWS // 2:  # else there is nothing to count
            known = column.values[column.values >= 0]
            n_distinct = np.count_nonzero(np.bincount(known, minlength=1))
            tell_of_identifier(column.name, int(n_distinct), known.size)


def tell_of_identifier(name: str, n_distinct: int, n_known: int) -> None:
    """Warn of one column, if it looks like an identifier."""
    if not looks_like_identifier(n_distinct, n_known):
        return
    tell(
        IdentifierWarning(
            f"column {name!r} looks like an identifier: {n_distinct} different categories in "
            f"{n_known} rows, from which nothing can be learned about other rows. Drop the column; "
            "or name it in categorical_features (--nominal) to say that it is meant so"
        )
    )


def tell_of_untested(names: list[str]) -> None:
    """Warn of columns that no node tests; see :mod:`softwood.grow.distrusted`."""
    if not names:
        return
    listed = ", ".join(map(repr, names))
    subject = f"column {listed} is" if len(names) == 1 else f"columns {listed} are"
    tell(
        UntestedColumnWarning(
            f"{subject} not tested: many categories, few rows of each, and they tell no more of "
            "the target than chance would. Join rare categories to have them tested"
        )
    )
