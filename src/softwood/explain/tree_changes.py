"""What changed between two trees, on rows: tests that moved, leaves, and the mass of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import BoolArray, FloatArray, IndexArray
from softwood.explain.labels import name_of
from softwood.explain.tree_pairs import (
    LEAF,
    MOVED,
    NONE,
    Pair,
    Side,
    pairs_of,
    shared_branches,
)
from softwood.explain.wording import Subject
from softwood.flow import Flow, leaf_of
from softwood.tree import NOMINAL


@dataclass(frozen=True, slots=True)
class ChangeOfTest:
    """What became of a test.

    Attributes
    ----------
    change : str
        "same"; "moved", a cut, plane or set of categories; "width", of a soft test; "other
        column" or "other kind" of test at the same place; "grown" or "pruned".
    depth : int
        Tests above it.
    old_node, new_node : int or None
        The nodes; a leaf where the other tree has a test.
    old_test, new_test : str or None
        What holds for the first branch.
    by : float
        How far a cut of a single column has moved, in its units; NaN for others.
    between : float
        Share of all rows that the two tests alone would send to different branches: those
        between the cuts. NaN where there are no two tests to compare.
    old_width, new_width : float
        How soft they are, in units of what they compare; NaN where there is none.
    old_mass, new_mass : float
        Share of the mass of all rows that comes there; NaN where there is no such node.
    parted : float
        Share of the mass of all rows that goes the same way up to here, and then another one.
    moved_categories : tuple
        Of a nominal test: those that go another way now.
    """

    change: str
    depth: int
    old_node: int | None
    new_node: int | None
    old_test: str | None
    new_test: str | None
    by: float
    between: float
    old_width: float
    new_width: float
    old_mass: float
    new_mass: float
    parted: float
    moved_categories: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeOfLeaf:
    """A leaf that both trees have at the same place, and what it answers.

    Attributes
    ----------
    old_node, new_node : int
        The leaves.
    old_answer, new_answer : object
        Their classes or numbers.
    old_mass, new_mass : float
        Share of the mass of all rows that comes there.
    shift : float
        Half the sum of the changes of its shares of classes; of a number, the change.
    """

    old_node: int
    new_node: int
    old_answer: Any
    new_answer: Any
    old_mass: float
    new_mass: float
    shift: float


@dataclass(frozen=True, slots=True, eq=False)
class TreeChanges:
    """What changed between two trees, on some rows.

    Attributes
    ----------
    old, new : Subject
        The trees, and their names.
    old_flow, new_flow : Flow
        How rows flow through them.
    tests : tuple of ChangeOfTest
        Every test of either tree, parents first.
    leaves : tuple of ChangeOfLeaf
        The leaves that both have.
    old_leaf, new_leaf : ndarray of shape (n_rows,)
        Where each row, or most of it, ends.
    leaf_changed : ndarray of bool of shape (n_rows,)
        Whether these are not at the same place: behind the same tests, or tests that moved.
    mass_moved : ndarray of shape (n_rows,)
        How much of each row ends at another place; 0 or 1 where both trees are hard.
    """

    old: Subject
    new: Subject
    old_flow: Flow
    new_flow: Flow
    tests: tuple[ChangeOfTest, ...]
    leaves: tuple[ChangeOfLeaf, ...]
    old_leaf: IndexArray
    new_leaf: IndexArray
    leaf_changed: BoolArray
    mass_moved: FloatArray

    def count(self, *changes: str) -> int:
        """Return of how many tests some change is true."""
        return sum(test.change in changes for test in self.tests)


def tree_changes(old: Side, new: Side, new_class: Sequence[int] | None = None) -> TreeChanges:
    """Compare two trees on the same rows.

    Parameters
    ----------
    old, new : Side
        The trees, and the rows as each reads them.
    new_class : sequence of int, optional
        Which class of the old tree each class of the new one is, -1 for none; by default the
        same.

    Returns
    -------
    TreeChanges
    """
    pairs = pairs_of(old, new)
    both = np.array([(pair.old, pair.new) for pair in pairs if NONE not in pair[2:4]])
    # What of each row is at the old node and at the new one as well.
    common = old.reach[:, both[:, 0]].minimum(new.reach[:, both[:, 1]]).tocsc()
    shared = dict(zip(map(tuple, both.tolist()), np.asarray(common.sum(axis=0)), strict=True))
    is_leaf = [pair.change == LEAF for pair in pairs if NONE not in pair[2:4]]
    stays = np.asarray(common[:, np.flatnonzero(is_leaf)].sum(axis=1))
    ends = leaf_of(old.tree, old.rows, old.flow), leaf_of(new.tree, new.rows, new.flow)
    paired = {pair.old: pair.new for pair in pairs if pair.change == LEAF}
    moved = np.clip(1.0 - stays, 0.0, 1.0)
    return TreeChanges(
        old=old.subject,
        new=new.subject,
        old_flow=old.flow,
        new_flow=new.flow,
        tests=tuple(
            _change_of_test(old, new, pair, shared) for pair in pairs if _has_test(old, new, pair)
        ),
        leaves=tuple(
            _change_of_leaf(old, new, pair, new_class) for pair in pairs if pair.change == LEAF
        ),
        old_leaf=ends[0],
        new_leaf=ends[1],
        leaf_changed=np.array([paired.get(a, NONE) != b for a, b in zip(*ends, strict=True)], bool),
        mass_moved=np.where(moved < 1e-12, 0.0, moved),
    )


def _has_test(old: Side, new: Side, pair: Pair) -> bool:
    return any(
        node != NONE and side.tree.n_children[node] > 0
        for side, node in ((old, pair.old), (new, pair.new))
    )


def _change_of_test(
    old: Side, new: Side, pair: Pair, shared: dict[tuple[int, ...], float]
) -> ChangeOfTest:
    change, depth, a, b, branches = pair
    here, parted = shared.get((a, b), 0.0), 0.0
    if NONE not in (a, b):
        below = [(old.tree.children(a)[i], new.tree.children(b)[j]) for i, j in branches]
        parted = max(here - sum(shared[way] for way in below), 0.0)
    n_rows = max(len(old.rows), 1)
    return ChangeOfTest(
        change=change,
        depth=depth,
        old_node=None if a == NONE else a,
        new_node=None if b == NONE else b,
        old_test=_words(old, a),
        new_test=_words(new, b),
        by=_distance(old, new, pair),
        between=_between(old, new, pair),
        old_width=_width(old, a),
        new_width=_width(new, b),
        old_mass=_mass(old, a),
        new_mass=_mass(new, b),
        parted=0.0 if parted < 1e-9 else float(parted / n_rows),
        moved_categories=_moved_categories(old, new, pair),
    )


def _words(side: Side, node: int) -> str | None:
    """Return what is true on the first branch of a test, or of how many branches it is one."""
    if node == NONE or side.tree.n_children[node] == 0:
        return None
    n_branches = int(side.tree.n_children[node])
    if n_branches == 2:
        return side.subject.test(node, 0)
    name = name_of(int(side.tree.feature[node]), side.subject.feature_names)
    return f"{name} ({n_branches} branches)"


def _distance(old: Side, new: Side, pair: Pair) -> float:
    """Return how far a cut of a single column has moved."""
    if not pair.branches or old.tree.kind[pair.old] == NOMINAL:
        return np.nan
    (before, old_cut), (after, new_cut) = old.cut(pair.old), new.cut(pair.new)
    if len(before) != 1:
        return np.nan
    ((column, weight),) = before.items()
    return new_cut / after[column] - old_cut / weight


def _between(old: Side, new: Side, pair: Pair) -> float:
    """Return the share of all rows that would take branches which do not stand for each other."""
    if not pair.branches or len(old.rows) == 0:
        return np.nan
    there = np.full(int(old.tree.n_children[pair.old]) + 1, NONE - 1)
    there[NONE] = NONE  # what cannot tell stands for what cannot tell
    for i, j in pair.branches:
        there[i] = j
    return float(np.mean(there[old.branches(pair.old)] != new.branches(pair.new)))


def _moved_categories(old: Side, new: Side, pair: Pair) -> tuple[Any, ...]:
    if pair.change != MOVED or old.tree.kind[pair.old] != NOMINAL:
        return ()
    there = {**dict(pair.branches), NONE: NONE}
    known = shared_branches(old, new, pair.old, pair.new)
    return tuple(category for category, i, j in known if there.get(i) != j)


def _width(side: Side, node: int) -> float:
    is_test = node != NONE and side.tree.n_children[node] > 0
    return float(side.widths[node]) if is_test else np.nan


def _mass(side: Side, node: int) -> float:
    if node == NONE or len(side.rows) == 0:
        return np.nan
    return float(side.reach[:, [node]].sum() / len(side.rows))


def _change_of_leaf(
    old: Side, new: Side, pair: Pair, new_class: Sequence[int] | None
) -> ChangeOfLeaf:
    before, after = old.tree.response[pair.old], new.tree.response[pair.new]
    return ChangeOfLeaf(
        old_node=pair.old,
        new_node=pair.new,
        old_answer=old.subject.answer(pair.old),
        new_answer=new.subject.answer(pair.new),
        old_mass=_mass(old, pair.old),
        new_mass=_mass(new, pair.new),
        shift=_shift(before, after, old.subject.classes is not None, new_class),
    )


def _shift(
    before: FloatArray, after: FloatArray, is_vote: bool, new_class: Sequence[int] | None
) -> float:
    if not is_vote:
        return float(after[0] - before[0])
    aligned, lost = np.zeros(before.size), 0.0
    for code, share in enumerate(after):
        place = code if new_class is None else new_class[code]
        if place < 0:
            lost += float(share)
        else:
            aligned[place] += share
    return float(0.5 * (np.abs(aligned - before).sum() + lost))
