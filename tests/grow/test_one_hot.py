import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import SAMPLINGS, Sampling
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.flow import Hard
from softwood.grow.one_hot import with_one_hot
from softwood.grow.random import RandomGrower, VariableRandom
from softwood.grow.ranks import rank_table
from softwood.tree import NOMINAL


def table(missing=0.0, n_rows=300, n_categories=(0, 4, 2, 70), seed=0):
    rng = np.random.default_rng(seed)
    sizes = np.array(n_categories)
    X = np.where(
        sizes > 0, rng.integers(0, np.maximum(sizes, 1), (n_rows, 4)), rng.random((n_rows, 4))
    )
    label = (X[:, 1] == 2) ^ (X[:, 0] > 0.5) ^ (rng.random(n_rows) < 0.1)
    X = np.where(rng.random(X.shape) < missing, np.nan, X)
    return TrainingSet.of_classes(X, label, n_classes=2, n_categories=sizes)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_ranks_are_those_of_the_columns_written_out(missing):
    data = table(missing)
    grown_on, ranks, one_hot = with_one_hot(data, rank_table(data))
    X = np.column_stack(
        [
            np.where(np.isnan(column), np.nan, column == category) if category >= 0 else column
            for column, category in zip(data.X.T[one_hot.feature], one_hot.category, strict=True)
        ]
    )
    n_categories = np.where(one_hot.category < 0, data.n_categories[one_hot.feature], 0)
    want = rank_table(TrainingSet.of_classes(X, data.label, n_categories=n_categories))
    for name in ("rank", "n_levels", "values", "value_start", "has_missing"):
        np.testing.assert_array_equal(getattr(ranks, name), getattr(want, name))
    np.testing.assert_array_equal(grown_on.n_categories, n_categories)
    assert grown_on.X.shape == X.shape
    assert one_hot.n_columns == 1 + 4 + 2 + 1  # 70 categories stay one column


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("n_categories", [(0, 4, 2, 5), (0, 4, 2, 70)])  # packed, or not
def test_a_tree_is_what_its_rows_say(sampling, missing, n_categories):
    data = table(missing, n_categories=n_categories)
    shared = SharedTrainingData.of(data, Sampling(sampling, 0.5), seed=1, one_vs_rest=True)
    growers = [RandomGrower(VariableRandom(alpha, curtail=0.0)) for alpha in (0.0, 0.5, 1.0)]
    trees = grow_trees(growers, shared)
    assert len(trees) == 3
    for tree in trees:
        assert tree.n_features == 4
        in_two = (tree.kind == NOMINAL) & (tree.feature != 3)
        assert (tree.n_children[in_two] == 2).all()
        if sampling == "all":
            mass = np.asarray(Hard().reach(tree, data.X).todense())
            np.testing.assert_allclose(mass.sum(axis=0), tree.weight, atol=1e-9)
    assert any((tree.kind == NOMINAL).any() for tree in trees)


def test_a_subspace_is_one_of_features():
    shared = SharedTrainingData.of(table(), Sampling("subspace", 2), seed=0, one_vs_rest=True)
    growers = [RandomGrower(VariableRandom(0.3))] * 30
    tested = [set(tree.feature[~tree.is_leaf].tolist()) for tree in grow_trees(growers, shared)]
    assert all(len(features) <= 2 for features in tested)
    assert set().union(*tested) == {0, 1, 2, 3}


def test_the_best_test_may_be_of_one_category():
    data = table(n_rows=500, n_categories=(0, 4, 2, 5))
    label = data.X[:, 1] == 2
    data = TrainingSet.of_classes(data.X, label, n_classes=2, n_categories=data.n_categories)
    shared = SharedTrainingData.of(data, Sampling(), seed=0, one_vs_rest=True)
    (tree,) = grow_trees([RandomGrower(VariableRandom(1.0))], shared)
    assert tree.n_nodes == 3
    assert tree.feature[0] == 1
    assert tree.set_child.tolist() == [0, 0, 1, 0]
