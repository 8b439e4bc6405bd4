"""What another row is to be answered: wishes of raw scores, and the last word on them.

Raw scores are sums over trees, so what is wanted of them is kept linear: a wish is a weighted sum
of scores that has to be at least as large as it needs. Wishes guide the search and bound it. The
last word has ``accepts``, which picks a class as the model does, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.forest import Forest

SLACK = 1e-9  # by how much a wish may seem to fail because of rounding


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """What is wanted of raw scores.

    Attributes
    ----------
    weight : ndarray of shape (n_wishes, n_outputs)
        What scores count in each wish.
    need : ndarray of shape (n_wishes,)
        How large it must be.
    is_any : bool
        Whether one wish that comes true is enough; else all must.
    accepts : callable
        Takes raw scores, rows by outputs, and returns which rows are as wanted.
    """

    weight: FloatArray
    need: FloatArray
    is_any: bool
    accepts: Callable[[FloatArray], BoolArray]

    @property
    def n_wishes(self) -> int:
        """Number of wishes."""
        return int(self.need.size)

    def excess(self, raw: FloatArray) -> FloatArray:
        """Return by how much raw scores exceed what each wish needs."""
        return np.asarray(raw @ self.weight.T - self.need)

    def margin(self, raw: FloatArray) -> FloatArray:
        """Return by how much rows exceed what is needed; negative if they do not."""
        excess = self.excess(raw)
        return np.asarray(excess.max(axis=1) if self.is_any else excess.min(axis=1))


def goal_of_classes(
    forest: Forest,
    label: Callable[[FloatArray], AnyArray],
    target: int | None,
    now: int,
    tie: float = 0.0,
) -> Goal:
    """Return the goal that a class is predicted.

    Parameters
    ----------
    forest : Forest
        Whose raw scores they are.
    label : callable
        Takes raw scores and returns the number of each row's class.
    target : int or None
        The class that is wanted; None for any but the present one.
    now : int
        The present one.
    tie : float, default=0.0
        Scores of classes this close are equal: then the first class is taken.
    """

    def accepts(raw: FloatArray) -> BoolArray:
        chosen = label(raw)
        return np.asarray(chosen != now if target is None else chosen == target)

    sign = -1.0 if forest.slope < 0.0 else 1.0
    if forest.n_outputs == 1:
        wanted = 1 - now if target is None else target
        way = sign if wanted == 1 else -sign
        return Goal(np.array([[way]]), np.zeros(1), False, accepts)
    classes = np.arange(forest.n_outputs)
    winners = np.delete(classes, now) if target is None else np.full(classes.size - 1, target)
    losers = np.full(classes.size - 1, now) if target is None else np.delete(classes, target)
    weight = np.zeros((winners.size, classes.size))
    rows = np.arange(winners.size)
    weight[rows, winners] += sign
    weight[rows, losers] -= sign
    return Goal(weight, np.where(losers < winners, tie, -tie), target is None, accepts)


def goal_of_numbers(forest: Forest, low: float, high: float, is_open: tuple[bool, bool]) -> Goal:
    """Return the goal that a number between two others is predicted.

    Parameters
    ----------
    forest : Forest
        Whose raw scores they are.
    low, high : float
        The ends; infinite where there is none.
    is_open : pair of bool
        Whether the ends themselves are not wanted.
    """

    def accepts(raw: FloatArray) -> BoolArray:
        answer = forest.answer(raw)[:, 0]
        over = answer > low if is_open[0] else answer >= low
        under = answer < high if is_open[1] else answer <= high
        return np.asarray(over & under)

    ends = _raw_scores(forest, np.array([low, high]))
    if forest.slope < 0.0:
        ends = ends[::-1]
    weight, need = np.array([[1.0], [-1.0]]), np.array([ends[0], -ends[1]])
    kept = need > -np.inf
    if not kept.any():
        kept[0] = True
        need[0] = -np.finfo(np.float64).max
    return Goal(weight[kept], need[kept], False, accepts)


def _raw_scores(forest: Forest, answers: FloatArray) -> FloatArray:
    """Return the raw scores that a link of one score makes these answers of."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if forest.link == "exponential":
            raw = np.log(np.maximum(answers, 0.0))
        elif forest.link == "sigmoid":
            share = np.clip(answers, 0.0, 1.0)
            raw = np.log(share) - np.log1p(-share)
        else:
            raw = answers
    return np.asarray(raw / forest.slope)
