"""The pool of columns: tests that trees have in common are computed once."""

from softwood._kernels._jit import borrowing
from softwood._kernels.vicinal.columns import fill_shares
from softwood._kernels.vicinal.node_buffers import NO_SLOT, NO_TEST


@borrowing
def take_slots(rows, book, line, pool):
    """Let the tests of a tree hold their columns; new ones are computed while there is room."""
    for node in range(book.n_nodes[line]):
        feature = book.feature[line, node]
        if feature == NO_TEST or rows.n_groups[feature] > 0:
            continue
        slot = book.slot[line, node]
        if slot == NO_SLOT:
            if pool.n_free[0] == 0:
                continue
            pool.n_free[0] -= 1
            slot = pool.free[pool.n_free[0]]
            book.slot[line, node] = slot
            fill_shares(rows, feature, book.cut[line, node], pool.column[slot])
        pool.n_uses[slot] += 1


@borrowing
def leave_slots(rows, book, line, pool):
    """Let go of the columns of a tree; those that nobody holds become free."""
    for node in range(book.n_nodes[line]):
        feature = book.feature[line, node]
        if feature == NO_TEST or rows.n_groups[feature] > 0:
            continue
        slot = book.slot[line, node]
        if slot == NO_SLOT:
            continue
        pool.n_uses[slot] -= 1
        if pool.n_uses[slot] == 0:
            pool.free[pool.n_free[0]] = slot
            pool.n_free[0] += 1
