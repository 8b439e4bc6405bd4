"""Give a table, as some file had it, the columns, types and labels of its entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from softwood.data.readers.recast import as_nominal, as_numeric
from softwood.data.table import MISSING_CODE, Column, Table
from softwood.datasets.card import Card
from softwood.datasets.dataset import Dataset, class_counts
from softwood.datasets.registry import Entry, Recipe
from softwood.errors import DatasetError


def shaped(table: Table, entry: Entry, recipe: Recipe, where: str) -> Table:
    """Return the columns in the entry's order, under its names, with its types and labels."""
    columns = list(table.columns)
    if recipe.target_first:
        columns = [*columns[1:], columns[0]]
    columns = [column for i, column in enumerate(columns) if i not in recipe.drop]
    names = (*entry.feature_names, entry.target)
    if len(columns) != len(names):
        raise DatasetError(
            f"{where} has {len(columns) - 1} features, but {entry.name} has {len(names) - 1}; "
            "the file is not the one we know"
        )
    renamed = [Column(n, c.values, c.categories) for n, c in zip(names, columns, strict=True)]
    features = [_feature(column, entry, recipe, where) for column in renamed[:-1]]
    return Table((*features, _target(renamed[-1], entry, recipe.labels, where)))


def typed(table: Table, entry: Entry, where: str) -> Table:
    """Return the table with the types the entry gives to columns of the same names."""
    features = [
        as_nominal(column) if column.name in entry.card.nominal else column
        for column in table.columns[:-1]
    ]
    return Table((*features, _target(table.columns[-1], entry, {}, where)))


def recode(column: Column, names: Mapping[str, str], order: Sequence[str] = ()) -> Column:
    """Return a nominal column with its categories renamed; those that fall together merge.

    ``order`` lists the new categories; by default they keep the order of the old ones.
    """
    old = column.categories or ()
    new = [names.get(category, category) for category in old]
    categories = tuple(order) or tuple(dict.fromkeys(new))
    code_of = {category: code for code, category in enumerate(categories)}
    # A category that is not in the order must not occur; its rows would become missing.
    codes = np.array([*(code_of.get(category, MISSING_CODE) for category in new), MISSING_CODE])
    return Column(column.name, codes.astype(np.int32)[column.values], categories)


def finished(table: Table, entry: Entry, where: str, *, strict: bool = True) -> Dataset:
    """Check the table against its entry and return the data set.

    Not strict means that labels may be other words, as long as the classes' sizes agree.
    """
    _check_shape(table, entry, where)
    target = table.columns[-1]
    if target.is_nominal:
        _check_classes(class_counts(target), entry, where, strict)
    return Dataset(table, loaded_card(entry.card, table, where), target.name)


def loaded_card(card: Card, table: Table, where: str) -> Card:
    """Return the card with the facts of the rows that are really there."""
    *features, target = table.columns
    return replace(
        card,
        n_rows=len(table),
        n_features=len(features),
        classes=class_counts(target) if target.is_nominal else None,
        nominal=tuple(column.name for column in features if column.is_nominal),
        source=where,
    )


def _feature(column: Column, entry: Entry, recipe: Recipe, where: str) -> Column:
    if column.name not in entry.card.nominal:
        return as_numeric(column, where)
    column = as_nominal(column)
    return recode(column, recipe.values) if recipe.values else column


def _target(column: Column, entry: Entry, labels: Mapping[str, str], where: str) -> Column:
    if entry.card.task == "regression":
        return as_numeric(column, where)
    column = as_nominal(column)
    return recode(column, labels) if labels else column


def _check_shape(table: Table, entry: Entry, where: str) -> None:
    n_rows, n_columns = table.shape
    expected = (entry.card.n_rows, entry.card.n_features)
    if (n_rows, n_columns - 1) != expected:
        raise DatasetError(
            f"{where} has {n_rows} rows and {n_columns - 1} features, but {entry.name} has "
            f"{expected[0]} and {expected[1]}: it is damaged, or another set of that name"
        )


def _check_classes(counts: Mapping[str, int], entry: Entry, where: str, strict: bool) -> None:
    expected = entry.card.classes
    if expected is None:
        return
    if any(count is None for count in expected.values()):
        agrees = set(counts) <= set(expected)
    elif strict:
        agrees = dict(counts) == dict(expected)
    else:
        agrees = sorted(counts.values()) == sorted(count or 0 for count in expected.values())
    if not agrees:
        raise DatasetError(
            f"{where} has the classes {dict(counts)}, but {entry.name} has {dict(expected)}: "
            "it is damaged, or another set of that name"
        )
