import numpy as np
from lightgbm import LGBMClassifier

from softwood import CARTClassifier, CARTRegressor, CoalescenceClassifier, export_rules, soften
from softwood.view._chosen_tree import chosen_tree
from tests.view.tables import messy_table


def test_the_one_tree_of_a_model():
    X, y = messy_table()
    model = CARTClassifier(max_depth=2).fit(X, y)
    chosen = chosen_tree(model)
    assert chosen.tree_ is model.tree_
    assert (chosen.place, chosen.n_trees) == (None, 1)
    assert export_rules(chosen) == export_rules(model)
    numbers = CARTRegressor(max_depth=2).fit(X, X["calls"])
    assert export_rules(chosen_tree(numbers)) == export_rules(numbers)


def test_a_tree_of_many_has_the_names_of_the_model():
    X, y = messy_table()
    model = CoalescenceClassifier(7, random_state=0).fit(X, y)
    chosen = chosen_tree(model)
    assert 0 <= chosen.place < chosen.n_trees == 7
    np.testing.assert_array_equal(chosen.tree_.threshold, model.trees_[chosen.place].threshold)
    words = export_rules(chosen)
    assert "plan" in words or "calls" in words
    assert "THEN left" in words


def test_terms_of_a_sum_are_not_shown():
    X, y = messy_table()
    rows = X[["age", "calls"]]
    model = LGBMClassifier(n_estimators=3, verbose=-1).fit(rows, y)
    assert chosen_tree(model) is None
    assert chosen_tree(soften(model, rows, y)) is None
