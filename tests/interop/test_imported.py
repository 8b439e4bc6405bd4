"""What all imports have in common, our own models, and what is refused."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.flow import Gaussian
from softwood.forest import Forest
from softwood.interop import import_model
from tests.interop.agreement import imported, table
from tests.persist.models import mixed_model


class Woods(CARTClassifier):
    """An ensemble as ours will be: trees, a flow, a schema."""

    def fit(self, X, y):
        """Grow two trees."""
        super().fit(X, y)
        self.trees_ = [self.tree_, self.tree_.compact(leaves=np.ones(self.tree_.n_nodes, bool))]
        del self.tree_
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "trees_")


# -- our own models ------------------------------------------------------------------


@pytest.mark.parametrize("model", [CARTClassifier, C45Classifier])
def test_our_classifiers(model):
    theirs, X = mixed_model(model)
    ours = imported(theirs)
    assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.schema is theirs.schema_
    assert ours.is_single_tree


def test_our_regressor():
    X, y = table(missing=True)
    theirs = CARTRegressor(max_depth=4).fit(X, y)
    assert_array_equal(imported(theirs).predict(X), theirs.predict(X))


def test_our_soft_models_keep_their_flow():
    X, y = table()
    theirs = CARTClassifier(max_depth=3).fit(X, y)
    theirs.flow_ = Gaussian(0.5)
    ours = imported(theirs)
    assert ours.flow == Gaussian(0.5)
    assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))


def test_ensembles_of_ours():
    X, y = table()
    theirs = Woods().fit(X, y)
    ours = imported(theirs)
    assert not ours.is_single_tree
    frequency = np.bincount(y) / len(y)
    assert_array_equal(ours.predict_proba(X), (np.eye(3)[y] + frequency) / 2)
    theirs.forest_ = Forest.average(theirs.trees_, factor=[1.0, 3.0])
    assert imported(theirs).forest is theirs.forest_


# -- what is imported ----------------------------------------------------------------


def test_imported_models_can_be_sent_elsewhere():
    X, y = table()
    ours = import_model(RandomForestClassifier(3, random_state=0).fit(X, y))
    again = pickle.loads(pickle.dumps(ours))
    assert again.forest == ours.forest
    assert_array_equal(again.predict(X), ours.predict(X))


def test_classes_are_those_of_classifiers():
    X, y = table()
    ours = import_model(DecisionTreeRegressor(max_depth=2).fit(X, y))
    for ask in (ours.predict_proba, ours.label_of):
        with pytest.raises(ValueError, match="DecisionTreeRegressor predicts numbers"):
            ask(X)


def test_rules_break_ties_as_they_say():
    X, y = table()
    ours = import_model(GradientBoostingClassifier(n_estimators=1).fit(X, y > 0))
    raw = np.array([[-1.0], [0.0], [1e-17], [1.0]])
    picks = {"largest": [0, 0, 0, 1], "positive": [0, 0, 1, 1], "not_negative": [0, 1, 1, 1]}
    for rule, expected in picks.items():
        made = type(ours)(ours.forest, ours.reader, np.array([0, 1]), "x", rule=rule)
        assert made.label_of(raw).tolist() == expected
    with pytest.raises(ValueError, match=r"rule must be one of largest, .*got 'smallest'"):
        type(ours)(ours.forest, ours.reader, None, "x", rule="smallest")


# -- what is refused -----------------------------------------------------------------


def test_models_of_other_kinds_are_refused_by_name():
    X, y = table()
    tree = DecisionTreeClassifier(max_depth=2)
    models = [
        LogisticRegression(max_iter=1000).fit(X / 1000, y),
        AdaBoostClassifier(n_estimators=2).fit(X, y),
        make_pipeline(tree).fit(X, y),
        tree.fit(X, y).tree_,
        "a tree",
    ]
    for model in models:
        with pytest.raises(TypeError, match=f"cannot import a {type(model).__name__}; .*LightGBM"):
            import_model(model)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        RandomForestClassifier(),
        GradientBoostingClassifier(),
        HistGradientBoostingRegressor(),
        CARTClassifier(),
        Woods(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_unfitted_models_are_refused(model):
    with pytest.raises(NotFittedError, match=type(model).__name__):
        import_model(model)


@pytest.mark.parametrize(
    ("package", "name"), [("lightgbm", "LGBMRegressor"), ("xgboost", "XGBClassifier")]
)
def test_unfitted_boosters_are_refused(package, name):
    model = getattr(pytest.importorskip(package), name)()
    with pytest.raises(NotFittedError, match=name):
        import_model(model)
