"""What a picture of a tree says at its nodes, in the words of the text of the tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np

from softwood._types import FloatArray, IndexArray
from softwood.explain.labels import ELLIPSIS, combination_text, name_of, number_text
from softwood.explain.wording import Subject
from softwood.flow.spreading import scale_of_features
from softwood.refine.node_rows import compared, weights_of
from softwood.tree import OBLIQUE, Tree

LONG = 24  # characters; more go to the next line


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """What to write at the nodes that are shown, the first ones of the tree.

    Attributes
    ----------
    inside : list of str
        In the box of each node.
    above : list of str
        Which way leads there; empty at the root.
    n_children : ndarray of shape (n_shown,)
        0 at leaves, and where the picture is cut.
    n_below : ndarray of shape (n_shown,)
        Leaves that are not shown, under each node where the picture is cut.
    """

    inside: list[str]
    above: list[str]
    n_children: IndexArray
    n_below: IndexArray


def words_of(subject: Subject, max_depth: int | None, flow: Any, margins: FloatArray) -> Words:
    """Return the words for a tree down to ``max_depth``.

    ``margins`` has one entry for each node; those that are not finite are not shown.
    """
    tree = subject.tree
    n_shown = _n_shown(tree, max_depth)
    n_children = tree.n_children[:n_shown].copy()
    n_children[tree.first_child[:n_shown] >= n_shown] = 0
    n_below = np.where(n_children < tree.n_children[:n_shown], _n_leaves(tree)[:n_shown], 0)
    widths = _widths(subject, flow)
    inside, above = [], [""]
    for node in range(n_shown):
        if n_children[node] == 0:
            inside.append(_answer(subject, node, int(n_below[node])))
            continue
        head = _head(subject, node)
        lines = [_folded(head), widths[node]]
        if np.isfinite(margins[node]):
            lines.append(f"margin {number_text(float(margins[node]), subject.decimals)}")
        inside.append("\n".join(line for line in lines if line))
        above += [_outcome(subject, node, branch, head) for branch in range(n_children[node])]
    return Words(inside, above, n_children, n_below)


def _n_shown(tree: Tree, max_depth: int | None) -> int:
    """Return how many nodes there are down to a depth; they are the first ones."""
    for depth, (_, stop) in enumerate(tree.levels()):
        if depth == max_depth:
            return stop
    return tree.n_nodes


def _n_leaves(tree: Tree) -> IndexArray:
    """Return the number of leaves under each node; a leaf is its own."""
    n_leaves = tree.is_leaf.astype(np.int32)
    parent = tree.parent
    for node in range(tree.n_nodes - 1, 0, -1):
        n_leaves[parent[node]] += n_leaves[node]
    return n_leaves


def _answer(subject: Subject, node: int, n_below: int) -> str:
    weight = number_text(float(subject.tree.weight[node]), min(subject.decimals, 2))
    text = f"{_folded(subject.answer_text(node))}\nweight {weight}"
    return text if n_below == 0 else f"{text}\n{ELLIPSIS} {n_below} more leaves"


def _head(subject: Subject, node: int) -> str:
    """Return what a test looks at: a feature, or a sum of features."""
    tree, names = subject.tree, subject.feature_names
    if tree.kind[node] == OBLIQUE:
        return combination_text(tree, node, names, subject.decimals, subject.max_terms)
    return name_of(int(tree.feature[node]), names)


def _outcome(subject: Subject, node: int, branch: int, head: str) -> str:
    """Return what the rows of a branch have there: the words of the test, less its head."""
    return _folded(subject.test(node, branch).removeprefix(f"{head} "))


def _widths(subject: Subject, flow: Any) -> list[str]:
    """Return how soft each test is: its ramp, or the deviation of the noise at it."""
    tree, decimals = subject.tree, subject.decimals
    if not hasattr(flow, "scale"):
        return [subject.ramp(node).strip() for node in range(tree.n_nodes)]
    scale = scale_of_features(flow.scale, tree)
    texts = [""] * tree.n_nodes
    for node in compared(tree):
        deviation = float(np.linalg.norm(weights_of(tree, node) * scale))
        if deviation > 0.0:
            texts[node] = f"(± {number_text(deviation, decimals)})"
    return texts


def _folded(text: str) -> str:
    """Return a long text on several lines, the terms of a sum on lines of their own."""
    terms = re.split(r" (?=[+-] )", text) if len(text) > LONG else [text]
    lines = [wrap(term, LONG, break_long_words=False, break_on_hyphens=False) for term in terms]
    return "\n".join(line for part in lines for line in part)
