"""Softened models of anyone's come back bit for bit, without the original."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    Perturb,
    SoftenedClassifier,
    SoftenedRegressor,
    SoftTreeClassifier,
    harden,
    load,
    save,
    soften,
)
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.persist.format import members_of
from softwood.persist.kept import Kept
from softwood.persist.readers.v1_values import decode
from softwood.persist.values import encode
from tests.persist.models import mixed_table, numeric_rows
from tests.strategies import checked, trees

IRIS = load_iris(return_X_y=True)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def mixed_frame():
    """A frame with a blank in a name and a nominal column, and its two classes."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, 120)
    size = rng.normal(size=120)
    X = pd.DataFrame({"a size": size, "kind": pd.Categorical(np.array(["x", "y", "z"])[kind])})
    return X, ((size + kind) > 1.0).astype(int)


def lightgbm(**options):
    module = pytest.importorskip("lightgbm")
    return module.LGBMClassifier(n_estimators=5, min_child_samples=5, verbose=-1, **options)


def xgboost(**options):
    return pytest.importorskip("xgboost").XGBClassifier(n_estimators=5, **options)


def saved_and_loaded(model, path):
    save(model, path)
    return load(path)


def assert_same_answers(one, other, X):
    assert type(one) is type(other)
    assert one.predict(X).tolist() == other.predict(X).tolist()
    assert one.forest_ == other.forest_
    assert one.flow_ == other.flow_
    assert one.schema_ == other.schema_
    assert vars(one).keys() - {"_fitted_rows"} == vars(other).keys()
    if hasattr(one, "predict_proba"):
        assert one.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()
        assert one.classes_.dtype == other.classes_.dtype


# -- models of anyone's --------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "data"),
    [
        (lambda: RandomForestClassifier(5, random_state=0), IRIS),
        (lambda: GradientBoostingClassifier(n_estimators=3, random_state=0), IRIS),
        (lambda: HistGradientBoostingClassifier(max_iter=3), mixed_frame()),
        (lightgbm, IRIS),
        (lightgbm, mixed_frame()),
        (xgboost, IRIS),
        (lambda: xgboost(enable_categorical=True), mixed_frame()),
        (lambda: RandomForestRegressor(5, random_state=0), load_diabetes(return_X_y=True)),
    ],
    ids=["forest", "boosting", "hist", "lightgbm", "lightgbm-2", "xgboost", "xgboost-2", "numbers"],
)
def test_a_softened_model_comes_back_without_the_original(make, data, path):
    X, y = data
    model = make().fit(X, y)
    soft = soften(model, X, y, smoothing=0.3)
    again = saved_and_loaded(soft, path)
    assert_same_answers(soft, again, X)
    assert again.model is None
    assert soft.model is model
    assert again.imported_.bootstrap_indices is None
    assert again.imported_.kind == type(model).__name__
    hard = soften(again, X, y, smoothing=0.0)
    assert hard.predict(X).tolist() == model.predict(X).tolist()


def test_what_was_fitted_by_us_comes_back(path):
    X, y = mixed_frame()
    for soft in (
        SoftenedClassifier(lightgbm(), smoothing=0.2),
        SoftenedClassifier(
            C45Classifier(laplace=True), method=Perturb(flow="sampled"), smoothing=0.2
        ),
    ):
        again = saved_and_loaded(soft.fit(X, y), path)
        assert_same_answers(soft, again, X)
        assert again.feature_names_in_.tolist() == ["a size", "kind"]
        with pytest.raises(ValueError, match="feature names"):
            again.predict(X[["kind", "a size"]])


def test_a_model_of_ours_is_kept_by_class_and_parameters(path):
    X, y = IRIS
    soft = soften(CARTClassifier(max_depth=3, random_state=4).fit(X, y), X, y, smoothing=0.2)
    again = saved_and_loaded(soft, path)
    assert again.get_params()["model__max_depth"] == 3
    assert not hasattr(again.model, "tree_")
    assert again.fit(X, y).forest_ == soft.forest_


