"""Ensembles as text: what is in it, in how many lines."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier

from softwood import BaggedTreesClassifier, CoalescenceClassifier, export_text
from softwood.explain import typical_tree
from softwood.explain._ensembles import ensemble_of
from softwood.explain.ensemble_text import importances_of
from softwood.interop import import_model

DATA = load_iris(as_frame=True)
X, Y = DATA.data, DATA.target_names[DATA.target]


@pytest.fixture(scope="module")
def model():
    return CoalescenceClassifier.paper(20, sampling="bootstrap", random_state=0).fit(X, Y)


def test_heading_tree_and_rules(model):
    lines = model.export_text().splitlines()
    leaves = np.mean([tree.n_leaves for tree in model.trees_])
    best = X.columns[model.feature_importances_.argmax()]
    place = typical_tree(model)
    tree = model.trees_[place]
    assert lines[0] == f"CoalescenceClassifier: 20 trees, {leaves:.3g} leaves on average"
    assert lines[1].startswith(f"Columns that matter: {best} 0.")
    assert lines[2] == f"Tree {place}, the most typical:"
    own = export_text(tree, feature_names=X.columns, class_names=model.classes_)
    assert lines[3 : 3 + tree.n_nodes - 1] == own.splitlines()
    assert lines[2 + tree.n_nodes] == "Rules that its trees share:"
    assert all(line.startswith("IF ") for line in lines[3 + tree.n_nodes :])
    assert len(lines) == 3 + tree.n_nodes + 10


@pytest.mark.parametrize("max_lines", range(1, 30))
def test_no_more_lines_than_asked_for_and_a_hint(model, max_lines):
    lines = model.export_text(max_lines=max_lines).splitlines()
    assert len(lines) <= max_lines + 1
    assert lines[0].startswith("CoalescenceClassifier: ")
    hints = [line for line in lines if line.endswith("use export_text(max_lines=None)")]
    assert len(hints) == 1


def test_a_tree_that_does_not_fit_is_folded_and_not_cut(model):
    lines = model.export_text(max_lines=20).splitlines()
    branches = [line for line in lines[3:] if not line.startswith(("|", "…", "IF", "Rules"))]
    assert len(branches) == 2  # both ways out of the root


def test_of_a_sum_it_says_whose_score(model):
    boosted = GradientBoostingClassifier(n_estimators=3, max_depth=2).fit(X, Y)
    text = export_text(import_model(boosted))
    assert text.startswith("GradientBoostingClassifier: 9 trees, whose answers are added up, ")
    assert ", the most typical, which adds to the score of " in text


def test_importances_without_rows_are_those_of_the_trees():
    model = BaggedTreesClassifier(5, random_state=0).fit(X, Y)
    np.testing.assert_allclose(
        importances_of(ensemble_of(model)), model.impurity_importances_, atol=1e-12
    )


def test_depth_and_digits_reach_the_tree(model):
    text = model.export_text(max_depth=1, show_weights=False, decimals=1)
    lines = text.splitlines()
    assert lines[3].endswith("…")
    assert "(" not in lines[3].replace("(cm)", "")
