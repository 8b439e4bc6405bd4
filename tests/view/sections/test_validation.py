import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from softwood import CARTClassifier
from softwood.statistics import adjust_holm, corrected_t_test
from softwood.view import _evidence
from softwood.view.sections.validation import content, verdict
from tests.view.tables import messy_table, page_of
from tests.view.test_evidence import Fails

RIVALS = {"majority": DummyClassifier(), "stump": CARTClassifier(max_depth=1)}


@pytest.fixture(scope="module")
def page():
    X, y = messy_table()
    return page_of(CARTClassifier(max_depth=3).fit(X, y), X, y, RIVALS, folds=5)


def test_the_table_has_means_and_spreads(page):
    shown = content(page)
    assert shown["metrics"][0] == "wrong answers"
    for row, method in zip(shown["rows"], page.evidence.comparison.methods, strict=True):
        scores = page.evidence.scores(method, "error")
        mean, spread = row.scores[0].split(" ± ")
        assert float(mean.removesuffix(" %")) == pytest.approx(100 * scores.mean(), abs=0.051)
        assert float(spread) == pytest.approx(100 * scores.std(ddof=1), abs=0.051)
    assert [row.is_model for row in shown["rows"]] == [True, False, False]


def test_verdicts_are_those_of_the_corrected_test(page):
    found = page.evidence
    own = found.scores("this model", "error")
    ratio = np.mean([1 / 4] * 5)
    tests = [
        corrected_t_test(found.scores(name, "error"), own, test_over_train=ratio) for name in RIVALS
    ]
    pvalues = adjust_holm([test.pvalue for test in tests])
    said = [row.verdict for row in content(page)["rows"]]
    assert said[0] == ""
    assert said[1:] == [verdict(t.difference, p) for t, p in zip(tests, pvalues, strict=True)]


@pytest.mark.parametrize(
    ("difference", "pvalue", "said"),
    [
        (0.1, 0.2, "no difference beyond chance (p = 0.20)"),
        (-0.1, 0.05, "better than this model (p = 0.05)"),
        (0.1, 0.004, "worse than this model (p = 0.004)"),
        (0.1, 1e-9, "worse than this model (p < 0.001)"),
        (0.0, 1.0, "the same"),
    ],
)
def test_verdicts_in_words(difference, pvalue, said):
    assert verdict(difference, pvalue) == said


def test_auc_is_for_two_classes():
    X = np.arange(60.0)[:, None]
    y = np.arange(60) // 20
    shown = content(page_of(CARTClassifier().fit(X, y), X, y))
    assert "AUC" not in shown["metrics"]
    assert shown["summary"] == "The model was not compared with others."


def test_a_sample_is_confessed(monkeypatch):
    monkeypatch.setattr(_evidence, "MOST_ROWS", 50)
    X, y = messy_table()
    shown = content(page_of(CARTClassifier(max_depth=2).fit(X, y), X, y))
    assert shown["sample"].startswith("Of the 160 rows, a random sample of 50 took part")


def test_what_failed_is_said():
    X, y = messy_table()
    rivals = {"odd": Fails(), "majority": DummyClassifier()}
    shown = content(page_of(CARTClassifier(max_depth=2).fit(X, y), X, y, rivals))
    assert shown["failures"] == ["odd: RuntimeError: not today"]
    odd = shown["rows"][1]
    assert odd.verdict == "could not be run"
    assert set(odd.scores) == {"\N{EN DASH}"}


def test_the_summary_names_who_is_better(page):
    shown = content(page)
    better = [r.name for r in shown["rows"] if r.verdict.startswith("better")]
    worse = [r.name for r in shown["rows"] if r.verdict.startswith("worse")]
    assert better == []
    assert shown["summary"].startswith("None of the others is better beyond chance.")
    assert all(name in shown["summary"] for name in worse)
