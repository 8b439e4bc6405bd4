"""What a picture of a tree says at its nodes, in the words of the text of the tree."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.explain.labels import (
    ELLIPSIS,
    combination_text,
    cut_text,
    name_of,
    number_text,
    share_text,
    value_text,
)
from softwood.explain.wording import Subject
from softwood.flow.spreading import scale_of_features
from softwood.forest.ties import most_probable
from softwood.plot._tree_view import View
from softwood.refine.node_rows import compared, weights_of
from softwood.tree import OBLIQUE, Tree

LONG = 24  # characters; more go to the next line
NO_BREAK = "\N{NO-BREAK SPACE}"
RAW, PER_DEVIATION = (
    "sums have raw weights",
    "sums have weights per standard deviation of the column",
)


def words_of_tree(
    subject: Subject, view: View, flow: Any, margins: FloatArray, deviation: FloatArray | None
) -> list[str]:
    """Return what to write in the box of each place.

    ``margins`` has one entry for each node; those that are not finite are not shown.
    """
    widths, inside = widths_of(subject, flow), []
    for place, (node, *_) in enumerate(view.members):
        if view.n_children[place] == 0:
            inside.append(_answer(subject, view, place))
            continue
        lines = [folded(head_of(subject, node, deviation)), widths[node]]
        if np.isfinite(margins[node]):
            lines.append(f"margin {number_text(float(margins[node]), subject.decimals)}")
        inside.append("\n".join(line for line in lines if line))
    return inside


def ways_of(subject: Subject, view: View) -> list[str]:
    """Return what to write above each place: which way leads there; nothing at the root."""
    above = [""]
    for place in range(1, view.size):
        nodes, parent = view.members[place], view.members[view.parent[place]][0]
        above.append(
            _way(subject, parent, nodes[0] - int(subject.tree.first_child[parent]))
            if len(nodes) == 1
            else f"{len(nodes)} other values"
        )
    return above


def answer_text(subject: Subject, response: FloatArray) -> str:
    """Return the class, or the number, that a response stands for."""
    if subject.classes is None:
        return number_text(float(response[0]), subject.decimals)
    return value_text(subject.classes[int(most_probable(response))])


def leaves_text(n: int) -> str:
    """Return ``1 leaf``, ``2 leaves``."""
    return "1 leaf" if n == 1 else f"{n} leaves"


def percent(share: float, decimals: int = 1) -> str:
    """Return a share in per cent."""
    return f"{share_text(share, decimals, 100.0)}%"


def head_of(subject: Subject, node: int, deviation: FloatArray | None = None) -> str:
    """Return what a test looks at: a feature, or a sum of features, the largest term first.

    With the ``deviation`` of each feature, a weight is that of one deviation; the sum is the
    same, and terms can be compared.
    """
    tree, names = subject.tree, subject.feature_names
    if tree.kind[node] != OBLIQUE:
        return name_of(int(tree.feature[node]), names)
    shown = tree if deviation is None else _per_deviation(tree, deviation)
    return combination_text(shown, node, names, subject.decimals, subject.max_terms)


def _per_deviation(tree: Tree, deviation: FloatArray) -> Tree:
    return tree.replace(term_weight=tree.term_weight * deviation[tree.term_feature])


def note_on_sums(view: View, tree: Tree, deviation: FloatArray | None) -> str:
    """Return in which unit the weights of oblique tests are; nothing if there are none."""
    inner = [nodes[0] for nodes in np.array(view.members, dtype=object)[~view.is_end].tolist()]
    if not (tree.kind[inner] == OBLIQUE).any():
        return ""
    return RAW if deviation is None else PER_DEVIATION


def widths_of(subject: Subject, flow: Any) -> list[str]:
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


def folded(text: str) -> str:
    """Return a long text on several lines, the terms of a sum on lines of their own."""
    terms = re.split(r" (?=[+-] )", text) if len(text) > LONG else [text]
    bound = [re.sub(r"^([+-]) ", rf"\1{NO_BREAK}", term) for term in terms]  # a sign stays
    lines = [wrap(term, LONG, break_long_words=False, break_on_hyphens=False) for term in bound]
    return "\n".join(line for part in lines for line in part).replace(NO_BREAK, " ")


def _answer(subject: Subject, view: View, place: int) -> str:
    answer = answer_text(subject, view.response[place])
    n_folded = int(view.n_folded[place])
    if n_folded == 0:
        weight = number_text(float(view.weight[place]), min(subject.decimals, 2))
        return f"{folded(answer)}\nweight {weight}"
    kind = "mean" if subject.classes is None else "mostly"
    rows = f"{percent(float(view.share[place]))} of rows"
    return f"{folded(f'{kind} {answer}')}\n{rows}\n{ELLIPSIS} {leaves_text(n_folded)}"


def _way(subject: Subject, node: int, branch: int) -> str:
    """Return what the rows of a branch have there: the words of the test, less its head."""
    tree = subject.tree
    if tree.kind[node] == OBLIQUE:
        cut = cut_text(float(tree.threshold[node]), -1, subject.decimals)
        return f"{'<=' if branch == 0 else '>'} {cut}"
    head = name_of(int(tree.feature[node]), subject.feature_names)
    return folded(subject.test(node, branch).removeprefix(f"{head} "))
