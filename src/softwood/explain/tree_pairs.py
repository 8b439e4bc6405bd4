"""Two trees side by side: which node of one stands where which node of the other stands.

From the root down, two tests are a pair if they ask the same thing or look at the same column,
and then their branches are; where one tree goes on and the other ends, it has grown or was pruned;
where the columns differ, the trees have parted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.identity import places
from softwood.explain.wording import Subject
from softwood.flow import Flow, Hard, Ramp
from softwood.flow.spreading import scale_of_features
from softwood.refine.node_rows import compared, weights_of
from softwood.tree import NOMINAL, NUMERIC, Tree

if TYPE_CHECKING:
    from scipy.sparse import csc_array

SAME, MOVED, WIDTH = "same", "moved", "width"
OTHER_COLUMN, OTHER_KIND = "other column", "other kind"
GROWN, PRUNED, LEAF = "grown", "pruned", "leaf"
PARTED = (OTHER_COLUMN, OTHER_KIND)
ROUNDING = 1e-6  # of a column's range: less, and no row between, is no move; some read float32
NONE = -1


@dataclass(frozen=True, eq=False)
class Side:
    """One of two trees, and the rows on which they are compared.

    Attributes
    ----------
    subject : Subject
        The tree, with the names that belong to it.
    flow : Flow
        How rows flow through it.
    rows : ndarray of shape (n_rows, n_features)
        The rows as this tree reads them.
    column : ndarray of shape (n_features,)
        By what number both trees know each of its features.
    """

    subject: Subject
    flow: Flow
    rows: FloatArray
    column: IndexArray

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.subject.tree

    @cached_property
    def reach(self) -> csc_array:
        """Mass of each row at each node."""
        return self.flow.reach(self.tree, self.rows).tocsc()

    @cached_property
    def widths(self) -> FloatArray:
        """How soft each test is, in units of what it compares: a ramp's width, or a deviation."""
        tree = self.tree
        if isinstance(self.flow, Ramp):
            return np.asarray(tree.below + tree.above)
        width, scale = np.zeros(tree.n_nodes), getattr(self.flow, "scale", None)
        if scale is not None and not isinstance(self.flow, Hard):
            by_feature = scale_of_features(scale, tree)
            for node in compared(tree):
                width[node] = float(np.linalg.norm(weights_of(tree, node) * by_feature))
        return width

    def cut(self, node: int) -> tuple[dict[int, float], float]:
        """Return the weights of a test of numbers, by common columns, and its threshold."""
        tree = self.tree
        if tree.kind[node] == NUMERIC:
            return {int(self.column[tree.feature[node]]): 1.0}, float(tree.threshold[node])
        weights: dict[int, float] = {}
        for feature, weight in zip(*(part.tolist() for part in tree.terms(node)), strict=True):
            column = int(self.column[feature])
            weights[column] = weights.get(column, 0.0) + weight
        used = {column: weight for column, weight in weights.items() if weight != 0.0}
        return used, float(tree.threshold[node])

    def branches(self, node: int) -> AnyArray:
        """Return the branch that the test alone sends each row to; -1 where it cannot tell."""
        tree = self.tree
        if tree.kind[node] == NOMINAL:
            code, known = self.rows[:, tree.feature[node]], tree.branch_of_category(node)
            inside = (code >= 0) & (code < known.size)
            return np.where(inside, known[np.where(inside, code, 0).astype(int)], NONE)
        with np.errstate(invalid="ignore", over="ignore"):
            value = self.rows @ weights_of(tree, node)
            return np.where(np.isnan(value), NONE, (value > tree.threshold[node]).astype(int))


class Pair(NamedTuple):
    """Two nodes that stand at the same place, or one where the other tree has none.

    Attributes
    ----------
    change : str
        What became of the old one.
    depth : int
        Tests above it.
    old, new : int
        The nodes; -1 where there is none.
    branches : tuple of (int, int)
        Which branches stand for each other.
    """

    change: str
    depth: int
    old: int
    new: int
    branches: tuple[tuple[int, int], ...] = ()


def pairs_of(old: Side, new: Side) -> list[Pair]:
    """Return all nodes of two trees, in pairs as far as there are any, parents first.

    Parameters
    ----------
    old, new : Side
        The trees, and the same rows.

    Returns
    -------
    list of Pair
        Every node of either tree is in one.
    """
    found: list[Pair] = []
    waiting = [(0, 0, 0)]
    while waiting:
        depth, a, b = waiting.pop()
        pair = _paired(old, new, depth, a, b)
        found.append(pair)
        below = [
            (depth + 1, old.tree.children(a)[i], new.tree.children(b)[j]) for i, j in pair.branches
        ]
        waiting.extend(reversed(below))
        found.extend(_alone(old.tree, PRUNED, depth, a, {one for _, one, _ in below}))
        found.extend(_alone(new.tree, GROWN, depth, b, {one for _, _, one in below}))
    return found


def _paired(old: Side, new: Side, depth: int, a: int, b: int) -> Pair:
    is_leaf = old.tree.n_children[a] == 0, new.tree.n_children[b] == 0
    if any(is_leaf):
        change = LEAF if all(is_leaf) else GROWN if is_leaf[0] else PRUNED
        return Pair(change, depth, a, b)
    kinds = old.tree.kind[a] == NOMINAL, new.tree.kind[b] == NOMINAL
    if kinds[0] != kinds[1]:
        same = _column_tested(old, a) == _column_tested(new, b) != NONE
        return Pair(OTHER_KIND if same else OTHER_COLUMN, depth, a, b)
    change, branches = (_compared_sets if kinds[0] else _compared_cuts)(old, new, a, b)
    return Pair(change, depth, a, b, branches)


