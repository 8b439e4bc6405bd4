"""Models of real size: files of some megabytes."""

import numpy as np

from softwood import CoalescenceClassifier, load, save


def test_a_forest_of_many_nodes_comes_back(tmp_path):
    """Files of more than 128 KiB could be neither written nor read."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 5))
    y = X[:, 0] + rng.normal(size=3000) > 0
    model = CoalescenceClassifier.paper(40, random_state=0).fit(X, y)
    save(model, tmp_path / "large.softwood")
    assert (tmp_path / "large.softwood").stat().st_size > 2**17
    answers = load(tmp_path / "large.softwood").predict_proba(X)
    np.testing.assert_array_equal(answers, model.predict_proba(X))
