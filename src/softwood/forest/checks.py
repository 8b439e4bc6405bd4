"""What must hold of the trees and numbers of a forest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.forest.packed import PackedTrees
from softwood.forest.sums import ALL_OUTPUTS, LINKS
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood.forest.forest import Forest


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
    trees, to_all = forest.trees, (forest.output == ALL_OUTPUTS).all()
    if isinstance(trees, PackedTrees) and to_all and forest.n_outputs == trees.n_outputs:
        return
    for j, (output, tree) in enumerate(zip(forest.output, trees, strict=True)):
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
