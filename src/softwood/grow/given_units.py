"""Trees with the weights that rows have to the user."""

from __future__ import annotations

import numpy as np

from softwood.data.training import TrainingSet
from softwood.tree import Tree

LAST_DIGITS = 1e-12


def in_given_units(tree: Tree, data: TrainingSet) -> Tree:
    """Return a tree grown on ``data`` with weights in the user's unit.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.given_units import in_given_units
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> data = TrainingSet.of_classes(np.array([[1.0], [2.0]]), [0, 1], weight=[0.5, 1.5])
    >>> tree = GreedyGrower(Cart()).grow(data)
    >>> in_given_units(tree, replace(data, unit=4.0)).weight.tolist()
    [8.0, 2.0, 6.0]
    """
    if data.unit == 1.0:
        return tree
    weight = tree.weight * data.unit
    nearest = np.rint(weight)  # scaling and back must not turn 3 rows into 2.9999999999999996
    is_whole = np.abs(weight - nearest) <= LAST_DIGITS * nearest
    return tree.replace(weight=np.where(is_whole, nearest, weight))
