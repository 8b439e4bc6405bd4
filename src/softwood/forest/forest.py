"""The forest: trees whose answers are added up, and what turns the sum into an answer.

One structure serves every ensemble. A random forest is a mean of class frequencies; a
boosted model is a sum of numbers that start from a base and pass through a link.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from softwood._types import BoolArray, FloatArray, IndexArray
from softwood.flow import Flow, Hard
from softwood.forest import checks
from softwood.forest.end_to_end import EndToEnd
from softwood.forest.packed import PackedForest, PackedTrees
from softwood.forest.sums import (
    ALL_OUTPUTS,
    LINKS,
    MOST_NODES_AGAIN,
    checked_use,
    flow_of_trees,
    sum_of_answers,
)
from softwood.tree import Tree

HARD = Hard()


@dataclass(frozen=True, eq=False, repr=False)
class Forest:
    """Trees whose answers are added up, and what turns the sum into an answer.

    The raw score of a row is ``base`` plus the sum over trees of ``factor`` times the
    tree's answer; the link makes probabilities or numbers of it. Trees are added in their
    order and rows do not meet, so the bits of a score depend on its row alone.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; all read the same columns.
    output : array-like of int of shape (n_trees,)
        Column of the sum a tree adds to. -1: to all, its response has every column.
    factor : array-like of shape (n_trees,)
        What a tree's answer is multiplied by: a learning rate, a weight in a vote.
    base : array-like of shape (n_outputs,)
        What the sum starts from.
    link : {"identity", "logistic", "sigmoid", "softmax", "exponential"}, default="identity"
        What a raw score becomes. "logistic" makes the probabilities of two classes of one
        score; "sigmoid" takes every score to between 0 and 1 on its own.
    slope : float, default=1.0
        Raw scores are multiplied by it before the link.
    is_mean : bool, default=False
        Whether each sum over trees is divided by the sum of their factors.

    Examples
    --------
    >>> from softwood.forest import Forest
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1,
    ...     first_child=[1, -1, -1],
    ...     n_children=[2, 0, 0],
    ...     kind=[1, 0, 0],
    ...     feature=[0, -1, -1],
    ...     threshold=[0.5, 0.0, 0.0],
    ...     weight=[4.0, 1.0, 3.0],
    ...     response=[[0.5], [-1.0], [1.0]],
    ... )
    >>> boosted = Forest((stump, stump), [0, 0], [0.1, 0.1], base=[0.3], link="logistic")
    >>> boosted
    Forest(n_trees=2, n_features=1, n_outputs=1, link='logistic')
    >>> boosted.raw([[0.0], [1.0]]).round(3).tolist()
    [[0.1], [0.5]]
    >>> boosted.predict([[0.0], [1.0]]).round(3).tolist()
    [[0.475, 0.525], [0.378, 0.622]]
    >>> Forest.average([stump, stump]).predict([[0.0]]).tolist()
    [[-1.0]]
    """

    trees: Sequence[Tree]
    output: IndexArray
    factor: FloatArray
    base: FloatArray
    link: str = "identity"
    slope: float = 1.0
    is_mean: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.trees, PackedTrees):
            object.__setattr__(self, "trees", tuple(self.trees))
        for name, dtype in (("output", np.int32), ("factor", np.float64), ("base", np.float64)):
            array = np.array(getattr(self, name), dtype=dtype)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        checks.check_trees(self.trees)
        checks.check_shapes(self)
        checks.check_outputs(self)
        checks.check_numbers(self)

    @classmethod
    def average(cls, trees: Sequence[Tree], factor: Any = None) -> Forest:
        """Return the forest that answers the mean of its trees.

        Parameters
        ----------
        trees : sequence of Tree
            Trees with responses of one length.
        factor : array-like of shape (n_trees,), optional
            Weights of the trees; by default all count alike.

        Returns
        -------
        Forest
        """
        trees = trees if isinstance(trees, PackedTrees) else tuple(trees)
        checks.check_trees(trees)
        return cls(
            trees=trees,
            output=np.full(len(trees), ALL_OUTPUTS, np.int32),
            factor=np.ones(len(trees)) if factor is None else factor,
            base=np.zeros(_widths(trees).n_outputs),
            is_mean=True,
        )

    # -- shape ---------------------------------------------------------------

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.trees)

    @property
    def n_leaves(self) -> int:
        """Leaves of all trees."""
        if isinstance(self.trees, PackedTrees):  # every test has two branches
            return (self.trees.packed.key.size + self.n_trees) // 2
        return sum(tree.n_leaves for tree in self.trees)

    @property
    def n_features(self) -> int:
        """Columns of the tables that the trees read."""
        return _widths(self.trees).n_features

    @property
    def n_outputs(self) -> int:
        """Number of raw scores."""
        return int(self.base.size)

    @cached_property
    def packed(self) -> PackedForest | None:
        """The trees in one set of arrays, if they fit there and all add to every output."""
        if (self.output != ALL_OUTPUTS).any():
            return None
        if isinstance(self.trees, PackedTrees):
            return self.trees.packed
        return PackedForest.of_trees(self.trees)

    @cached_property
    def end_to_end(self) -> EndToEnd | None:
        """Trees that do not fit a packed forest in one table, unless it would be a large one."""
        if self.packed is not None or (self.output != ALL_OUTPUTS).any():
            return None
        if sum(tree.n_nodes for tree in self.trees) > MOST_NODES_AGAIN:
            return None
        return EndToEnd.of(self.trees)

    @cached_property
    def trees_at_hand(self) -> Sequence[Tree]:
        """The trees, made once and kept: a soft flow needs all of them for every row.

        Nothing else asks for them: what is hard is answered by the packed forest, and what looks
        at each tree once makes it for that.
        """
        return tuple(self.trees)

    @property
    def has_tests(self) -> bool:
        """Whether some tree is more than a leaf."""
        if isinstance(self.trees, PackedTrees):
            return self.trees.packed.has_tests
        return any(tree.n_nodes > 1 for tree in self.trees)

    def responses(self) -> list[FloatArray]:
        """Return what the trees may answer: arrays of one row for each node, or answer."""
        if isinstance(self.trees, PackedTrees):
            return [self.trees.packed.table]
        return [tree.response for tree in self.trees]

    def largest_answers(self) -> FloatArray:
        """Return a bound of what each tree can answer, of any sign."""
        largest = [np.abs(response).max() for response in self.responses()]
        return np.broadcast_to(largest, self.n_trees)

    # -- answers -------------------------------------------------------------

    def raw(self, X: Any, flow: Flow | Sequence[Flow] = HARD, use: Any = None) -> FloatArray:
        """Return the sum over the trees, before the link.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Rows; NaN is missing, nominal columns hold codes.
        flow : Flow or sequence of Flow, default=Hard()
            How rows spread: one flow for all trees, or one for each.
        use : array-like of bool of shape (n_rows, n_trees), optional
            Which trees a row asks, for instance those that were not trained on it. A mean
            is then over these trees, and NaN for a row without any.

        Returns
        -------
        ndarray of shape (n_rows, n_outputs)
        """
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2:
            raise ValueError(f"X must be 2-D, rows by features; got shape {X.shape}")
        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} columns, but the trees read {self.n_features}")
        flows = flow_of_trees(flow, self.n_trees)
        asked = None if use is None else checked_use(use, (X.shape[0], self.n_trees))
        return sum_of_answers(self, X, flows, asked)

    def predict(self, X: Any, flow: Flow | Sequence[Flow] = HARD, use: Any = None) -> FloatArray:
        """Return probabilities or numbers: the raw scores, passed through the link.

        Parameters
        ----------
        X, flow, use
            As in :meth:`raw`.

        Returns
        -------
        ndarray of shape (n_rows, n_answers)
            Two columns for the link "logistic", else one for each raw score.
        """
        return self.answer(self.raw(X, flow, use))

    def answer(self, raw: Any) -> FloatArray:
        """Return what raw scores become.

        Parameters
        ----------
        raw : array-like of shape (n_rows, n_outputs)
            Raw scores.

        Returns
        -------
        ndarray of shape (n_rows, n_answers)
        """
        return LINKS[self.link](self.slope * np.asarray(raw, dtype=np.float64))

    def divisor(self, use: BoolArray | None = None) -> FloatArray:
        """Return the factors that went into each score, added up; NaN where there are none."""
        weight = np.where(self._adds_to(), self.factor[:, None], 0.0)
        total = weight.sum(axis=0) if use is None else use @ weight
        return np.where(total > 0.0, total, np.nan)

    def _adds_to(self) -> BoolArray:
        """Return the mask of trees by columns of the sum."""
        output = self.output[:, None]
        return np.asarray((output == ALL_OUTPUTS) | (output == np.arange(self.n_outputs)))

    # -- new forests from this one ---------------------------------------------

    def replace(self, **changes: Any) -> Forest:
        """Return a copy with some fields exchanged; this forest stays as it is."""
        return Forest(**{**{f.name: getattr(self, f.name) for f in fields(self)}, **changes})

    def map(self, change: Callable[[Tree], Tree]) -> Forest:
        """Return a forest of changed trees.

        Parameters
        ----------
        change : callable
            Takes a tree and returns one, such as a refiner does.

        Returns
        -------
        Forest
        """
        return self.replace(trees=tuple(change(tree) for tree in self.trees))

    # -- housekeeping ----------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Forest):
            return NotImplemented
        return self.trees == other.trees and all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name))
            for f in fields(self)
            if f.name != "trees"
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"Forest(n_trees={self.n_trees}, n_features={self.n_features}, "
            f"n_outputs={self.n_outputs}, link={self.link!r})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickle through the constructor: checked again, read-only again.
        return Forest, tuple(getattr(self, f.name) for f in fields(self))


def _widths(trees: Sequence[Tree]) -> Tree | PackedTrees:
    """Return what knows how many columns trees read, and how long their responses are."""
    return trees if isinstance(trees, PackedTrees) else trees[0]
