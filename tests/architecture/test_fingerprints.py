"""The same seed gives the same predictions as in earlier versions."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from softwood.errors import TableWarning
from tests.architecture.fingerprints import KEPT, answers, every_case, goes_through_blas

CASES = {name: case for name, *case in every_case()}


@pytest.fixture(scope="module")
def kept():
    return json.loads(KEPT.read_text())


def test_every_case_is_kept(kept):
    assert set(kept) == set(CASES)


@pytest.mark.filterwarnings(f"ignore::{TableWarning.__module__}.{TableWarning.__name__}")
@pytest.mark.parametrize("name", CASES)
def test_predictions_are_those_of_earlier_versions(name, kept):
    model, X, y = CASES[name]
    found = np.asarray(answers(clone(model), X, y))
    if goes_through_blas(name):
        np.testing.assert_allclose(found, kept[name], rtol=0, atol=1e-9)
    else:
        np.testing.assert_array_equal(found, kept[name])
