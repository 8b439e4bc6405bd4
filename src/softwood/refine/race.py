"""Choosing lambda with as few rows as the choice needs: a race.

All lambdas of a grid are tried by a few rows; twice as many follow, and so on. A lambda drops
out as soon as it is known, with a confidence of 95 %, that it would gain no more than a
hundredth of the loss over the best one. The winner is then held against lambdas half a step
beside it, and a quarter. Most of the rows are so spent on few lambdas, and the large ones,
under which a row reaches most leaves of a tree, are seldom tried by more than the first rows.
:func:`softwood.refine.smoothing.tune_smoothing` asks all rows about every lambda.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.forest import Forest
from softwood.refine.curves import Curves, ForestCurves
from softwood.refine.losses import CaseLosses, case_losses, loss_name
from softwood.refine.perturbation import Perturbation
from softwood.refine.smoothing import ROUNDING, RULES, SmoothingPath, standard_error

COARSE = (0.0, *(0.02 * 2.0**k for k in range(8)))
SMALLEST, LARGEST = 0.01, 10.0
STEPS = (math.sqrt(2.0), 2.0**0.25)  # to the sides of the best lambda
FIRST_ROWS = 256
SURE = 1.6449  # standard errors: 95 %, one-sided
MATTERS = 0.01  # of the loss: what gains less need not be known
NEGLECTED = 0.01  # mass of a branch that a row does not follow while lambdas are compared


def race_smoothing(
    curves: Curves,
    data: TrainingSet,
    perturbation: Perturbation,
    loss: str | None = None,
    rule: str = "best",
    seed: int = 0,
) -> SmoothingPath:
    """Choose lambda with as few rows as the choice needs.

    Parameters
    ----------
    curves : Curves
        What the model answers to the rows of ``data``.
    data : TrainingSet
        Cases that the model has not seen.
    perturbation : Perturbation
        What lambda multiplies.
    loss : {"error", "log_loss", "brier", "squared_error"}, optional
        What counts. The share of errors by default, or the squared error for numbers.
    rule : {"best", "parsimonious", "sure"}, default="best"
        Which lambda to take; see :func:`softwood.refine.smoothing.tune_smoothing`.
    seed : int, default=0
        The rows come in random order.

    Returns
    -------
    SmoothingPath
        The loss of a lambda that dropped out is that of the winner plus their mean difference
        over the rows that it was tried by.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.forest import Forest
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.curves import ForestCurves
    >>> from softwood.refine.perturbation import Perturbation
    >>> from softwood.refine.race import race_smoothing
    >>> X = np.arange(40.0)[:, None]
    >>> data = TrainingSet.of_target(X, np.tile([-1.0, 1.0], 20))
    >>> forest = Forest.average([GreedyGrower(Cart("squared_error")).grow(data)])
    >>> unseen, noise = TrainingSet.of_target(X, np.zeros(40)), Perturbation.of(data)
    >>> path = race_smoothing(ForestCurves(forest, X, None, noise), unseen, noise)
    >>> path.losses[0].round(2).item(), path.losses.min().round(2).item()
    (1.0, 0.01)
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}; got {rule!r}")
    race = _Race(curves, data, loss_name(loss, data), seed)
    race.run(COARSE)
    while race.best == race.largest() < LARGEST:
        race.run([min(2.0 * race.largest(), LARGEST)])
    for step in STEPS:
        best = race.best
        if best > 0.0:
            race.run([side for side in (best / step, best * step) if SMALLEST <= side <= LARGEST])
    race.finish()
    return race.path(rule, perturbation)


