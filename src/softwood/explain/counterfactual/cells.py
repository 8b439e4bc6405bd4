"""A hard forest and a row in cells: what the kernels search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from softwood._kernels.branch import SPREADS
from softwood._kernels.counterfactual.cells import GAP, NUMBERS, Cells, CellTrees
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray
from softwood.explain.counterfactual.domain import TIE, Domain
from softwood.explain.counterfactual.goal import Goal
from softwood.forest import ALL_OUTPUTS, Forest
from softwood.tree import NOMINAL, NUMERIC, Tree

CHANGED = 1.0 + TIE  # what another category costs


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells that the cuts of a forest make around a row.

    Attributes
    ----------
    trees, cells
        What kernels read.
    values : ndarray of shape (n_cells,)
        The number, or the code, that is taken in each cell: the nearest to the row.
    edges : ndarray of shape (n_cells, 2)
        Above what, and up to what the numbers of a cell are.
    domain : Domain
        The row, and what may become of it.
    need : ndarray of shape (n_wishes,)
        What wishes need of the trees: without what the sum starts from.
    is_any : bool
        Whether one wish is enough.
    """

    trees: CellTrees
    cells: Cells
    values: FloatArray
    edges: FloatArray
    domain: Domain
    need: FloatArray
    is_any: bool

    @cached_property
    def tests(self) -> BoolArray:
        """Which trees test which columns."""
        trees = self.trees
        tests = np.zeros((trees.root.size - 1, self.cells.home.size), dtype=bool)
        inner = np.flatnonzero(trees.n_children)
        tree = np.searchsorted(trees.root, inner, side="right") - 1
        tests[tree, trees.column[inner]] = True
        return tests

    @cached_property
    def column(self) -> IndexArray:
        """The column of each cell."""
        return np.repeat(np.arange(self.cells.home.size), np.diff(self.cells.start)).astype(
            np.int32
        )

    @cached_property
    def is_possible(self) -> BoolArray:
        """Which cells may be gone to: all but codes that are not allowed."""
        possible = np.ones(self.values.size, dtype=bool)
        nominal = np.diff(self.cells.code_start)[self.column] > 0
        possible[nominal] = self.cells.is_allowed
        return possible

    @property
    def is_empty(self) -> bool:
        """Whether some column has nothing that it may hold."""
        cells = self.cells
        nothing = (np.diff(cells.start) == 0) & ~cells.has_gap
        for j in np.flatnonzero(np.diff(cells.code_start)):
            part = cells.is_allowed[cells.code_start[j] : cells.code_start[j + 1]]
            nothing[j] = not part.any()
        return bool(nothing.any())

    @property
    def start(self) -> IndexArray:
        """The point of the row itself, or what is next to it if the row must change."""
        return np.where(self.cells.has_gap, GAP, self.cells.home).astype(np.int32)

    def row_of(self, point: AnyArray) -> FloatArray:
        """Return the row at a point: the values of its cells."""
        places = self.cells.start[:-1] + np.maximum(point, 0)
        # A column that may only stay missing has no cell at all.
        values = (
            self.values[np.minimum(places, self.values.size - 1)] if self.values.size else np.nan
        )
        return np.where(point == GAP, np.nan, values)

    def cost_of(self, point: AnyArray) -> FloatArray:
        """Return what each column costs at a point."""
        places = np.minimum(
            self.cells.start[:-1] + np.maximum(point, 0), max(self.values.size - 1, 0)
        )
        return np.where(point == GAP, 0.0, self.cells.cost[places] if self.values.size else 0.0)


def grid_of(forest: Forest, domain: Domain, goal: Goal) -> Grid:
    """Return a forest of cuts and sets of categories, and a row, in cells.

    Parameters
    ----------
    forest : Forest
        Hard trees without oblique tests.
    domain : Domain
        The row, and what may become of it.
    goal : Goal
        What is wanted.
    """
    trees = list(forest.trees)
    nodes = _joined(trees)
    nodes["value"] = _values(forest, trees, goal)
    column, threshold = nodes.pop("feature"), nodes.pop("threshold")
    kind = nodes.pop("kind")
    nominal = domain.is_nominal
    is_set = (kind == NOMINAL) | ((kind == NUMERIC) & nominal[np.maximum(column, 0)])
    sets = _sets(
        trees, kind, column, threshold, np.flatnonzero(is_set), domain, nodes["gap_branch"]
    )
    last_left = np.zeros(column.size, np.int32)
    made = []
    for j in range(domain.row.size):
        if nominal[j]:
            made.append(_codes(domain, j))
            continue
        tests = np.flatnonzero((kind == NUMERIC) & (column == j))
        cuts, place = np.unique(threshold[tests], return_inverse=True)
        column_cells, kept = _numbers(domain, j, cuts)
        # Of the cells up to a cut, so many are left: the last of them is the last to go left.
        last_left[tests] = (np.cumsum(kept)[:-1] - 1)[place] if cuts.size else 0
        made.append(column_cells)
    cells, values, edges = _cells(domain, made)
    arrays: dict[str, AnyArray] = {**sets, **nodes}
    cell_trees = CellTrees(column=column, last_left=last_left, **arrays)
    base = forest.base @ goal.weight.T
    return Grid(cell_trees, cells, values, edges, domain, goal.need - base, goal.is_any)


