"""An ensemble as text: what is typical of it."""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray
from softwood.explain._ensembles import Ensemble
from softwood.explain.labels import (
    DECIMALS,
    SHOWN_TERMS,
    count_text,
    more_text,
    name_of,
    number_text,
    share_text,
    value_text,
)
from softwood.explain.text import Layout, tree_lines
from softwood.explain.typical import typical_of
from softwood.explain.typical_words import ensemble_rules, typical_sentence
from softwood.refine.gains import by_feature, split_gain

SHOWN_IMPORTANCES = 6
SHOWN_RULES = 10


def ensemble_lines(
    ensemble: Ensemble,
    importances: FloatArray | None,
    layout: Layout,
    decimals: int = DECIMALS,
    max_terms: int | None = SHOWN_TERMS,
    max_lines: int | None = None,
) -> list[str]:
    """Return an ensemble as lines: a heading, its most typical tree, its most typical rules.

    Parameters
    ----------
    ensemble : Ensemble
        The trees and their names.
    importances : ndarray of shape (n_features,), optional
        Shares of the columns; by default they are computed of the trees alone.
    layout : Layout
        How the tree is laid out.
    decimals, max_terms
        As in :func:`softwood.export_text`.
    max_lines : int, optional
        No more lines than this, a last hint not counted.

    Returns
    -------
    list of str
    """
    place = typical_of(ensemble)
    tree = ensemble.forest.trees[place]
    subject = ensemble.subject(tree, decimals, max_terms)
    lines = heading(ensemble, importances)
    lines += [f"Tree {place}, the most typical{_adds_to(ensemble, place)}:"]
    left = None if max_lines is None else max(max_lines - len(lines), 0)
    n_rules = SHOWN_RULES if left is None else min(SHOWN_RULES, max(left // 3 - 1, 0))
    rules = ensemble_rules(ensemble, n_rules, decimals, max_terms) if n_rules else []
    below = ["Rules that its trees share:"] if rules else []
    below += [typical_sentence(rule, ensemble, decimals) for rule in rules]
    if left is None or left > len(below):
        room = None if left is None else left - len(below)
        return lines + tree_lines(subject, layout, room, folds=True) + below
    hidden = more_text(max(tree.n_nodes - 1, 1), "line")
    return [*lines[:max_lines], f"{hidden}; use export_text(max_lines=None)"]


def heading(ensemble: Ensemble, importances: FloatArray | None = None) -> list[str]:
    """Return how many trees there are, how large they are, and which columns matter.

    Parameters
    ----------
    ensemble : Ensemble
        The trees.
    importances : ndarray of shape (n_features,), optional
        Shares of the columns; by default they are computed of the trees alone.

    Returns
    -------
    list of str
    """
    forest = ensemble.forest
    leaves = float(np.mean([tree.n_leaves for tree in forest.trees]))
    what = "" if ensemble.is_mean else ", whose answers are added up"
    first = f"{ensemble.kind}: {count_text(forest.n_trees, 'tree')}{what}, "
    first += f"{number_text(leaves, 1)} leaves on average"
    shares = importances_of(ensemble) if importances is None else importances
    order = np.argsort(-shares, kind="stable")
    order = order[shares[order] > 0.0]
    names = ensemble.schema.names
    shown = [f"{name_of(int(j), names)} {share_text(shares[j], 2)}" for j in order]
    if not shown:
        return [first]
    text = ", ".join(shown[:SHOWN_IMPORTANCES])
    if len(shown) > SHOWN_IMPORTANCES:
        text += f", {more_text(len(shown) - SHOWN_IMPORTANCES, 'column')}"
    return [first, f"Columns that matter: {text}"]


def importances_of(ensemble: Ensemble) -> FloatArray:
    """Return each column's share in how much the answers of trees spread, by training weight.

    Trees of a mean count alike, those of a sum by what they add.
    """
    total = np.zeros(ensemble.forest.n_features)
    for tree, share in zip(ensemble.forest.trees, ensemble.shares(), strict=True):
        own = by_feature(tree, split_gain(tree, "squared_error", share * tree.response))
        size = (own.sum() if ensemble.is_mean else tree.weight[0]) or 1.0
        total += own / size
    return np.asarray(total / total.sum() if total.sum() > 0.0 else total)


def _adds_to(ensemble: Ensemble, place: int) -> str:
    output = int(ensemble.forest.output[place])
    if ensemble.is_mean or ensemble.classes is None or output < 0:
        return ""
    chosen = ensemble.classes[output if ensemble.forest.n_outputs > 1 else 1]
    return f", which adds to the score of {value_text(chosen)}"
