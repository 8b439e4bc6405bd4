"""Where cuts and ramps may go in training: not beyond the values that rows have.

A cut that no row reaches lowers the loss of training a little, but what it says cannot be
believed: "area <= -9.8" is true of no area. Ramps may be longer than the column: tests that
hardly tell rows apart give the mean of what is below them, which numbers need more than
classes. Held in the range of the column, they cost 2 % of the squared error on Friedman's
first problem; held to three ranges, nothing that can be measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow.spreading import BLOCK_ROWS
from softwood.refine.column_spread import ranges_of_columns
from softwood.refine.gradient_units import LEAST_WIDTH, Units
from softwood.tree import NUMERIC, OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood._kernels.soft.batch import Weights

MOST_RANGES = 3.0  # of what a test compares, to each side


class Bounds:
    """The least and largest value that the tests of a tree find in the training rows.

    Parameters
    ----------
    tree : Tree
        The tree that is trained.
    units : Units
        In which its weights are.
    data : TrainingSet
        The rows.
    """

    def __init__(self, tree: Tree, units: Units, data: TrainingSet) -> None:
        self.tree, self.units, self.data = tree, units, data
        self.low, self.high = np.full(tree.n_nodes, -np.inf), np.full(tree.n_nodes, np.inf)
        numeric = np.flatnonzero(tree.kind == NUMERIC)
        column = tree.feature[numeric]
        for ends, bound in zip(ranges_of_columns(data).T, (self.low, self.high), strict=True):
            bound[numeric] = ((ends - units.centre) / units.scale)[column]
        self.oblique = np.flatnonzero(tree.kind == OBLIQUE)

    def hold(self, weights: Weights) -> None:
        """Move cuts to the nearest value there is, and cut off ramps that run away."""
        from softwood._kernels.soft.batch import CUT, LOG_ABOVE, LOG_BELOW

        if self.oblique.size:
            self._survey(weights.term[:, 0])
        test = weights.test
        known = np.flatnonzero(self.low <= self.high)  # not so of columns without a value
        low, high = self.low[known], self.high[known]
        margin = np.minimum(LEAST_WIDTH, 0.5 * (high - low))  # the narrowest ramp has room, too
        cut = np.clip(test[known, CUT], low + margin, high - margin)
        test[known, CUT] = cut
        most = np.log(np.maximum(MOST_RANGES * (high - low), LEAST_WIDTH))
        for side in (LOG_BELOW, LOG_ABOVE):
            test[known, side] = np.clip(test[known, side], np.log(LEAST_WIDTH), most)

    def _survey(self, term: FloatArray) -> None:
        """Note the ends of the weighted sums of oblique tests, whose weights move, too."""
        weight = _term_matrix(self.tree, term)[self.oblique]
        low, high = np.full((2, self.oblique.size), np.nan)
        for start in range(0, self.data.n_rows, BLOCK_ROWS):
            X = self.data.X[start : start + BLOCK_ROWS]
            value = _sums(weight, (X - self.units.centre) / self.units.scale)
            low = np.fmin(low, np.fmin.reduce(value, axis=0))
            high = np.fmax(high, np.fmax.reduce(value, axis=0))
        self.low[self.oblique], self.high[self.oblique] = low, high


def _term_matrix(tree: Tree, term: FloatArray) -> FloatArray:
    """Return weights of terms, nodes by features."""
    weight = np.zeros((tree.n_nodes, tree.n_features))
    owner = np.repeat(np.arange(tree.n_nodes), np.diff(tree.term_start))
    np.add.at(weight, (owner, tree.term_feature), term)
    return weight


def _sums(weight: FloatArray, rows: FloatArray) -> AnyArray:
    """Return the sums of rows by tests; NaN where a term is missing.

    Not by ``@``: the threads of a BLAS cost more than so small a product where others run,
    and its digits depend on the processor.
    """
    gaps = np.isnan(rows)
    if not gaps.any():
        return np.asarray(np.einsum("if,kf->ik", rows, weight))
    lacks = np.einsum("if,kf->ik", gaps.astype(np.float64), (weight != 0.0).astype(np.float64))
    sums = np.einsum("if,kf->ik", np.where(gaps, 0.0, rows), weight)
    return np.where(lacks > 0.0, np.nan, sums)