def _joined(trees: list[Tree]) -> dict[str, AnyArray]:
    """Return the arrays of trees, end to end."""
    sizes = np.array([tree.n_nodes for tree in trees])
    root = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
    offset = np.repeat(root[:-1], sizes)

    def joined(name: str) -> AnyArray:
        return np.concatenate([getattr(tree, name) for tree in trees])

    parent = joined("parent")
    return {
        "root": root,
        "first_child": (joined("first_child") + offset).astype(np.int32),
        "n_children": joined("n_children"),
        "parent": np.where(parent < 0, parent, parent + offset).astype(np.int32),
        "feature": joined("feature"),
        "threshold": joined("threshold"),
        "kind": joined("kind"),
        "gap_branch": joined("missing_child"),
        "share": np.concatenate([_shares(tree) for tree in trees]),
    }


def _shares(tree: Tree) -> FloatArray:
    """Return what each node gets of a row that spreads over it and its siblings."""
    share = np.ones(tree.n_nodes)
    parent = tree.parent[1:]
    total = np.bincount(parent, tree.weight[1:], tree.n_nodes)[parent]
    even = 1.0 / tree.n_children[parent]
    share[1:] = np.where(total > 0.0, tree.weight[1:] / np.where(total > 0.0, total, 1.0), even)
    return share


def _values(forest: Forest, trees: list[Tree], goal: Goal) -> FloatArray:
    """Return what each leaf adds to the wishes."""
    divisor = forest.divisor() if forest.is_mean else np.ones(forest.n_outputs)
    found = []
    for j, tree in enumerate(trees):
        output = int(forest.output[j])
        columns = slice(None) if output == ALL_OUTPUTS else slice(output, output + 1)
        weight = goal.weight[:, columns] * (forest.factor[j] / divisor[columns])
        found.append(np.where(tree.is_leaf[:, None], tree.response @ weight.T, 0.0))
    return np.ascontiguousarray(np.concatenate(found))


def _sets(
    trees: list[Tree],
    kind: AnyArray,
    column: AnyArray,
    threshold: FloatArray,
    tests: AnyArray,
    domain: Domain,
    gap_branch: AnyArray,
) -> dict[str, IndexArray]:
    """Return the branch of every code, at all tests of nominal columns."""
    start = np.full(kind.size, NUMBERS, np.int32)
    tables, end = [np.empty(0, np.int32)], 0
    first = np.concatenate(([0], np.cumsum([tree.n_nodes for tree in trees])))
    has_own = domain.has_own
    for node in tests.tolist():
        j = int(column[node])
        size, x = int(domain.n_categories[j]), float(domain.row[j])
        table = np.full(size + 1, SPREADS, np.int32)
        if kind[node] == NOMINAL:
            tree = int(np.searchsorted(first, node, side="right")) - 1
            own = trees[tree].branch_of_category(node - int(first[tree]))
            table[: min(own.size, size)] = own[:size]
        else:  # codes as numbers
            table[:size] = np.arange(size) > threshold[node]
            table[size] = x > threshold[node]
        if has_own[j] and np.isnan(x):
            table[size] = gap_branch[node]
        start[node] = end
        end += table.size
        tables.append(table)
    return {"set_start": start, "branch": np.concatenate(tables).astype(np.int32)}


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """The cells of one column."""

    values: FloatArray
    edges: FloatArray
    cost: FloatArray
    home: int
    has_gap: bool = False
    is_allowed: BoolArray | None = None


def _codes(domain: Domain, j: int) -> _Column:
    allowed = domain.allowed_codes(j)
    size, x = allowed.size - 1, domain.row[j]
    has_own = bool(domain.has_own[j])
    own = size if has_own else int(x)
    values = np.arange(size + 1.0)
    values[size] = x
    cost = np.full(size + 1, CHANGED)
    cost[own] = 0.0
    edges = np.full((size + 1, 2), np.nan)
    home = own if allowed[own] else int(allowed.argmax())
    return _Column(values, edges, cost, home, is_allowed=allowed)


def _numbers(domain: Domain, j: int, cuts: FloatArray) -> tuple[_Column, BoolArray]:
    """Return the cells between cuts that hold a number the column may have, and which do."""
    above, up_to = np.append(-np.inf, cuts), np.append(cuts, np.inf)
    values = domain.nearest(j, above, up_to)
    kept = ~np.isnan(values)
    values, edges = values[kept], np.column_stack([above, up_to])[kept]
    cost = domain.costs(j, values)
    x = float(domain.row[j])
    if np.isnan(x):
        home = int(np.abs(values - domain.middle[j]).argmin()) if values.size else GAP
    else:
        home = int(cost.argmin()) if values.size else GAP
    return _Column(values, edges, cost, home, has_gap=bool(np.isnan(x))), kept


def _cells(domain: Domain, made: list[_Column]) -> tuple[Cells, FloatArray, FloatArray]:
    def offsets(sizes: list[int]) -> IndexArray:
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)

    allowed = [np.empty(0, bool) if one.is_allowed is None else one.is_allowed for one in made]
    cells = Cells(
        start=offsets([one.values.size for one in made]),
        code_start=offsets([one.size for one in allowed]),
        home=np.array([one.home for one in made], dtype=np.int32),
        has_gap=np.array([one.has_gap for one in made], dtype=bool),
        cost=np.concatenate([np.empty(0), *(one.cost for one in made)]),
        is_allowed=np.concatenate([np.empty(0, bool), *allowed]),
    )
    values = np.concatenate([np.empty(0), *(one.values for one in made)])
    edges = np.concatenate([np.empty((0, 2)), *(one.edges for one in made)])
    return cells, values, edges
