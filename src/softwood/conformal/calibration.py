"""What calibration has found: scores of rows that the model has not seen, few enough to keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.conformal.more_trees import Halves, as_of_more_trees
from softwood.conformal.scores import relative_spread
from softwood.conformal.thresholds import condensed, threshold
from softwood.flow import Gaussian

METHODS = ("oob", "cv", "holdout")
MOST_SCORES = 8192  # kept, in all; more would only make the threshold a ten-thousandth finer
LEAST_SCORES = 200  # kept of each class, if it has so many
MANY_ROWS = 2.0**53  # no table has so many
ROUNDING = 1e-12  # by which the same score may differ from one sum to another


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Scores of rows that the model has not seen, from which sets and intervals follow.

    Attributes
    ----------
    scores : ndarray of shape (n_scores,)
        Class after class, ascending: 1 minus the probability of the true class, or the size of
        the residual, in units of the target. Of many rows the scores are merged, upwards.
    weights : ndarray of shape (n_scores,)
        Rows that have the score, by weight; the rows weigh 1 on average.
    counts : ndarray of shape (n_classes,)
        Rows of each class; a single number for regression.
    n_scores : ndarray of shape (n_classes,)
        How many of the scores belong to each class.
    method : {"oob", "cv", "holdout"}
        Which rows they are: of training, by trees that have not seen them ("oob") or by models
        fitted to the other folds ("cv"); or rows that are new to the model ("holdout").
    spread : float
        How far apart the answers of the trees are on average; 0 if intervals do not depend
        on it.
    blur : Gaussian or None
        The noise under which a crisp tree is asked a second time.
    """

    scores: FloatArray
    weights: FloatArray
    counts: AnyArray
    n_scores: AnyArray
    method: str
    spread: float = 0.0
    blur: Gaussian | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}; got {self.method!r}")
        _check_numbers(self.scores, self.weights, self.spread)
        _check_counts(self.counts, self.n_scores, self.scores.size, self.weights)
        for array in (self.scores, self.weights, self.counts, self.n_scores):
            array.flags.writeable = False

    @classmethod
    def of_classes(
        cls,
        scores: FloatArray,
        labels: AnyArray,
        n_classes: int,
        weight: FloatArray,
        *,
        method: str,
        blur: Gaussian | None = None,
        halves: Halves | None = None,
    ) -> Self:
        """Return the calibration of a classifier.

        Parameters
        ----------
        scores : ndarray of shape (n_rows,)
            How badly the true class fits each row.
        labels : ndarray of shape (n_rows,)
            Its code.
        n_classes : int
            Number of classes.
        weight : ndarray of shape (n_rows,)
            Positive weights, of any scale.
        method, blur
            See :class:`Calibration`.
        halves : Halves, optional
            If few trees have been asked: the scores are to be as of all.
        """
        counts = np.bincount(labels, minlength=n_classes).astype(np.int64)
        weight = _in_rows(weight)
        parts = []
        for label, count in enumerate(counts.tolist()):
            own = labels == label
            score = scores[own]
            if halves is not None:
                found = halves.of_rows(own)
                score = as_of_more_trees(score, found.scores, weight[own], found.share)
            most = max(LEAST_SCORES, MOST_SCORES * count // max(labels.size, 1))
            parts.append(condensed(score, weight[own], most))
        return cls(
            scores=np.concatenate([part[0] for part in parts]),
            weights=np.concatenate([part[1] for part in parts]),
            counts=counts,
            n_scores=np.array([part[0].size for part in parts], dtype=np.int64),
            method=method,
            blur=blur,
        )

    @classmethod
    def of_numbers(
        cls,
        residuals: FloatArray,
        weight: FloatArray,
        spread: FloatArray | None = None,
        *,
        method: str,
        halves: Halves | None = None,
        scatter_of_all: float = 1.0,
    ) -> Self:
        """Return the calibration of a regressor.

        Parameters
        ----------
        residuals : ndarray of shape (n_rows,)
            Target minus prediction.
        weight : ndarray of shape (n_rows,)
            Positive weights, of any scale.
        spread : ndarray of shape (n_rows,), optional
            How far apart the answers of the trees are.
        method
            See :class:`Calibration`.
        halves : Halves, optional
            Of the residuals, if few trees have been asked: the scores are to be as of all.
        scatter_of_all : float, default=1.0
            How far apart all trees are, which new rows will ask, in units of ``spread``.
        """
        weight, average = _in_rows(weight), 0.0
        if spread is not None and spread.size:
            average = float(np.average(spread, weights=weight))
        scores = _relative(residuals, spread, average)
        if halves is not None:
            spreads = halves.spreads or (None,) * len(halves.scores)
            pairs = zip(halves.scores, spreads, strict=True)
            fewer = [_relative(*pair, average) for pair in pairs]
            scores = as_of_more_trees(scores, fewer, weight, halves.share)
        kept, weights = condensed(scores, weight, MOST_SCORES)
        counts, n_scores = np.array([scores.size]), np.array([kept.size])
        return cls(kept, weights, counts, n_scores, method, average * scatter_of_all)

    @property
    def n_rows(self) -> int:
        """How many rows were asked."""
        return int(self.counts.sum())

    @property
    def n_classes(self) -> int:
        """Number of classes; 1 for regression."""
        return int(self.counts.size)

    def thresholds(self, alpha: float, by_class: bool = False) -> FloatArray:
        """Return the score up to which each class is believed.

        Parameters
        ----------
        alpha : float
            Share of rows whose class may be missed.
        by_class : bool, default=False
            Whether it is the share of the rows of each class, and not of all rows.

        Returns
        -------
        ndarray of shape (n_classes,)
            Infinite where rows are too few to tell.
        """
        if not by_class:
            return np.full(self.n_classes, threshold(self.scores, self.weights, alpha))
        ends = np.cumsum(self.n_scores)
        found = np.empty(self.n_classes)
        for label, (start, end) in enumerate(zip(ends - self.n_scores, ends, strict=True)):
            weight = self.weights[start:end]
            in_rows = weight * (self.counts[label] / weight.sum()) if end > start else weight
            found[label] = threshold(self.scores[start:end], in_rows, alpha)
        return found

    def sets(self, scores: FloatArray, alpha: float, by_class: bool = False) -> BoolArray:
        """Return which classes cannot be ruled out.

        Parameters
        ----------
        scores : ndarray of shape (n_rows, n_classes)
            How badly each class fits each row.
        alpha, by_class
            As in :meth:`thresholds`.

        Returns
        -------
        ndarray of bool of shape (n_rows, n_classes)
        """
        return np.asarray(scores <= self.thresholds(alpha, by_class) + ROUNDING)

    def intervals(
        self, numbers: FloatArray, alpha: float, spread: FloatArray | None = None
    ) -> FloatArray:
        """Return between which numbers the targets are.

        Parameters
        ----------
        numbers : ndarray of shape (n_rows,)
            Predictions.
        alpha : float
            Share of rows whose target may be missed.
        spread : ndarray of shape (n_rows,), optional
            How far apart the answers of the trees are, if that was calibrated on.

        Returns
        -------
        ndarray of shape (n_rows, 2)
            Lower and upper ends, which belong to the intervals.
        """
        reach = np.full(numbers.shape, self.thresholds(alpha)[0])
        if spread is not None:
            reach *= relative_spread(spread, self.spread)
        # A target at the very end must not fall out by the rounding of the sum.
        reach += ROUNDING * np.maximum(reach, np.abs(numbers))
        return np.stack([numbers - reach, numbers + reach], axis=1)


def _relative(residuals: FloatArray, spread: FloatArray | None, average: float) -> FloatArray:
    scores = np.abs(residuals)
    return scores if spread is None else scores / relative_spread(spread, average)


def _in_rows(weight: FloatArray) -> FloatArray:
    """Return the weights, scaled to 1 on average; none gets lost, however small it is."""
    if not weight.size:
        return weight
    shares = np.maximum(weight / weight.max(), np.finfo(np.float64).tiny)
    return np.asarray(shares / shares.mean())


def _check_numbers(scores: Any, weights: Any, spread: float) -> None:
    if not (scores.ndim == 1 and scores.shape == weights.shape):
        raise ValueError("scores and weights must be of one length")
    if not (np.isfinite(scores).all() and (scores >= 0.0).all()):
        raise ValueError("scores must be finite and not negative")
    if not ((weights > 0.0) & (weights < MANY_ROWS)).all():
        raise ValueError("weights must be positive, and not more than there can be rows")
    if not 0.0 <= spread < np.inf:
        raise ValueError(f"spread must be finite and not negative; got {spread}")


def _check_counts(counts: Any, n_scores: Any, size: int, weights: FloatArray) -> None:
    if counts.ndim != 1 or counts.shape != n_scores.shape or counts.size == 0:
        raise ValueError("counts and n_scores must have one number for each class")
    if (n_scores < 0).any() or n_scores.sum() != size:
        raise ValueError(f"n_scores must add up to the number of scores, {size}")
    if (counts < n_scores).any() or ((counts > 0) != (n_scores > 0)).any():
        raise ValueError("counts must be at least as many as the scores, and 0 where there is none")
    if not np.isclose(counts.sum(), weights.sum(), rtol=1e-6):
        raise ValueError("weights must add up to the number of rows")
