"""Changes to trees: a subtree is exchanged, a test or a leaf is mutated."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.evolve.tests import draw_test, draw_tree, draw_where, nudge_test
from softwood._kernels.randomness import below, uniform
from softwood._kernels.vicinal.node_buffers import ABOVE, CLEAN, FRESH, NO_TEST

INNER_CHANCE = 0.9  # that subtrees to be exchanged begin with a test
MAX_TRIES = 5
NEW_DEPTH = 3  # of a subtree that comes by mutation


@borrowing
def copy_part(source, target):
    """Copy an array to another; slices, so that the compiler knows that no index is negative."""
    for i in range(target.size):
        target[i] = source[i]


@borrowing
def copy_nodes(book, to_line, to, from_line, start, stop):
    """Copy nodes of one tree to another place; ``to`` is that of the first."""
    end = to + stop - start
    copy_part(book.size[from_line, start:stop], book.size[to_line, to:end])
    copy_part(book.feature[from_line, start:stop], book.feature[to_line, to:end])
    copy_part(book.cut[from_line, start:stop], book.cut[to_line, to:end])
    copy_part(book.subset[from_line, start:stop], book.subset[to_line, to:end])
    copy_part(book.slot[from_line, start:stop], book.slot[to_line, to:end])
    copy_part(book.label[from_line, start:stop], book.label[to_line, to:end])
    n_classes = np.int64(book.mass.shape[2])
    copy_part(
        book.flat_mass[from_line, start * n_classes : stop * n_classes],
        book.flat_mass[to_line, to * n_classes : end * n_classes],
    )


@borrowing
def copy_tree(book, stale, to_line, from_line):
    """Copy a tree, and the marks of its nodes."""
    n_nodes = np.int64(book.n_nodes[from_line])
    book.n_nodes[to_line] = n_nodes
    book.risk[to_line] = book.risk[from_line]
    copy_nodes(book, to_line, 0, from_line, 0, n_nodes)
    for node in range(n_nodes):
        stale[to_line, node] = stale[from_line, node]


@borrowing
def splice(book, stale, to_line, line, place, donor, top):
    """Write the tree of ``line`` with the subtree at ``place`` replaced by the donor's at ``top``.

    The masses of the new part belong to another place: it is marked. Those of its root are
    known where those of the old part are.
    """
    old, new = np.int64(book.size[line, place]), np.int64(book.size[donor, top])
    n_nodes = np.int64(book.n_nodes[line])
    copy_nodes(book, to_line, 0, line, 0, place)
    copy_nodes(book, to_line, place, donor, top, top + new)
    copy_nodes(book, to_line, place + new, line, place + old, n_nodes)
    for node in range(place):
        stale[to_line, node] = stale[line, node]
    for node in range(place, place + new):
        stale[to_line, node] = FRESH
    if stale[line, place] != FRESH:  # its own masses are still those of what stood there
        copy_part(book.mass[line, place], book.mass[to_line, place])
        stale[to_line, place] = CLEAN if new == 1 else ABOVE
    for node in range(place + old, n_nodes):
        stale[to_line, node - old + new] = stale[line, node]
    book.n_nodes[to_line] = n_nodes - old + new
    above = 0
    while above != place:  # sizes on the way down
        book.size[to_line, above] += new - old
        left = above + 1
        right = left + book.size[line, left]
        above = left if place < right else right


@borrowing
def depth_of(book, line, place):
    """Return the number of tests above a node."""
    node, depth = 0, 0
    while node != place:
        left = node + 1
        right = left + book.size[line, left]
        node = left if place < right else right
        depth += 1
    return depth


@borrowing
def height_of(book, line, top, level):
    """Return the number of tests on the longest path below ``top``, itself included."""
    height = 0
    level[top] = 0
    for node in range(top, top + book.size[line, top]):
        if book.feature[line, node] != NO_TEST:
            left = node + 1
            level[left] = level[left + book.size[line, left]] = level[node] + 1
            height = max(height, level[node] + 1)
    return height


@borrowing
def pick_node(book, line, state):
    """Return a node to exchange: a test nine times in ten, if there is one."""
    n_tests = book.n_nodes[line] // 2
    wants_test = uniform(state) < INNER_CHANCE
    if n_tests == 0:
        return 0
    n_left = below(state, n_tests if wants_test else n_tests + 1)
    for node in range(book.n_nodes[line]):
        # Added up, not asked for: nobody can guess whether the next node is a test.
        n_left -= np.int64((book.feature[line, node] != NO_TEST) == wants_test)
        if n_left < 0:
            return node
    return 0


@borrowing
def cross(book, stale, children, parents, max_depth, state, level):
    """Write two trees that have exchanged a subtree; copies if none fits the depth allowed."""
    one, other = parents
    width = book.size.shape[1]
    for _ in range(MAX_TRIES):
        p, q = pick_node(book, one, state), pick_node(book, other, state)
        depth_p, depth_q = depth_of(book, one, p), depth_of(book, other, q)
        height_p = height_of(book, one, p, level)
        height_q = height_of(book, other, q, level)
        growth = book.size[other, q] - book.size[one, p]
        if (
            max(depth_p + height_q, depth_q + height_p) <= max_depth
            and book.n_nodes[one] + growth <= width
            and book.n_nodes[other] - growth <= width
        ):
            splice(book, stale, children[0], one, p, other, q)
            splice(book, stale, children[1], other, q, one, p)
            return
    copy_tree(book, stale, children[0], one)
    copy_tree(book, stale, children[1], other)


@borrowing
def replace_subtree(book, stale, to_line, line, new_line, max_depth, tests, state, level):
    """Write the tree of ``line`` with a random subtree at a random node."""
    place = below(state, book.n_nodes[line])
    room = max_depth - depth_of(book, line, place)
    draw_tree(book, new_line, min(room, NEW_DEPTH), False, True, tests, state, level)
    if book.n_nodes[line] - book.size[line, place] + book.n_nodes[new_line] > book.size.shape[1]:
        copy_tree(book, stale, to_line, line)
        return
    splice(book, stale, to_line, line, place, new_line, 0)


@borrowing
def mutate_node(book, stale, line, tests, state):
    """Change one node at random: another class, another test, or another cut."""
    node = below(state, book.n_nodes[line])
    n_classes = book.mass.shape[2]
    if book.feature[line, node] == NO_TEST:
        # Masses do not depend on the class of the leaf: nothing to mark.
        step = 1 + below(state, n_classes - 1)
        book.label[line, node] = (book.label[line, node] + step) % n_classes
        return
    if uniform(state) < 0.5:
        draw_test(book, line, node, tests, state)
    elif uniform(state) < 0.5:
        draw_where(book, line, node, tests, book.feature[line, node], state)
    else:
        nudge_test(book, line, node, tests, state)
    for below_it in range(node + 1, node + book.size[line, node]):
        stale[line, below_it] = FRESH
