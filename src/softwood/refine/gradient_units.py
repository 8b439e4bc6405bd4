"""Units and bounds of training: a tree becomes weights in deviations of the features, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow.spreading import BLOCK_ROWS
from softwood.refine.column_spread import power_of_two, ranges_of_columns, spread_of_columns
from softwood.refine.responses import with_inner_responses
from softwood.refine.soft_targets import SoftTargets
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE, Tree

if TYPE_CHECKING:
    from softwood._kernels.soft.batch import Sample, Weights

LARGEST = np.finfo(np.float64).max
LEAST_SHARE = 1e-9  # of a class at a leaf, so that its logit is finite
MOST_RANGES = 3.0  # of what a test compares, to each side: so long may ramps be
LEAST_WIDTH = 1e-3  # in deviations: narrower is as good as hard, and its logarithm runs away


@dataclass(frozen=True, eq=False)
class Units:
    """Centres and deviations of the features, and of a target that is a number.

    Attributes
    ----------
    centre, scale : ndarray of shape (n_features,)
        A constant feature has the scale 1.
    offset, unit : float
        Of the target; 0 and 1 for classes.
    squared : bool
        Whether the target is a number.
    """

    centre: FloatArray
    scale: FloatArray
    offset: float
    unit: float
    squared: bool

    @classmethod
    def of(cls, data: TrainingSet) -> Units:
        """Return the units of a training set."""
        centre, deviation = spread_of_columns(data)
        scale = np.where(deviation > 0.0, deviation, 1.0)
        return cls(centre, scale, *_units_of_target(data), data.is_regression)

    def sample(self, soft_targets: SoftTargets, tree: Tree) -> Sample:
        """Return soft targets as kernels that train ``tree`` read them."""
        from softwood._kernels.soft.batch import open_sample

        units = ((soft_targets.target - self.offset) / self.unit).astype(np.float32)
        X = np.ascontiguousarray(soft_targets.X)
        nominal = np.unique(tree.feature[tree.kind == NOMINAL])
        tested = (tree.feature[tree.kind == NUMERIC], tree.term_feature, nominal)
        used = np.unique(np.concatenate(tested)).astype(np.int32)
        centre, scale = self.centre.copy(), self.scale.copy()
        centre[nominal], scale[nominal] = 0.0, 1.0  # codes are read as they are
        return open_sample(X, units, soft_targets.weight, centre, scale, used)

    # -- from a tree to weights ------------------------------------------------

    def weights(self, tree: Tree, width: float | None) -> Weights:
        """Return what is trained; every test starts with ``width``, or with its own widths."""
        from softwood._kernels.soft.batch import Weights

        term, length = self._terms(tree)
        test = self._tests(tree, width, length)
        if self.squared:
            return Weights(test, (tree.response - self.offset) / self.unit, term)
        if width is None:
            share = np.maximum(tree.response, LEAST_SHARE)
        else:  # Laplace: no leaf of a hard tree is as certain as it seems.
            share = tree.response * tree.weight[:, None] + 1.0
        return Weights(test, np.log(share / share.sum(axis=1, keepdims=True)), term)

    def _terms(self, tree: Tree) -> tuple[FloatArray, FloatArray]:
        """Return weights of terms, of length 1 for each test, and how long they were."""
        owner = tree.term_owner
        term = tree.term_weight * self.scale[tree.term_feature]
        largest = np.zeros(tree.n_nodes)
        np.maximum.at(largest, owner, np.abs(term))
        unit = power_of_two(largest)  # without it the squares of large terms overflow
        squares = np.bincount(owner, (term / unit[owner]) ** 2, minlength=tree.n_nodes)
        length = np.where(squares > 0.0, np.sqrt(squares) * unit, 1.0)
        return (term / length[owner])[:, None], length

    def _tests(self, tree: Tree, width: float | None, length: FloatArray) -> FloatArray:
        from softwood._kernels.soft.batch import CUT, LOG_ABOVE, LOG_BELOW, N_PER_TEST

        test = np.zeros((tree.n_nodes, N_PER_TEST))
        soft, centre, scale = self._of_tests(tree, length)
        test[soft, CUT] = (tree.threshold[soft] - centre) / scale
        for side, own in ((LOG_BELOW, tree.below), (LOG_ABOVE, tree.above)):
            widths = own[soft] / scale if width is None else np.full(scale.size, width)
            test[soft, side] = np.log(np.maximum(widths, LEAST_WIDTH))
        return test

    def _of_tests(self, tree: Tree, length: FloatArray) -> tuple[AnyArray, FloatArray, FloatArray]:
        """Return the tests with a cut, and centre and scale of what they compare with it."""
        numeric, oblique = tree.kind == NUMERIC, tree.kind == OBLIQUE
        centre, scale = np.zeros(tree.n_nodes), length.copy()
        centre[numeric] = self.centre[tree.feature[numeric]]
        scale[numeric] = self.scale[tree.feature[numeric]]
        middle = tree.term_weight * self.centre[tree.term_feature]
        centre[oblique] = np.bincount(tree.term_owner, middle, tree.n_nodes)[oblique]
        soft = numeric | oblique
        return soft, centre[soft], scale[soft]

    # -- and back --------------------------------------------------------------

    def tree(self, tree: Tree, weights: Weights) -> Tree:
        """Return the tree that was trained.

        The weights of an oblique test are such that its largest term, in deviations,
        counts in the units of its feature.
        """
        term, length = self._raw_terms(tree, weights)
        tree = tree.replace(term_weight=term)
        soft, centre, scale = self._of_tests(tree, length)
        cut, below, above = weights.test[soft].T
        threshold = tree.threshold.copy()
        threshold[soft] = cut * scale + centre
        widths = {"below": np.zeros(tree.n_nodes), "above": np.zeros(tree.n_nodes)}
        with np.errstate(over="ignore"):
            widths["below"][soft] = np.minimum(np.exp(below) * scale, LARGEST)
            widths["above"][soft] = np.minimum(np.exp(above) * scale, LARGEST)
        if self.squared:
            response = weights.leaf * self.unit + self.offset
        else:
            odds = np.exp(weights.leaf - weights.leaf.max(axis=1, keepdims=True))
            response = odds / odds.sum(axis=1, keepdims=True)
        return with_inner_responses(tree.replace(threshold=threshold, **widths), response)

    def _raw_terms(self, tree: Tree, weights: Weights) -> tuple[FloatArray, FloatArray]:
        """Return the weights of terms in users' units, and by what the tests were divided."""
        owner, term = tree.term_owner, weights.term[:, 0]
        raw = term / self.scale[tree.term_feature]
        length = np.ones(tree.n_nodes)
        # The last of equals is the main term; terms without weight change nothing.
        order = np.argsort(np.abs(term), kind="stable")
        main = order[np.abs(term[order]) > 0.0]
        with np.errstate(over="ignore"):  # of small terms, which the main one follows
            length[owner[main]] = 1.0 / np.abs(raw[main])
        return raw * length[owner], length


def _units_of_target(data: TrainingSet) -> tuple[float, float]:
    if not data.is_regression:
        return 0.0, 1.0
    offset = float(np.average(data.target, weights=data.weight))
    deviation = float(np.sqrt(np.average((data.target - offset) ** 2, weights=data.weight)))
    return offset, deviation if deviation > 0 else 1.0


class Bounds:
    """The least and largest value that the tests of a tree find in the training rows.

    A cut that no row reaches lowers the loss of training a little, but what it says cannot be
    believed: "area <= -9.8" is true of no area. Ramps may be longer than the column: tests that
    hardly tell rows apart give the mean of what is below them, which numbers need more than
    classes. Held in the range of the column, they cost 2 % of the squared error on Friedman's
    first problem; held to three ranges, nothing that can be measured.

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
    np.add.at(weight, (tree.term_owner, tree.term_feature), term)
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
