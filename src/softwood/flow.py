"""Flows: how the unit mass of a row spreads over the leaves of a tree.

A flow is a small value that holds no data. Every flow takes every tree, and sends a
missing value to all children in proportion to their training weight.

Examples
--------
A tree of one test, ``x <= 0.5``, softened in every way:

>>> from softwood.flow import Gaussian, Hard, Ramp, Sampled, leaf_of
>>> from softwood.tree import Tree
>>> tree = Tree.from_nodes(
...     n_features=1,
...     first_child=[1, -1, -1],
...     n_children=[2, 0, 0],
...     kind=[1, 0, 0],
...     feature=[0, -1, -1],
...     threshold=[0.5, 0.0, 0.0],
...     below=[0.2, 0.0, 0.0],
...     above=[0.4, 0.0, 0.0],
...     weight=[4.0, 1.0, 3.0],
...     response=[[0.25, 0.75], [1.0, 0.0], [0.0, 1.0]],
... )
>>> X = [[0.4], [0.5], [float("nan")]]
>>> for flow in Hard(), Ramp(), Gaussian(scale=0.1), Sampled(scale=0.1, n=10_000):
...     print(type(flow).__name__, flow.spread(tree, X).toarray().round(2).tolist())
Hard [[1.0, 0.0], [1.0, 0.0], [0.25, 0.75]]
Ramp [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]
Gaussian [[0.84, 0.16], [0.5, 0.5], [0.25, 0.75]]
Sampled [[0.84, 0.16], [0.5, 0.5], [0.25, 0.75]]
>>> leaf_of(tree, X)
array([1, 1, 2], dtype=int32)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from softwood import _flow_parts as parts
from softwood import _flow_samples as samples
from softwood._types import FloatArray, IndexArray
from softwood.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from softwood._kernels.flow.gates import Gates


SHAPES = ("linear", "logistic", "normal")
MOST_COPIES = 100_000  # of a row: with so many a mass is sure to 0.0016


class Flow(Protocol):
    """What every flow can do, given a tree and rows ``X`` of shape (n_rows, n_features).

    NaN is missing; nominal columns hold category codes, and any code that a node does
    not list is a category it has never seen.
    """

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_rows, n_leaves)
            Column j belongs to node ``tree.leaves[j]``; rows sum to 1.
        """

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the mean response of the leaves, by mass.

        Parameters
        ----------
        tree, X
            The tree and the rows.
        response : ndarray of shape (n_nodes, n_outputs), optional
            Responses to use in place of the tree's.

        Returns
        -------
        ndarray of shape (n_rows, n_outputs)
            Leaf mass @ leaf response.
        """

    def reach(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each node: that of the leaves below it.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_rows, n_nodes)
            Column k belongs to node k.
        """


