"""What differs between versions of scikit-learn, and what its notebooks show of ours."""

import inspect
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import softwood
from softwood import (
    CARTClassifier,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    SoftenedClassifier,
    VRForestClassifier,
    dask,
)
from softwood.estimators._sklearn_compat import BaseEstimator

ROOT = Path(__file__).parent.parent.parent
OURS = [getattr(softwood, name) for name in softwood.__all__]
ESTIMATORS = [
    thing for thing in OURS if inspect.isclass(thing) and issubclass(thing, BaseEstimator)
]
DISTRIBUTED = [dask.CoalescenceClassifier, dask.BaggedTreesRegressor]


# -- callbacks -------------------------------------------------------------------------


class Listener:
    """A callback that counts."""

    def setup(self, estimator, context):
        self.heard, self.most = 0, context.max_subtasks

    def on_fit_task_begin(self, estimator, context, **_):
        pass

    def on_fit_task_end(self, estimator, context, **_):
        self.heard += context.parent is not None

    def teardown(self, estimator, context):
        self.is_over = True


def has_callbacks():
    pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks from 1.9 on")


@pytest.mark.parametrize(
    ("options", "n_trees"),
    [({}, 4), ({"alpha": "search"}, 24), ({"smoothing": "holdout"}, 8), ({"n_jobs": 2}, 4)],
)
def test_callbacks_hear_of_every_tree(options, n_trees):
    has_callbacks()
    X, y = load_iris(return_X_y=True)
    listener = Listener()
    model = VRForestClassifier(4, random_state=0, **options).set_callbacks(listener).fit(X, y)
    assert listener.heard == listener.most == n_trees
    assert listener.is_over
    quiet = VRForestClassifier(4, random_state=0, **options).fit(X, y)
    assert quiet.forest_ == model.forest_


def test_callbacks_hear_of_every_part_of_an_evolution():
    has_callbacks()
    listener = Listener()
    model = EvolvedTreeClassifier(n_iter=2000, population_size=20, random_state=0)
    model.set_callbacks(listener).fit(*load_iris(return_X_y=True))
    assert listener.heard == listener.most > 1
    assert listener.is_over


WITHOUT_CALLBACKS = """
import sys
from sklearn.datasets import load_iris
sys.modules["sklearn.callback"] = None  # as if it were not there
from softwood import EvolvedTreeClassifier, VRForestClassifier
X, y = load_iris(return_X_y=True)
for model in (VRForestClassifier(2), EvolvedTreeClassifier(n_iter=20, population_size=4)):
    assert model.fit(X, y).score(X, y) > 0.3
    assert not hasattr(model, "set_callbacks")
    assert not hasattr(model, "call_on_fit_task_begin")
"""


def test_ensembles_do_without_callbacks():
    subprocess.run([sys.executable, "-c", WITHOUT_CALLBACKS], check=True, timeout=300)


def test_single_trees_do_not_wait_for_the_import_of_callbacks():
    code = "import sys, softwood; softwood.C45Classifier; print('sklearn.callback' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE)
    assert run.stdout.strip() == b"False"


# -- frames ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "Arrow"]
)
def test_every_frame_has_names_that_must_come_again(make):
    rows = {"size": [1.0, 2.0, 3.0, 4.0], "age": [0.0, 0.0, 1.0, 1.0]}
    for model in (CARTClassifier(), SoftenedClassifier(CARTClassifier())):
        model.fit(make(rows), [0, 0, 1, 1])
        assert model.feature_names_in_.tolist() == ["size", "age"]
        assert model.predict(make(rows)).tolist() == [0, 0, 1, 1]
        with pytest.raises(ValueError, match="same order"):
            model.predict(make({"age": rows["age"], "size": rows["size"]}))


# -- links -----------------------------------------------------------------------------


def documentation():
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]["urls"]["Documentation"]


@pytest.mark.parametrize("kind", [*ESTIMATORS, *DISTRIBUTED], ids=lambda kind: kind.__qualname__)
def test_the_question_mark_of_a_notebook_leads_to_the_page_of_the_class(kind):
    root = f"{documentation()}api/generated/"
    link = kind()._get_doc_link()
    assert link.startswith(root)
    name = link.removeprefix(root).removesuffix(".html")
    pages = (ROOT / "docs" / "api" / "index.rst").read_text(encoding="utf-8").split()
    assert name in pages
    package, _, last = name.rpartition(".")
    assert getattr(import_module(package), last) is kind


def test_the_picture_of_a_model_has_its_link():
    model = CoalescenceClassifier()
    assert f'href="{model._get_doc_link()}"' in model._repr_html_()
    assert "scikit-learn.org" not in model._get_doc_link()
    assert clone(model)._get_doc_link() == model._get_doc_link()
