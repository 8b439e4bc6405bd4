"""What the partitions of one table say of its columns, brought together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from softwood.data.dates import are_dates, days_of_text, tell_of_dates
from softwood.data.encode import not_chosen
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
        _check_kinds(views)
        is_date = bool(views) and views[0][1].is_date
        features.append(Feature(first.name, _agreed_categories(views), is_date))
    return Schema(tuple(features), schemas[0].preparation)


def with_guessed_dates(schema: Schema, is_text: Any, chosen: Any) -> Schema:
    """Return the schema with columns of text that are all dates as dates, and say so.

    Parameters
    ----------
    schema : Schema
        What all partitions have agreed on.
    is_text : ndarray of bool
        Columns that hold text, of which nobody has said that it is categories.
    chosen : ndarray of bool or None
        Columns that are to be nominal; None if their types decide.
    """
    features = list(schema.features)
    for j, feature in enumerate(features):
        known = tuple(value for value in feature.categories or () if value is not None)
        if not (feature.is_nominal and is_text[j]):
            continue
        if are_dates(known):
            tell_of_dates(feature.name, known[0])
            features[j] = Feature(feature.name, is_date=True)
        elif chosen is not None:
            culprit = next((text for text in known if days_of_text(text) is None), known[0])
            raise not_chosen(feature.name, culprit)
    return Schema(tuple(features), schema.preparation)


def _check_kinds(views: Sequence[tuple[int, Feature]]) -> None:
    """Complain unless all partitions say the same of what kind a column is."""
    first = {_kind(feature): number for number, feature in reversed(views)}
    if len(first) > 1:
        (one, here), (other, there), *_ = sorted(first.items(), reverse=True)
        raise TypeError(
            f"column {views[0][1].name!r} holds {one} in partition {here} and {other} in partition "
            f"{there}; give it one type (X.astype)"
        )


def _kind(feature: Feature) -> str:
    return "categories" if feature.is_nominal else "dates" if feature.is_date else "numbers"


def _agreed_categories(views: Sequence[tuple[int, Feature]]) -> tuple[Any, ...] | None:
    """Return the categories of a column; None if it is numeric, or has no value at all."""
    found = [feature.categories for _, feature in views if feature.categories is not None]
    if not found:
        return None
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
