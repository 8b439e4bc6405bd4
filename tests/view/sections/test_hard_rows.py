import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.svm import LinearSVC

from softwood import CARTClassifier, CARTRegressor
from softwood.view import _evidence
from softwood.view.sections.hard_rows import content, least_sure
from tests.view.tables import messy_table, page_of


def test_the_least_sure_have_the_largest_entropy():
    probability = np.random.default_rng(0).dirichlet([0.5] * 3, 40)
    expected = np.sort(entropy(probability, axis=1))[::-1][:8]
    np.testing.assert_allclose(entropy(probability[least_sure(probability)], axis=1), expected)


@pytest.fixture(scope="module")
def page():
    X, y = messy_table()
    return page_of(CARTClassifier(max_depth=3).fit(X, y), X, y)


def test_rows_are_those_of_the_table(page):
    X, y = messy_table()
    shown = content(page)
    assert [group.title for group in shown["groups"]] == ["Least sure", "Most surely wrong"]
    place = shown["columns"].index("plan")
    date = shown["columns"].index("since")
    for group in shown["groups"]:
        for row in group.rows:
            assert row.truth == y[row.number - 1]
            plan = X["plan"][row.number - 1]
            assert row.values[place] == (plan if isinstance(plan, str) else "(missing)")
            assert row.values[date] == f"{X['since'][row.number - 1]:%Y-%m-%d}"


def test_the_surely_wrong_are_wrong_and_sure(page):
    found = page.evidence
    wrong = content(page)["groups"][1]
    places = [row.number - 1 for row in wrong.rows]
    assert (found.truth[places] != found.labels[places]).all()
    top = found.probability.max(axis=1)
    limit = np.sort(top[found.truth != found.labels])[::-1][: len(places)]
    np.testing.assert_allclose(top[places], limit)


def test_rows_of_a_sample_have_the_numbers_of_the_table(monkeypatch):
    monkeypatch.setattr(_evidence, "MOST_ROWS", 60)
    X, y = messy_table()
    page = page_of(CARTClassifier(max_depth=2).fit(X, y), X, y)
    rows = [row for group in content(page)["groups"] for row in group.rows]
    assert {row.number - 1 for row in rows} <= set(page.evidence.rows.tolist())
    assert all(row.truth == y[row.number - 1] for row in rows)


def test_numbers_are_the_farthest_off():
    X, _ = messy_table()
    page = page_of(CARTRegressor(max_depth=2).fit(X, X["calls"]), X, X["calls"])
    [group] = content(page)["groups"]
    off = np.abs(page.evidence.truth - page.evidence.labels)
    said = [abs(float(row.sureness)) for row in group.rows]
    assert said == pytest.approx(np.sort(off)[::-1][:8].tolist(), rel=1e-3)


def test_without_probabilities_the_wrong_ones_are_listed():
    X, y = messy_table()
    rows = X[["calls"]].to_numpy()
    page = page_of(LinearSVC().fit(rows, y), rows, y)
    [group] = content(page)["groups"]
    assert all(row.truth != row.answer for row in group.rows)


def test_when_all_is_right_and_sure_there_are_none():
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    y = np.repeat(["a", "b"], 20)
    assert content(page_of(CARTClassifier().fit(X, y), X, y))["groups"] == []
