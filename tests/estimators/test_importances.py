"""Importances of ensembles are not fooled by columns of noise."""

import pickle

import numpy as np
import pytest

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CoalescenceClassifier,
    CoalescenceRegressor,
    VRForestClassifier,
    load,
    save,
)

MODELS = [
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CoalescenceClassifier,
    CoalescenceRegressor,
]


def noisy(n_rows=300, is_number=False):
    """Two columns that tell, and a column with as many values as rows that does not."""
    rng = np.random.default_rng(0)
    X = np.column_stack((rng.normal(size=(n_rows, 2)), rng.permutation(n_rows)))
    number = X[:, 0] + 0.7 * X[:, 1] + rng.normal(size=n_rows)
    return X, number if is_number else np.where(number > 0, "yes", "no")


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_noise_gets_nothing(kind):
    X, y = noisy(is_number=kind.__name__.endswith("Regressor"))
    model = kind(n_estimators=60, random_state=0).fit(X, y)
    first, second, noise = model.feature_importances_
    assert first > second > 0.15
    assert noise < 0.05
    # The plain kind is fooled, and stays to be had.
    assert model.impurity_importances_[2] > max(0.08, 5 * noise)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.oob_importances_[2] == pytest.approx(0, abs=0.1 * model.oob_importances_[0])


def test_they_are_kept_in_files_and_pickles(tmp_path):
    X, y = noisy()
    model = CoalescenceClassifier(20, random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    save(model, tmp_path / "m.softwood")
    loaded = load(tmp_path / "m.softwood")
    np.testing.assert_array_equal(copy.feature_importances_, model.feature_importances_)
    np.testing.assert_array_equal(loaded.feature_importances_, model.feature_importances_)
    again = model.fit(X[:, ::-1], y)
    assert again.feature_importances_.argmax() == 2  # and not those of the fit before


def test_trees_that_see_all_rows_have_the_plain_kind():
    X, y = noisy()
    model = VRForestClassifier(10, random_state=0).fit(X, y)
    assert not hasattr(model, "oob_importances_")
    np.testing.assert_array_equal(model.feature_importances_, model.impurity_importances_)


def test_no_test_at_all_gives_zeros():
    model = CoalescenceClassifier(5, random_state=0).fit(np.ones((20, 2)), [0, 1] * 10)
    assert model.feature_importances_.tolist() == [0.0, 0.0]
