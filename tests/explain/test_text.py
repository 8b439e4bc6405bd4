"""The tree as text: ours where J48 has none; J48's own is in estimators/test_j48_parity."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, CARTClassifier, CARTRegressor, export_rules, export_text
from softwood.tree import OBLIQUE, Tree
from tests.persist.models import mixed_model, numeric_rows
from tests.strategies import checked, trees

STUMP = Tree.from_nodes(
    n_features=2,
    first_child=[1, -1, 3, -1, -1],
    n_children=[2, 0, 2, 0, 0],
    kind=[1, 0, 1, 0, 0],
    feature=[1, -1, 0, -1, -1],
    threshold=[0.5, 0.0, 2.0, 0.0, 0.0],
    weight=[10.0, 4.0, 6.0, 2.125, 3.875],
    response=[[0.5, 0.5], [1.0, 0.0], [0.2, 0.8], [0.5, 0.5], [0.0, 1.0]],
)


def test_a_bare_tree_has_plain_names():
    assert export_text(STUMP).split("\n") == [
        "x1 <= 0.5: 0 (4.0)",
        "x1 > 0.5",
        "|   x0 <= 2: 0 (2.13/1.06)",
        "|   x0 > 2: 1 (3.88)",
    ]


def test_names_can_be_given():
    text = export_text(STUMP, feature_names=["a, b", ""], class_names=["no\n", "yes"], spacing=2)
    assert text.split("\n") == [
        r'"" <= 0.5: no\n (4.0)',
        '"" > 0.5',
        r"| a, b <= 2: no\n (2.13/1.06)",
        "| a, b > 2: yes (3.88)",
    ]


def test_weights_can_be_left_out():
    assert export_text(STUMP, show_weights=False).split("\n")[0] == "x1 <= 0.5: 0"


def test_depth_can_be_limited():
    assert export_text(STUMP, max_depth=1).split("\n") == [
        "x1 <= 0.5: 0 (4.0)",
        "x1 > 0.5: 1 (6.0/1.2) …",
        "… 2 more lines; use export_text(max_depth=None)",
    ]
    assert export_text(STUMP, max_depth=0).split("\n") == [
        ": 0 (10.0/5.0) …",
        "… 4 more lines; use export_text(max_depth=None)",
    ]
    assert export_text(STUMP, max_depth=2) == export_text(STUMP)


def test_lines_can_be_limited():
    assert export_text(STUMP, max_lines=3).split("\n") == [
        *export_text(STUMP).split("\n")[:3],
        "… 1 more line; use export_text(max_lines=None)",
    ]
    assert export_text(STUMP, max_lines=4) == export_text(STUMP)
    assert export_text(STUMP, max_lines=1, max_depth=1).split("\n")[-1] == (
        "… 3 more lines; use export_text(max_depth=None, max_lines=None)"
    )


def test_decimals_can_be_limited():
    tree = STUMP.replace(threshold=np.array([0.123456789, 0.0, 2.0 / 3.0, 0.0, 0.0]))
    assert "x1 <= 0.123457:" in export_text(tree)
    assert "x0 <= 0.67:" in export_text(tree, decimals=2)


def test_one_leaf_is_one_line():
    X = np.zeros((3, 1))
    assert export_text(C45Classifier().fit(X, ["no", "yes", "yes"])) == ": yes (3.0/1.0)"
    assert export_text(CARTRegressor().fit(X, [1.0, 2.0, 3.5])) == ": 2.166667 (3)"
    only_class = CARTClassifier().fit(X, ["all"] * 3)
    assert export_text(only_class, max_depth=0) == ": all (3.0)"


def test_regression_says_mean_and_weight():
    model = CARTRegressor().fit([[0.0], [1.0], [1.0]], [1.5, 2.0, 4.0], sample_weight=[1, 0.25, 1])
    assert export_text(model).split("\n") == ["x0 <= 0.5: 1.5 (1)", "x0 > 0.5: 3.6 (1.25)"]


def test_soft_tests_say_where_they_divide():
    tree = STUMP.replace(below=[0.25, 0, 0, 0, 0], above=[1.0, 0, 0, 0, 0])
    assert export_text(tree).split("\n")[:3] == [
        "x1 <= 0.5 (soft from 0.25 to 1.5): 0 (4.0)",
        "x1 > 0.5 (soft from 0.25 to 1.5)",
        "|   x0 <= 2: 0 (2.13/1.06)",
    ]


def test_odd_names_keep_one_line_for_a_branch():
    model, _ = mixed_model(CARTClassifier)
    lines = export_text(model).split("\n")
    assert len(lines) == model.tree_.n_nodes - 1
    assert any('"" in {' in line for line in lines)


@given(trees())
@checked
def test_any_tree_has_a_line_for_each_branch(tree):
    lines = export_text(tree).split("\n")
    assert len(lines) == max(1, tree.n_nodes - 1)
    assert sum(": " in line for line in lines) == tree.n_leaves


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"feature_names": ["a"]}, "feature_names must have 2 entries"),
        ({"feature_names": "ab"}, "feature_names must have 2 entries"),
        ({"class_names": ["a", "b", "c"]}, "class_names must have 2 entries"),
        ({"max_depth": -1}, "max_depth must be at least 0"),
        ({"max_lines": 0}, "max_lines must be at least 1"),
        ({"spacing": 0}, "spacing must be at least 1"),
        ({"decimals": -1}, "decimals must not be negative"),
    ],
)
def test_odd_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        export_text(STUMP, **options)


def test_class_names_are_not_for_regression():
    model = CARTRegressor().fit([[0.0], [1.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="predicts a number"):
        export_text(model, class_names=["a"])


def test_other_models_are_refused_by_name():
    X, y = numeric_rows()
    with pytest.raises(TypeError, match=r"got DecisionTreeClassifier.*import_model"):
        export_text(DecisionTreeClassifier().fit(X, y))
    with pytest.raises(ValueError, match="CARTClassifier is not fitted yet"):
        export_text(CARTClassifier())
    forest = CARTClassifier()
    forest.trees_ = [STUMP, STUMP]
    with pytest.raises(TypeError, match="has 2 trees; choose one"):
        export_text(forest)


def test_the_estimator_prints_itself():
    model = CARTClassifier(max_depth=1).fit([[0.0], [1.0]], ["a", "b"])
    assert str(model).endswith("\nx0 <= 0.5: a (1.0)\nx0 > 0.5: b (1.0)")


def test_terms_of_oblique_tests_can_be_limited():
    tree = oblique_stump()
    assert export_text(tree, max_terms=1).split("\n")[0] == "3·x2 + … 2 more <= 0.5: 0 (1.0)"
    assert export_text(tree, max_terms=None).startswith("3·x2 - 2·x1 + x0 <= 0.5")
    assert export_rules(tree, max_terms=1).startswith("IF 3·x2 + … 2 more")
    for export in export_text, export_rules:
        with pytest.raises(ValueError, match="max_terms must be at least 1; got 0"):
            export(tree, max_terms=0)


def oblique_stump():
    return Tree.from_nodes(
        n_features=3,
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        kind=[OBLIQUE, 0, 0],
        feature=[-1, -1, -1],
        threshold=[0.5, 0.0, 0.0],
        weight=[2.0, 1.0, 1.0],
        response=[[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]],
        term_start=[0, 3, 3, 3],
        term_feature=[0, 1, 2],
        term_weight=[1.0, -2.0, 3.0],
    )
