"""What the controls of a page must know of each column: its range, and what is usual there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.schema import Schema
from softwood.data.training import TrainingSet
from softwood.explain.labels import MISSING, value_text
from softwood.interop.imported import Imported
from softwood.refine.perturbation import deviations, shares_of_categories
from softwood.tree import NUMERIC
from softwood.view.explorer.moves import Move

ROOM = 0.1  # of a range that is known from cuts alone, on either side


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column, as controls and pictures need it.

    Attributes
    ----------
    low, high : float
        Between which values lie those that are shown.
    usual : float
        What a new row has: the median, or the code of the most frequent category.
    deviation : float
        Standard deviation; 0 of a column that is constant, nominal or not known.
    is_whole : bool
        Whether all known values are whole numbers.
    shares : tuple of float
        Of the categories, if rows tell.
    """

    low: float
    high: float
    usual: float
    deviation: float = 0.0
    is_whole: bool = False
    shares: tuple[float, ...] = ()


def facts_of(model: Any, imported: Imported, rows: FloatArray | None) -> list[ColumnFacts]:
    """Return what is known of each column: from rows or, failing these, from the model.

    Parameters
    ----------
    model : estimator
        The model; some remember ranges and deviations of their training rows.
    imported : Imported
        The same, as a forest.
    rows : ndarray of shape (n_rows, n_features) or None
        Rows, as the trees read them.
    """
    if rows is not None and len(rows):
        return _facts_of_rows(rows, imported)
    ranges: Any = getattr(model, "ranges_", None)
    spread: Any = getattr(model, "deviations_", None)
    known = _facts_of_cuts(imported)
    if np.shape(ranges) == (len(known), 2) and np.isfinite(ranges).all():
        known = [
            replace(facts, low=float(low), high=float(high), usual=float(low + high) / 2.0)
            if not feature.is_nominal
            else facts
            for facts, feature, (low, high) in zip(
                known, imported.schema.features, np.asarray(ranges), strict=True
            )
        ]
    if np.shape(spread) == (len(known),):
        return [replace(f, deviation=float(s)) for f, s in zip(known, spread, strict=True)]
    return [replace(f, deviation=(f.high - f.low) / 4.0) for f in known]


def _facts_of_rows(rows: FloatArray, imported: Imported) -> list[ColumnFacts]:
    data = TrainingSet.of_target(rows, np.zeros(len(rows)), n_categories=imported.n_categories)
    spread, shares = deviations(data), shares_of_categories(data)
    return [
        _facts_of_column(rows[:, j], float(spread[j]), shares[j])
        for j in range(imported.n_features)
    ]


def _facts_of_column(
    values: FloatArray, deviation: float, shares: tuple[float, ...]
) -> ColumnFacts:
    known = values[np.isfinite(values)]
    if shares:
        usual = float(np.argmax(shares))
        return ColumnFacts(0.0, float(len(shares) - 1), usual, shares=shares)
    if not known.size:
        return ColumnFacts(0.0, 1.0, float("nan"))
    is_whole = bool((known == np.rint(known)).all())
    middle = float(np.quantile(known, 0.5, method="inverted_cdf"))
    return ColumnFacts(float(known.min()), float(known.max()), middle, deviation, is_whole)


def _facts_of_cuts(imported: Imported) -> list[ColumnFacts]:
    """Return what the cuts of the trees tell: between these a column is of interest."""
    n_features = imported.n_features
    low, high = np.full(n_features, np.inf), np.full(n_features, -np.inf)
    for tree in imported.forest.trees:
        cuts = tree.kind == NUMERIC
        np.minimum.at(low, tree.feature[cuts], tree.threshold[cuts])
        np.maximum.at(high, tree.feature[cuts], tree.threshold[cuts])
    facts = []
    for j, feature in enumerate(imported.schema.features):
        if feature.is_nominal:
            facts.append(ColumnFacts(0.0, float(max(len(feature.categories or ()) - 1, 0)), 0.0))
        elif low[j] > high[j]:
            facts.append(ColumnFacts(0.0, 1.0, 0.0))
        else:
            room = ROOM * (high[j] - low[j]) or max(abs(low[j]), 1.0)
            start, stop = float(low[j] - room), float(high[j] + room)
            facts.append(ColumnFacts(start, stop, (start + stop) / 2.0))
    return facts


def columns_of(
    imported: Imported, facts: list[ColumnFacts], moves: Sequence[Move]
) -> list[dict[str, Any]]:
    """Return the columns for the page: names and categories as they are to be shown."""
    sources = _made_of(imported.schema)
    return [
        {
            "name": value_text(feature.name),
            "categories": _texts(feature.categories),
            "isDate": feature.is_date,
            "low": known.low,
            "high": known.high,
            "usual": None if np.isnan(known.usual) else known.usual,
            "deviation": known.deviation,
            "isWhole": known.is_whole,
            "move": move.to_dict(),
            "madeOf": sources.get(feature.name),
        }
        for feature, known, move in zip(imported.schema.features, facts, moves, strict=True)
    ]


def _made_of(schema: Schema) -> dict[str, dict[str, Any]]:
    """Return, by the name of each part of a date, the place of that date and which part it is."""
    if schema.preparation is None:
        return {}
    places = {name: j for j, name in enumerate(schema.names)}
    return {
        f"{plan.name}.{part}": {"column": places[plan.name], "part": part}
        for plan in schema.preparation.used
        for part in plan.parts
    }


def _texts(categories: tuple[Any, ...] | None) -> list[str] | None:
    if categories is None:
        return None
    return [MISSING if category is None else value_text(category) for category in categories]
