import numpy as np
import pytest
from sklearn.metrics import confusion_matrix
from sklearn.svm import LinearSVC

from softwood import CARTClassifier, CARTRegressor
from softwood.view.sections.quality import confusions, content
from tests.view.tables import messy_table, page_of


def test_confusions_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    truth, labels = rng.choice(list("abc"), (2, 50))
    classes = np.array(list("abc"))
    expected = confusion_matrix(truth, labels, labels=classes)
    np.testing.assert_array_equal(confusions(truth, labels, classes), expected)


def test_two_classes_have_curves_and_a_table():
    X, y = messy_table()
    page = page_of(CARTClassifier(max_depth=3).fit(X, y), X, y)
    shown = content(page)
    assert len(shown["figures"]) == 2
    found = page.evidence
    expected = confusion_matrix(found.truth, found.labels)
    assert [[cell.n_rows for cell in row["cells"]] for row in shown["rows"]] == expected.tolist()
    assert shown["rows"][0]["found"] == f"{100 * expected[0, 0] / expected[0].sum():.1f} %"


def test_many_classes_have_their_largest_mix_ups():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 14, 300)
    X = (y + rng.normal(0, 0.6, 300))[:, None]
    page = page_of(CARTClassifier(max_leaf_nodes=20).fit(X, y), X, y)
    shown = content(page)
    assert shown["rows"] == []
    counts = confusion_matrix(page.evidence.truth, page.evidence.labels)
    np.fill_diagonal(counts, 0)
    assert [n for *_, n in shown["pairs"]] == sorted(counts.ravel().tolist(), reverse=True)[:15]
    for truth, answer, n in shown["pairs"]:
        assert counts[int(truth), int(answer)] == n
    assert "6 rarer classes not drawn" in shown["figures"][1].caption


def test_classes_that_begin_alike_keep_their_curves():
    X = np.arange(60.0)[:, None]
    y = np.repeat([f"{'same beginning ' * 3}{k}" for k in range(3)], 20)
    shown = content(page_of(CARTClassifier().fit(X, y), X, y))
    assert len(set(shown["classes"])) == 3
    assert shown["figures"][1].svg.count("(AUC ") == 3


def test_without_probabilities_there_is_nothing_to_calibrate():
    X, y = messy_table()
    rows = X[["calls"]].to_numpy()
    shown = content(page_of(LinearSVC().fit(rows, y), rows, y))
    assert shown["figures"] == []
    assert "no probabilities" in shown["missing"]
    assert shown["rows"]


def test_numbers_have_residuals():
    X, _ = messy_table()
    page = page_of(CARTRegressor(max_depth=2).fit(X, X["calls"]), X, X["calls"])
    shown = content(page)
    assert len(shown["figures"]) == 2
    off = np.abs(page.evidence.truth - page.evidence.labels)
    half, most = (
        float(word.strip(",.")) for word in shown["residuals"].split() if word[0].isdigit()
    )
    assert half == pytest.approx(np.median(off), rel=0.01)
    assert most == pytest.approx(np.quantile(off, 0.9), rel=0.01)
