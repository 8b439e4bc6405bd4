import numpy as np
import pytest

from softwood import CARTClassifier, CARTRegressor, CoalescenceClassifier
from softwood.view._subject import NotPossible
from softwood.view._words import percent
from softwood.view.sections import importances
from softwood.view.sections.importances import bars_of, content
from tests.view.tables import messy_table, page_of


def test_bars_are_in_proportion():
    means, spread = np.array([0.3, 0.1]), np.array([0.1, 0.2])
    first, second = bars_of(["a", "b"], means, spread, "error")
    assert (first.width, first.low, first.high) == (75.0, 50.0, 100.0)
    assert (second.width, second.low, second.high) == (25.0, 0.0, 75.0)
    assert first.text == "30.0 ± 10.0 points"


def test_the_columns_that_matter_come_first():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = X[:, 2] * 5 + X[:, 0]
    page = page_of(CARTRegressor(max_depth=4).fit(X, y), X, y)
    shown = content(page)
    assert [bar.name for bar in shown["bars"]][:2] == ["x2", "x0"]
    assert shown["unit"] == "loss"
    means = page.evidence.losses.mean
    assert float(shown["bars"][0].text.split()[0]) == pytest.approx(means[2], rel=0.01)


def test_columns_that_do_nothing_are_counted():
    X, y = messy_table()
    shown = content(page_of(CARTClassifier(max_depth=1).fit(X, y), X, y))
    assert shown["others"].startswith("3 columns make no difference")


def test_more_columns_than_are_shown(monkeypatch):
    monkeypatch.setattr(importances, "MOST_COLUMNS", 1)
    X, y = messy_table()
    shown = content(page_of(CARTClassifier(max_depth=4).fit(X, y), X, y))
    assert len(shown["bars"]) == 1
    assert shown["n_more"] >= 1


def test_without_folds_the_shares_of_the_trees_are_shown():
    X, y = messy_table(8)
    model = CoalescenceClassifier(5, random_state=0).fit(X, y)
    shown = content(page_of(model, X, y))
    assert shown["unit"] == "share"
    assert shown["bars"][0].text == percent(model.feature_importances_.max())


def test_a_model_that_asks_nothing():
    X, y = messy_table()
    with pytest.raises(NotPossible, match="none seems to"):
        content(page_of(CARTClassifier(min_samples_leaf=100).fit(X, y), X, y))
