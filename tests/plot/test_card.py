import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

from softwood import C45Classifier, CoalescenceRegressor, TableCleaner, soften
from softwood.plot.card import MOST_LEAVES, card, facts_of
from tests.every_estimator import CLASSIFIERS, REGRESSORS
from tests.view.tables import HOSTILE, hostile_table, messy_table


@pytest.fixture(scope="module")
def rows():
    X = np.random.default_rng(0).normal(size=(60, 3))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("name", [*CLASSIFIERS, *REGRESSORS])
def test_every_model_has_one(name, rows):
    model = clone({**CLASSIFIERS, **REGRESSORS}[name])
    assert model._card() == ""
    model.fit(*rows)
    shown = model._repr_html_()
    assert shown.startswith("<div")
    assert facts_of(model)[0] in shown
    assert model._repr_mimebundle_()["text/html"].startswith(shown[:200])


def test_a_tree_is_drawn_as_far_as_there_is_room(rows):
    X, y = messy_table()
    model = C45Classifier(pruning=None).fit(X, y)
    shown = card(model)
    assert 2 <= shown.count("<title>") <= 2 * MOST_LEAVES
    assert f"{model.get_n_leaves()} leaves" in shown


def test_hostile_names_are_text():
    X, y = hostile_table()
    shown = card(C45Classifier().fit(X, y))
    assert "<script" not in shown
    assert "<img" not in shown
    assert any(name in shown for name in ("&lt;script&gt;", HOSTILE[2]))


def test_an_ensemble_shows_what_matters(rows):
    X, _ = rows
    shown = card(CoalescenceRegressor(10, random_state=0).fit(X, 3.0 * X[:, 1]))
    first = shown.index("x1")
    assert "columns that matter" in shown
    assert "10 trees" in shown
    assert all(first < shown.index(name) for name in ("x0", "x2") if name in shown)


def test_softened_models_too(rows):
    X, y = rows
    model = soften(RandomForestClassifier(3, random_state=0).fit(X, y), X, y, smoothing=0.1)
    assert "3 trees" in model._repr_html_()


def test_what_has_no_trees_has_none():
    assert "columns that matter" not in TableCleaner().fit(*messy_table())._repr_html_()


def test_scikit_learn_decides_whether_there_is_html(rows):
    model = C45Classifier().fit(*rows)
    with config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
