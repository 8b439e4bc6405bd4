"""Strength and correlation over the test rows of all folds together.

A fold of a small set has a dozen rows, and on those all trees may be right: then their
correlation is not defined. So each fold tells means over its rows, and strength and
correlation are made of the means of all folds.

The score of a tree on a row is 1 if it votes for the true class, -1 if for the strongest
other class, and 0 otherwise. The variance of a tree's score is taken over all trees and rows
at once, as if the trees of an ensemble were equally good; those with one alpha nearly are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray

if TYPE_CHECKING:
    from softwood.evaluate.metrics import Metric, Prediction

MEANS = ("margin", "squared margin", "squared score")


@dataclass(frozen=True)
class Votes:
    """How strong the trees of an ensemble are, and how much they agree.

    Attributes
    ----------
    strength : float
        The mean margin.
    rho : float
        The correlation of two trees, as Breiman has it.
    rho_unsquared : float
        The same with a denominator that is not squared: the paper's equation 5.
    """

    strength: float
    rho: float
    rho_unsquared: float

    @classmethod
    def of_means(cls, margin: float, squared_margin: float, squared_score: float) -> Votes:
        """Return what follows from the means over all test rows.

        Examples
        --------
        >>> Votes.of_means(0.6, 1.0, 1.0).rho  # equal trees
        1.0
        """
        spread, variance = squared_margin - margin**2, squared_score - margin**2
        if variance <= 0.0:  # all trees are right on all rows
            return cls(margin, 1.0, 0.0)
        return cls(margin, spread / variance, spread / variance**0.5)


def vote_metrics() -> list[Metric]:
    """Return what each fold is to measure; NaN for ensembles whose trees cannot be asked."""
    from softwood.evaluate.metrics import Metric

    return [Metric(name, partial(_mean, k)) for k, name in enumerate(MEANS)]


def _mean(k: int, seen: Prediction) -> float:
    return _means(seen)[k]


@lru_cache(maxsize=1)  # three metrics are asked one after the other
def _means(seen: Prediction) -> tuple[float, float, float]:
    if hasattr(seen.model, "steps"):
        return (np.nan, np.nan, np.nan)
    right, rival = vote_shares(tree_votes(seen.model, seen.X), seen.truth, seen.model.classes_)
    margin = right - rival
    return float(margin.mean()), float(np.mean(margin**2)), float(np.mean(right + rival))


def tree_votes(model: Any, X: Any) -> AnyArray:
    """Return the code of the class that each tree votes for, one row for each tree."""
    from softwood.flow import Hard
    from softwood.forest.ties import most_probable
    from softwood.interop import import_model

    imported = import_model(model)
    rows = imported.encode(X)
    return np.array([most_probable(Hard().predict(tree, rows)) for tree in imported.forest.trees])


def vote_shares(
    votes: AnyArray, truth: AnyArray, classes: AnyArray
) -> tuple[FloatArray, FloatArray]:
    """Return for each row the share of votes for its class, and for the strongest other class.

    A class that no tree knows gets no votes.
    """
    shares = np.stack([np.mean(votes == k, axis=0) for k in range(classes.size)], axis=1)
    of_truth = classes[None, :] == truth[:, None]
    right = np.where(of_truth, shares, 0.0).sum(axis=1)
    return right, np.where(of_truth, 0.0, shares).max(axis=1)
