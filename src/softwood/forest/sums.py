"""The sums over the trees of a forest: by the packed forest, or tree by tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.flow import Flow, Hard
from softwood.forest.checks import ALL_OUTPUTS, blocks, packed_blocks

if TYPE_CHECKING:
    from softwood.forest.forest import Forest


def ask_packed(forest: Forest, X: FloatArray, use: BoolArray | None) -> FloatArray:
    """Return the raw scores of rows in C order, by the packed forest."""
    assert forest.packed is not None
    total = _opened(forest, X.shape[0])
    for rows in packed_blocks(X.shape[0], forest.packed.n_columns):
        asked = None if use is None else use[rows]
        forest.packed.add_answers(X[rows], forest.factor, total[rows], asked)
    return _divided(forest, total, use)


def ask_trees(
    forest: Forest, X: FloatArray, flows: Sequence[Flow], use: BoolArray | None
) -> FloatArray:
    """Return the raw scores of rows, tree by tree."""
    is_hard = all(isinstance(flow, Hard) for flow in flows)
    trees = forest.trees if is_hard else forest.trees_at_hand
    total = _opened(forest, X.shape[0])
    for j, (tree, flow) in enumerate(zip(trees, flows, strict=True)):
        output = forest.output[j]
        columns = slice(None) if output == ALL_OUTPUTS else slice(output, output + 1)
        for rows in blocks(X.shape[0]):
            block, asked = total[rows], None if use is None else use[rows, j]
            if asked is None:
                block[:, columns] += forest.factor[j] * flow.predict(tree, X[rows])
            elif asked.any():
                block[asked, columns] += forest.factor[j] * flow.predict(tree, X[rows][asked])
    return _divided(forest, total, use)


def _opened(forest: Forest, n_rows: int) -> FloatArray:
    """Return what the sums start from."""
    total = np.zeros((n_rows, forest.n_outputs))
    if not forest.is_mean:
        total[:] = forest.base
    return total


def _divided(forest: Forest, total: FloatArray, use: BoolArray | None) -> FloatArray:
    """Return the sums as the scores of a mean, if they are to be."""
    if forest.is_mean:
        total /= forest._divisor(use)
        total += forest.base
    return total
