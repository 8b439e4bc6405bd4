"""What must hold of a forest and of what it is asked, and blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.flow import Flow, Hard
from softwood.forest.links import LINKS
from softwood.forest.packed import PackedTrees
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood.forest.forest import Forest

ALL_OUTPUTS = -1  # the response of a tree has one entry for every column of the sum
BLOCK_ROWS = 4096  # few enough to stay in the cache while all trees read them
PACKED_ROWS = 16384  # trees of a packed forest are small: it pays to read them seldom
WIDE, WIDE_ROWS = 48, 512  # but of rows with so many columns not more are at hand at once
FEW_TREES = 2  # a single tree is not worth packing


def check_trees(trees: Sequence[Any]) -> None:
    """Complain unless ``trees`` are trees that read the same columns."""
    if not len(trees):
        raise ValueError("trees must hold at least one tree; got none")
    if isinstance(trees, PackedTrees):
        return
    for j, tree in enumerate(trees):
        if not isinstance(tree, Tree):
            raise TypeError(f"trees must be of type Tree; number {j} is {type(tree).__name__}")
        if tree.n_features != trees[0].n_features:
            raise ValueError(
                f"trees must read the same columns; tree 0 reads {trees[0].n_features}, "
                f"tree {j} reads {tree.n_features}"
            )


def n_features_of(trees: Sequence[Tree]) -> int:
    """Return how many columns trees read."""
    return trees.packed.n_features if isinstance(trees, PackedTrees) else trees[0].n_features


def n_outputs_of(trees: Sequence[Tree]) -> int:
    """Return the length of the trees' responses."""
    return trees.packed.table.shape[1] if isinstance(trees, PackedTrees) else trees[0].n_outputs


def check_shapes(forest: Forest) -> None:
    """Complain about arrays that do not fit each other, and an unknown link."""
    for name in ("output", "factor"):
        shape = getattr(forest, name).shape
        if shape != (forest.n_trees,):
            raise ValueError(f"{name} must have shape ({forest.n_trees},); got {shape}")
    if forest.base.ndim != 1 or forest.base.size == 0:
        raise ValueError(f"base must have shape (n_outputs,); got {forest.base.shape}")
    if forest.link not in LINKS:
        raise ValueError(f"link must be one of {', '.join(LINKS)}; got {forest.link!r}")
    if forest.link == "logistic" and forest.n_outputs != 1:
        raise ValueError(
            f"the link 'logistic' takes one raw score; base has {forest.n_outputs} entries"
        )


def check_outputs(forest: Forest) -> None:
    """Complain about a tree whose response does not fit where it is added."""
    to_all = isinstance(forest.trees, PackedTrees) and (forest.output == ALL_OUTPUTS).all()
    if to_all and forest.n_outputs == n_outputs_of(forest.trees):
        return
    for j, (output, tree) in enumerate(zip(forest.output, forest.trees, strict=True)):
        if not ALL_OUTPUTS <= output < forest.n_outputs:
            raise ValueError(
                f"output must be -1 or in 0..{forest.n_outputs - 1}; got {output} for tree {j}"
            )
        wanted = forest.n_outputs if output == ALL_OUTPUTS else 1
        if tree.n_outputs != wanted:
            raise ValueError(
                f"tree {j} must have responses of length {wanted}, as its output is {output}; "
                f"got {tree.n_outputs}"
            )


def check_numbers(forest: Forest) -> None:
    """Complain about numbers that cannot be added up."""
    for name in ("factor", "base", "slope"):
        if not np.isfinite(getattr(forest, name)).all():
            raise ValueError(f"{name} must be finite; got {getattr(forest, name)}")
    if not forest.is_mean:
        return
    if (forest.factor < 0.0).any():
        raise ValueError(f"factor must not be negative in a mean; got {forest.factor}")
    everywhere = forest.factor[forest.output == ALL_OUTPUTS].sum()
    single = np.maximum(forest.output, 0)
    weight = np.bincount(single, forest.factor, minlength=forest.n_outputs)
    if everywhere == 0.0 and not weight.all():
        raise ValueError(
            f"in a mean, some tree with a positive factor must answer each of the "
            f"{forest.n_outputs} outputs; got factor {forest.factor} for output {forest.output}"
        )


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


def blocks(n_rows: int, size: int | None = None) -> Iterator[slice]:
    """Yield the rows of each block."""
    size = size or BLOCK_ROWS
    for start in range(0, n_rows, size):
        yield slice(start, start + size)


def packed_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield the blocks of rows that go through a packed forest together."""
    return blocks(n_rows, PACKED_ROWS if n_columns < WIDE else WIDE_ROWS)


def rows_for_packed(forest: Forest, X: FloatArray, flows: Sequence[Flow]) -> BoolArray:
    """Return which rows the packed forest answers: none of a soft flow, and most often all."""
    is_hard = all(isinstance(flow, Hard) for flow in flows)
    few = forest.n_trees < FEW_TREES and not isinstance(forest.trees, PackedTrees)
    if not is_hard or few or forest.packed is None:
        return np.zeros(X.shape[0], dtype=np.bool_)
    if forest.packed.spreads_missing:
        return np.ones(X.shape[0], dtype=np.bool_)
    return forest.packed.are_complete(X)
