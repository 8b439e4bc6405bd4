"""Softening as C5.0 and C4.5 do it: a cut is as uncertain as the errors that moving it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.flow.spreading import frozen
from softwood.refine.collapse import leaf_errors, sum_over_leaves
from softwood.tree import NUMERIC, Tree


class Zone(NamedTuple):
    """A ramp: all to the left up to ``low``, half at ``middle``, none from ``high`` on."""

    low: float
    middle: float
    high: float


class KnownRows(NamedTuple):
    """The rows of a node whose value is known, ascending, and what either side makes of them."""

    value: FloatArray
    weight: FloatArray
    left_errs: FloatArray  # 1 where the left subtree would be wrong, else 0
    right_errs: FloatArray


@dataclass(frozen=True, slots=True)
class SoftenByConfidence:
    r"""Widen every numeric test as far as the training errors hardly notice.

    The hard tree is taken as it is. Moving one cut sends some rows into the other subtree,
    which changes the number of errors; the ramp reaches as far as this change stays within
    about one standard error. Predict with :class:`softwood.flow.Ramp`.

    Parameters
    ----------
    rule : {"c50", "c50-cut", "c45"}, default="c50"
        ``"c50"`` is C5.0's: from the cut outwards, over whole values, until the rows passed
        add more than :math:`\sqrt{E(K-E)/K}` errors, or more than double theirs, E being
        the errors and K the known weight of the node. The ramp is half way down in the
        middle of the gap around the cut, where C5.0 puts it to evaluate a tree. Its
        predictor puts it at the cut: that is ``"c50-cut"``. ``"c45"`` is the rule of C4.5
        release 8: the ramp begins and ends where a cut would make one standard error more
        errors, interpolated between values, and is half way down at the cut.

    See Also
    --------
    softwood.refine.anneal.SoftenByAnnealing : Widths that minimise the training error.

    Notes
    -----
    C5.0 counts fractions of rows with missing values; C4.5 drops a row at the first test
    whose value it lacks. Leaves and their responses stay as they are. A nominal or oblique
    test, and one that leaves a side without known rows, stays hard.

    References
    ----------
    .. [1] J. R. Quinlan (1993). C4.5: Programs for Machine Learning, chapter 8.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Ramp
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.confidence import SoftenByConfidence
    >>> X = np.arange(12.0)[:, None]
    >>> data = TrainingSet.of_classes(X, [0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1])
    >>> stump = GreedyGrower(Cart(max_depth=1)).grow(data)
    >>> soft = SoftenByConfidence().refine(stump, data)
    >>> float(soft.threshold[0]), float(soft.below[0]), float(soft.above[0])
    (7.5, 3.5, 1.5)
    >>> Ramp().predict(soft, [[6.0]]).round(2).tolist()
    [[0.54, 0.46]]
    """

    rule: str = "c50"

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"rule must be one of {', '.join(RULES)}; got {self.rule!r}")

    def refine(self, tree: Tree, data: TrainingSet) -> Tree:
        """Return the soft tree; ``data`` is what the tree was grown on."""
        if data.is_regression:
            raise ValueError("SoftenByConfidence counts errors: it needs classes, not a target")
        find_zone, fractions = RULES[self.rule]
        threshold = tree.threshold.copy()
        below, above = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
        errors = sum_over_leaves(tree, leaf_errors(tree))
        for node, known in _known_rows(tree, data, fractions=fractions):
            cut = float(threshold[node])
            if known.value.size and known.value[0] <= cut < known.value[-1]:
                zone = find_zone(known, cut, float(errors[node]))
            else:
                zone = _around_cut(cut, cut, cut)
            threshold[node] = zone.middle
            below[node], above[node] = zone.middle - zone.low, zone.high - zone.middle
        return tree.replace(threshold=threshold, below=below, above=above)


def _known_rows(
    tree: Tree, data: TrainingSet, *, fractions: bool
) -> Iterator[tuple[int, KnownRows]]:
    """Yield the numeric tests and their known rows; ``fractions`` keeps rows that spread."""
    from softwood._kernels.flow.subtree import class_from

    X = frozen(data.X)
    reach = Hard().reach(tree, X).tocsc()
    for node in np.flatnonzero(tree.kind == NUMERIC):
        part = slice(reach.indptr[node], reach.indptr[node + 1])
        rows, mass = reach.indices[part], reach.data[part]
        value = X[rows, tree.feature[node]]
        kept = ~np.isnan(value) & (fractions | (mass == 1.0))
        order = np.flatnonzero(kept)[np.argsort(value[kept], kind="stable")]
        rows = rows[order].astype(np.int64)
        errs = []
        for child in tree.children(int(node)):
            label = np.empty(rows.size, np.int32)
            class_from(tree.nodes, tree.response, child, X, rows, label)
            errs.append((label != data.label[rows]).astype(float))
        yield int(node), KnownRows(value[order], data.weight[rows] * mass[order], *errs)


def c50_zone(known: KnownRows, cut: float, errors: float) -> Zone:
    """Return C5.0's zone; ``errors`` is the training weight that the subtree misclassifies."""
    value, weight, left, right = known
    n_left = int(np.searchsorted(value, cut, side="right"))
    middle = (value[n_left - 1] + value[n_left]) / 2.0
    total = weight.sum()
    slack = float(np.sqrt(errors * max(total - errors, 0.0) / (total + 1e-3)))
    under, over = slice(n_left - 1, None, -1), slice(n_left, None)
    low = _passed(value[under], weight[under] * right[under], weight[under] * left[under], slack)
    high = _passed(value[over], weight[over] * left[over], weight[over] * right[over], slack)
    return Zone(min(middle, low), middle, max(middle, high))


