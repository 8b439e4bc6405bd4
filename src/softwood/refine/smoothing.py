"""Choosing how much to smooth: the curve of a loss over lambda, and its least point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.refine.losses import CaseLosses, case_losses, loss_name
from softwood.refine.perturbation import Perturbation

GRID = (0.0, *(0.01 * 2.0 ** (k / 2) for k in range(18)))
LARGEST = 10.0  # the grid is extended up to here while the loss keeps falling
STEP = math.sqrt(2.0)
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
WIDTH = 0.05  # relative width at which the refinement stops
MAX_REFINEMENTS = 8
ROUNDING = 1e-12  # losses that differ by less are equal
RULES = ("best", "parsimonious", "sure")

Predict = Callable[[Flow], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class SmoothingPath:
    """The loss for every lambda that was tried, and the lambda that was chosen.

    Attributes
    ----------
    smoothing : float
        The lambda chosen; 0 is the hard model.
    lambdas : ndarray of shape (n_lambdas,)
        What was tried, ascending; 0 comes first.
    losses, standard_errors : ndarray of shape (n_lambdas,)
        Mean loss over the cases, and its standard error.
    loss_name : str
        "error", "log_loss", "brier" or "squared_error".
    best, parsimonious : float
        The lambda of the least loss, and the smallest one whose loss is larger by no more
        than the standard error of their difference, case by case. One of them is
        ``smoothing``, unless it is 0.
    perturbation : Perturbation
        What lambda multiplies.
    """

    smoothing: float
    lambdas: FloatArray
    losses: FloatArray
    standard_errors: FloatArray
    loss_name: str
    best: float
    parsimonious: float
    perturbation: Perturbation

    @property
    def scale(self) -> tuple[float, ...]:
        """Deviation of each feature, which lambda multiplies."""
        return self.perturbation.scale

    @property
    def flow(self) -> Flow:
        """The flow for the lambda chosen."""
        return self.perturbation.at(self.smoothing)


def smoothing_curve(
    predict: Predict,
    data: TrainingSet,
    perturbation: Perturbation,
    lambdas: Iterable[float] = GRID,
    loss: str | None = None,
) -> SmoothingPath:
    """Return the mean loss for each of some lambdas.

    Parameters
    ----------
    predict : callable
        Takes a flow and returns the predictions for the rows of ``data``: probabilities
        of classes, or numbers in one column.
    data : TrainingSet
        Cases that the model has not seen.
    perturbation : Perturbation
        What lambda multiplies.
    lambdas : iterable of float
        What to try. 0 is always tried.
    loss : {"error", "log_loss", "brier", "squared_error"}, optional
        What counts. The share of errors by default, or the squared error for numbers.

    Returns
    -------
    SmoothingPath
        With the best of these lambdas; of equally good ones the smallest.
    """
    curve = _Curve(predict, data, perturbation, loss_name(loss, data))
    curve.add(0.0)
    for smoothing in lambdas:
        curve.add(smoothing)
    return curve.path("best")


def tune_smoothing(
    predict: Predict,
    data: TrainingSet,
    perturbation: Perturbation,
    loss: str | None = None,
    rule: str = "best",
) -> SmoothingPath:
    """Choose lambda: a grid first, then a golden section search around its best point.

    Parameters
    ----------
    predict, data, perturbation, loss
        As in :func:`smoothing_curve`.
    rule : {"best", "parsimonious", "sure"}, default="best"
        Which lambda to take; see :class:`SmoothingPath`. "sure" is the best one, but 0 if 0
        is as close to it as the parsimonious one may be.

    Returns
    -------
    SmoothingPath
        With ``smoothing`` 0 if no perturbation does better than none.

    Examples
    --------
    Numbers that oscillate by one, and a tree that has learned them by heart:

    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.perturbation import Perturbation
    >>> from softwood.refine.smoothing import tune_smoothing
    >>> X = np.arange(40.0)[:, None]
    >>> data = TrainingSet.of_target(X, np.tile([-1.0, 1.0], 20))
    >>> tree = GreedyGrower(Cart("squared_error")).grow(data)
    >>> unseen = TrainingSet.of_target(X, np.zeros(40))
    >>> path = tune_smoothing(
    ...     lambda flow: flow.predict(tree, unseen.X), unseen, Perturbation.of(data)
    ... )
    >>> path.losses[0].round(2).item(), path.losses.min().round(2).item()
    (1.0, 0.01)
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}; got {rule!r}")
    curve = _Curve(predict, data, perturbation, loss_name(loss, data))
    for smoothing in GRID:
        curve.add(smoothing)
    while curve.best() == curve.largest() < LARGEST:
        curve.add(min(curve.largest() * STEP, LARGEST))
    if curve.best() > 0.0:
        _refine(curve)
    return curve.path(rule)


