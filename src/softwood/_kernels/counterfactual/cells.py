"""Hard trees whose tests ask for cells: which of the parts between cuts a value lies in.

Where all tests are cuts or sets of categories, the cuts of a column divide its values into cells,
and a model answers the same all over a cell of every column. So a row is a cell for each column:
a number from 0 for columns of numbers, ascending; ``GAP`` for a missing number; the code of a
category, and one code more for what a nominal column of the row holds that is no category.
"""

from typing import NamedTuple

from softwood._kernels._jit import borrowing, pasted
from softwood._types import BoolArray, FloatArray, IndexArray

GAP = -1  # the cell of a missing number
SPREADS = -1  # not one branch but all of them
NUMBERS = -1  # the start of the set of a test of numbers: it has none


class CellTrees(NamedTuple):
    """Trees, end to end; children stand side by side, and behind their parent."""

    root: IndexArray  # (n_trees + 1,) first node of each tree, and the end
    first_child: IndexArray
    n_children: IndexArray  # 0 at a leaf
    parent: IndexArray  # -1 at a root
    column: IndexArray
    last_left: IndexArray  # the last cell that goes left, at a test of numbers
    gap_branch: IndexArray  # the branch of a missing number, or SPREADS
    set_start: IndexArray  # where the branches of codes start in ``branch``, or NUMBERS
    branch: IndexArray  # of each code, or SPREADS
    share: FloatArray  # what a node gets of a row that spreads over it and its siblings
    value: FloatArray  # (n_nodes, n_wishes) what a leaf adds to each wish


class Cells(NamedTuple):
    """The cells of all columns, end to end, and what it costs to go there."""

    start: IndexArray  # (n_columns + 1,) of the cells of each column; a gap is not among them
    code_start: IndexArray  # (n_columns + 1,) of the codes of nominal columns among all codes
    home: IndexArray  # (n_columns,) the cell to go to, if it is allowed
    has_gap: BoolArray  # (n_columns,) whether the row lacks this number, and may go on to
    cost: FloatArray  # (n_cells,) never falls, away from home
    is_allowed: BoolArray  # (n_codes,)


@pasted
def is_nominal(cells, j):
    """Whether a column has codes."""
    return cells.code_start[j + 1] > cells.code_start[j]


@pasted
def branch_of_cell(trees, node, cell):
    """Return the branch that a cell takes at an inner node, or ``SPREADS``."""
    start = trees.set_start[node]
    if start != NUMBERS:
        return trees.branch[start + cell]
    if cell == GAP:
        return trees.gap_branch[node]
    return 0 if cell <= trees.last_left[node] else 1


@borrowing
def add_value(trees, tree, point, nodes, masses, total):
    """Add what a tree answers at a point, in cells, to ``total``."""
    nodes[0], masses[0], size = trees.root[tree], 1.0, 1
    while size > 0:
        size -= 1
        node, mass = nodes[size], masses[size]
        while trees.n_children[node] > 0:
            branch = branch_of_cell(trees, node, point[trees.column[node]])
            if branch == SPREADS:
                break
            node = trees.first_child[node] + branch
        if trees.n_children[node] == 0:
            for wish in range(total.size):
                total[wish] += mass * trees.value[node, wish]
            continue
        for child in range(
            trees.first_child[node], trees.first_child[node] + trees.n_children[node]
        ):
            if trees.share[child] > 0.0:
                nodes[size], masses[size] = child, mass * trees.share[child]
                size += 1
