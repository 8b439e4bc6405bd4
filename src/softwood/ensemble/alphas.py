"""How random each tree is: a row of alphas for Coalescence, or one that is searched for.

Alpha is the chance that a node takes the best test and not a random one: 0 is a tree that
is random throughout, 1 the deterministic tree (Liu, Ting, Yu and Zhou 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.refine.losses import mean_loss
from softwood.tree import Tree

GRID = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)  # more of the best tests makes trees too much alike


def coalescing_alphas(n_trees: int, low: float = 0.0, high: float = 0.5) -> FloatArray:
    """Return one alpha for each tree, from ``low`` on in equal steps, short of ``high``.

    Examples
    --------
    >>> from softwood.ensemble.alphas import coalescing_alphas
    >>> coalescing_alphas(5).round(3).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4]
    """
    return low + (high - low) * np.arange(n_trees) / n_trees


def missing_alphas(known: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return those of the wanted alphas that are left when each known one has taken the nearest.

    Examples
    --------
    >>> from softwood.ensemble.alphas import coalescing_alphas, missing_alphas
    >>> missing_alphas(coalescing_alphas(2), coalescing_alphas(4)).tolist()
    [0.125, 0.375]
    """
    left = wanted
    for alpha in known:
        left = np.delete(left, np.abs(left - alpha).argmin())
    return left


@dataclass(frozen=True, slots=True, eq=False)
class AlphaSearch:
    """What a search for alpha has found.

    Attributes
    ----------
    alpha : float
        The alpha of the least loss, the smallest among equals.
    alphas, losses : ndarray of shape (n_alphas,)
        What was tried, and the progressive training loss of each.
    trees : sequence of Tree
        The trees of the alpha that was chosen.
    """

    alpha: float
    alphas: FloatArray
    losses: FloatArray
    trees: Sequence[Tree]


def search_alpha(
    grow: Callable[[float], Sequence[Tree]], data: TrainingSet, alphas: Iterable[float] = GRID
) -> AlphaSearch:
    """Choose alpha by the progressive training loss.

    Parameters
    ----------
    grow : callable
        Takes an alpha and returns the trees of an ensemble.
    data : TrainingSet
        What they were grown from.
    alphas : iterable of float
        What to try, ascending.

    Returns
    -------
    AlphaSearch

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.ensemble.alphas import search_alpha
    >>> from softwood.ensemble.shared_data import SharedTrainingData
    >>> from softwood.ensemble.shared_data import grow_trees
    >>> from softwood.ensemble.sampling import Sampling
    >>> from softwood.grow.random import RandomGrower, VariableRandom
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(300, 8))
    >>> data = TrainingSet.of_classes(X, X[:, 0] > 0.5)
    >>> shared = SharedTrainingData.of(data, Sampling(), seed=0)
    >>> def grow(alpha):
    ...     return grow_trees([RandomGrower(VariableRandom(alpha))] * 10, shared)
    >>> found = search_alpha(grow, data)
    >>> bool(found.losses[0] > 5 * found.losses[-1])  # seven of eight features are of no use
    True
    """
    tried, losses, best = list(alphas), [], None
    for alpha in tried:
        trees = grow(alpha)
        losses.append(progressive_loss(trees, data))
        if losses[-1] == min(losses) and losses.count(losses[-1]) == 1:
            best = (alpha, trees)
    if best is None:
        raise ValueError("alphas must hold at least one alpha to try; got none")
    return AlphaSearch(best[0], np.array(tried), np.array(losses), best[1])


def progressive_loss(trees: Sequence[Tree], data: TrainingSet) -> float:
    """Return the mean training loss of the ensembles of the first 1, 2, ... trees.

    The loss is the share of errors, or the squared error for numbers. All ensembles end
    up with about the same training loss; a better one gets there sooner.
    """
    total, losses = np.zeros((data.n_rows, trees[0].n_outputs)), []
    for n_asked, tree in enumerate(trees, start=1):
        total += Hard().predict(tree, data.X)
        losses.append(mean_loss(total / n_asked, data))
    return float(np.mean(losses))
