"""Complete rows down many packed trees: what they answer, and the leaves they end in.

Many rows go down one tree after the other. Before any of them sets out, the tree is read from
end to end. That is quick, for the memory knows what comes next; nodes met one by one, in no
order, would each be waited for. A few rows are not worth that: each goes down eight trees abreast.
"""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.packing.keys import keys_of_rows
from softwood._kernels.packing.packed import ANSWER, KeyArray
from softwood._kernels.packing.walk import ABREAST, Trees, list_rows, step, walk_to_leaves
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray

FEW_CLASSES = 8
FEW_ROWS = 4
STEPS_AT_ONCE = 4  # of a row, before anyone looks whether it has arrived
KEYS_IN_LINE = 8  # of the cache


@borrowing
def read_ahead(trees, first, last):
    """Bring nodes into the cache; what is returned only proves that they were read."""
    seen = np.uint64(0)
    for node in range(first, last, KEYS_IN_LINE):
        seen ^= np.uint64(trees.link[node]) ^ trees.key[node]
    return seen


@borrowing
def list_asked(use, tree, asked, walking):
    """List the rows that ask a tree, twice; return how many do."""
    n_asked = 0
    for row in range(use.shape[0]):
        asked[n_asked], walking[n_asked] = row, row
        n_asked += 1 if use[row, tree] else 0
    return n_asked


@borrowing
def add_tree(key, table, n_pure, factor, at, total):
    """Add what the leaves answer to all rows; of a pure class there is only one number to add.

    With few classes it is quicker to add the zeros than to guess whether the class is pure.
    """
    few = total.shape[1] <= FEW_CLASSES
    for row in range(at.size):
        entry = np.int64(key[at[row]] & ANSWER)
        if entry < n_pure and not few:
            total[row, entry] += factor
        else:
            for k in range(total.shape[1]):
                total[row, k] += factor * table[entry, k]


@borrowing
def add_tree_to_some(key, table, factor, asked, n_asked, at, total):
    """Add what the leaves answer to the rows that have asked.

    This is :func:`add_tree` with a list of rows, which would cost it a twentieth.
    """
    for i in range(n_asked):
        row = asked[i]
        entry = np.int64(key[at[row]] & ANSWER)
        for k in range(total.shape[1]):
            total[row, k] += factor * table[entry, k]


@borrowing
def walk_trees(trees, x, begin, root, leaf):
    """Lead the row that begins at this value down all trees, eight at a time."""
    last = root.size - 2
    for t in range(0, root.size - 1, ABREAST):
        n0, n1 = np.uint64(root[t]), np.uint64(root[min(t + 1, last)])
        n2, n3 = np.uint64(root[min(t + 2, last)]), np.uint64(root[min(t + 3, last)])
        n4, n5 = np.uint64(root[min(t + 4, last)]), np.uint64(root[min(t + 5, last)])
        n6, n7 = np.uint64(root[min(t + 6, last)]), np.uint64(root[min(t + 7, last)])
        on_way = True
        while on_way:
            for _ in range(STEPS_AT_ONCE):
                n0, n1 = step(trees, x, n0, begin), step(trees, x, n1, begin)
                n2, n3 = step(trees, x, n2, begin), step(trees, x, n3, begin)
                n4, n5 = step(trees, x, n4, begin), step(trees, x, n5, begin)
                n6, n7 = step(trees, x, n6, begin), step(trees, x, n7, begin)
            links = trees.link[n0] | trees.link[n1] | trees.link[n2] | trees.link[n3]
            links |= trees.link[n4] | trees.link[n5] | trees.link[n6] | trees.link[n7]
            on_way = links != 0
        leaf[t], leaf[t + 1], leaf[t + 2], leaf[t + 3] = n0, n1, n2, n3
        leaf[t + 4], leaf[t + 5], leaf[t + 6], leaf[t + 7] = n4, n5, n6, n7


@borrowing
def add_row_by_row(trees, root, factor, table, n_pure, x, width, leaf, total):
    """Add the answers of trees, in their order, to a few rows."""
    for row in range(total.shape[0]):
        walk_trees(trees, x, np.uint64(row) * width, root, leaf)
        for tree in range(factor.size):
            add_tree(
                trees.key, table, n_pure, factor[tree], leaf[tree : tree + 1], total[row : row + 1]
            )


@kernel
def add_answers(
    key: KeyArray,
    link: AnyArray,
    bits: int,
    root: AnyArray,
    factor: FloatArray,
    table: FloatArray,
    n_pure: int,
    X: FloatArray,
    use: BoolArray,
    total: FloatArray,
) -> int:
    """Add the answers of trees, in their order, to each row of ``total``; rows are complete.

    The first ``n_pure`` rows of the table are pure classes. A row asks the trees that ``use`` says,
    rows by trees, or all if it is empty. What is returned means nothing: see :func:`read_ahead`.
    """
    n_rows, width = total.shape[0], np.uint64(X.shape[1])
    x = keys_of_rows(X)
    trees = Trees(key, link, np.uint64(bits), np.uint64((1 << bits) - 1))
    if n_rows <= FEW_ROWS and use.size == 0:
        leaf = np.empty(root.size + ABREAST, np.uint64)
        add_row_by_row(trees, root, factor, table, n_pure, x, width, leaf, total)
        return np.uint64(0)  # type: ignore[return-value]
    at, walking = np.empty(n_rows, np.uint64), np.empty(n_rows + ABREAST, np.uint64)
    asked, everyone = np.empty(use.shape[0] + 1, np.uint64), use.size == 0
    seen = np.uint64(0)
    for tree in range(factor.size):
        first, last = root[tree], root[tree + 1]
        seen ^= read_ahead(trees, first, last)
        at[:] = first
        n_asked = list_rows(n_rows, walking) if everyone else list_asked(use, tree, asked, walking)
        walk_to_leaves(trees, last - first, x, width, walking, n_asked, at)
        if everyone:
            add_tree(key, table, n_pure, factor[tree], at, total)
        else:
            add_tree_to_some(key, table, factor[tree], asked, n_asked, at, total)
    return seen  # type: ignore[return-value]


@borrowing
def number_breadth_first(trees, first, number, queue):
    """Give the nodes of a tree the numbers that they have in :class:`softwood.tree.Tree`."""
    queue[0], front, end = first, 0, 1
    while front < end:
        node = np.uint64(queue[front])
        number[node - np.uint64(first)] = front
        link = np.uint64(trees.link[node])
        if link != 0:
            child = node + (link >> trees.bits)
            queue[end], queue[end + 1] = child, child + np.uint64(1)
            end += 2
        front += 1


@kernel
def write_leaves(
    key: KeyArray, link: AnyArray, bits: int, root: AnyArray, X: FloatArray, out: IndexArray
) -> None:
    """Write the leaf of each complete row in each tree to ``out``, rows by trees."""
    n_rows, width = X.shape[0], np.uint64(X.shape[1])
    x = keys_of_rows(X)
    trees = Trees(key, link, np.uint64(bits), np.uint64((1 << bits) - 1))
    at, walking = np.empty(n_rows, np.uint64), np.empty(n_rows + ABREAST, np.uint64)
    most = np.diff(root).max()
    number, queue = np.empty(most, np.int32), np.empty(most, np.uint64)
    for tree in range(root.size - 1):
        first, last = root[tree], root[tree + 1]
        number_breadth_first(trees, first, number, queue)
        at[:] = first
        n_walking = list_rows(n_rows, walking)
        walk_to_leaves(trees, last - first, x, width, walking, n_walking, at)
        for row in range(n_rows):
            out[row, tree] = number[at[row] - np.uint64(first)]