def _refine(curve: _Curve) -> None:
    """Search by golden section, on a log scale, between the neighbours of the best lambda."""
    low, high = (math.log(end) for end in curve.neighbours(curve.best()))
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = curve.add(math.exp(left)), curve.add(math.exp(right))
    for _ in range(MAX_REFINEMENTS - 2):
        if high - low <= WIDTH:
            return
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = curve.add(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = curve.add(math.exp(right))


class _Curve:
    """The losses of every case for the lambdas tried so far."""

    def __init__(
        self, predict: Predict, data: TrainingSet, perturbation: Perturbation, loss: str
    ) -> None:
        if data.n_rows == 0:
            raise ValueError("smoothing cannot be tuned without cases; got none")
        self._predict, self._data = predict, data
        self._perturbation, self._loss = perturbation, loss
        self._share = data.weight / data.weight.sum()
        self._cases: dict[float, CaseLosses] = {}

    def add(self, smoothing: float) -> float:
        """Try a lambda unless it was; return what it is judged by."""
        if smoothing not in self._cases:
            predicted = self._predict(self._perturbation.at(smoothing))
            self._cases[smoothing] = case_losses(self._loss, predicted, self._data)
        return self._judged(smoothing)

    def largest(self) -> float:
        return max(self._cases)

    def best(self) -> float:
        """Return the lambda of the least loss, the smallest among equals."""
        judged = {smoothing: self._judged(smoothing) for smoothing in sorted(self._cases)}
        slack = ROUNDING * max(abs(value) for value in judged.values())
        least = min(judged.values())
        return next(smoothing for smoothing, value in judged.items() if value <= least + slack)

    def neighbours(self, smoothing: float) -> tuple[float, float]:
        """Return the lambdas next to a positive one; none of them is 0."""
        below = [other for other in self._cases if 0.0 < other < smoothing]
        above = [other for other in self._cases if other > smoothing]
        return max(below, default=smoothing / STEP), min(above, default=smoothing)

    def path(self, rule: str) -> SmoothingPath:
        """Return what was found."""
        lambdas = sorted(self._cases)
        best = self.best()
        parsimonious = next(smoothing for smoothing in lambdas if self._is_close(smoothing, best))
        plain = [self._cases[smoothing].plain for smoothing in lambdas]
        sure = best if parsimonious > 0.0 else 0.0
        return SmoothingPath(
            smoothing={"best": best, "parsimonious": parsimonious, "sure": sure}[rule],
            lambdas=np.array(lambdas),
            losses=np.array([self._share @ losses for losses in plain]),
            standard_errors=np.array([self._standard_error(losses) for losses in plain]),
            loss_name=self._loss,
            best=best,
            parsimonious=parsimonious,
            perturbation=self._perturbation,
        )

    def _judged(self, smoothing: float) -> float:
        return float(self._share @ self._cases[smoothing].judged)

    def _is_close(self, smoothing: float, best: float) -> bool:
        difference = self._cases[smoothing].judged - self._cases[best].judged
        return bool(self._share @ difference <= self._standard_error(difference))

    def _standard_error(self, losses: FloatArray) -> float:
        return standard_error(losses, self._share)


def standard_error(losses: FloatArray, share: FloatArray) -> float:
    """Return the standard error of a weighted mean; 0 for a single case."""
    off = losses - share @ losses
    unit = float(np.abs(off).max())  # squares of squared errors may be no numbers
    n_effective = 1.0 / np.sum(share**2)
    if n_effective <= 1.0 + 1e-9 or unit == 0.0:
        return 0.0
    return unit * math.sqrt(share @ (off / unit) ** 2 / (n_effective - 1.0))
