"""The rules that trees of an ensemble have in common.

Leaves of a forest hold a few rows each, and no two trees share them. What trees share stands
near their roots; there, as SIRUS does, rules are collected, put together where they are alike,
and ranked by what they do to the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood.explain._alike import Cuts, covers, most_central_first
from softwood.explain._ensembles import Ensemble
from softwood.explain.conditions import Condition, conditions_of
from softwood.tree import Tree

MAX_TESTS = 3  # on the way from the root
MOST_NODES = 20_000  # of all trees: of more, the heaviest in each tree
SAYS_MORE = 1.1  # how much stronger a rule must be to stand beside a shorter one


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A node near the root of some tree, as a rule.

    ``answer`` is what the tree says there of the raw score ``output``, ``effect`` how much more
    than all trees say at their roots, or than itself if it is a term of a sum, and ``move`` what
    that adds to the score of the ensemble.
    """

    tree: int
    node: int
    conditions: tuple[Condition, ...]
    output: int
    support: float
    move: float
    answer: float
    effect: float


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Rules that are alike: the one in the middle of them, and all of them on average."""

    middle: Candidate
    n_trees: int
    support: float
    answer: float
    effect: float
    move: float
    score: float


def typical_rules(ensemble: Ensemble, max_rules: int) -> list[Found]:
    """Return the rules that say most about what the trees have in common.

    Parameters
    ----------
    ensemble : Ensemble
        The trees and how they add up.
    max_rules : int
        How many to return at most.

    Returns
    -------
    list of Found
        The highest score first.

    Notes
    -----
    1. Every node with one to three tests above it is a rule (of ensembles with more than
       20 000 such nodes, the heaviest of each tree). It speaks for the class whose share grows
       most from the root to the node; of numbers and scores, for more or for less.
    2. Rules are alike if they speak for the same, have conditions on the same columns in the
       same directions, and every cut is near: no more than a tenth of all cuts collected on the
       column lie between, or they differ by no more than 2 % of the range of these. Sets of
       categories are alike if they share three quarters of them, oblique tests only if they are
       the same. The rule with most others alike stands for these.
    3. The score is *support* (the share of the training weight, on average over the trees that
       say it) times how far these trees together move the answer of the ensemble from its
       average. For a vote that is support x (confidence - share of the class overall) x share of
       trees: weighted relative accuracy, times the frequency by which SIRUS selects.
    4. A rule is left out if another ranks higher that has all or some of its conditions, with cuts
       up to twice as far apart as in 2, and is as strong to within a tenth.

    References
    ----------
    .. [1] C. Benard, G. Biau, S. Da Veiga, E. Scornet (2021). SIRUS: stable and interpretable
       rule set for classification. Electronic Journal of Statistics 15, 427-505.
    .. [2] N. Lavrac, P. Flach, B. Zupan (1999). Rule evaluation measures: a unifying view. ILP.
    """
    candidates = list(_candidates(ensemble))
    cuts = Cuts.of([candidate.conditions for candidate in candidates])
    groups: dict[Any, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        side = 0 if ensemble.is_vote else np.sign(candidate.move)
        groups[cuts.key(candidate.conditions), candidate.output, side].append(candidate)
    found = [one for group in groups.values() for one in _merged(group, cuts)]
    found.sort(key=lambda one: (-one.score, one.middle.tree, one.middle.node))
    return _without_longer_ones(found, cuts, max_rules)


def _candidates(ensemble: Ensemble) -> Iterator[Candidate]:
    forest = ensemble.forest
    most = max(MOST_NODES // forest.n_trees, 1)
    shares, overall = ensemble.shares(), ensemble.average() if ensemble.is_mean else None
    for j, tree in enumerate(forest.trees):
        first = int(forest.output[j]) if forest.output[j] >= 0 else 0
        parent, average = tree.parent, tree.response[0] if overall is None else overall
        for node in _top_nodes(tree, most).tolist():
            effect = tree.response[node] - average
            moved = shares[j] * effect
            # A single number goes up or down; of several scores, one rises most.
            place = 0 if forest.n_outputs == 1 else int(np.argmax(moved))
            if moved[place] == 0.0 or (forest.n_outputs > 1 and moved[place] < 0.0):
                continue
            yield Candidate(
                tree=j,
                node=node,
                conditions=conditions_of(tree, node, parent),
                output=first + place,
                support=float(tree.weight[node] / tree.weight[0]),
                move=float(moved[place]),
                answer=float(tree.response[node, place]),
                effect=float(effect[place]),
            )


def _top_nodes(tree: Tree, most: int) -> Any:
    stop = next((stop for level, (_, stop) in enumerate(tree.levels()) if level == MAX_TESTS), None)
    nodes = np.arange(1, tree.n_nodes if stop is None else stop)
    nodes = nodes[(tree.weight[nodes] > 0.0) & (tree.weight[0] > 0.0)]
    if nodes.size > most:
        nodes = np.sort(nodes[np.argsort(-tree.weight[nodes], kind="stable")[:most]])
    return nodes


def _merged(group: list[Candidate], cuts: Cuts) -> Iterator[Found]:
    """Yield what is alike in a group that has the same columns and directions."""
    if len(group) == 1:
        yield _together(group[0], group)
        return
    table = cuts.table([candidate.conditions for candidate in group])
    left = np.ones(len(group), dtype=np.bool_)
    for place in most_central_first(table).tolist():
        if left[place]:
            same = left & table.alike(place)
            left &= ~same
            yield _together(group[place], [group[i] for i in np.flatnonzero(same)])


def _together(middle: Candidate, group: list[Candidate]) -> Found:
    """Return rules that are alike as one; a tree that says it twice counts once."""
    moves: dict[int, list[float]] = defaultdict(list)
    for one in group:
        moves[one.tree].append(one.move)
    move = sum(sum(own) / len(own) for own in moves.values())
    weight = sum(one.support for one in group)
    support = weight / len(group)
    answer = sum(one.support * one.answer for one in group) / weight
    effect = sum(one.support * one.effect for one in group) / weight
    return Found(middle, len(moves), support, answer, effect, move, support * abs(move))


def _without_longer_ones(found: list[Found], cuts: Cuts, max_rules: int) -> list[Found]:
    kept: list[Found] = []
    for one in found:
        if len(kept) == max_rules:
            break
        if not any(_says_it_all(other, one, cuts) for other in kept):
            kept.append(one)
    return kept


def _says_it_all(kept: Found, one: Found, cuts: Cuts) -> bool:
    same = kept.middle.output == one.middle.output and kept.move * one.move > 0.0
    strong = abs(one.effect) > SAYS_MORE * abs(kept.effect)
    return same and not strong and covers(kept.middle.conditions, one.middle.conditions, cuts)
