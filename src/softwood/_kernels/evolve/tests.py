"""Random tests and random trees: what evolution starts from and mutates with."""

import math
from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.randomness import below, next_word, uniform
from softwood._kernels.vicinal.node_buffers import NO_SLOT, NO_TEST
from softwood._types import FloatArray, IndexArray

NO_BIT, ONE_BIT, ALL_BITS = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
MOST_BITS = np.uint64(64)
LEAF_CHANCE = 1.0 / 3.0  # of a node of a tree that may end before its depth


class Tests(NamedTuple):
    """What random tests are drawn from."""

    features: IndexArray  # those that tell rows apart
    n_groups: IndexArray  # (n_features,) 0: numeric
    low: FloatArray  # (n_features,) range of the values
    high: FloatArray
    step: FloatArray  # (n_features,) deviation of a small step of a cut
    value_start: IndexArray  # (n_features + 1,) known values, feature after feature
    value: FloatArray
    from_values: bool  # a cut is half way between two values, not anywhere in the range


@borrowing
def normal(state):
    """Return a random number of the standard normal distribution."""
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(state)))
    return radius * math.cos(2.0 * math.pi * uniform(state))


@borrowing
def draw_cut(tests, feature, state):
    """Return a random cut of a numeric feature."""
    if tests.from_values:
        start = tests.value_start[feature]
        n_values = tests.value_start[feature + 1] - start
        one = tests.value[start + below(state, n_values)]
        other = tests.value[start + below(state, n_values)]
        return one + 0.5 * (other - one)
    low, high = tests.low[feature], tests.high[feature]
    return low + uniform(state) * (high - low)


@borrowing
def all_groups(n_groups):
    """Return the word in which the bits of all categories are set."""
    return ALL_BITS >> (MOST_BITS - np.uint64(n_groups))


@borrowing
def draw_subset(n_groups, state):
    """Return a random set of categories: neither none of them nor all."""
    every = all_groups(n_groups)
    while True:
        subset = next_word(state) & every
        if subset != NO_BIT and subset != every:
            return subset


@borrowing
def draw_where(book, line, node, tests, feature, state):
    """Write a random test of ``feature``."""
    book.feature[line, node] = feature
    book.slot[line, node] = NO_SLOT
    if tests.n_groups[feature] > 0:
        book.subset[line, node] = draw_subset(tests.n_groups[feature], state)
    else:
        book.cut[line, node] = draw_cut(tests, feature, state)


@borrowing
def draw_test(book, line, node, tests, state):
    """Write a random test of a random feature."""
    feature = tests.features[below(state, tests.features.size)]
    draw_where(book, line, node, tests, feature, state)


@borrowing
def nudge_test(book, line, node, tests, state):
    """Move the cut a little, or move one category to the other side."""
    feature = book.feature[line, node]
    book.slot[line, node] = NO_SLOT
    n_groups = tests.n_groups[feature]
    if n_groups == 0:
        book.cut[line, node] += tests.step[feature] * normal(state)
        return
    every = all_groups(n_groups)
    subset = book.subset[line, node] ^ (ONE_BIT << np.uint64(below(state, n_groups)))
    if subset != NO_BIT and subset != every:
        book.subset[line, node] = subset


@borrowing
def draw_leaf(book, line, node, n_classes, state):
    """Write a leaf of a random class."""
    book.feature[line, node] = NO_TEST
    book.size[line, node] = 1
    book.label[line, node] = below(state, n_classes)


@borrowing
def draw_tree(book, line, max_depth, is_full, root_may_end, tests, state, level):
    """Write a random tree: all paths of the full length, or some that end before."""
    n_classes = book.mass.shape[2]
    level[0] = 0
    n_open, node = 1, 0  # nodes to come, whose depths are on the stack ``level``
    while n_open > 0:
        n_open -= 1
        depth = level[n_open]
        ends = depth == max_depth
        if not ends and not is_full and (depth > 0 or root_may_end):
            ends = uniform(state) < LEAF_CHANCE
        if ends:
            draw_leaf(book, line, node, n_classes, state)
        else:
            draw_test(book, line, node, tests, state)
            level[n_open] = depth + 1
            level[n_open + 1] = depth + 1
            n_open += 2
        node += 1
    book.n_nodes[line] = node
    measure(book, line)


@borrowing
def measure(book, line):
    """Write the sizes of all subtrees; leaves are known."""
    for node in range(book.n_nodes[line] - 1, -1, -1):
        size = 1
        if book.feature[line, node] != NO_TEST:
            left = node + 1
            right = left + book.size[line, left]
            size += book.size[line, left] + book.size[line, right]
        book.size[line, node] = size
