import numpy as np
import pytest
from sklearn.svm import LinearSVC

from softwood import CARTClassifier, CARTRegressor, CoalescenceClassifier, SoftTreeClassifier
from softwood.view._subject import NotPossible
from softwood.view.sections.tree import content
from tests.view.tables import messy_table, page_of


def test_rules_have_all_rows_among_them():
    X, y = messy_table()
    model = CARTClassifier(max_depth=3).fit(X, y)
    shown = content(page_of(model, X, y))
    assert len(shown["rules"]) == model.tree_.n_leaves
    total = sum(float(rule.support.strip("<> %")) for rule in shown["rules"])
    assert total == pytest.approx(100, abs=0.5)
    assert not shown["is_soft"]
    assert shown["drawn"].natural


def test_many_rules_are_cut():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    model = CARTClassifier().fit(X, rng.integers(0, 2, 200))
    shown = content(page_of(model, X, rng.integers(0, 2, 200)))
    assert len(shown["rules"]) == 20
    assert shown["n_more"] == model.tree_.n_leaves - 20
    assert "are folded" in shown["drawn"].caption
    assert "… " in shown["drawn"].svg


def test_a_soft_tree_says_so():
    X, y = messy_table()
    model = SoftTreeClassifier(max_leaf_nodes=4, random_state=0).fit(X, y)
    assert content(page_of(model, X, y))["is_soft"]


def test_an_ensemble_shows_one_of_its_trees():
    X, y = messy_table()
    shown = content(page_of(CoalescenceClassifier(5, random_state=0).fit(X, y), X, y))
    assert shown["which"].startswith("The model is the mean of 5 trees. Shown is tree ")
    assert all(1 <= rule.n_trees <= 5 for rule in shown["rules"])


def test_a_regressor_answers_numbers():
    X, _ = messy_table()
    model = CARTRegressor(max_depth=1).fit(X, X["calls"])
    shown = content(page_of(model, X, X["calls"]))
    answers = sorted(float(rule.answer) for rule in shown["rules"])
    assert answers == pytest.approx(sorted(model.tree_.response[1:, 0]), rel=1e-3)
    assert {rule.confidence for rule in shown["rules"]} == {""}


def test_a_model_without_trees():
    X, y = messy_table()
    rows = X[["calls"]].to_numpy()
    with pytest.raises(NotPossible, match="LinearSVC has no trees"):
        content(page_of(LinearSVC().fit(rows, y), rows, y))
