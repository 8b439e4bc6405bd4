"""A fitted model at a glance, as notebooks show it: a small tree or the columns, and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from softwood.explain.labels import number_text, value_text
from softwood.explain.wording import Subject, subject_of
from softwood.plot._palette import COLOURS, PALE
from softwood.plot._tree_layout import tidy_places
from softwood.tree import Tree

MOST_LEVELS, MOST_LEAVES = 3, 10
ACROSS, DOWN, BOX_WIDTH, BOX_HEIGHT = 128, 62, 118, 34  # pixels
LETTERS = 19
MOST_COLUMNS = 6
MOST_ASKED = 200_000  # leaves: the importances of more are not computed just to be shown
DECIMALS = 3


def card(model: Any) -> str:
    """Return a fitted model at a glance, as HTML that needs nothing else.

    Parameters
    ----------
    model : estimator
        A fitted model of softwood.

    Returns
    -------
    str
        The top of its tree, or the columns that matter most to an ensemble; its size; and
        how to see more. All that comes from data is escaped.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.plot.card import card
    >>> model = CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    >>> "x0 &lt;= 1.5" in card(model)
    True
    """
    tree = getattr(model, "tree_", None)
    is_single = isinstance(tree, Tree)
    picture = _small_tree(subject_of(model, decimals=DECIMALS)) if is_single else _columns(model)
    facts = " · ".join(escape(fact) for fact in facts_of(model))
    hint = "softwood.view.explore(model, X, y) shows all of it"
    return (
        '<div style="font:13px system-ui,sans-serif;max-width:100%;overflow-x:auto">'
        f"<p><b>{escape(type(model).__name__)}</b>: {facts}</p>{picture}"
        f'<p style="opacity:.7"><code>{escape(hint)}</code></p></div>'
    )


def facts_of(model: Any) -> list[str]:
    """Return the size of a model, and what its fit has found, in words."""
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        facts = [_counted(tree.n_leaves, "leaf", "leaves"), f"depth {tree.depth}"]
        facts.append(f"training weight {number_text(float(tree.weight[0]), DECIMALS)}")
    else:
        forest = model.forest_
        facts = [_counted(forest.n_trees, "tree"), _counted(forest.n_leaves, "leaf", "leaves")]
    classes = getattr(model, "classes_", None)
    facts.append("a number" if classes is None else _counted(len(classes), "class", "classes"))
    for name, said in (("smoothing_", "lambda"), ("oob_score_", "score out of bag")):
        value: Any = vars(model).get(name)
        if isinstance(value, float | int | np.floating) and value != 0:
            facts.append(f"{said} {number_text(float(value), DECIMALS)}")
    return facts


def _counted(n: int, thing: str, things: str | None = None) -> str:
    return f"{n} {thing if n == 1 else things or thing + 's'}"


# -- a small tree ------------------------------------------------------------------


def _top_of(tree: Tree) -> Tree:
    """Return the tree without what is deep: so many levels that it stays small."""
    for levels in range(MOST_LEVELS, 0, -1):
        top = tree.compact(leaves=tree.node_depth >= levels)
        if top.n_leaves <= MOST_LEAVES:
            return top
    return tree.compact(leaves=np.ones(tree.n_nodes, dtype=np.bool_))


def _small_tree(subject: Subject) -> str:
    top = _top_of(subject.tree)
    shown = Subject(
        top,
        subject.feature_names,
        subject.categories,
        subject.classes,
        DECIMALS,
        2,
        subject.is_date,
        subject.ranges,
    )
    x = tidy_places(top.first_child, top.n_children) * ACROSS + BOX_WIDTH / 2 + 1
    y = top.node_depth * DOWN + 1
    parts = []
    for node in range(1, top.n_nodes):
        parent = int(top.parent[node])
        parts.append(
            f'<path d="M{x[parent]:.0f},{y[parent] + BOX_HEIGHT}L{x[node]:.0f},{y[node]}" '
            f'fill="none" stroke="{PALE}"/>'
        )
    parts += [_box(shown, node, float(x[node]), float(y[node])) for node in range(top.n_nodes)]
    width, height = float(x.max()) + BOX_WIDTH / 2 + 1, float(y.max()) + BOX_HEIGHT + 1
    words = "Top of the tree" if top.n_nodes < subject.tree.n_nodes else "The tree"
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img" '
        f'aria-label="{words}" style="max-width:100%;font:11px system-ui,sans-serif">'
        f"{''.join(parts)}</svg>"
    )


def _box(subject: Subject, node: int, x: float, y: float) -> str:
    tree = subject.tree
    text = subject.test(node, 0) if tree.n_children[node] else subject.answer_text(node)
    left = x - BOX_WIDTH / 2
    rounding = 4 if tree.n_children[node] else 15
    return (
        f"<g><title>{escape(text)}</title>"
        f'<rect x="{left:.0f}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="{rounding}" '
        f'fill="none" stroke="{PALE}"/>'
        f'<text x="{x:.0f}" y="{y + 15}" text-anchor="middle" fill="currentColor">'
        f"{escape(_short(text))}</text>{_shares(subject, node, left + 8, y + 22)}</g>"
    )


def _shares(subject: Subject, node: int, left: float, top: float) -> str:
    """Return the shares of the classes as a bar."""
    response = subject.tree.response[node]
    if subject.classes is None or not (response >= 0.0).all() or not response.sum() > 0.0:
        return ""
    width = (BOX_WIDTH - 16) * response / response.sum()
    starts = left + np.concatenate(([0.0], np.cumsum(width)[:-1]))
    return "".join(
        f'<rect x="{start:.1f}" y="{top}" width="{size:.1f}" height="5" '
        f'fill="{COLOURS[k % len(COLOURS)]}"/>'
        for k, (start, size) in enumerate(zip(starts, width, strict=True))
        if size > 0.0
    )


def _short(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"


# -- the columns of an ensemble -----------------------------------------------------


def _columns(model: Any) -> str:
    """Return the columns that matter most, as bars; nothing if the model does not tell."""
    if model.forest_.n_leaves > MOST_ASKED:
        return ""
    found = getattr(model, "feature_importances_", None)
    if found is None:
        return ""
    names: Sequence[str] = model.schema_.names
    order = np.argsort(-np.asarray(found), kind="stable")[:MOST_COLUMNS]
    most = max(float(found[order[0]]), 1e-12)
    rows = "".join(
        f'<tr><td style="text-align:left">{escape(_short(value_text(names[j])))}</td><td>'
        f'<span style="display:inline-block;height:.7em;width:{90 * found[j] / most:.0f}px;'
        f'background:{COLOURS[0]}"></span></td><td>{100 * found[j]:.1f} %</td></tr>'
        for j in order
        if found[j] > 0.0
    )
    return f"<table><caption>columns that matter</caption>{rows}</table>" if rows else ""
