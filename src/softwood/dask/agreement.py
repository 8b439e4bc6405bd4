"""What the partitions of one table say of its columns, brought together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from softwood.data.schema import Feature, Schema


def agreed_columns(found: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the columns, which must be the same in all partitions, even empty ones."""
    for number, columns in enumerate(found):
        if columns != found[0]:
            raise ValueError(
                f"the columns of X must be the same in all partitions; partition 0 has "
                f"{_shown(found[0])}, partition {number} has {_shown(columns)}"
            )
    return found[0]


def agreed_schema(
    numbers: Sequence[int], schemas: Sequence[Schema], is_blank: Sequence[Any]
) -> Schema:
    """Return the schema of the whole table.

    A category counts wherever it occurs. A partition that has no value in a column does not
    know what kind of column it is, and goes along with the others.

    Parameters
    ----------
    numbers : sequence of int
        Numbers of the partitions, for messages.
    schemas : sequence of Schema
        What each would say on its own.
    is_blank : sequence of ndarray of bool
        Which columns have no value there.

    Returns
    -------
    Schema

    Examples
    --------
    >>> from softwood.dask.agreement import agreed_schema
    >>> from softwood.data.schema import Feature, Schema
    >>> here = Schema((Feature("size"), Feature("colour", ("red", "white"))))
    >>> there = Schema((Feature("size"), Feature("colour", ("blue", "red"))))
    >>> agreed_schema([0, 1], [here, there], [[False, False]] * 2).features[1].categories
    ('blue', 'red', 'white')
    """
    features = []
    for j, first in enumerate(schemas[0].features):
        views = [
            (number, schema.features[j])
            for number, schema, blank in zip(numbers, schemas, is_blank, strict=True)
            if schema.features[j].is_nominal or not blank[j]
        ]
        features.append(Feature(first.name, _agreed_categories(views)))
    return Schema(tuple(features))


def _agreed_categories(views: Sequence[tuple[int, Feature]]) -> tuple[Any, ...] | None:
    """Return the categories of a column; None if it is numeric, or has no value at all."""
    nominal = [view for view in views if view[1].is_nominal]
    if not nominal:
        return None
    for number, feature in views:
        if not feature.is_nominal:
            raise TypeError(
                f"column {feature.name!r} holds numbers in partition {number} and categories "
                f"in partition {nominal[0][0]}; give it one type (X.astype)"
            )
    found = [feature.categories or () for _, feature in nominal]
    if all(categories == found[0] for categories in found):
        return found[0]  # in the order in which they were declared
    values = {value for categories in found for value in categories}
    known = sorted(values - {None}, key=_rank)
    return (*known, None) if None in values else tuple(known)  # None, for missing, is the last


def _rank(value: Any) -> tuple[str, Any]:
    """Return what values of all types can be sorted by: as in a table in memory."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return ("number" if is_number else str(type(value)), value)


def _shown(columns: tuple[Any, ...]) -> str:
    is_named = columns != tuple(range(len(columns)))
    return str(list(columns)) if is_named else f"{len(columns)}"
