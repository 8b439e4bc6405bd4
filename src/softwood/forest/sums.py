"""The sum over the trees of a forest, packed or tree by tree, and what a link makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.flow import Flow, Hard
from softwood.flow.spreading import frozen
from softwood.forest.packed import PackedTrees

if TYPE_CHECKING:
    from softwood.forest.end_to_end import EndToEnd
    from softwood.forest.forest import Forest

ALL_OUTPUTS = -1  # the response of a tree has one entry for every column of the sum
BLOCK_ROWS = 4096  # few enough to stay in the cache while all trees read them
PACKED_ROWS = 16384  # trees of a packed forest are small: it pays to read them seldom
WIDE, WIDE_ROWS = 48, 512  # but of rows with so many columns not more are at hand at once
FEW_ROWS = 16  # that all trees answer in one call, if the forest is not packed
MOST_NODES_AGAIN = 1 << 18  # of such trees are kept in another form for this, about 20 MB
FEW_TREES = 2  # a single tree is not worth packing


# -- what is asked ----------------------------------------------------------------


def checked_use(use: Any, shape: tuple[int, int]) -> BoolArray:
    """Return which trees each row asks."""
    mask: AnyArray = np.asarray(use)
    if mask.dtype != np.bool_ or mask.shape != shape:
        raise ValueError(
            f"use must be bool and of shape {shape}, rows by trees; "
            f"got {mask.dtype} of shape {mask.shape}"
        )
    return mask


def flow_of_trees(flow: Any, n_trees: int) -> Sequence[Flow]:
    """Return one flow for each tree."""
    if hasattr(flow, "predict"):
        return [flow] * n_trees
    flows = list(flow)
    if len(flows) != n_trees:
        raise ValueError(f"flow must be one flow or {n_trees}, one per tree; got {len(flows)}")
    return flows


# -- the sum ----------------------------------------------------------------------


def sum_of_answers(
    forest: Forest, X: FloatArray, flows: Sequence[Flow], use: BoolArray | None
) -> FloatArray:
    """Return the raw scores of rows, each by what answers it soonest."""
    by_packed = rows_for_packed(forest, X, flows)
    if X.shape[0] and by_packed.all():
        return ask_packed(forest, np.ascontiguousarray(X), use)
    few = 0 < X.shape[0] <= FEW_ROWS and use is None and not by_packed.any()
    if few and _all_hard(flows) and forest.end_to_end is not None:
        return ask_few(forest, forest.end_to_end, X, flows)
    total = np.empty((X.shape[0], forest.n_outputs))
    if by_packed.any():
        rows = np.flatnonzero(by_packed)
        total[rows] = ask_packed(forest, X[rows], None if use is None else use[rows])
    rows = np.flatnonzero(~by_packed)
    total[rows] = ask_trees(forest, X[rows], flows, None if use is None else use[rows])
    return total


def ask_few(forest: Forest, trees: EndToEnd, X: FloatArray, flows: Sequence[Flow]) -> FloatArray:
    """Return the raw scores of a few rows, with one call for all trees where nothing spreads.

    To hand over tree after tree would take longer than all of their answers.
    """
    from softwood._kernels.flow.route import answers_of_trees

    X, n_trees = frozen(X), forest.n_trees
    answers = np.empty((X.shape[0], n_trees, forest.n_outputs))
    spreads = np.zeros((X.shape[0], n_trees), dtype=np.bool_)
    answers_of_trees(
        trees.nodes, trees.root, trees.answer, trees.response, forest.factor, X, answers, spreads,
    )  # fmt: skip
    for i, j in np.argwhere(spreads):
        answers[i, j] = forest.factor[j] * flows[j].predict(forest.trees[j], X[i : i + 1])[0]
    # A cumulative sum adds tree after tree, as the other ways do: the digits are the same.
    total = np.concatenate([_opened(forest, X.shape[0])[:, None], answers], axis=1)
    return _divided(forest, np.cumsum(total, axis=1)[:, -1].copy(), None)


def _all_hard(flows: Sequence[Flow]) -> bool:
    return all(isinstance(flow, Hard) for flow in flows)


def rows_for_packed(forest: Forest, X: FloatArray, flows: Sequence[Flow]) -> BoolArray:
    """Return which rows the packed forest answers: none of a soft flow, and most often all."""
    is_hard = _all_hard(flows)
    few = forest.n_trees < FEW_TREES and not isinstance(forest.trees, PackedTrees)
    if not is_hard or few or forest.packed is None:
        return np.zeros(X.shape[0], dtype=np.bool_)
    if forest.packed.spreads_missing:
        return np.ones(X.shape[0], dtype=np.bool_)
    return forest.packed.are_complete(X)


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
    is_hard = _all_hard(flows)
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
        total /= forest.divisor(use)
        total += forest.base
    return total


def blocks(n_rows: int, size: int | None = None) -> Iterator[slice]:
    """Yield the rows of each block."""
    size = size or BLOCK_ROWS
    for start in range(0, n_rows, size):
        yield slice(start, start + size)


def packed_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield the blocks of rows that go through a packed forest together."""
    return blocks(n_rows, PACKED_ROWS if n_columns < WIDE else WIDE_ROWS)


# -- links: what turns the sum into an answer --------------------------------------


def _identity(score: FloatArray) -> FloatArray:
    return score


def _logistic(score: FloatArray) -> FloatArray:
    second = _sigmoid(score)
    return np.concatenate([1.0 - second, second], axis=1)


def _sigmoid(score: FloatArray) -> FloatArray:
    from scipy.special import expit

    return np.asarray(expit(score))


def _softmax(score: FloatArray) -> FloatArray:
    from scipy.special import softmax

    return np.asarray(softmax(score, axis=1))


def _exponential(score: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(score))


LINKS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "identity": _identity,
    "logistic": _logistic,
    "sigmoid": _sigmoid,
    "softmax": _softmax,
    "exponential": _exponential,
}
