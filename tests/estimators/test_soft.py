"""Soft trees: what they promise beyond their methods, which have tests of their own."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    Anneal,
    C45Classifier,
    CARTClassifier,
    Gradient,
    Perturb,
    SoftTreeClassifier,
    SoftTreeRegressor,
    harden,
    load,
    save,
)
from softwood.datasets import make_friedman1
from softwood.flow import Gaussian, Hard, Ramp

METHODS = ("gradient", "anneal", "perturb", "confidence")
QUICK = {"max_leaf_nodes": 16, "random_state": 0}
TAUGHT = Gradient(teacher=5, n_epochs=3)


def quick(method):
    """The method of a name, without much training."""
    return TAUGHT if method == "gradient" else method


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    return train_test_split(X[:, :10], y, random_state=0)


@pytest.fixture(scope="module")
def mixed():
    """Numbers with gaps, a category, and labels that are words."""
    rng = np.random.default_rng(0)
    n = 240
    x = rng.normal(size=n)
    x[::17] = np.nan
    colour = rng.choice(["red", "green", "blue"], n)
    score = np.nan_to_num(x) + (colour == "red") + 0.5 * rng.normal(size=n)
    frame = pd.DataFrame({"x": x, "z": rng.normal(size=n), "colour": pd.Categorical(colour)})
    return frame, np.where(score > 0.3, "yes", "no")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_on_mixed_columns(method, mixed):
    X, y = mixed
    model = SoftTreeClassifier(method=quick(method), **QUICK).fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert set(model.predict(X)) <= {"yes", "no"}
    np.testing.assert_allclose(model.flow(X).sum(axis=1), 1.0)
    assert str(model.explain(X.iloc[[0]])).startswith("Predicted")
    assert np.mean(model.predict(X) == y) > 0.7
    np.testing.assert_allclose(model.predict_confidence(X), p.max(axis=1))


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_bits_for_any_number_of_jobs(method, tumours):
    X, _, y, _ = tumours
    one, two = (
        SoftTreeClassifier(method=quick(method), n_jobs=n, **QUICK).fit(X, y).predict_proba(X)
        for n in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("method", METHODS)
def test_round_trip_through_a_file(method, tumours, tmp_path):
    X, X_test, y, _ = tumours
    model = SoftTreeClassifier(method=quick(method), **QUICK).fit(X, y)
    save(model, tmp_path / "soft.softwood")
    again = load(tmp_path / "soft.softwood")
    np.testing.assert_array_equal(again.predict_proba(X_test), model.predict_proba(X_test))
    assert again.flow_ == model.flow_


def test_smoothing_zero_is_the_base_tree(tumours):
    X, X_test, y, _ = tumours
    base = CARTClassifier().fit(X, y)
    soft = SoftTreeClassifier(CARTClassifier(), "perturb", smoothing=0.0).fit(X, y)
    assert soft.tree_ == base.tree_
    assert soft.flow_ == Hard()
    np.testing.assert_array_equal(soft.predict_proba(X_test), base.predict_proba(X_test))


def test_smoothing_is_tuned_and_told(tumours):
    X, X_test, y, y_test = tumours
    soft = SoftTreeClassifier(CARTClassifier(), "perturb", random_state=0).fit(X, y)
    assert isinstance(soft.flow_, Gaussian)
    assert soft.smoothing_ == soft.smoothing_path_.smoothing > 0
    hard = CARTClassifier().fit(X, y)
    assert soft.score(X_test, y_test) >= hard.score(X_test, y_test)


def test_holdout_and_product_noise(tumours):
    X, X_test, y, _ = tumours
    product, exact = (
        SoftTreeClassifier(method=Perturb(flow=noise), smoothing="holdout", random_state=1).fit(
            X, y
        )
        for noise in ("product", "exact")
    )
    for soft in (product, exact):
        path = soft.smoothing_path_
        assert soft.smoothing_ == path.smoothing > 0
        assert path.losses[path.lambdas == soft.smoothing_] == path.losses.min()
        n_errors = path.losses * len(y) / 3  # whole, as a third of the rows is held out
        np.testing.assert_allclose(n_errors, n_errors.round(), atol=1e-9)
    assert (product.flow_.exact, exact.flow_.exact) == (False, True)
    assert product.tree_ == exact.tree_
    assert np.abs(product.predict_proba(X_test) - exact.predict_proba(X_test)).max() > 0.01


def test_known_errors_of_measurement(tumours):
    X, _, y, _ = tumours
    scale = np.zeros(10)
    scale[3] = 5.0
    soft = SoftTreeClassifier(method=Perturb(scale=scale), smoothing=1.0).fit(X, y)
    assert soft.flow_.scale == tuple(scale)


@pytest.mark.parametrize(
    "estimator", [DecisionTreeClassifier(max_leaf_nodes=6, random_state=0), C45Classifier()]
)
@pytest.mark.parametrize("method", ["gradient", "perturb", "confidence"])
def test_the_tree_of_another_estimator(estimator, method, tumours):
    X, X_test, y, y_test = tumours
    soft = SoftTreeClassifier(estimator, quick(method), **QUICK).fit(X, y)
    assert soft.score(X_test, y_test) > 0.85
    if method == "perturb":
        assert soft.get_n_leaves() == estimator.fit(X, y).get_n_leaves()


def test_an_ensemble_is_not_a_tree(tumours):
    from sklearn.ensemble import RandomForestClassifier

    X, _, y, _ = tumours
    with pytest.raises(TypeError, match="RandomForestClassifier grows ensembles"):
        SoftTreeClassifier(RandomForestClassifier(3), "perturb").fit(X, y)


def test_early_stopping_without_a_teacher(tumours):
    X, X_test, y, y_test = tumours
    model = SoftTreeClassifier(
        method=Gradient(teacher=0, early_stopping=0.2, n_epochs=20),
        max_leaf_nodes=16,
        random_state=0,
    ).fit(X, y)
    assert model.score(X_test, y_test) > 0.88
    assert model.flow_ == Ramp(shape="logistic")


def test_annealed_sequence(tumours):
    X, X_test, y, y_test = tumours
    model = SoftTreeClassifier(method=Anneal(n_candidates=2), random_state=0).fit(X, y)
    assert model.score(X_test, y_test) > 0.85


def test_weights_and_class_weights_count(tumours):
    X, _, y, _ = tumours
    heavy = SoftTreeClassifier(method=TAUGHT, class_weight={0: 20, 1: 1}, **QUICK).fit(X, y)
    plain = SoftTreeClassifier(method=TAUGHT, **QUICK).fit(X, y)
    assert heavy.predict_proba(X)[:, 0].mean() > plain.predict_proba(X)[:, 0].mean()


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = SoftTreeClassifier(random_state=0).fit(X, names)
    assert model.predict_proba(X).shape == (150, 3)
    assert model.score(X, names) > 0.93


def test_one_class_is_a_leaf():
    model = SoftTreeClassifier(random_state=0).fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    assert model.get_n_leaves() == 1
    assert model.predict([[5.0]]) == ["a"]


@pytest.mark.parametrize("method", ["gradient", "perturb"])
def test_regression(method):
    X, y = make_friedman1(300, random_state=0)
    X_test, y_test = make_friedman1(500, random_state=1)
    model = SoftTreeRegressor(method=method, random_state=0).fit(X, y)
    assert np.mean((model.predict(X_test) - y_test) ** 2) < 8.5


def test_harden_tells_how_much_is_lost(tumours):
    X, X_test, y, _ = tumours
    soft = SoftTreeClassifier(method=TAUGHT, **QUICK).fit(X, y)
    crisp = harden(soft, X_test)
    assert crisp.flow_ == Hard()
    assert np.all(crisp.tree_.below == 0)
    assert np.any(soft.tree_.below > 0)  # the soft one is as it was
    same = np.mean(crisp.predict(X_test) == soft.predict(X_test))
    assert crisp.fidelity_.agreement == same
    difference = np.abs(crisp.predict_proba(X_test) - soft.predict_proba(X_test)).mean()
    assert crisp.fidelity_.mean_difference == difference
    with pytest.raises(TypeError, match="soft model of softwood"):
        harden(DecisionTreeClassifier())


def test_soft_thresholds_of_c45(tumours):
    X, X_test, y, y_test = tumours
    hard, soft = C45Classifier().fit(X, y), C45Classifier(soft_thresholds=True).fit(X, y)
    assert soft.flow_ == Ramp()
    assert np.any(soft.tree_.below > 0)
    assert abs(soft.score(X_test, y_test) - hard.score(X_test, y_test)) < 0.06


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"method": "melt"}, "method"),
        ({"method": "perturb", "smoothing": -0.1}, "smoothing"),
        ({"method": "perturb", "smoothing": float("nan")}, "smoothing"),
        ({"method": Gradient(learning_rate=0)}, "learning_rate"),
        ({"method": Gradient(shape="square")}, "shape"),
        ({"method": Gradient(early_stopping=0.9)}, "early_stopping"),
    ],
)
def test_bad_parameters_are_named(parameters, name, tumours):
    X, _, y, _ = tumours
    model = SoftTreeClassifier(**parameters)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        model.fit(X, y)
    assert not hasattr(model, "tree_")
