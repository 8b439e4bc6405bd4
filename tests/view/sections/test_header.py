import numpy as np
import pytest

from softwood import (
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    Gradient,
    SoftTreeClassifier,
)
from softwood.view.sections.header import changed_parameters, content, headline, size_of
from tests.view.tables import messy_table, page_of


def test_parameters_that_are_not_the_usual_ones():
    assert changed_parameters(CARTClassifier()) == []
    changed = changed_parameters(CARTClassifier("entropy", max_depth=3, random_state=0))
    assert changed == [("criterion", "'entropy'"), ("max_depth", "3"), ("random_state", "0")]
    [(name, text)] = changed_parameters(SoftTreeClassifier(method=Gradient(teacher=7)))
    assert name == "method"
    assert "teacher=7" in text
    assert len(text) <= 80


def test_the_headline_of_a_classifier_is_the_share_of_right_answers():
    X, y = messy_table()
    page = page_of(CARTClassifier(max_depth=3).fit(X, y), X, y)
    right = np.mean([1 - e for e in page.evidence.scores("this model", "error")])
    said = headline(page.subject, page.found)
    assert float(said["number"].removesuffix(" %")) == pytest.approx(100 * right, abs=0.05)
    most = 100 * max(np.mean(y == "left"), np.mean(y == "stayed"))
    assert f"would be right for {most:.1f} %" in said["words"]


def test_the_headline_of_a_regressor_is_how_far_it_is_off():
    X, _ = messy_table()
    y = X["calls"] * 2
    page = page_of(CARTRegressor(max_depth=2).fit(X, y), X, y, target="bill")
    said = headline(page.subject, page.found)
    off = np.mean(np.abs(page.evidence.truth - page.evidence.labels))
    assert float(said["number"]) == pytest.approx(off, rel=0.01)
    assert "variance of bill" in said["words"]


def test_without_evidence_there_is_no_headline():
    X, y = messy_table(5)
    shown = content(page_of(CARTClassifier().fit(X, y), X, y))
    assert shown["headline"] is None
    assert "a table of 5 rows and 4 columns" in shown["learned"]


def test_many_classes_are_not_all_named():
    X, y = np.arange(40.0)[:, None], np.arange(40) % 10
    shown = content(page_of(CARTClassifier().fit(X, y), X, y))
    assert "one of 10 classes (0, 1, 2, 3, 4, 5 and 4 more)" in shown["learned"]


def test_the_size_of_a_model():
    X, y = messy_table()
    assert size_of(CARTClassifier(max_depth=1).fit(X, y)) == "one tree of 2 leaves, depth 1"
    assert size_of(CoalescenceClassifier(4).fit(X, y)).startswith("4 trees of ")
    assert size_of(object()) == ""