def _passed(value: FloatArray, moved: FloatArray, stayed: FloatArray, slack: float) -> float:
    """Return the last value that a cut may pass on its way outwards.

    ``moved`` is the weight in error once the cut has passed a row, ``stayed`` before that.
    The outermost value is never passed, as C5.0 has it.
    """
    moved, stayed = np.cumsum(moved)[:-1], np.cumsum(stayed)[:-1]
    gap = np.flatnonzero(value[:-1] != value[1:])
    too_far = (moved > 2.0 * stayed + 1.0) | (moved - stayed > slack)
    stop = np.flatnonzero(too_far[gap])
    n_passed = int(stop[0]) if stop.size else gap.size
    return float(value[gap[n_passed - 1] + 1] if n_passed else value[0])


def c50_cut_zone(known: KnownRows, cut: float, errors: float) -> Zone:
    """Return the zone of C5.0's predictor: the same ends, but half way down at the cut."""
    zone = c50_zone(known, cut, errors)
    return _around_cut(zone.low, cut, zone.high)


def c45_zone(known: KnownRows, cut: float, errors: float) -> Zone:
    """Return the zone of C4.5 release 8, which counts the errors of the known rows afresh."""
    value, weight, left, right = known
    last = np.append(np.flatnonzero(value[:-1] != value[1:]), value.size - 1)
    at = value[last]  # where the cut could be, and the errors it would make there
    errs = (np.cumsum(weight * left) + np.sum(weight * right) - np.cumsum(weight * right))[last]
    under = at <= cut
    base, total = errs[under][-1], weight.sum()
    limit = base + np.sqrt((base + 0.5) * (total - base + 0.5) / (total + 1.0))
    within = errs <= limit
    enters = np.flatnonzero(~within[:-1] & within[1:] & under[1:])
    leaves = np.flatnonzero(within[:-1] & ~within[1:] & ~under[1:])
    low, high = at[0], at[-1]
    if enters.size:  # the first one below the cut, but the last one above it: C4.5's own bias
        low = _crossing(at, errs, limit, enters[0])
    if leaves.size:
        high = _crossing(at, errs, limit, leaves[-1])
    return _around_cut(low, cut, max(high, cut))


def _crossing(at: FloatArray, errs: FloatArray, limit: float, k: int) -> float:
    """Return where the straight line from point ``k`` to the next one meets the limit."""
    return float(at[k] + (at[k + 1] - at[k]) * (limit - errs[k]) / (errs[k + 1] - errs[k]))


def _around_cut(low: float, cut: float, high: float) -> Zone:
    """Return the zone with its middle at the cut.

    Quinlan's programs send a row on the cut left if nothing under the cut is soft; a ramp
    halves what lies on its threshold. So the threshold then steps over such rows.
    """
    middle = cut if low < cut else float(np.nextafter(cut, np.inf))
    return Zone(low if low < cut else middle, middle, max(high, middle))


RULES: dict[str, tuple[Callable[[KnownRows, float, float], Zone], bool]] = {
    "c50": (c50_zone, True),
    "c50-cut": (c50_cut_zone, True),
    "c45": (c45_zone, False),
}
