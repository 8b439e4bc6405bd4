"""Errors name the column or the parameter that caused them, never the inside of a tree."""

import numpy as np
import pytest

from softwood import (
    CARTClassifier,
    Gradient,
    SoftenedClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
)
from softwood.data.schema import Feature, Schema
from softwood.data.training import TrainingSet
from softwood.errors import MalformedTreeError
from softwood.estimators._inputs import causes_named

LARGEST = np.finfo(float).max


def rows(size=1.0, n=40):
    X = np.random.default_rng(0).normal(size=(n, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[:, 1] *= size
    return X, y


@pytest.mark.parametrize("size", [1e160, 1e200, 1e300, LARGEST / 8])
@pytest.mark.parametrize(
    "model",
    [
        SoftTreeClassifier(method=Gradient(teacher=3, n_epochs=3), random_state=0),
        SoftTreeClassifier(method=Gradient(teacher=0, n_epochs=3), oblique=True, random_state=0),
        SoftTreeClassifier(method="perturb", smoothing=0.1, random_state=0),
        SoftTreeClassifier(method="anneal", random_state=0),
        SoftenedClassifier(CARTClassifier(max_depth=3), Gradient(teacher=3, n_epochs=3)),
        SoftTreeRegressor(method=Gradient(teacher=3, n_epochs=3), random_state=0),
    ],
    ids=repr,
)
def test_large_columns_are_softened_as_others_are(model, size):
    """The spread of such a column overflowed: "threshold must be finite (nodes 2, 8)"."""
    X, y = rows(size)
    assert model.fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize(
    ("column", "target", "name"),
    [(1e300, 1.0, "column 'b' holds 1e\\+300"), (1.0, -1e300, "y holds 1e\\+300")],
)
def test_what_overflows_is_told_by_its_place(column, target, name):
    X = np.array([[1.0, 2.0], [3.0, column]])
    data = TrainingSet.of_target(X, np.array([0.0, target]))
    schema = Schema((Feature("a"), Feature("b")))
    with pytest.raises(ValueError, match=name), causes_named(schema, data):
        raise MalformedTreeError("response must be finite (nodes 0)")


def test_other_failures_are_told_as_they_are():
    data = TrainingSet.of_target(np.ones((2, 1)), np.zeros(2))
    with (
        pytest.raises(MalformedTreeError, match="kind"),
        causes_named(Schema((Feature("a"),)), data),
    ):
        raise MalformedTreeError("kind must be 0 to 3")
