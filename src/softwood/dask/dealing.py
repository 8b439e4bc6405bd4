"""Dealing the trees of an ensemble to the partitions that grow them."""

from __future__ import annotations

import numpy as np

from softwood._types import AnyArray, FloatArray


def deal_trees(n_trees: int, weight: FloatArray) -> AnyArray:
    """Return the partition that grows each tree.

    Partitions get trees in proportion to their weight, and at least one. The trees of a
    partition are spread evenly over all numbers: where the number of a tree says how random
    it is, every partition grows trees of all kinds.

    Parameters
    ----------
    n_trees : int
        Number of trees, at least as many as partitions.
    weight : ndarray of shape (n_partitions,)
        Positive weights of the partitions.

    Returns
    -------
    ndarray of shape (n_trees,)

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.dask.dealing import deal_trees
    >>> deal_trees(6, np.array([1.0, 1.0, 1.0])).tolist()
    [0, 1, 2, 0, 1, 2]
    >>> deal_trees(6, np.array([90.0, 10.0])).tolist()
    [0, 0, 0, 1, 0, 0]
    """
    if n_trees < weight.size:
        raise ValueError(
            f"n_estimators must not be smaller than the number of partitions that hold rows, "
            f"{weight.size}, as each grows a tree at least; got {n_trees}: grow more trees, or "
            "make fewer partitions (X.rechunk, X.repartition)"
        )
    share = _shares(n_trees, weight)
    owner = np.repeat(np.arange(weight.size), share)
    within = np.concatenate([(np.arange(size) + 0.5) / size for size in share])
    return owner[np.argsort(within, kind="stable")]


def say_of_trees(owner: AnyArray, weight: FloatArray) -> FloatArray:
    """Return the factors of the trees that give each partition the say of its weight.

    Trees are whole, so their numbers are in proportion to the weights only roughly; the
    factors make up for the rest. They are 1 where the numbers are right already.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.dask.dealing import say_of_trees
    >>> say_of_trees(np.array([0, 0, 1]), np.array([30.0, 30.0])).tolist()
    [0.75, 0.75, 1.5]
    """
    share = np.bincount(owner, minlength=weight.size)
    say = (weight * owner.size) / (share * weight.sum())
    return np.asarray(say[owner])


def _shares(n_trees: int, weight: FloatArray) -> AnyArray:
    """Return how many trees each partition grows, by the method of Huntington and Hill.

    It is made for seats in a parliament, and gives everyone one to begin with.
    """
    share = np.ones(weight.size, dtype=np.int64)
    for _ in range(n_trees - weight.size):
        share[np.argmax(weight / np.sqrt(share * (share + 1.0)))] += 1
    return share