def _alone(tree: Tree, change: str, depth: int, node: int, paired: set[int]) -> list[Pair]:
    """Return what is below ``node`` and has nothing to be paired with."""
    found = []
    for child in tree.children(node):
        if child in paired:
            continue
        for one, deeper in tree.walk(child):
            sides = (one, NONE) if change == PRUNED else (NONE, one)
            found.append(Pair(change, depth + 1 + deeper, *sides))
    return found


def _column_tested(side: Side, node: int) -> int:
    feature = int(side.tree.feature[node])
    return NONE if feature < 0 else int(side.column[feature])


def _compared_cuts(old: Side, new: Side, a: int, b: int) -> tuple[str, Any]:
    """Return what became of a test of numbers, and which branches stand for each other."""
    (before, old_cut), (after, new_cut) = old.cut(a), new.cut(b)
    if before.keys() != after.keys():
        return OTHER_COLUMN, ()
    columns = sorted(before)
    one, two = (np.array([cut[column] for column in columns]) for cut in (before, after))
    spread = _spread(old, columns)
    lengths = [float(np.linalg.norm(w * spread)) or 1.0 for w in (one, two)]
    one, old_cut = one / lengths[0], old_cut / lengths[0]
    two, new_cut = two / lengths[1], new_cut / lengths[1]
    flipped = float((one * spread) @ (two * spread)) < 0.0
    if flipped:
        two, new_cut = -two, -new_cut
    branches = ((0, 1), (1, 0)) if flipped else ((0, 0), (1, 1))
    far = max(1.0, abs(old_cut), abs(new_cut)) * ROUNDING
    turned = np.abs((one - two) * spread).max(initial=0.0) > ROUNDING  # no column: cancelled out
    if turned or abs(old_cut - new_cut) > far or _parts_rows(old, new, a, b, flipped):
        return MOVED, branches
    softer = abs(old.widths[a] / lengths[0] - new.widths[b] / lengths[1]) > far
    return (WIDTH if softer else SAME), branches


def _parts_rows(old: Side, new: Side, a: int, b: int, flipped: bool) -> bool:
    """Whether two tests send some row that they know to different sides."""
    before, after = old.branches(a), new.branches(b)
    known = (before != NONE) & (after != NONE)
    return bool(((before != after) != flipped)[known].any())


def _spread(side: Side, columns: list[int]) -> FloatArray:
    """Return the range of some common columns, over which tests on them are compared."""
    place = {int(column): feature for feature, column in enumerate(side.column)}
    values = side.rows[:, [place[column] for column in columns]]
    with np.errstate(over="ignore"):
        spread = np.fmax.reduce(values, axis=0) - np.fmin.reduce(values, axis=0)
    return np.where(np.isfinite(spread) & (spread > 0.0), spread, 1.0)


def _compared_sets(old: Side, new: Side, a: int, b: int) -> tuple[str, Any]:
    """Return what became of a nominal test, and which branches stand for each other."""
    if _column_tested(old, a) != _column_tested(new, b):
        return OTHER_COLUMN, ()
    known = shared_branches(old, new, a, b)
    branches = _most_alike(old, new, a, b, known)
    stands_for = {**dict(branches), NONE: NONE}
    sizes = old.tree.n_children[a] == new.tree.n_children[b]
    moved = any(stands_for.get(i) != j for _, i, j in known)
    return (MOVED if moved or not sizes else SAME), branches


def shared_branches(old: Side, new: Side, a: int, b: int) -> list[tuple[Any, int, int]]:
    """Return the categories that both nominal tests know, and the branch of each in either."""
    before, after = old.tree.branch_of_category(a), new.tree.branch_of_category(b)
    own, theirs = _categories(old, a), _categories(new, b)
    where = places(own, theirs, unknown=NONE)
    return [
        (own[code], int(before[code]), int(after[place]))
        for code, place in enumerate(where)
        if 0 <= place < after.size and code < before.size
    ]


def _categories(side: Side, node: int) -> tuple[Any, ...]:
    """Return the categories of a nominal test, or their codes."""
    known = (side.subject.categories or {})[int(side.tree.feature[node])]  # type: ignore[index]
    return tuple(range(side.tree.branch_of_category(node).size)) if known is None else tuple(known)


def _most_alike(
    old: Side, new: Side, a: int, b: int, known: list[tuple[Any, int, int]]
) -> tuple[tuple[int, int], ...]:
    """Return pairs of branches: those first that most rows, then most categories, share.

    Of pairs that are alike, and of which but one can be, the places have different sums: so the
    choice is the same whichever tree is called old.
    """
    mine, theirs = old.tree.children(a), new.tree.children(b)
    both = old.reach[:, mine.start : mine.stop].T @ new.reach[:, theirs.start : theirs.stop]
    alike = np.asarray(both.todense()).round(6)
    shared = np.zeros(alike.shape)
    for _, i, j in known:
        if i >= 0 and j >= 0:
            shared[i, j] += 1.0
    order = sorted(np.ndindex(*alike.shape), key=lambda at: (-alike[at], -shared[at], sum(at)))
    taken: tuple[set[int], set[int]] = set(), set()
    found = []
    for i, j in order:
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            found.append((i, j))
    return tuple(sorted(found))
