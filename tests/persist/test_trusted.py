import copy
from importlib import import_module

import numpy as np
import pytest
import skops.io
from sklearn.base import clone

from softwood import BaggedTreesClassifier, CARTClassifier, Perturb, SoftTreeClassifier, skops_types
from softwood.data.telling import untold
from tests.every_estimator import CLASSIFIERS, REGRESSORS
from tests.view.explorer.models import made

FITTED = ("m-ary", "soft by a product", "forest of 100", "soft forest", "soft regression")
X = np.random.default_rng(0).normal(size=(60, 3))
ALL = [*CLASSIFIERS.values(), *REGRESSORS.values()]


def through_skops(model):
    return skops.io.loads(skops.io.dumps(model), trusted=skops_types())


@pytest.mark.parametrize("name", FITTED)
def test_models_of_messy_tables_come_back_the_same(name):
    model, rows, _ = made(name)
    again = through_skops(model)
    ask = "predict_proba" if hasattr(model, "predict_proba") else "predict"
    with untold():
        assert np.array_equal(getattr(again, ask)(rows), getattr(model, ask)(rows))


@pytest.mark.parametrize("model", ALL, ids=lambda m: type(m).__name__)
def test_every_estimator_comes_back_the_same(model):
    is_classifier = model in CLASSIFIERS.values()
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 0.5, "a", "b") if is_classifier else X[:, 0]
    with untold():
        model = clone(model).fit(X, y)
    again = through_skops(model)
    assert np.array_equal(again.predict(X), model.predict(X))
    assert skops.io.get_untrusted_types(data=skops.io.dumps(again))  # it is the list that lets in


def test_a_calibrated_model_and_one_of_random_copies():
    y = X[:, 0] > 0
    calibrated = BaggedTreesClassifier(4, random_state=0).fit(X, y).calibrate(X, y)
    again = through_skops(calibrated)
    assert np.array_equal(again.predict_set(X), calibrated.predict_set(X))
    sampled = SoftTreeClassifier(method=Perturb(flow="sampled"), smoothing=0.3, random_state=0)
    sampled.fit(X, y)
    assert np.array_equal(through_skops(sampled).predict(X), sampled.predict(X))


def test_the_users_table_is_not_written_but_copies_keep_it():
    model = CARTClassifier().fit(X, X[:, 0] > 0)
    assert model.__getstate__()["_fitted_rows"] is None
    assert through_skops(model)._fitted_rows is None
    assert copy.copy(model)._fitted_rows is model._fitted_rows
    assert copy.deepcopy(model)._fitted_rows is model._fitted_rows
    assert copy.deepcopy(model).tree_ is not model.tree_


def test_every_type_exists():
    for name in skops_types():
        module, _, kind = name.rpartition(".")
        assert hasattr(import_module(module), kind)


@pytest.mark.parametrize("form", ["skops", "cloudpickle"])
def test_mlflow_gives_the_same_model_back(form, tmp_path):
    mlflow = pytest.importorskip("mlflow.sklearn", reason="mlflow is not installed")
    model = BaggedTreesClassifier(4, random_state=0).fit(X, X[:, 0] > 0)
    trusted = {"skops_trusted_types": skops_types()} if form == "skops" else {}
    place = str(tmp_path / "model")
    mlflow.save_model(
        model, place, serialization_format=form, pip_requirements=["softwood"], **trusted
    )
    again = mlflow.load_model(place)
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
