"""Rows drawn from leaves: they come in proportion to weight, and are like the training rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from softwood import BaggedTreesClassifier, C45Classifier, ObliqueTreeClassifier
from softwood.explain._probes import probe_rows
from softwood.flow import leaf_of
from softwood.tree import NUMERIC
from tests.persist.models import mixed_model
from tests.strategies import checked, tree_of, trees


def test_leaves_are_drawn_by_their_weight():
    tree = tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "threshold": 0.5, "first": 1, "n_children": 2},
            {"weight": 1.0},
            {"weight": 3.0},
        ],
        n_features=1,
    )
    leaves = leaf_of(tree, probe_rows([tree], 4000))
    assert abs((leaves == 1).mean() - 0.25) < 0.03


def test_the_draw_is_the_same_every_time():
    model, _ = mixed_model(C45Classifier)
    np.testing.assert_array_equal(probe_rows([model.tree_], 20), probe_rows([model.tree_], 20))
    assert (probe_rows([model.tree_], 20) != probe_rows([model.tree_], 20, seed=1)).any()


@checked
@given(st.lists(trees(), min_size=1, max_size=3))
def test_every_row_is_finite_whatever_the_trees(made):
    rows = probe_rows(made, 12)
    assert rows.shape == (12, 3)
    assert np.isfinite(rows).all()


def test_cuts_beyond_the_numbers_leave_finite_rows():
    cut = {"kind": NUMERIC, "feature": 0, "n_children": 2}
    extreme = np.finfo(float).max
    tree = tree_of(
        [
            {**cut, "first": 1, "threshold": extreme},
            {**cut, "first": 3, "threshold": -extreme},
            {}, {}, {},
        ],
        n_features=1,
    )  # fmt: skip
    assert np.isfinite(probe_rows([tree], 30)).all()


def test_probes_lie_where_the_training_rows_lay():
    X, y = load_iris(return_X_y=True)
    for member in None, ObliqueTreeClassifier(n_restarts=2):
        model = BaggedTreesClassifier(10, estimator=member, random_state=0).fit(X, y)
        rows = probe_rows(model.trees_, 400)
        away = np.abs(rows.mean(axis=0) - X.mean(axis=0)) / X.std(axis=0)
        assert away.max() < 1.5
