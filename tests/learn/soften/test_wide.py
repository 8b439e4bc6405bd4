"""Trees of tables with thousands of columns look at those that their teacher's trees test."""

import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.forest import Forest
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.learn.bagging import Bagging
from softwood.learn.soften import wide
from softwood.learn.soften.ensembles import fully_grown
from softwood.learn.soften.teacher import Teacher
from softwood.learn.soften.wide import columns_that_matter, grown_on


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12))
    X[:, 5] = rng.integers(0, 3, 60)
    n_categories = np.zeros(12, dtype=np.int32)
    n_categories[5] = 3
    label = (X[:, 3] + (X[:, 5] == 1) > 0.5).astype(int)
    return TrainingSet.of_classes(X, label, n_categories=n_categories)


def grow(data):
    return GreedyGrower(Cart("gini")).grow(data)


def test_a_tree_on_some_columns_is_that_of_a_table_without_the_others(data):
    columns = np.array([1, 3, 5, 9])
    tree = grown_on(columns, grow, data)
    assert tree.n_features == 12
    assert set(tree.feature[tree.feature >= 0]) <= set(columns)
    others = np.setdiff1d(np.arange(12), columns)
    X = data.X.copy()
    X[:, others] = 0.0
    without = TrainingSet.of_classes(X, data.label, n_categories=data.n_categories)
    assert tree == grow(without)


def test_all_columns_are_looked_at_where_they_are_few(data):
    assert columns_that_matter([Forest.average([grow(data)])]) is None
    assert grown_on(None, grow, data) == grow(data)


def test_what_the_teacher_tests_matters_and_nothing_else_is_blurred(data, monkeypatch):
    teacher = Teacher((Bagging(5, member=fully_grown(data)),), n_copies=2)
    assert teacher.soft_targets(data, seed=0).columns is None
    monkeypatch.setattr(wide, "MANY_COLUMNS", 4)
    targets = teacher.soft_targets(data, seed=0)
    forest = Bagging(5, member=fully_grown(data)).fit(data, 0).forest
    tested = np.unique(np.concatenate([t.feature[t.feature >= 0] for t in forest.trees]))
    assert targets.columns.tolist() == tested.tolist()
    copies = targets.X[data.n_rows :].reshape(2, data.n_rows, 12)
    same = (copies == data.X).all(axis=(0, 1))
    assert same[np.setdiff1d(np.arange(12), tested)].all()
    assert not same[np.setdiff1d(tested, [5])].any()
