import numpy as np
import pytest
from lightgbm import LGBMClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from softwood import CARTClassifier, CARTRegressor, CoalescenceClassifier, export_rules, soften
from softwood.explain.typical import typical_tree
from softwood.view._chosen_tree import chosen_tree
from softwood.view._subject import NotPossible
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
    assert chosen.place == typical_tree(model)
    assert chosen.source is model
    np.testing.assert_array_equal(chosen.tree_.threshold, model.trees_[chosen.place].threshold)
    words = export_rules(chosen)
    assert "plan" in words or "calls" in words
    assert "THEN left" in words


def test_terms_of_a_sum_are_not_shown():
    X, y = messy_table()
    rows = X[["age", "calls"]]
    model = LGBMClassifier(n_estimators=3, verbose=-1).fit(rows, y)
    for each in (model, soften(model, rows, y)):
        with pytest.raises(NotPossible, match="are terms of a sum"):
            chosen_tree(each)


def test_trees_of_others_are_read():
    X, y = messy_table()
    rows = X[["age", "calls"]].fillna(0)
    theirs = DecisionTreeClassifier(max_depth=2).fit(rows, y)
    chosen = chosen_tree(theirs)
    assert chosen.tree_.n_leaves == theirs.get_n_leaves()
    assert "calls" in export_rules(chosen.source)
    forest = RandomForestRegressor(4, max_depth=2, random_state=0).fit(rows, rows["calls"])
    assert chosen_tree(forest).n_trees == 4


def test_what_has_no_trees_says_so():
    X, y = messy_table()
    with pytest.raises(NotPossible, match="LinearSVC has no trees that could be read"):
        chosen_tree(LinearSVC().fit(X[["calls"]], y))
