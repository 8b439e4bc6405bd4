"""Oblique trees as learners: OC1, MOC1 and MOC2, pruned, and widened on request (FAT)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.folds import deal_folds, shuffled_by_class
from softwood.data.table import UNKNOWN_CODE
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.grow.oblique import FEW_CATEGORIES, Oblique, ObliqueGrower
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.refine.cost_complexity import (
    choose_by_folds,
    choose_by_validation,
    pruning_sequence,
)
from softwood.refine.widen import node_margins, widen_tree
from softwood.tree import Tree


@dataclass(frozen=True)
class ObliqueLearner:
    """Oblique trees; the options are parameters of :class:`softwood.ObliqueTreeClassifier`.

    Parameters
    ----------
    policy : Oblique
        How a node finds its test.
    pruning, holdout_fraction, n_folds, widen, verbose
        As of the estimator.
    """

    policy: Oblique
    pruning: str | None = "holdout"
    holdout_fraction: float = 0.1
    n_folds: int = 10
    widen: bool = False
    verbose: int = 0

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree, what missing values count as, and the margins of the nodes."""
        fill = fill_values(data)
        tree, grown_on = self._grown_on(replace(data, X=filled(data.X, fill)), seed, jobs)
        margins = node_margins(tree, grown_on.X)
        return Fitted.of_tree(tree, fill_values=fill, margins=margins)

    def _grown_on(self, data: TrainingSet, seed: int, jobs: Jobs) -> tuple[Tree, TrainingSet]:
        """Return the tree, and the rows that it was grown on."""
        growing, drawing = np.random.SeedSequence(seed).spawn(2)
        rng = np.random.default_rng(drawing)
        grow = self._grower(growing, jobs)
        held_out = self._held_out(data, rng)
        part = data if held_out.all() or not held_out.any() else data.take(~held_out)
        sequence = pruning_sequence(grow(part))
        alpha = -1.0  # below the price of any node: nothing is pruned
        if part is not data:
            alpha = choose_by_validation(sequence, data.take(held_out))
        elif self.pruning == "cv" and data.n_rows > 1:
            folds = deal_folds(data.label, min(self.n_folds, data.n_rows), rng)
            alpha = choose_by_folds(sequence, data, folds, grow)
        tree = sequence.at(alpha) if alpha >= 0.0 else sequence.tree
        if self.widen:
            tree = widen_tree(tree, part.X, numeric=data.n_categories <= FEW_CATEGORIES)
        return tree, part

    def _grower(self, seed: np.random.SeedSequence, jobs: Jobs) -> Callable[[TrainingSet], Tree]:
        def grow(data: TrainingSet) -> Tree:
            report = _progress(data.n_rows) if self.verbose else None
            return ObliqueGrower(self.policy).grow(data, seed, jobs.each, jobs.at_once, report)

        return grow

    def _held_out(self, data: TrainingSet, rng: np.random.Generator) -> AnyArray:
        """Return which rows are held out: a share of every class, as far as it can be had."""
        held_out = np.zeros(data.n_rows, dtype=bool)
        n_held_out = int(self.holdout_fraction * data.n_rows)
        if self.pruning == "holdout" and n_held_out > 0:
            evenly = (np.arange(n_held_out) + rng.random()) * data.n_rows / n_held_out
            held_out[shuffled_by_class(data.label, rng)[evenly.astype(int)]] = True
        return held_out


def fill_values(data: TrainingSet) -> FloatArray:
    """Return what a missing value counts as: the mean, or the most frequent category."""
    with np.errstate(over="ignore", invalid="ignore"):
        fill = fill_by_totals(totals_of_columns(data), data.n_categories)
    for column in np.flatnonzero(~np.isfinite(fill)):  # the sum of huge numbers is none
        known = ~np.isnan(data.X[:, column])
        x, weight = data.X[known, column], data.weight[known]
        fill[column] = np.sum(x * (weight / weight.sum()))
    return fill


def totals_of_columns(data: TrainingSet) -> list[FloatArray]:
    """Return the weight of each category, or of all numbers, and their weighted sum."""
    totals: list[FloatArray] = []
    for column, n_categories in zip(data.X.T, data.n_categories, strict=True):
        known = ~np.isnan(column)
        x, weight = column[known], data.weight[known]
        if n_categories:
            totals.append(np.asarray(np.bincount(x.astype(int), weight, n_categories), float))
        else:
            totals.append(np.array([weight.sum(), (x * weight).sum()]))
    return totals


def fill_by_totals(totals: Sequence[FloatArray], n_categories: AnyArray) -> FloatArray:
    """Return what a missing value counts as by the totals of all columns; 0 if all are missing."""
    fill = np.zeros(len(totals))
    for j, (total, nominal) in enumerate(zip(totals, n_categories, strict=True)):
        if nominal:
            fill[j] = total.argmax()
        elif total[0] > 0.0:
            fill[j] = total[1] / total[0]
    return fill


def filled(X: FloatArray, fill: FloatArray) -> FloatArray:
    """Return rows in which nothing is missing."""
    missing = np.isnan(X)
    return np.where(missing, fill, X) if missing.any() else X


def known_rows(X: FloatArray, fill: FloatArray, n_categories: AnyArray) -> FloatArray:
    """Return rows to be answered: nothing is missing but categories that nobody knows."""
    rows = filled(X, fill)
    # As a number, the code of an unknown category would count in hyperplanes.
    unknown = (rows == UNKNOWN_CODE) & (n_categories > 0)
    return np.where(unknown, np.nan, rows) if unknown.any() else rows


def _progress(n_rows: int) -> Callable[[int], None]:
    """Return what tells how many rows have got to their leaf, at every tenth of them."""
    done = 0

    def report(n_more: int) -> None:
        nonlocal done
        before, done = done, done + n_more
        if done * 10 // n_rows > before * 10 // n_rows:
            sys.stderr.write(f"softwood: {done} of {n_rows} rows are in a leaf of the tree\n")

    return report