@pytest.mark.parametrize("method", ["gradient", "confidence", "anneal"])
def test_a_softened_tree_comes_back(method, path):
    X, y = IRIS
    tree = DecisionTreeClassifier(max_leaf_nodes=5, random_state=0).fit(X, y)
    quick = {"n_epochs": 2, "teacher": 0} if method == "gradient" else {}
    soft = soften(tree, X, y, method, random_state=0, **quick)
    again = saved_and_loaded(soft, path)
    assert_same_answers(soft, again, X)
    assert again.tree_ == soft.tree_
    assert again.export_text() == soft.export_text()
    crisp = saved_and_loaded(harden(again, X), path)
    assert crisp.flow_ == Hard()
    assert not hasattr(crisp, "fidelity_")


def test_a_softened_regressor_comes_back_with_its_path(path):
    X, y = load_diabetes(return_X_y=True)
    soft = SoftenedRegressor(CARTRegressor(max_depth=3), random_state=0).fit(X[:100], y[:100])
    again = saved_and_loaded(soft, path)
    assert_same_answers(soft, again, X)
    assert again.smoothing_ == soft.smoothing_ > 0.0
    for field in dataclasses.fields(soft.smoothing_path_):
        before, after = (getattr(m.smoothing_path_, field.name) for m in (soft, again))
        assert np.array_equal(before, after), field.name


# -- soft trees ----------------------------------------------------------------------


def test_the_path_of_a_soft_tree_comes_back(path):
    table, y = mixed_table()
    model = SoftTreeClassifier(method="perturb", random_state=0).fit(table, y)
    again = saved_and_loaded(model, path)
    assert again.smoothing_path_.losses.tobytes() == model.smoothing_path_.losses.tobytes()
    assert again.smoothing_path_.perturbation == model.smoothing_path_.perturbation
    assert again.smoothing_path_.flow == again.flow_ == model.flow_


def test_the_estimator_of_a_soft_tree_comes_back(path):
    X, y = IRIS
    grower = CARTClassifier("entropy", max_depth=2, random_state=1)
    model = SoftTreeClassifier(grower, method="perturb", smoothing=0.1).fit(X, y)
    again = saved_and_loaded(model, path)
    assert again.get_params()["estimator__criterion"] == "entropy"
    assert again.estimator.get_params() == grower.get_params()
    assert again.fit(X, y).tree_ == model.tree_
    other = SoftTreeClassifier(DecisionTreeClassifier(), method="perturb", smoothing=0.1)
    assert saved_and_loaded(other.fit(X, y), path).estimator is None


# -- forests -------------------------------------------------------------------------


@given(st.lists(trees(), min_size=1, max_size=4), st.data())
@checked
def test_any_forest_comes_back(grown, data):
    numbers = st.floats(0.1, 5.0, allow_nan=False)
    forest = Forest(
        trees=grown,
        output=[-1] * len(grown),
        factor=[data.draw(numbers) for _ in grown],
        base=[data.draw(numbers), data.draw(numbers)],
        link=data.draw(st.sampled_from(["identity", "softmax", "sigmoid", "exponential"])),
        slope=data.draw(numbers),
        is_mean=data.draw(st.booleans()),
    )
    kept = Kept([grown[0]])  # something of another attribute stands before it
    said = encode(forest, "it", kept)
    assert len(kept.trees) == 1 + len(grown)
    assert decode(said, "it", kept) == forest


def test_trees_share_arrays_however_many_they_are():
    X, y = numeric_rows(60)
    few, many = (
        members_of(soften(RandomForestClassifier(n).fit(X, y), X, y, smoothing=0.1))
        for n in (1, 40)
    )
    assert few.keys() == many.keys()
    assert len(many["model.json"]) < 4 * len(few["model.json"])
    n_nodes = len(many["trees/kind"])
    assert len(many["trees/response"]) == 16 * n_nodes
