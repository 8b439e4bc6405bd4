"""CART on blurred rows, as an estimator."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from softwood import CARTClassifier, load, save
from softwood.data.training import TrainingSet
from softwood.datasets import make_separable
from softwood.grow.vicinal import VicinalGrower
from softwood.learn.vicinity import LEAF_IN_ROWS, vicinity
from softwood.refine.collapse import leaf_errors
from softwood.refine.cost_complexity import pruning_sequence
from tests.persist.models import mixed_table


def noisy(n_rows=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=n_rows) > 0).astype(int)


def risk(tree):
    return leaf_errors(tree)[tree.is_leaf].sum() / tree.weight[0]


def test_it_keeps_its_distance_where_cart_does_not():
    X, y = make_separable(2000, random_state=99)
    errors = []
    for seed in range(5):
        A, a = make_separable(40, random_state=seed)
        models = CARTClassifier("vicinal", pruning="cv", random_state=0), CARTClassifier()
        errors.append([1 - model.fit(A, a).score(X, y) for model in models])
    ours, cart = np.mean(errors, axis=0)
    assert ours < 0.5 * cart


@given(seed=st.integers(0, 99), alpha=st.floats(0.0, 0.05))
def test_pruning_never_raises_risk_and_price_together(seed, alpha):
    X, y = noisy(40, seed)
    data = TrainingSet.of_classes(X, y, n_classes=2)
    tree = VicinalGrower(vicinity(data, 0.1)).grow(data)
    pruned = pruning_sequence(tree).at(alpha)
    assert risk(pruned) + alpha * pruned.n_leaves <= risk(tree) + alpha * tree.n_leaves + 1e-12
    assert risk(pruned) >= risk(tree) - 1e-12


def test_a_leaf_costs_half_a_row_at_least():
    X, y = noisy()
    least = CARTClassifier("vicinal").fit(X, y).tree_
    assert least == CARTClassifier("vicinal", ccp_alpha=LEAF_IN_ROWS / 120).fit(X, y).tree_
    data = TrainingSet.of_classes(X, y)
    assert least == pruning_sequence(VicinalGrower(vicinity(data, 0.1)).grow(data)).at(0.5 / 120)
    assert CARTClassifier("vicinal", ccp_alpha=0.02).fit(X, y).get_n_leaves() < least.n_leaves


def test_the_risk_of_the_tree_is_that_of_blurred_rows():
    X, y = noisy()
    model = CARTClassifier("vicinal", sigma2=0.3).fit(X, y)
    flow = vicinity(TrainingSet.of_classes(X, y), 0.3)
    answer = np.eye(2)[model.tree_.response.argmax(axis=1)]
    right = flow.predict(model.tree_, X, answer)[np.arange(120), y]
    assert risk(model.tree_) == pytest.approx(np.mean(1 - right), abs=1e-5)


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_held_out_rows_choose_the_price(pruning):
    X, y = noisy(200)
    model = CARTClassifier("vicinal", pruning=pruning, random_state=1).fit(X, y)
    assert 2 <= model.get_n_leaves() < 40
    assert model.tree_ == CARTClassifier(**model.get_params()).fit(X, y).tree_
    few = CARTClassifier("vicinal", pruning=pruning, n_standard_errors=1, random_state=1).fit(X, y)
    assert few.get_n_leaves() <= model.get_n_leaves()


def test_units_of_columns_do_not_matter():
    X, y = noisy()
    one = CARTClassifier("vicinal").fit(X, y)
    other = CARTClassifier("vicinal").fit(X * [4.0, 0.5, 2.0], y)
    np.testing.assert_array_equal(one.tree_.feature, other.tree_.feature)
    np.testing.assert_array_equal(one.predict(X), other.predict(X * [4.0, 0.5, 2.0]))


def test_more_noise_gives_smaller_trees():
    X, y = noisy(200)
    leaves = [CARTClassifier("vicinal", sigma2=s).fit(X, y).get_n_leaves() for s in (0.0, 0.1, 1.0)]
    assert leaves[0] > leaves[1] > leaves[2]


def test_classes_categories_missing_values_and_weights_all_at_once(tmp_path):
    table, y = mixed_table()
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(table))
    model = CARTClassifier("vicinal", sigma2=[0.1, 0.3, 0.3], max_leaf_nodes=6)
    model.fit(table, y, sample_weight=weight)
    assert 1 < model.get_n_leaves() <= 6
    np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1.0)
    assert model.tree_.weight[0] == pytest.approx(weight.sum())
    save(model, tmp_path / "model.softwood")
    copy = load(tmp_path / "model.softwood")
    assert copy.tree_ == model.tree_
    assert list(copy.sigma2) == [0.1, 0.3, 0.3]


def test_three_classes():
    X, y = load_iris(return_X_y=True)
    assert CARTClassifier("vicinal").fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.9


def test_a_wrong_variance_is_named():
    X, y = noisy(20)
    for wrong, says in ((-1.0, "sigma2"), ([0.1], "sigma2 must be a number or one for each of")):
        with pytest.raises(ValueError, match=says):
            CARTClassifier("vicinal", sigma2=wrong).fit(X, y)


def test_other_criteria_do_not_pay_for_it():
    code = (
        "import sys; from softwood import CARTClassifier; "
        "CARTClassifier().fit([[1.0], [2.0]], [0, 1]); "
        "print([name for name in sys.modules if 'vicin' in name])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
