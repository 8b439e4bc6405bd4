"""Which categories tests know: a declared one that no training row had is nobody's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from softwood._kernels.branch import SPREADS
from softwood._types import AnyArray, BoolArray
from softwood.tree import NOMINAL, NUMERIC, Tree


def unknown_codes(trees: Sequence[Tree], n_categories: AnyArray) -> list[BoolArray]:
    """Return which categories of each column no test has a branch for that a training row took.

    Rows with such a category spread over all branches, as if it was missing, or have an empty leaf
    to themselves. Of columns that no test looks at, all are known; and so are those that share a
    branch with others, as in trees that divide categories at random.

    Parameters
    ----------
    trees : sequence of Tree
        The trees.
    n_categories : ndarray of shape (n_columns,)
        How many categories columns have; 0 for numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> from softwood import CARTClassifier
    >>> from softwood.explain.counterfactual.known import unknown_codes
    >>> kind = pd.Categorical(["a", "a", "c", "c"], categories=["a", "b", "c"])
    >>> model = CARTClassifier().fit(pd.DataFrame({"kind": kind}), [0, 0, 1, 1])
    >>> unknown_codes([model.tree_], [3])
    [array([False,  True, False])]
    """
    is_known = [np.zeros(int(size), dtype=bool) for size in n_categories]
    is_tested = np.zeros(len(is_known), dtype=bool)
    for tree in trees:
        # Codes as numbers have a branch, whatever they are.
        as_numbers = np.concatenate([tree.feature[tree.kind == NUMERIC], tree.term_feature])
        for j in np.unique(as_numbers).tolist():
            is_known[j][:] = True
        for node in np.flatnonzero(tree.kind == NOMINAL).tolist():
            j = int(tree.feature[node])
            branch = tree.branch_of_category(node)[: is_known[j].size]
            child = tree.first_child[node] + np.maximum(branch, 0)
            is_empty = (tree.weight[child] == 0.0) & (tree.weight[node] > 0.0)  # one of its own
            is_known[j][: branch.size] |= (branch != SPREADS) & ~is_empty
            is_tested[j] = True
    return [~known & tested for known, tested in zip(is_known, is_tested.tolist(), strict=True)]
