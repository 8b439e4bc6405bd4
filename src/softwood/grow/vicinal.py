"""The greedy grower for blurred rows: CART on infinitely many perturbed copies of the data.

Every training row stands for a cloud, the noise that a Gaussian flow adds to it. A node
weighs the clouds inside its box, class by class, and takes the test that decreases the
gini impurity of these masses most. Cuts therefore lie where the clouds of the classes
part, and not somewhere in the gap between two rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Gaussian
from softwood.grow.greedy import CRITERIA, NO_LIMIT, finished
from softwood.grow.ranks import RankedTable, rank_table
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.vicinal.greedy_scan import Blurred, VicinalRules, VicinalScratch

N_LEVELS = 128  # more values of a column are gathered in so many groups
LEAST_GAIN = 0.1  # rows: smaller gains are what clouds of noise promise
LEAST_BRANCH = 1e-3  # rows: a branch with less mass decides nothing


@dataclass(frozen=True, slots=True)
class VicinalGrower:
    """Grow a tree from the root down on blurred rows.

    The weights and responses of the tree are those of the blurred rows, so that a leaf
    misclassifies ``weight * (1 - response.max())`` of them, and the sum over the leaves
    is the vicinal risk of the tree.

    Parameters
    ----------
    flow : Gaussian
        What blurs the rows, exact. Categories are drawn anew if it says so, and masses
        less than its ``drop`` are not followed.
    max_depth : int, optional
        Most tests on a path.
    min_samples_split : int, default=2
        Fewest rows of a node that is split, parts of clouds added up; 2 sets no limit.
    min_samples_leaf : int, default=1
        Fewest rows of a branch; 1 sets no limit.
    min_weight_leaf : float, default=0.0
        Least weight of a branch.
    least_gain : float, default=0.1
        Least decrease of impurity, in rows.

    Examples
    --------
    Two rows of each class: the cut lies half way between the clouds.

    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Gaussian
    >>> from softwood.grow.vicinal import VicinalGrower
    >>> X = np.array([[1.0], [2.0], [4.0], [5.0]])
    >>> tree = VicinalGrower(Gaussian(0.5)).grow(TrainingSet.of_classes(X, [0, 0, 1, 1]))
    >>> tree.threshold.tolist()
    [3.0, 0.0, 0.0]
    >>> tree.response.round(3).tolist()
    [[0.5, 0.5], [0.989, 0.011], [0.011, 0.989]]
    """

    flow: Gaussian
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    least_gain: float = LEAST_GAIN

    def grow(self, data: TrainingSet, ranks: RankedTable | None = None) -> Tree:
        """Return the tree of ``data``; ``ranks`` saves ranking its table again."""
        from softwood._kernels.vicinal.greedy import grow_vicinal, vicinal_node_buffers

        ranks = rank_table(data) if ranks is None else ranks
        blurred = blurred_columns(data, ranks, self.flow)
        buffers = vicinal_node_buffers(blurred, data.n_classes)
        scratch = _workspace(blurred, data.n_classes)
        grown = grow_vicinal(blurred, buffers, scratch, self._rules(data), self.flow.drop)
        return finished(grown, data, ranks, 0.0)

    def _rules(self, data: TrainingSet) -> VicinalRules:
        from softwood._kernels.vicinal.greedy_scan import VicinalRules

        row = float(data.weight.mean())
        return VicinalRules(
            criterion=CRITERIA["gini"],
            max_depth=NO_LIMIT if self.max_depth is None else self.max_depth,
            min_split=float(self.min_samples_split) if self.min_samples_split > 2 else 0.0,
            min_leaf=float(self.min_samples_leaf) if self.min_samples_leaf > 1 else 0.0,
            min_weight=max(self.min_weight_leaf, row * LEAST_BRANCH),
            min_gain=row * self.least_gain,
            row=row,
        )


def blurred_columns(data: TrainingSet, ranks: RankedTable, flow: Gaussian) -> Blurred:
    """Return the rows of ``data`` as the grower reads them, blurred by ``flow``."""
    from softwood._kernels.vicinal.greedy_scan import N_CUTS, Blurred

    n_features = data.X.shape[1]
    sd = np.broadcast_to(np.asarray(flow.scale, dtype=np.float64), (n_features,)).copy()
    parts = [_levels_and_cuts(ranks, f) for f in range(n_features)]
    below = [_below(values, cuts, sd[f]) for f, (_, values, cuts) in enumerate(parts)]
    marginals: Any = flow.marginals or [()] * n_features
    drawn = [_drawn(shares, int(n)) for shares, n in zip(marginals, data.n_categories, strict=True)]
    redrawn = data.is_nominal & np.array([len(shares) > 0 for shares in marginals], dtype=bool)
    return Blurred(
        X=data.X,
        label=data.label,
        weight=data.weight,
        sd=sd,
        is_nominal=data.is_nominal,
        level=np.array([level for level, _, _ in parts], dtype=np.int32),
        n_levels=np.where(data.is_nominal, data.n_categories, [v.size for _, v, _ in parts]),
        is_grouped=~data.is_nominal & (ranks.n_levels > N_LEVELS),
        cut_start=_starts([cuts.size for _, _, cuts in parts]),
        cut=np.concatenate([*(cuts for _, _, cuts in parts), np.zeros(0)]),
        level_start=_starts([len(table) for table in below])[:-1],
        below=np.concatenate([*below, np.zeros((0, N_CUTS))]),
        redraw=np.where(redrawn, flow.redraw, 0.0),
        category_start=_starts(data.n_categories),
        drawn=np.concatenate([*drawn, np.zeros(0)]),
    )


def _levels_and_cuts(ranks: RankedTable, feature: int) -> tuple[AnyArray, FloatArray, FloatArray]:
    """Return the level of each row, the value of each level, and where to cut.

    Nominal columns have their categories for levels, and no values. Cuts lie between
    levels, also where several values share one.
    """
    from softwood._kernels.vicinal.greedy_scan import N_CUTS

    rank = ranks.rank[feature]
    values = ranks.values[ranks.value_start[feature] : ranks.value_start[feature + 1]]
    last = np.flatnonzero(np.diff(_groups(values.size, N_CUTS)))
    middle = values[last] / 2 + values[last + 1] / 2
    cuts = np.where(middle < values[last + 1], middle, values[last])
    if values.size <= N_LEVELS:
        return rank, values, cuts
    group = _groups(values.size, N_LEVELS)
    count = np.bincount(rank[rank >= 0], minlength=values.size)
    means = np.bincount(group, count * values) / np.bincount(group, count)
    return np.where(rank >= 0, group[rank], -1), means, cuts


def _groups(size: int, most: int) -> AnyArray:
    """Divide a line of values among at most so many groups."""
    return np.arange(size) * min(size, most) // max(size, 1)


def _below(values: FloatArray, cuts: FloatArray, sd: float) -> FloatArray:
    """Return the part of each level that lies below each cut, filled up to ``N_CUTS``."""
    from scipy.special import ndtr

    from softwood._kernels.vicinal.greedy_scan import N_CUTS

    below = np.ones((values.size, N_CUTS))
    if sd == 0.0:
        below[:, : cuts.size] = values[:, None] <= cuts
    else:
        with np.errstate(over="ignore"):
            ndtr((cuts - values[:, None]) / sd, out=below[:, : cuts.size])
    return below


def _drawn(shares: Any, n_categories: int) -> FloatArray:
    return np.array(shares) if len(shares) else np.zeros(n_categories)


def _starts(sizes: Any) -> AnyArray:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def _workspace(blurred: Blurred, n_classes: int) -> VicinalScratch:
    from softwood._kernels.vicinal.greedy_scan import N_CUTS, VicinalScratch

    most = int(blurred.n_levels.max(initial=1))
    return VicinalScratch(
        table=np.zeros((most, n_classes)),
        left=np.zeros((n_classes, N_CUTS)),
        known=np.zeros(n_classes),
        tally=np.zeros((most, 1)),
        left_tally=np.zeros((1, N_CUTS)),
        held=np.zeros(2),
        level_of=np.zeros(most, dtype=np.int64),
        size=np.zeros(most),
        goes_left=np.zeros(most, dtype=np.int64),
        branch=np.zeros(most, dtype=np.int64),
        chosen=np.zeros(most, dtype=np.int64),
        share=np.zeros(most),
        part=np.zeros(blurred.X.shape[0]),
    )