class _Race:
    """The losses of the rows that each lambda was tried by: the first so many of all."""

    def __init__(self, curves: Curves, data: TrainingSet, loss: str, seed: int) -> None:
        if data.n_rows == 0:
            raise ValueError("smoothing cannot be tuned without cases; got none")
        self._curves, self._loss = curves, loss
        self._order = np.random.default_rng(seed).permutation(data.n_rows)
        self._data = data.take(self._order)
        self._cases: dict[float, CaseLosses] = {}
        self.best = 0.0

    # -- running ---------------------------------------------------------------

    def run(self, lambdas: Iterable[float]) -> None:
        """Let lambdas race with each other and with the best so far.

        In a round all that are left, and 0, are tried by the same rows.
        """
        running = sorted({*lambdas, self.best} - (self._cases.keys() - {self.best}))
        end = 0
        while len(running) > 1 and end < self._data.n_rows:
            end = min(2 * end or FIRST_ROWS, self._data.n_rows)
            self._try(sorted({0.0, *running}), end)
            self.best = self._leader(running, end)
            running = [one for one in running if one == self.best or self._may_gain(one, end)]

    def finish(self) -> None:
        """Try the best lambda by as many rows as 0, so that both are told apart if they can be."""
        self._try([self.best], self._n_tried(0.0))

    def _leader(self, running: Sequence[float], end: int) -> float:
        """Return the lambda of the least loss, the smallest among equals."""
        judged = {one: self._mean(self._cases[one].judged[:end]) for one in running}
        slack = ROUNDING * max(abs(value) for value in judged.values())
        least = min(judged.values())
        return next(one for one, value in judged.items() if value <= least + slack)

    def _try(self, lambdas: Sequence[float], end: int) -> None:
        """Try each lambda by the first ``end`` rows, those of one length together."""
        for start in sorted({self._n_tried(one) for one in lambdas}):
            if start >= end:
                continue
            group = [one for one in lambdas if self._n_tried(one) == start]
            answers = self._curves.answers(group, self._order[start:end])
            part = self._data.take(np.arange(start, end))
            for one, predicted in zip(group, answers, strict=True):
                new = case_losses(self._loss, predicted, part)
                old = self._cases.get(one, CaseLosses(new.plain[:0], new.judged[:0]))
                joined = (np.concatenate(pair) for pair in zip(old, new, strict=True))
                self._cases[one] = CaseLosses(*joined)

    def _n_tried(self, smoothing: float) -> int:
        cases = self._cases.get(smoothing)
        return 0 if cases is None else cases.judged.size

    def _may_gain(self, smoothing: float, end: int) -> bool:
        """Whether it may be better than the best one by more than matters."""
        difference, error = self._difference(smoothing, self.best)
        matters = MATTERS * self._mean(self._cases[self.best].judged[:end])
        return SURE * error - difference > matters

    # -- looking ---------------------------------------------------------------

    def largest(self) -> float:
        """Return the largest lambda so far."""
        return max(self._cases)

    def path(self, rule: str, perturbation: Perturbation) -> SmoothingPath:
        """Return what was found."""
        lambdas, best = sorted(self._cases), self.best
        parsimonious = next(one for one in lambdas if self._is_close(one, best))
        sure = best if parsimonious > 0.0 else 0.0
        plain = self._mean(self._cases[best].plain)
        return SmoothingPath(
            smoothing={"best": best, "parsimonious": parsimonious, "sure": sure}[rule],
            lambdas=np.array(lambdas),
            losses=np.array([plain + self._difference(one, best, 0)[0] for one in lambdas]),
            standard_errors=np.array([self._error(self._cases[one].plain) for one in lambdas]),
            loss_name=self._loss,
            best=best,
            parsimonious=parsimonious,
            perturbation=perturbation,
        )

    def _is_close(self, smoothing: float, best: float) -> bool:
        difference, error = self._difference(smoothing, best)
        return difference <= error

    def _difference(self, one: float, other: float, kind: int = 1) -> tuple[float, float]:
        """Return the mean difference over the rows of both, and its standard error."""
        n_rows = min(self._n_tried(one), self._n_tried(other))
        difference = self._cases[one][kind][:n_rows] - self._cases[other][kind][:n_rows]
        return self._mean(difference), self._error(difference)

    def _share(self, n_rows: int) -> FloatArray:
        weight = self._data.weight[:n_rows]
        return np.asarray(weight / weight.sum())

    def _mean(self, losses: FloatArray) -> float:
        return float(self._share(losses.size) @ losses)

    def _error(self, losses: FloatArray) -> float:
        return standard_error(losses, self._share(losses.size))


def race_out_of_bag(
    forest: Forest,
    data: TrainingSet,
    in_bag: BoolArray,
    perturbation: Perturbation,
    loss: str | None = None,
    seed: int = 0,
) -> SmoothingPath:
    """Choose lambda as :func:`softwood.refine.perturb.tune_out_of_bag` does, in a race.

    Parameters
    ----------
    forest : Forest
        The trees.
    data : TrainingSet
        All rows, in the order of ``in_bag``.
    in_bag : ndarray of bool of shape (n_rows, n_trees)
        Which rows each tree was trained on. A row that all trees know is not counted.
    perturbation, loss, seed
        As in :func:`race_smoothing`.

    Returns
    -------
    SmoothingPath
    """
    rows = np.flatnonzero(~in_bag.all(axis=1))
    data, use = data.take(rows), ~in_bag[rows]
    curves = ForestCurves(forest, data.X, use, perturbation, NEGLECTED)
    rule = "best" if data.is_regression else "sure"
    return race_smoothing(curves, data, perturbation, loss, rule, seed)


def race_by_holdout(
    forest: Forest,
    held_out: TrainingSet,
    perturbation: Perturbation,
    loss: str | None = None,
    seed: int = 0,
) -> SmoothingPath:
    """Choose lambda as :func:`softwood.refine.perturb.tune_by_holdout` does, in a race.

    Parameters
    ----------
    forest : Forest
        Grown on other rows.
    held_out : TrainingSet
        The held-out rows.
    perturbation, loss, seed
        As in :func:`race_smoothing`.

    Returns
    -------
    SmoothingPath
    """
    curves = ForestCurves(forest, held_out.X, None, perturbation, NEGLECTED)
    return race_smoothing(curves, held_out, perturbation, loss, "best", seed)
