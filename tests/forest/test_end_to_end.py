import numpy as np
from numpy.testing import assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.forest.end_to_end import EndToEnd
from softwood.forest.packed import PackedTrees
from softwood.forest.sums import ask_trees, sum_of_answers
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.tree import LEAF, NOMINAL


def mixed_forest():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=80), rng.integers(0, 2, 80)]).astype(float)
    label = (X[:, 0] + X[:, 1] + rng.normal(0, 0.5, 80) > 0).astype(int)
    data = TrainingSet.of_classes(X, label, n_categories=[0, 2])
    return Forest.average([GreedyGrower(Cart("gini")).grow(data.take(rows)) for rows in bags(rng)])


def bags(rng):
    return [rng.integers(0, 80, 80) for _ in range(3)]


def walk(table, node, row):
    """The obvious way down; rows are complete and known."""
    nodes = table.nodes
    while nodes.kind[node] != LEAF:
        value = row[nodes.feature[node]]
        if nodes.kind[node] == NOMINAL:
            branch = nodes.set_child[nodes.set_start[node] + int(value)]
        else:
            branch = int(value > nodes.threshold[node])
        node = nodes.first_child[node] + branch
    return table.response[table.answer[node]]


def test_ways_and_weights_are_those_of_the_trees():
    forest = mixed_forest()
    packed = PackedTrees(forest.packed)
    rows = np.column_stack([np.linspace(-2, 2, 20), np.arange(20) % 2])
    for table in (EndToEnd.of(forest.trees), EndToEnd.of(packed)):
        assert table.root.size == 3
        for tree, root in zip(forest.trees, table.root, strict=True):
            answers = [walk(table, root, row) for row in rows]
            assert_array_equal(answers, tree.response[_leaves(tree, rows)])
            assert table.nodes.weight[root] == tree.weight[0]
    assert (EndToEnd.of(packed).nodes.kind == NOMINAL).any()


def _leaves(tree, rows):
    from softwood.flow.spreading import leaf_or_none

    return leaf_or_none(tree, np.ascontiguousarray(rows))[0]


def test_a_few_rows_are_answered_in_one_call_as_by_the_trees():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(200, 2)), rng.integers(0, 6, 200)])
    label = (X[:, 0] + (X[:, 2] % 3) + rng.normal(0, 0.5, 200) > 1).astype(int)
    data = TrainingSet.of_classes(X, label, n_categories=[0, 0, 6])
    bags = [rng.integers(0, 200, 200) for _ in range(5)]
    trees = [GreedyGrower(Cart("gini")).grow(data.take(rows)) for rows in bags]
    forest = Forest.average(trees, factor=[1.0, 2.0, 0.3, 1.0, 0.7])
    assert forest.end_to_end is not None  # sets of categories are not packed
    asked = X[:12].copy()
    asked[3, 0], asked[5, 2], asked[7, 2] = np.nan, np.nan, 99.0  # these spread
    assert_array_equal(
        sum_of_answers(forest, asked, [Hard()] * 5, None),
        ask_trees(forest, asked, [Hard()] * 5, None),
    )