class _Spreading(ABC):
    """A flow that can spread knows the mass of every node."""

    __slots__ = ()

    @abstractmethod
    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""

    def reach(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each node; see :meth:`Flow.reach`."""
        reached = self.spread(tree, X) @ parts.leaves_to_nodes(tree)
        reached.sort_indices()
        return reached


class _Gated(_Spreading):
    """A flow in which each test divides the mass: gates say how."""

    __slots__ = ()

    @abstractmethod
    def _gates(self, tree: Tree) -> Gates:
        """Return what the tests of ``tree`` become."""

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""
        X = parts.checked_rows(tree, X)
        return parts.spread_softly(tree, self._gates(tree), X)

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the mean response of the leaves, by mass; see :meth:`Flow.predict`."""
        X, response = parts.checked_rows(tree, X), parts.checked_response(tree, response)
        return parts.predict_softly(tree, self._gates(tree), X, response)


@dataclass(frozen=True, slots=True)
class Hard(_Gated):
    """All mass to one child: every classical tree.

    Only a row that meets a missing value, or a category the node has never seen,
    spreads over several leaves.
    """

    def _gates(self, tree: Tree) -> Gates:
        from softwood._kernels.flow.gates import hard_gates

        return hard_gates(tree.nodes)

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""
        return parts.spread_hard(tree, parts.checked_rows(tree, X))

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the response of each row's leaf; see :meth:`Flow.predict`."""
        X, response = parts.checked_rows(tree, X), parts.checked_response(tree, response)
        leaf, n_spreading = parts.leaf_or_none(tree, X)
        predicted: FloatArray = response.take(leaf, axis=0)
        if n_spreading:
            rows = np.flatnonzero(leaf < 0)  # for these, take has taken anything
            X = parts.frozen(X[rows])
            predicted[rows] = parts.predict_softly(tree, self._gates(tree), X, response)
        return predicted


@dataclass(frozen=True, slots=True)
class Ramp(_Gated):
    """Mass falls from the left child to the right, across the threshold.

    At the threshold each child gets half. The half-widths are the tree's ``below`` and
    ``above``; every test divides the mass on its own.

    Parameters
    ----------
    drop : float, default=1e-15
        A branch with less mass is not followed; its sibling gets the mass.
    shape : {"linear", "logistic", "normal"}, default="linear"
        The curve: a straight line from ``t - below`` to ``t + above``, with half of it on
        each side, or a smooth one that has the same slopes at the threshold.
    """

    drop: float = 1e-15
    shape: str = "linear"

    def __post_init__(self) -> None:
        parts.check_drop(self.drop)
        if self.shape not in SHAPES:
            raise ValueError(f"shape must be one of {', '.join(SHAPES)}; got {self.shape!r}")

    def _gates(self, tree: Tree) -> Gates:
        from softwood._kernels.flow.gates import ramp_gates

        return ramp_gates(tree.nodes, self.drop, 1 + SHAPES.index(self.shape))


@dataclass(frozen=True, slots=True)
class Gaussian(_Gated):
    r"""The row is blurred by normal noise: a test sends :math:`\Phi((t - x) / s)` left.

    Parameters
    ----------
    scale : float or sequence of float
        Standard deviation s of the noise, one for all features or one for each. Tests
        of a feature with scale 0 are hard.
    exact : bool, default=True
        Whether all tests of a feature see the same noise. Then the mass of a leaf is the
        probability that the blurred row lies in its box; otherwise every test draws
        noise of its own, and masses multiply. Oblique tests share their noise with
        collinear tests only. So it is with categories that are drawn anew.
    drop : float, default=1e-15
        A branch with less mass is not followed; its siblings get the mass.
    redraw : float, default=0.0
        Chance that a category is drawn anew; 0 leaves nominal tests hard. A missing
        category is not drawn anew, one that nobody knows is.
    marginals : sequence of sequences of float, optional
        For each feature the shares in which its categories are drawn; features with none
        are not drawn anew.

    Examples
    --------
    >>> Gaussian(scale=[0.1, 0.5], exact=False)
    Gaussian(scale=(0.1, 0.5), exact=False, drop=1e-15, redraw=0.0, marginals=())
    """

    scale: float | Sequence[float]
    exact: bool = True
    drop: float = 1e-15
    redraw: float = 0.0
    marginals: Sequence[Sequence[float]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", parts.canonical_scale(self.scale))
        object.__setattr__(self, "marginals", parts.canonical_marginals(self.marginals))
        parts.check_drop(self.drop)
        object.__setattr__(self, "redraw", parts.checked_redraw(self.redraw, self.marginals))

    def _gates(self, tree: Tree) -> Gates:
        from softwood._kernels.flow.gates import gaussian_gates

        scale = parts.scale_of_features(self.scale, tree)
        marginals = parts.marginals_of_features(self.marginals, tree)
        return gaussian_gates(tree.nodes, scale, self.exact, self.drop, self.redraw, marginals)


@dataclass(frozen=True, slots=True)
class Sampled(_Spreading):
    """The mean of the hard tree over randomly perturbed copies of the row.

    Its limit is the exact :class:`Gaussian` flow, or better: it is right for oblique
    tests in any direction. All rows and all trees see the same perturbations.

    Parameters
    ----------
    scale : float or sequence of float
        Standard deviation of the noise, one for all features or one for each.
    n : int, default=256
        Number of copies, at most 100 000: they take memory and time, and if they are not
        enough, the exact :class:`Gaussian` flow is what they come to.
    random_state : int, default=0
        Seed of the perturbations.
    redraw, marginals
        As of :class:`Gaussian`.
    """

    scale: float | Sequence[float]
    n: int = 256
    random_state: int = 0
    redraw: float = 0.0
    marginals: Sequence[Sequence[float]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", parts.canonical_scale(self.scale))
        object.__setattr__(self, "marginals", parts.canonical_marginals(self.marginals))
        object.__setattr__(self, "redraw", parts.checked_redraw(self.redraw, self.marginals))
        check_copies(self.n, self.random_state)

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""
        from scipy.sparse import vstack

        return vstack(list(self._blocks(tree, X)), format="csr")

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the mean response of the leaves, by mass; see :meth:`Flow.predict`."""
        at_leaves = parts.checked_response(tree, response)[tree.leaves]
        return np.vstack([mass @ at_leaves for mass in self._blocks(tree, X)])

    def _blocks(self, tree: Tree, X: Any) -> Iterator[csr_array]:
        rng = np.random.default_rng(self.random_state)
        noise = rng.standard_normal((self.n, tree.n_features))
        with np.errstate(over="ignore"):  # what is too far out counts as the largest number
            noise *= parts.scale_of_features(self.scale, tree)
        marginals = parts.marginals_of_features(self.marginals, tree)
        codes = samples.drawn_codes(rng, self.n, self.redraw, marginals)
        return samples.sampled_blocks(tree, parts.checked_rows(tree, X), noise, codes)


def check_copies(n: int, random_state: int) -> None:
    """Complain unless ``n`` copies of a row can be drawn, with this seed."""
    if index(n) < 1:
        raise ValueError(f"n must be at least 1; got {n!r}")
    if n > MOST_COPIES:
        raise ValueError(f"n must be at most {MOST_COPIES}; got {n!r}")
    if index(random_state) < 0:
        raise ValueError(f"random_state must not be negative; got {random_state!r}")


def leaf_of(tree: Tree, X: Any, flow: Flow | None = None) -> IndexArray:
    """Return the node id of the leaf that each row ends in.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : array-like of shape (n_rows, n_features)
        Rows; NaN is missing, nominal columns hold codes.
    flow : Flow, optional
        How rows spread; hard by default.

    Returns
    -------
    ndarray of int32 of shape (n_rows,)
        A row that spreads gets the leaf with the largest mass, the lowest id among equals.

    Examples
    --------
    Blurred, the value is rather below 0 than in the narrow part where it stands:

    >>> from softwood.flow import Gaussian, leaf_of
    >>> from softwood.tree import Tree
    >>> chain = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, 3, -1, -1], n_children=[2, 0, 2, 0, 0],
    ...     kind=[1, 0, 1, 0, 0], feature=[0, -1, 0, -1, -1],
    ...     threshold=[0.0, 0.0, 0.2, 0.0, 0.0], weight=[3.0, 1.0, 2.0, 1.0, 1.0],
    ...     response=[[0.0]] * 5,
    ... )
    >>> leaf_of(chain, [[0.1]]), leaf_of(chain, [[0.1]], Gaussian(scale=1.0))
    (array([3], dtype=int32), array([1], dtype=int32))
    """
    X = parts.checked_rows(tree, X)
    if flow is not None and not isinstance(flow, Hard):
        blocks = (
            X[start : start + parts.BLOCK_ROWS] for start in range(0, len(X), parts.BLOCK_ROWS)
        )
        found = [tree.leaves[parts.heaviest(flow.spread(tree, rows))] for rows in blocks]
        return np.concatenate([np.empty(0, np.int32), *found])
    leaf, n_spreading = parts.leaf_or_none(tree, X)
    if n_spreading:
        rows = np.flatnonzero(leaf < 0)
        mass = parts.spread_hard(tree, parts.frozen(X[rows]))
        leaf[rows] = tree.leaves[parts.heaviest(mass)]
    return leaf
