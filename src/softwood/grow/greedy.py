"""The greedy axis-parallel grower: one loop, and a policy that chooses the tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.data.weights import LEAST_SHARE
from softwood.grow.ranks import RankedTable, rank_table
from softwood.tree import NOMINAL, Tree

if TYPE_CHECKING:
    from softwood._kernels.growth.node_buffers import Grown

NO_LIMIT = 2**31 - 1
CRITERIA = {"gini": 0, "entropy": 1, "twoing": 2, "squared_error": 3}
MANY_VALUED = 0.3  # C4.5 distrusts attributes with this many categories per case


class Policy(Protocol):
    """How a node chooses its test and when it stops: the part in which growers differ."""

    @property
    def uses_logarithms(self) -> bool:
        """Whether the criterion is an entropy."""
        ...

    @property
    def counts_weights(self) -> bool:
        """Whether a row of a whole weight w is w cases to it."""
        ...

    def rules(self) -> Any:
        """Return the rules whose type picks the compiled policy."""
        ...


@dataclass(frozen=True, slots=True)
class Cart:
    """CART: the greatest decrease of impurity, cuts half way, categories in two sets."""

    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0

    @property
    def uses_logarithms(self) -> bool:
        """Whether the criterion is an entropy."""
        return self.criterion == "entropy"

    @property
    def counts_weights(self) -> bool:
        """Whether a row of a whole weight w is w cases to it."""
        return False

    def rules(self) -> Any:
        """Return the rules whose type picks the compiled policy."""
        from softwood._kernels.growth.policy import PurityRules, VarianceRules

        kind = VarianceRules if self.criterion == "squared_error" else PurityRules
        depth = NO_LIMIT if self.max_depth is None else self.max_depth
        return kind(
            CRITERIA[self.criterion],
            depth,
            float(self.min_samples_split),
            float(self.min_samples_leaf),
            float(self.min_weight_leaf),
        )


@dataclass(frozen=True, slots=True)
class C45:
    """C4.5 as J48 has it: gain ratio among tests of average gain, a branch per category."""

    min_leaf: float = 2.0
    mdl_correction: bool = True
    max_depth: int | None = None

    @property
    def uses_logarithms(self) -> bool:
        """Whether the criterion is an entropy."""
        return True

    @property
    def counts_weights(self) -> bool:
        """Whether a row of a whole weight w is w cases to it."""
        return True

    def rules(self) -> Any:
        """Return the rules whose type picks the compiled policy."""
        from softwood._kernels.growth.policy import GainRatioRules

        depth = NO_LIMIT if self.max_depth is None else self.max_depth
        return GainRatioRules(depth, float(self.min_leaf), self.mdl_correction)


@dataclass(frozen=True, slots=True)
class GreedyGrower:
    """Grow a tree from the root down, splitting every node by the policy's best test.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> data = TrainingSet.of_classes(X, [0, 0, 1, 1])
    >>> tree = GreedyGrower(Cart("gini")).grow(data)
    >>> tree.threshold.tolist()
    [2.5, 0.0, 0.0]
    """

    policy: Policy

    def grow(self, data: TrainingSet, ranks: RankedTable | None = None) -> Tree:
        """Return the tree of ``data``; ``ranks`` saves ranking its table again."""
        from softwood._kernels.growth.columns import sorted_entries
        from softwood._kernels.growth.grow import grow_tree, node_buffers

        ranks = rank_table(data) if ranks is None else ranks
        rows = np.arange(data.n_rows, dtype=np.int32)
        entries, lengths = sorted_entries(
            ranks.rank, ranks.n_levels, rows, data.label, ranks.has_missing
        )
        offset, growth = mean_target(data), growth_of(data)
        grown = grow_tree(
            entries,
            lengths,
            columns_of(data, ranks),
            cases_of(
                data,
                offset,
                self.policy.uses_logarithms,
                ranks.has_missing,
                self.policy.counts_weights,
            ),
            growth,
            node_buffers(data.X.shape[1], entries.shape[0], entries.shape[1], growth.n_columns),
            scratch_of(data, growth.n_columns),
            rules_for(data, self.policy.rules()),
        )
        return finished(grown, data, ranks, offset)


def growth_of(data: TrainingSet) -> Any:
    """Return what the growth loop needs to know of the target."""
    from softwood._kernels.growth.policy import Growth

    return Growth(
        n_columns=4 if data.is_regression else data.n_classes,
        regression=data.is_regression,
        unit=bool(np.all(data.weight == 1.0)),
    )


def columns_of(data: TrainingSet, ranks: RankedTable) -> Any:
    """Return what the growth loop needs to know of the columns."""
    from softwood._kernels.growth.choose import Columns

    limit = MANY_VALUED * data.n_rows
    many_valued = data.is_nominal & (limit - data.n_categories <= 1e-6)
    return Columns(ranks.values, ranks.value_start, ranks.n_levels, data.is_nominal, many_valued)


def rules_for(data: TrainingSet, rules: Any) -> Any:
    """Return rules by which no branch is made for less weight than sums are wrong by."""
    if not hasattr(rules, "min_weight"):
        return rules
    least = LEAST_SHARE * float(data.weight.sum())
    return rules._replace(min_weight=max(rules.min_weight, least))


def cases_of(
    data: TrainingSet,
    offset: float,
    with_logarithms: bool,
    has_missing: bool,
    counts_weights: bool,
) -> Any:
    """Return the cases as the growth loop takes them.

    It changes their weights, and how much of each is left, only where values are missing.
    Where ``counts_weights``, a row of a whole weight w is w cases; else a row is one.
    """
    from softwood._kernels.growth.choose import Cases
    from softwood._kernels.impurity import xlog2_table

    xlogs = xlog2_table(data.n_rows) if with_logarithms else np.zeros(1)
    target = data.target - offset
    scale = float(np.mean(target * target)) if data.is_regression else 1.0
    weight = data.weight.copy() if has_missing else data.weight
    origin, share = data.weight, np.ones(data.n_rows)
    if counts_weights and data.whole:
        origin, share = share, data.weight.copy()
    return Cases(data.label, target, weight, origin, share, xlogs, scale)


def scratch_of(data: TrainingSet, n_columns: int) -> Any:
    """Return room for the work on one node."""
    from softwood._kernels.growth.choose import Scratch

    most = max(2, int(data.n_categories.max(initial=0)))
    n_features = data.X.shape[1]
    return Scratch(
        side=np.zeros(data.n_rows, dtype=np.uint16),
        bits=np.zeros(data.n_rows // 8 + 1, dtype=np.uint8),
        branch_of_level=np.zeros(most, dtype=np.int64),
        n_child=np.zeros(most, dtype=np.int64),
        length=np.zeros(most, dtype=np.int64),
        position=np.zeros(most, dtype=np.int64),
        share=np.zeros(most),
        size=np.zeros(most),
        live=np.zeros(most, dtype=np.bool_),
        gains=np.zeros(n_features),
        ratios=np.zeros(n_features),
        cuts=np.zeros(n_features, dtype=np.int64),
        left=np.zeros(n_columns),
        some=np.zeros(n_columns),
    )


def mean_target(data: TrainingSet) -> float:
    """Return the mean target, which is taken off while growing to keep sums precise."""
    if not data.is_regression:
        return 0.0
    return float(np.average(data.target, weights=data.weight))


def finished(grown: Grown, data: TrainingSet, ranks: RankedTable, offset: float) -> Tree:
    """Turn the buffers of the growth loop into a tree."""
    first_child, n_children, kind, feature, set_at = grown.node[:, :5].T
    weight, response = _responses(grown.value, data.is_regression, offset)
    # A branch that no case takes answers as its parent does.
    inner = np.flatnonzero(n_children)
    parent = np.zeros(kind.size, dtype=np.int64)
    for k in range(int(n_children.max(initial=0))):
        wide = inner[n_children[inner] > k]
        parent[first_child[wide] + k] = wide
    empty = np.flatnonzero(weight <= 0)
    response[empty] = response[parent[empty]]
    nominal = np.flatnonzero(kind == NOMINAL)
    levels = np.zeros(kind.size, dtype=np.int64)
    levels[nominal] = ranks.n_levels[feature[nominal]]
    # Nodes are split in another order than they are made.
    set_start = np.concatenate(([0], np.cumsum(levels)))
    picks = np.arange(set_start[-1]) + np.repeat(
        (set_at - set_start[:-1])[nominal], levels[nominal]
    )
    return Tree.from_nodes(
        n_features=data.X.shape[1],
        first_child=first_child,
        n_children=n_children,
        kind=kind,
        feature=feature,
        threshold=grown.cut[:, 0],
        weight=weight,
        response=response,
        set_start=set_start,
        set_child=grown.branch_of_level[picks, 0],
    )


def _responses(value: AnyArray, regression: bool, offset: float) -> tuple[FloatArray, FloatArray]:
    weight = value[:, 0] if regression else value.sum(axis=1)
    divisor = np.where(weight > 0, weight, 1.0)[:, None]
    if regression:
        return weight.copy(), value[:, 1:2] / divisor + offset
    return weight, value / divisor
