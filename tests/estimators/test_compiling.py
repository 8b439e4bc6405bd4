import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from softwood import CARTClassifier
from softwood.persist.registry import ESTIMATORS, class_named
from tests.export.models import asked


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_compiles(name):
    assert callable(class_named(name).compile)


def test_a_softened_model_compiles():
    model, imported, _, _, _ = asked("softened forest", 5)
    rows = np.random.default_rng(0).normal(10.0, 5.0, size=(20, imported.n_features))
    compiled = model.compile()
    expected = imported.forest.predict(rows, imported.flow)
    assert np.array_equal(np.array([compiled(row) for row in rows]), expected)


def test_what_is_not_fitted_does_not():
    with pytest.raises(NotFittedError):
        CARTClassifier().compile()
