"""ROC curves against scikit-learn's and against pairs counted one by one."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from softwood.datasets import make_twonorm
from softwood.plot import plot_roc

X, Y = make_twonorm(200, random_state=0)
X_TEST, Y_TEST = make_twonorm(300, random_state=1)


def trees():
    return {f"depth {d}": DecisionTreeClassifier(max_depth=d).fit(X, Y) for d in (5, 1, 3)}


def curves(ax):
    """Lines by label, without the diagonal."""
    return {line.get_label(): line.get_xydata() for line in ax.lines[1:]}


def areas(ax):
    return [float(text.get_text()[-6:-1]) for text in ax.get_legend().get_texts()]


def test_curves_are_those_of_scikit_learn():
    models = trees()
    drawn = curves(plot_roc(models, X_TEST, Y_TEST))
    assert len(drawn) == 3
    for (name, model), (label, xy) in zip(models.items(), drawn.items(), strict=True):
        score = model.predict_proba(X_TEST)[:, 1]
        fpr, tpr, _ = roc_curve(Y_TEST, score)
        np.testing.assert_allclose(xy, np.column_stack([fpr, tpr]))
        assert label == f"{name} (AUC {roc_auc_score(Y_TEST, score):.3f})"


def test_the_legend_starts_with_the_largest_area():
    ax = plot_roc(trees(), X_TEST, Y_TEST)
    assert areas(ax) == sorted(areas(ax), reverse=True)
    assert len({line.get_color() for line in ax.lines}) == 4
    assert ax.get_ylabel() == "true positive rate (class 1)"


def test_one_model_has_the_name_of_its_class():
    ax = plot_roc(DecisionTreeClassifier().fit(X, Y), X_TEST, Y_TEST)
    assert next(iter(curves(ax))).startswith("DecisionTreeClassifier (AUC 0.")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=4, max_size=30))
@settings(max_examples=25)
def test_the_area_is_the_share_of_pairs_in_order(rows):
    truth, score = np.array(rows).T
    assume(len(set(truth)) == 2)
    ax = plot_roc({"scores": (truth, score)})
    gaps = np.subtract.outer(score[truth == 1], score[truth == 0])
    # Pairs of equal scores count one half.
    assert areas(ax) == [pytest.approx(np.mean((gaps > 0) + (gaps == 0) / 2), abs=6e-4)]
    plt.close("all")


def test_one_class_against_the_rest():
    data, target = load_iris(return_X_y=True, as_frame=True)
    labels = pd.Series(np.array(["setosa", "versicolor", "virginica"])[target])
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(data, labels)
    ax = plot_roc(model, data, labels, positive="versicolor")
    expected = roc_auc_score(labels == "versicolor", model.predict_proba(data)[:, 1])
    assert areas(ax) == [pytest.approx(expected, abs=6e-4)]
    assert "versicolor" in ax.get_ylabel()


def test_each_class_has_a_curve_if_none_is_chosen():
    data, target = load_iris(return_X_y=True)
    labels = np.array(["_a", "b$", "c"])[target]
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(data, labels)
    proba = model.predict_proba(data)
    expected = [
        f"{name} (AUC {roc_auc_score(labels == name, proba[:, k]):.3f})"
        for k, name in enumerate(model.classes_)
    ]
    for ax in (
        plot_roc(model, data, labels),
        plot_roc(model, y=labels, proba=proba),
        plot_roc(None, y=labels, proba=proba),
        plot_roc(None, y=labels, proba=proba[:, ::-1], classes=["c", "b$", "_a"]),
    ):
        texts = [text.get_text() for text in ax.get_legend().get_texts()]
        assert sorted(texts) == sorted(expected)
        assert ax.get_ylabel() == "true positive rate (each class against the rest)"
    # A class without rows has no curve.
    some = labels != "b$"
    assert len(curves(plot_roc(model, data[some], labels[some]))) == 2


def test_probabilities_of_two_classes_can_be_given():
    model = trees()["depth 3"]
    proba = model.predict_proba(X_TEST)
    expected = curves(plot_roc(model, X_TEST, Y_TEST))
    drawn = curves(plot_roc(model, y=Y_TEST, proba=proba))
    assert list(drawn) == list(expected)
    np.testing.assert_allclose(*[next(iter(found.values())) for found in (drawn, expected)])
    nameless = curves(plot_roc(None, y=Y_TEST, proba=proba))
    assert next(iter(nameless)).startswith("probabilities (AUC 0.")


def test_the_first_of_two_classes_can_be_positive():
    score = np.array([0.1, 0.4, 0.35, 0.8])
    assert areas(plot_roc({"a": (["n", "n", "p", "p"], score)})) == [0.75]
    assert areas(plot_roc({"a": (["n", "n", "p", "p"], -score)}, positive="n")) == [0.75]


def test_axes_can_be_given():
    ax = plt.subplots()[1]
    assert plot_roc({"a": ([0, 1], [0.0, 1.0])}, ax=ax) is ax
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (({},), {}, "must name at least one"),
        ((trees(),), {}, "X and y must be given"),
        (({"a": ([0, 1], [0, 1])}, X, Y), {}, "X and y must be left out"),
        (({"a": ([0, 1], [0, 1]), **trees()}, X, Y), {}, "all classifiers or all pairs"),
        (({"a": ([0, 1, 2], [0, 1, 2])},), {}, r"one of the classes \[0, 1, 2\]"),
        (({"a": ([0, 1], [0, 1])},), {"positive": 7}, r"\[0, 1\]; got 7"),
        ((trees(), None, [0, 1]), {"proba": np.eye(2)}, "one classifier or None if proba"),
        ((None, None, [0, 1]), {"proba": np.eye(3)}, r"classes \[0, 1\]; got shape \(3, 3\)"),
        ((None, None, [0, 0]), {"proba": np.eye(3)[:2], "classes": [0, 1, 2]}, "two classes or mo"),
        ((trees(), X, Y), {"classes": [0, 1]}, "classes must be left out"),
        ((trees(), X, np.zeros(200, int)), {}, "got 0 of 200 of that class"),
    ],
)
def test_odd_input_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        plot_roc(*arguments, **options)
    assert not plt.get_fignums()


def test_models_without_probabilities_are_refused_by_name():
    with pytest.raises(TypeError, match="which LinearSVC has not"):
        plot_roc({"svm": LinearSVC().fit(X, Y)}, X_TEST, Y_TEST)
