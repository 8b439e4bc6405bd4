"""What trees answer at points, and along every column through a point, all others held."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.counterfactual.cells import (
    SPREADS,
    Cells,
    CellTrees,
    add_value,
    branch_of_cell,
    is_nominal,
)
from softwood._types import BoolArray, FloatArray, IndexArray


@borrowing
def add_along(trees, tree, j, n_cells, point, nodes, masses, spans, out):
    """Add what a tree answers at every cell of a column of numbers, as steps from the cell before.

    The nodes that are still to be visited have the span of cells that leads to them.
    """
    nodes[0], masses[0], size = trees.root[tree], 1.0, 1
    spans[0, 0], spans[0, 1] = 0, n_cells - 1
    while size > 0:
        size -= 1
        node, mass, low, high = nodes[size], masses[size], spans[size, 0], spans[size, 1]
        first = trees.first_child[node]
        if trees.n_children[node] == 0:
            for wish in range(out.shape[1]):
                out[low, wish] += mass * trees.value[node, wish]
                if high + 1 < n_cells:
                    out[high + 1, wish] -= mass * trees.value[node, wish]
        elif trees.column[node] == j:
            last = trees.last_left[node]
            if low <= last:
                nodes[size], masses[size] = first, mass
                spans[size, 0], spans[size, 1] = low, min(high, last)
                size += 1
            if high > last:
                nodes[size], masses[size] = first + 1, mass
                spans[size, 0], spans[size, 1] = max(low, last + 1), high
                size += 1
        else:
            branch = branch_of_cell(trees, node, point[trees.column[node]])
            for child in range(first, first + trees.n_children[node]):
                part = trees.share[child] if branch == SPREADS else 1.0
                if part > 0.0 and branch in (SPREADS, child - first):
                    nodes[size], masses[size] = child, mass * part
                    spans[size, 0], spans[size, 1] = low, high
                    size += 1


@borrowing
def add_codes(trees, tree, j, cells, point, nodes, masses, out):
    """Add what a tree answers at every allowed code of a nominal column."""
    own = point[j]
    for code in range(cells.start[j + 1] - cells.start[j]):
        if cells.is_allowed[cells.code_start[j] + code]:
            point[j] = code
            add_value(trees, tree, point, nodes, masses, out[code])
    point[j] = own


@borrowing
def most_nodes(trees):
    """Return the size of the largest tree."""
    most = 0
    for tree in range(trees.root.size - 1):
        most = max(most, trees.root[tree + 1] - trees.root[tree])
    return most


@kernel
def add_values(trees: CellTrees, points: IndexArray, out: FloatArray) -> None:
    """Add what all trees answer at points, in cells, to ``out``: points by wishes."""
    most = most_nodes(trees)
    nodes, masses = np.empty(most, np.int32), np.empty(most)
    for tree in range(trees.root.size - 1):
        for i in range(len(points)):
            add_value(trees, tree, points[i], nodes, masses, out[i])


@kernel
def scan_lines(
    trees: CellTrees, tests: BoolArray, cells: Cells, point: IndexArray, out: FloatArray
) -> None:
    """Write what all trees answer together along every column through ``point``, in cells.

    ``tests`` says which trees have a test of a column: (n_trees, n_columns). What is written for
    codes that are not allowed means nothing.
    """
    n_trees, n_columns = tests.shape
    n_wishes = out.shape[1]
    most = most_nodes(trees)
    nodes, masses, spans = np.empty(most, np.int32), np.empty(most), np.empty((most, 2), np.int32)
    own = np.zeros((n_trees, n_wishes))
    for tree in range(n_trees):
        add_value(trees, tree, point, nodes, masses, own[tree])
    out[:] = 0.0
    rest = np.empty(n_wishes)
    for j in range(n_columns):
        begin, end = cells.start[j], cells.start[j + 1]
        line, nominal = out[begin:end], is_nominal(cells, j)
        rest[:] = 0.0
        for tree in range(n_trees):
            if not tests[tree, j]:
                for wish in range(n_wishes):
                    rest[wish] += own[tree, wish]
            elif nominal:
                add_codes(trees, tree, j, cells, point, nodes, masses, line)
            elif end > begin:
                add_along(trees, tree, j, end - begin, point, nodes, masses, spans, line)
        for wish in range(n_wishes):
            if not nominal:
                for cell in range(1, end - begin):
                    line[cell, wish] += line[cell - 1, wish]
            for cell in range(end - begin):
                line[cell, wish] += rest[wish]
