"""Terms of oblique tests: taken up before training, and given up after it.

A test of one feature is an oblique one whose other weights are 0. Once the terms are there,
training can move them; those that have stayed small are dropped, for equations that can be
read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.tree import NONE, NUMERIC, OBLIQUE, Tree

MOST_GAPS = 0.1  # of the rows, in a column that tests may take up
# Of the largest weight of a test; less may be dropped.
SHARES = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01)


def columns_to_combine(data: TrainingSet) -> AnyArray:
    """Return the columns that tests may take up: numeric, known in most rows, not constant.

    A row that lacks the value of a term goes down both branches. A column with many gaps would
    make many rows do so at every test that takes it up.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.refine.gradient_terms import columns_to_combine
    >>> X = np.arange(30.0).reshape(10, 3)
    >>> X[:1, 1], X[:5, 2] = np.nan, np.nan
    >>> columns_to_combine(TrainingSet.of_target(X, np.zeros(10))).tolist()
    [0, 1]
    """
    gaps = np.isnan(data.X).mean(axis=0)
    known = np.flatnonzero((gaps <= MOST_GAPS) & ~data.is_nominal)
    X = data.X[:, known]
    varies = np.fmax.reduce(X, axis=0) > np.fmin.reduce(X, axis=0)
    return np.asarray(known[varies])


def with_terms(tree: Tree, columns: Sequence[int] | AnyArray) -> Tree:
    """Return the tree with terms for ``columns`` at all numeric and oblique tests.

    Parameters
    ----------
    tree : Tree
        The tree. New terms have the weight 0, so that it answers as before.
    columns : array-like of int
        Features that every test may combine with its own.

    Returns
    -------
    Tree

    Examples
    --------
    >>> from softwood.refine.gradient_terms import with_terms, without_zero_terms
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=3, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[1, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[0.0], [1.0], [5.0]],
    ... )
    >>> more = with_terms(stump, [0, 1])
    >>> [part.tolist() for part in more.terms(0)]
    [[0, 1], [0.0, 1.0]]
    >>> without_zero_terms(more) == stump
    True
    """
    weight = _weights(tree)
    taken = weight != 0.0
    has_cut = (tree.kind == NUMERIC) | (tree.kind == OBLIQUE)
    taken[np.ix_(has_cut, np.asarray(columns, dtype=np.intp))] = True
    return _with_weights(tree, weight, taken)


def without_zero_terms(tree: Tree) -> Tree:
    """Return the tree without terms of weight 0; a test with one positive term is numeric."""
    weight = _weights(tree)
    taken = weight != 0.0
    idle = np.flatnonzero((tree.kind == OBLIQUE) & ~taken.any(axis=1))
    taken[idle, tree.term_feature[tree.term_start[idle]]] = True  # it must have some term
    return _with_weights(tree, weight, taken)


def _weights(tree: Tree) -> FloatArray:
    """Return the weights of numeric and oblique tests, nodes by features."""
    weight = np.zeros((tree.n_nodes, tree.n_features))
    np.add.at(weight, (tree.term_owner, tree.term_feature), tree.term_weight)
    numeric = np.flatnonzero(tree.kind == NUMERIC)
    weight[numeric, tree.feature[numeric]] = 1.0
    return weight


def _with_weights(tree: Tree, weight: FloatArray, taken: BoolArray) -> Tree:
    """Return the tree whose tests have the terms ``taken``."""
    only = taken.argmax(axis=1)
    factor = weight[np.arange(tree.n_nodes), only]
    numeric = (taken.sum(axis=1) == 1) & (factor > 0.0)
    oblique = taken.any(axis=1) & ~numeric
    divisor = np.where(numeric, factor, 1.0)
    terms = taken & oblique[:, None]
    return tree.replace(
        kind=np.where(numeric, NUMERIC, np.where(oblique, OBLIQUE, tree.kind)),
        feature=np.where(numeric, only, np.where(oblique, NONE, tree.feature)),
        threshold=tree.threshold / divisor,
        below=tree.below / divisor,
        above=tree.above / divisor,
        term_start=np.concatenate(([0], np.cumsum(terms.sum(axis=1)))),
        term_feature=np.nonzero(terms)[1],
        term_weight=weight[terms],
    )


def with_few_terms(tree: Tree, n_terms: int, centre: FloatArray, scale: FloatArray) -> Tree:
    """Return the tree with no more terms at a test than so many: those that weigh most.

    Parameters
    ----------
    tree : Tree
        The tree.
    n_terms : int
        How many are kept of each test.
    centre, scale : ndarray of shape (n_features,)
        Mean and deviation of the columns. Weights are compared by deviations, and what goes counts
        as its mean from then on.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.refine.gradient_terms import with_few_terms
    >>> from softwood.tree import Tree
    >>> plane = Tree.from_nodes(
    ...     n_features=3, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[3, 0, 0],
    ...     feature=[-1, -1, -1], threshold=[5.0, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[0.0], [1.0], [5.0]], term_start=[0, 3, 3, 3], term_feature=[0, 1, 2],
    ...     term_weight=[1.0, -2.0, 0.5],
    ... )
    >>> short = with_few_terms(plane, 2, np.array([0.0, 0.0, 4.0]), np.ones(3))
    >>> [part.tolist() for part in short.terms(0)], short.threshold[0].item()
    ([[0, 1], [1.0, -2.0]], 3.0)
    """
    weight = _weights(tree)
    size = np.abs(weight) * np.where(scale > 0.0, scale, 1.0)
    rank = np.argsort(np.argsort(-size, axis=1, kind="stable"), axis=1)
    kept = (weight != 0.0) & (rank < n_terms)
    gone = np.where(kept, 0.0, weight)
    shorter = np.where(tree.kind == OBLIQUE, tree.threshold - gone @ centre, tree.threshold)
    return _with_weights(tree.replace(threshold=shorter), np.where(kept, weight, 0.0), kept)


def without_small_weights(
    owner: AnyArray, term: FloatArray, loss: Callable[[FloatArray], float], most: float
) -> FloatArray:
    """Return the weights of terms, as many of them 0 as the loss allows.

    Those go that are less than some share of the largest weight of their test. The share
    is the largest, of a few, that keeps the loss at ``most`` or below.

    Parameters
    ----------
    owner : ndarray of shape (n_terms,)
        The test of each term.
    term : ndarray of shape (n_terms,)
        The weights, in units in which they can be compared.
    loss : callable
        Returns the loss for other weights.
    most : float
        The loss that is allowed.

    Returns
    -------
    ndarray of shape (n_terms,)

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.refine.gradient_terms import without_small_weights
    >>> term = np.array([1.0, -0.2, 0.04, -3.0, 0.06])
    >>> owner = np.array([0, 0, 0, 1, 1])
    >>> without_small_weights(owner, term, lambda kept: np.abs(term - kept).sum(), 0.1).tolist()
    [1.0, -0.2, 0.0, -3.0, 0.0]
    """
    size = np.abs(term)
    largest = np.zeros(owner.max() + 1)
    np.maximum.at(largest, owner, size)
    for share in SHARES:
        kept = np.where(size < share * largest[owner], 0.0, term)
        if loss(kept) <= most:
            return kept
    return term
