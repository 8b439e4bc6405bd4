"""scikit-learn's gradient boosting, imported: bit for bit the same raw scores."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LinearRegression

from softwood.interop import import_model
from tests.interop.agreement import (
    assert_same_answers,
    assert_sound,
    hostile_rows,
    imported,
    table,
)

CLASSIFIERS = {
    "default": {},
    "exponential": {"loss": "exponential"},
    "from zero": {"init": "zero", "subsample": 0.5},
    "stopped early": {"n_iter_no_change": 2, "n_estimators": 40},
}


def fitted(model, y_of, **options):
    X, y = table()
    options = {"n_estimators": 6, "max_depth": 3, "random_state": 0} | options
    weight = np.random.default_rng(1).random(len(X)) + 0.1
    return X, model(**options).fit(X, y_of(y), sample_weight=weight)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_two_classes(name):
    X, theirs = fitted(GradientBoostingClassifier, lambda y: y > 0, **CLASSIFIERS[name])
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    raw = ours.forest.raw(ours.encode(rows))[:, 0]
    assert raw.tobytes() == theirs.decision_function(rows).tobytes()
    assert_same_answers(ours, theirs, rows)
    assert_sound(ours.forest)


@pytest.mark.parametrize("options", [{}, {"init": "zero"}], ids=["default", "from zero"])
def test_three_classes(options):
    X, theirs = fitted(GradientBoostingClassifier, lambda y: np.array(list("bca"))[y], **options)
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    raw = ours.forest.raw(ours.encode(rows))
    assert raw.tobytes() == np.ascontiguousarray(theirs.decision_function(rows)).tobytes()
    assert_same_answers(ours, theirs, rows)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber", "quantile"])
def test_numbers(loss):
    X, theirs = fitted(GradientBoostingRegressor, lambda y: y + 0.25, loss=loss)
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    assert ours.predict(rows).tobytes() == theirs.predict(rows).tobytes()
    assert ours.classes is None


def test_a_score_of_zero_is_the_second_class():
    theirs = GradientBoostingClassifier(init="zero", n_estimators=1)
    theirs.fit([[0.0], [0.0], [1.0]], [0, 1, 1])
    ours = imported(theirs)
    assert theirs.decision_function([[0.0]]) == [0.0]
    assert_array_equal(ours.predict([[0.0]]), theirs.predict([[0.0]]))
    assert ours.predict([[0.0]]).tolist() == [1]


def test_refusals():
    X, y = table()
    theirs = GradientBoostingRegressor(init=LinearRegression(), n_estimators=2).fit(X, y)
    with pytest.raises(NotImplementedError, match="init=LinearRegression"):
        import_model(theirs)
    theirs = GradientBoostingRegressor(n_estimators=2).fit(X, y).set_params(loss="cauchy")
    with pytest.raises(NotImplementedError, match="the loss 'cauchy'"):
        import_model(theirs)
