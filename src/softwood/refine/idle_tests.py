"""Tests that a taught tree can do without: before training cheap ones, after it idle ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Hard
from softwood.refine.responses import node_weights
from softwood.refine.soft_targets import SoftTargets
from softwood.tree import RAGGED, Tree, take_ragged

# Of a row, from all rows together. Trees trained on ten sets of data erred on other rows
# as before without the sides that get less than this; from a tenth on they erred more.
LEAST_ROWS = 0.01
PER_NODE = ("kind", "feature", "threshold", "below", "above", "missing_child", "response")


@dataclass(frozen=True, slots=True)
class DropCheapTests:
    """Prune a tree to the tests that tell enough about the answers of a teacher.

    Soft targets with many blurred copies let a tree grow to any size, however few the rows were
    that they come from. What a test is worth is counted in these rows: by how much it lowers the
    deviance of the answers to be learnt (their cross-entropy, or half their squared error over
    the variance of the noise), in nats over all training rows. Tests are dropped before
    training: trained afterwards, the tests that stay make up for the others, and training a
    small tree takes less time. The tree is the one of the cost-complexity sequence at ``price``
    per leaf.

    Parameters
    ----------
    price : float, default=0.25
        Nats that a leaf must be worth, over all training rows; 0 keeps every test.

    Examples
    --------
    One feature decides, the others are noise, and the labels are taken at their word:

    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.soft_targets import soft_targets_of
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> data = TrainingSet.of_classes(X, (X[:, 0] > rng.normal(0, 0.3, 400)).astype(int))
    >>> tree = GreedyGrower(Cart("gini", min_samples_leaf=5)).grow(data)
    >>> soft_targets = soft_targets_of(data)
    >>> [DropCheapTests(p).refine(tree, soft_targets, data.n_rows).n_leaves for p in (0, 2, 5)]
    [21, 14, 5]
    """

    price: float = 0.25

    def __post_init__(self) -> None:
        if not self.price >= 0.0:
            raise ValueError(f"price must be at least 0; got {self.price!r}")

    def refine(
        self, tree: Tree, soft_targets: SoftTargets, n_rows: int, noise: float | None = None
    ) -> Tree:
        """Return the pruned tree.

        Parameters
        ----------
        tree : Tree
            A tree grown on the soft targets.
        soft_targets : SoftTargets
            What is to be learnt.
        n_rows : int
            Training rows that the soft targets were made from.
        noise : float, optional
            Variance of the numbers about what can be learnt; None if the answers are
            shares of classes.
        """
        from softwood._kernels.pruning.weakest_link import collapse_prices

        if tree.n_leaves == 1 or self.price == 0.0:
            return tree
        cost = cost_as_leaf(tree, soft_targets, squared=noise is not None)
        worth = collapse_prices(tree.first_child, tree.n_children, tree.parent, cost)
        cost_of_a_nat = 1.0 if noise is None else 2.0 * noise
        return tree.compact(leaves=worth < self.price * cost_of_a_nat / n_rows)


def cost_as_leaf(tree: Tree, soft_targets: SoftTargets, squared: bool) -> FloatArray:
    """Return what each node would cost as a leaf that gives its mean answer.

    Parameters
    ----------
    tree : Tree
        The tree.
    soft_targets : SoftTargets
        The rows and the answers.
    squared : bool
        Squared error, or else cross-entropy.

    Returns
    -------
    ndarray of shape (n_nodes,)
        Sums over the rows that reach a node, per unit of the whole weight.
    """
    reach = Hard().reach(tree, soft_targets.X).T
    share = soft_targets.weight / soft_targets.weight.sum()
    answer = np.asarray(soft_targets.target, dtype=np.float64)
    total = reach @ (share[:, None] * answer)
    mass = np.maximum(reach @ share, np.finfo(np.float64).tiny)[:, None]
    if squared:
        squares = reach @ (share[:, None] * answer**2)
        return np.asarray((squares - total**2 / mass).sum(axis=1))
    logarithm = np.log(total / mass, out=np.zeros_like(total), where=total > 0.0)
    return np.asarray(-(total * logarithm).sum(axis=1))


def without_idle_tests(
    tree: Tree, flow: Flow, data: TrainingSet, least_rows: float = LEAST_ROWS
) -> Tree:
    """Return the tree without tests of which all sides but one get next to nothing.

    Training moves cuts and widths. Some cuts end where no row is, or behind a test that sends no
    row there; what such a test says of the data is not true of any of it.

    Parameters
    ----------
    tree : Tree
        The tree. Leaves keep their responses.
    flow : Flow
        How rows flow through it.
    data : TrainingSet
        The rows.
    least_rows : float, default=0.01
        A test goes if all its sides but the heaviest get no more than this together, in rows
        of mean weight. Where they get nothing, the rows are answered as before.

    Returns
    -------
    Tree

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.flow import Ramp
    >>> from softwood.refine.idle_tests import without_idle_tests
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[-3.0, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     below=[1.0, 0.0, 0.0], above=[1.0, 0.0, 0.0], response=[[0.5], [0.0], [1.0]],
    ... )
    >>> data = TrainingSet.of_target(np.array([[0.0], [1.0]]), np.zeros(2))
    >>> without_idle_tests(stump, Ramp(), data).response
    array([[1.]])
    """
    least = least_rows * data.weight.sum() / data.n_rows
    while tree.n_nodes > 1:
        heir = _heirs(tree, node_weights(tree, flow, data), least)
        if np.array_equal(heir, np.arange(tree.n_nodes)):
            break
        tree = _taken(tree, heir)
    return tree


def _heirs(tree: Tree, weight: AnyArray, least: float) -> AnyArray:
    """Return the node that takes the place of each: itself, or the end of a way past idle tests."""
    heir = np.arange(tree.n_nodes)
    for node in range(tree.n_nodes - 1, -1, -1):
        children = tree.children(node)
        if len(children) == 0:
            continue
        part = weight[children.start : children.stop]
        heaviest = int(part.argmax())
        if part.sum() - part[heaviest] <= least:
            heir[node] = heir[children.start + heaviest]
    return heir


def _taken(tree: Tree, source: AnyArray) -> Tree:
    """Return the tree in which each node is what ``source`` was, with all that hangs on it.

    Its place keeps the weight, by which rows with gaps divide.
    """
    columns = {name: getattr(tree, name)[source] for name in PER_NODE} | {"weight": tree.weight}
    for prefix, names in RAGGED.items():
        start, picks = take_ragged(getattr(tree, f"{prefix}_start"), source)
        columns |= {name: getattr(tree, name)[picks] for name in names}
        columns[f"{prefix}_start"] = start
    return Tree.from_nodes(
        n_features=tree.n_features,
        first_child=tree.first_child[source],
        n_children=tree.n_children[source],
        **columns,
    )
