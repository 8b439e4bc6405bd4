"""What holds of the rows of a node: the tests on the way there, those of one feature merged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from softwood._types import IndexArray
from softwood.explain.labels import categories_of, name_of, set_text
from softwood.explain.wording import Subject
from softwood.tree import NOMINAL, NUMERIC, Tree


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: a feature between two values or among some categories, or an oblique test.

    Attributes
    ----------
    feature : int
        The feature; -1 for an oblique test.
    low, high : float
        Values lie above ``low`` and not above ``high``; infinite where there is no end.
    codes : tuple of int or None
        The categories of a nominal feature.
    step : tuple of int or None
        Node and branch of an oblique test.
    terms : tuple of (int, float)
        Features and weights of an oblique test.
    """

    feature: int
    low: float = -np.inf
    high: float = np.inf
    codes: tuple[int, ...] | None = None
    step: tuple[int, int] | None = None
    terms: tuple[tuple[int, float], ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether it is about a feature of numbers."""
        return self.codes is None and self.step is None

    @property
    def ends(self) -> tuple[bool, bool]:
        """Whether there is a lower, and an upper end."""
        return self.low > -np.inf, self.high < np.inf

    def words(self, subject: Subject) -> str:
        """Return the condition in words."""
        if self.step is not None:
            return subject.test(*self.step)
        name = name_of(self.feature, subject.feature_names)
        if self.codes is not None:
            return set_text(name, categories_of(self.feature, self.codes, subject.categories))
        bottom, top = (subject.value_text(self.feature, end) for end in (self.low, self.high))
        if self.high == np.inf:
            return f"{name} > {bottom}"
        return f"{name} <= {top}" if self.low == -np.inf else f"{bottom} < {name} <= {top}"


def conditions_of(tree: Tree, node: int, parent: IndexArray) -> tuple[Condition, ...]:
    """Return what holds of the rows of ``node``, in the order in which it is first tested.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        A node of it.
    parent : ndarray of shape (n_nodes,)
        ``tree.parent``, which is not kept by the tree.

    Returns
    -------
    tuple of Condition

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.explain.conditions import conditions_of
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"])
    >>> [(c.feature, c.low, c.high) for c in conditions_of(model.tree_, 4, model.tree_.parent)]
    [(0, 1.5, 2.5)]
    """
    found: dict[tuple[int, int], Condition] = {}
    for above, branch in _steps(tree, node, parent):
        kind, feature = int(tree.kind[above]), int(tree.feature[above])
        key = (kind, feature) if feature >= 0 else (kind, above)
        before = found.get(key, Condition(feature))
        if kind == NOMINAL:
            codes = np.flatnonzero(tree.branch_of_category(above) == branch).tolist()
            kept = codes if before.codes is None else [c for c in before.codes if c in codes]
            found[key] = replace(before, codes=tuple(kept))
            continue
        cut = float(tree.threshold[above])
        if kind != NUMERIC:
            pairs = zip(*(part.tolist() for part in tree.terms(above)), strict=True)
            before = replace(before, step=(above, branch), terms=tuple(pairs))
        if branch == 0:
            found[key] = replace(before, high=min(before.high, cut))
        else:
            found[key] = replace(before, low=max(before.low, cut))
    return tuple(found.values())


def _steps(tree: Tree, node: int, parent: IndexArray) -> list[tuple[int, int]]:
    """Return ``(node, branch)`` from the root down to ``node``."""
    steps = []
    while node:
        above = int(parent[node])
        steps.append((above, node - int(tree.first_child[above])))
        node = above
    return steps[::-1]
