"""Counts of data sets won, drawn and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.statistics._checks import (
    check_choice,
    check_fraction,
    finite_array,
    paired_differences,
)
from softwood.statistics.paired import corrected_t_test, wilcoxon_test

SplitTest = Literal["corrected_t", "paired_t", "wilcoxon"]
SPLIT_TESTS = ("corrected_t", "paired_t", "wilcoxon")


class WinDrawLoss(NamedTuple):
    """On how many data sets one method is better, alike and worse than another."""

    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True, eq=False)
class WinTable:
    """Wins, draws and losses of all pairs of methods.

    Attributes
    ----------
    outcomes : ndarray of shape (n_datasets, n_methods, n_methods)
        1 where the row's method beats the column's, -1 where it loses, 0 for a draw.
    """

    outcomes: AnyArray

    @property
    def wins(self) -> AnyArray:
        """On how many data sets the row's method beats the column's."""
        return np.asarray(np.sum(self.outcomes > 0, axis=0))

    @property
    def draws(self) -> AnyArray:
        """On how many data sets two methods draw."""
        return np.asarray(np.sum(self.outcomes == 0, axis=0))

    @property
    def losses(self) -> AnyArray:
        """On how many data sets the row's method loses to the column's."""
        return np.asarray(np.sum(self.outcomes < 0, axis=0))

    def pair(self, first: int, second: int) -> WinDrawLoss:
        """Return the counts of one method against another."""
        cell = (first, second)
        return WinDrawLoss(int(self.wins[cell]), int(self.draws[cell]), int(self.losses[cell]))


def win_draw_loss(
    scores_a: Any,
    scores_b: Any,
    *,
    test: SplitTest | None = None,
    test_over_train: float | Sequence[float] | None = None,
    alpha: float = 0.05,
    tolerance: float = 0.0,
) -> WinDrawLoss:
    """Count on how many data sets the first method is better, alike and worse.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_datasets,) or (n_datasets, n_splits)
        Scores of both methods, lower is better. With splits, data sets may have
        different numbers of them.
    test : {"corrected_t", "paired_t", "wilcoxon"}, optional
        Test over the splits of each data set; what is not significant is a draw. By
        default the means are compared.
    test_over_train : float or sequence of float, optional
        Number of test cases over that of training cases, for ``"corrected_t"``; one for
        all data sets, or one for each.
    alpha : float, default=0.05
        Two-sided level of the test.
    tolerance : float, default=0
        Without a test, means that differ by no more than this draw.

    Returns
    -------
    WinDrawLoss
        Counts for the first method.

    Examples
    --------
    >>> from softwood.statistics import win_draw_loss
    >>> win_draw_loss([0.15, 0.21, 0.30], [0.18, 0.21, 0.29])
    WinDrawLoss(win=1, draw=1, loss=1)
    """
    first, second = _rows("scores_a", scores_a), _rows("scores_b", scores_b)
    if len(first) != len(second):
        raise ValueError(
            f"scores_a and scores_b must cover the same data sets; got {len(first)} "
            f"and {len(second)} rows"
        )
    judge = _Judge(test, alpha, tolerance)
    ratios = _ratios(test, test_over_train, len(first))
    rows = zip(first, second, ratios, strict=True)
    outcomes = [judge.outcome(a, b, ratio) for a, b, ratio in rows]
    return WinDrawLoss(outcomes.count(1), outcomes.count(0), outcomes.count(-1))


def win_table(
    scores: Any,
    *,
    test: SplitTest | None = "corrected_t",
    test_over_train: float | Sequence[float] | None = None,
    alpha: float = 0.05,
    tolerance: float = 0.0,
) -> WinTable:
    """Count wins, draws and losses of all pairs of methods.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods, n_splits)
        Scores, lower is better. Data sets may have different numbers of splits.
    test : {"corrected_t", "paired_t", "wilcoxon"} or None, default="corrected_t"
        Test over the splits of each data set; None to compare the means.
    test_over_train, alpha, tolerance
        As in :func:`win_draw_loss`.

    Returns
    -------
    WinTable
        Outcomes of each data set, and their counts.

    Examples
    --------
    >>> from softwood.statistics import win_table
    >>> scores = [[[1.0, 1.2, 1.1], [2.0, 2.1, 2.2]], [[3.0, 3.1, 3.2], [2.9, 3.3, 3.1]]]
    >>> table = win_table(scores, test_over_train=0.5)
    >>> table.pair(0, 1)
    WinDrawLoss(win=1, draw=1, loss=0)
    """
    blocks = [finite_array(f"scores[{i}]", block, 2) for i, block in enumerate(scores)]
    if not blocks or len({len(block) for block in blocks}) > 1 or len(blocks[0]) < 2:
        counts = [len(block) for block in blocks]
        raise ValueError(
            "scores must hold, for each data set, the same 2 or more methods; "
            f"got numbers of methods {counts}"
        )
    judge = _Judge(test, alpha, tolerance)
    ratios = _ratios(test, test_over_train, len(blocks))
    n_methods = len(blocks[0])
    outcomes = np.zeros((len(blocks), n_methods, n_methods), dtype=int)
    for i, j in zip(*np.triu_indices(n_methods, 1), strict=True):
        pairs = zip(blocks, ratios, strict=True)
        outcomes[:, i, j] = [judge.outcome(block[i], block[j], ratio) for block, ratio in pairs]
        outcomes[:, j, i] = -outcomes[:, i, j]
    return WinTable(outcomes)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Says who wins one data set: by means, or only if a test agrees."""

    test: str | None
    alpha: float
    tolerance: float

    def __post_init__(self) -> None:
        if self.test is not None:
            check_choice("test", self.test, SPLIT_TESTS)
        check_fraction("alpha", self.alpha)
        if not self.tolerance >= 0:
            raise ValueError(f"tolerance must be 0 or more; got {self.tolerance!r}")

    def outcome(self, a: FloatArray, b: FloatArray, ratio: float) -> int:
        """Return 1 if ``a`` wins, -1 if it loses, 0 for a draw."""
        differences = paired_differences(a, b, least=1 if self.test is None else 2)
        mean = float(differences.mean())
        if self.test is None:
            return -int(np.sign(mean)) if abs(mean) > self.tolerance else 0
        if self.test == "wilcoxon":
            ranked = wilcoxon_test(differences)
            return -int(np.sign(ranked.z)) if ranked.pvalue <= self.alpha else 0
        found = corrected_t_test(differences, test_over_train=ratio)
        return -int(np.sign(mean)) if found.pvalue <= self.alpha else 0


def _rows(name: str, scores: Any) -> list[FloatArray]:
    """Return the splits of each data set; a single score is one split."""
    rows = [np.atleast_1d(np.asarray(row, dtype=np.float64)) for row in scores]
    if not rows:
        raise ValueError(f"{name} must hold at least 1 data set; got none")
    return [finite_array(f"{name}[{i}]", row) for i, row in enumerate(rows)]


def _ratios(test: str | None, test_over_train: Any, n_datasets: int) -> FloatArray:
    """Return the ratio for each data set; a paired t-test is a corrected one with 0."""
    if test != "corrected_t":
        return np.zeros(n_datasets)
    if test_over_train is None:
        raise ValueError("test_over_train must be given for test='corrected_t'; got None")
    ratios = np.asarray(test_over_train, dtype=np.float64)
    if ratios.ndim > 1 or (ratios.ndim == 1 and len(ratios) != n_datasets):
        raise ValueError(
            f"test_over_train must be one number, or one for each of {n_datasets} data sets; "
            f"got shape {ratios.shape}"
        )
    return np.broadcast_to(ratios, n_datasets)
