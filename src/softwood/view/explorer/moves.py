"""How columns may move in search of another answer: as in :func:`softwood.counterfactual`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.estimators._question import kept_scales
from softwood.estimators._wishes import derived_columns
from softwood.explain.counterfactual.distance import spread_of_cuts, spread_of_rows
from softwood.explain.counterfactual.known import unknown_codes
from softwood.interop.imported import Imported


@dataclass(frozen=True, slots=True)
class Move:
    """How one column may move.

    Attributes
    ----------
    scale : float
        What counts as a distance of 1.
    is_whole : bool
        Whether it has whole numbers only, as long as the row has one; dates have days.
    is_held : bool
        Whether it stays: a date that others were made of, or one of these.
    shut : tuple of int
        Codes of categories that cannot be gone to: those of gaps, of all others, and those that
        no training row had.
    """

    scale: float
    is_whole: bool = False
    is_held: bool = False
    shut: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it for the page."""
        return {
            "scale": self.scale,
            "isWhole": self.is_whole,
            "isHeld": self.is_held,
            "shut": list(self.shut),
        }


def moves_of(model: Any, imported: Imported, rows: FloatArray | None) -> list[Move]:
    """Return how the columns of a model may move.

    Scales and whole numbers are those that the model has kept of its training rows; else they
    are told by the rows of the page, and failing these, scales by the cuts.

    Parameters
    ----------
    model : estimator
        The model.
    imported : Imported
        The same, as a forest.
    rows : ndarray of shape (n_rows, n_features) or None
        Rows of the page, as the trees read them.
    """
    scales, whole = kept_scales(model, imported), getattr(model, "whole_columns_", None)
    if scales is None and rows is not None and len(rows):
        scales = spread_of_rows(rows, imported.n_categories)
    elif scales is None:
        scales = spread_of_cuts(imported.forest.trees, imported.n_features)
    whole = _whole_columns(rows, imported.n_features) if whole is None else np.asarray(whole)
    unknown = unknown_codes(imported.forest.trees, imported.n_categories)
    held = set(derived_columns(imported.schema))
    return [
        Move(
            scale=float(scales[j]),
            is_whole=bool(whole[j] or feature.is_date),
            is_held=j in held,
            shut=_shut(feature.categories, imported.reader.unknown, unknown[j]),
        )
        for j, feature in enumerate(imported.schema.features)
    ]


def _whole_columns(rows: FloatArray | None, n_features: int) -> BoolArray:
    """Return which columns have whole numbers in all rows, if there are any."""
    if rows is None or not len(rows):
        return np.zeros(n_features, dtype=bool)
    return np.asarray(((rows == np.floor(rows)) | np.isnan(rows)).all(axis=0))


def _shut(
    categories: tuple[Any, ...] | None, unknown: str, is_unknown: BoolArray
) -> tuple[int, ...]:
    if not categories:
        return ()
    gaps = [code for code, name in enumerate(categories) if name is None]
    others = [len(categories) - 1] if unknown == "other" else []
    return tuple(sorted({*gaps, *others, *np.flatnonzero(is_unknown).tolist()}))
