import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.evaluate import compare
from softwood.evaluate.metrics import Metric
from softwood.evaluate.protocols import KFoldProtocol
from softwood.view import _evidence
from softwood.view._evidence import DATA, MODEL, evidence_of, rmse
from softwood.view._subject import NotPossible, subject_of
from tests.view.tables import messy_table


def quiet(*_):
    pass


@pytest.fixture(scope="module")
def found():
    X, y = messy_table()
    subject = subject_of(C45Classifier().fit(X, y), X, y, None, 3)
    return evidence_of(subject, {"majority": DummyClassifier()}, 4, None, quiet)


def test_scores_are_those_of_compare(found):
    X, y = messy_table()
    methods = {MODEL: C45Classifier(), "majority": DummyClassifier()}
    metrics = ["error", "log_loss", "brier", "auc", "leaves"]
    expected = compare(methods, {DATA: (X, y)}, "kfold:4", metrics, random_state=3)
    for metric in metrics:
        np.testing.assert_array_equal(
            found.comparison.split_scores(metric), expected.split_scores(metric)
        )
    ours, theirs = (c.corrected_t("majority", MODEL, DATA) for c in (found.comparison, expected))
    assert (ours.pvalue, ours.difference) == (theirs.pvalue, theirs.difference)


def test_scores_of_regressors_are_those_of_compare():
    X, _ = messy_table()
    rows, y = X[["calls"]].to_numpy(), X["calls"].to_numpy() ** 2 + np.arange(len(X)) % 7
    model = CARTRegressor(max_depth=3).fit(rows, y)
    subject = subject_of(model, rows, y, None, 0)
    line = LinearRegression()
    found = evidence_of(subject, {"line": line}, 3, None, quiet)
    metrics = [Metric("rmse", rmse), "absolute_error", "r2"]
    methods = {MODEL: CARTRegressor(max_depth=3), "line": line}
    expected = compare(methods, {DATA: (rows, y)}, "kfold:3", metrics)
    for metric in ("rmse", "absolute_error", "r2"):
        np.testing.assert_array_equal(
            found.comparison.split_scores(metric), expected.split_scores(metric)
        )
    assert found.probability is None
    assert found.metric == "rmse"


def test_answers_are_those_of_models_that_have_not_seen_the_row(found):
    X, y = messy_table()
    y = np.asarray(y)
    for train, test in KFoldProtocol(4).splits(y, seed=3):
        model = clone(C45Classifier()).fit(X.iloc[train], y[train])
        assert (found.labels[test] == model.predict(X.iloc[test])).all()
        np.testing.assert_array_equal(found.probability[test], model.predict_proba(X.iloc[test]))
    assert (found.truth == y).all()
    assert (found.rows == np.arange(len(y))).all()


def test_a_class_that_a_fold_lacks_has_probability_zero():
    X = np.arange(40.0)[:, None]
    y = np.array(["a"] * 20 + ["b"] * 19 + ["rare"])
    subject = subject_of(CARTClassifier().fit(X, y), X, y, None, 0)
    found = evidence_of(subject, {}, 2, None, quiet)
    assert found.probability.shape == (40, 3)
    np.testing.assert_allclose(found.probability.sum(axis=1), 1.0)
    assert found.probability[39, 2] == 0.0


def test_a_large_table_is_sampled_class_by_class(monkeypatch):
    monkeypatch.setattr(_evidence, "MOST_ROWS", 60)
    X, y = messy_table()
    subject = subject_of(CARTClassifier(max_depth=2).fit(X, y), X, y, None, 0)
    found = evidence_of(subject, {}, 3, None, quiet)
    assert found.rows.size == np.unique(found.rows).size == 60
    assert (found.truth == np.asarray(y)[found.rows]).all()
    share = np.mean(np.asarray(y) == "left")
    assert abs(np.sum(found.truth == "left") - 60 * share) < 1


def test_few_rows_have_fewer_folds():
    X, y = messy_table(12)
    subject = subject_of(CARTClassifier().fit(X, y), X, y, None, 0)
    assert evidence_of(subject, {}, 10, None, quiet).n_folds == 6


def test_what_is_not_possible_is_said_in_a_sentence():
    X, y = messy_table(9)
    subject = subject_of(CARTClassifier().fit(X, y), X, y, None, 0)
    with pytest.raises(NotPossible, match="only 9 rows, and cross-validation needs 10"):
        evidence_of(subject, {}, 2, None, quiet)


class Fails(DummyClassifier):
    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("not today")


def test_a_rival_that_fails_is_noted_and_the_model_is_not_forgiven():
    X, y = messy_table()
    subject = subject_of(CARTClassifier().fit(X, y), X, y, None, 0)
    found = evidence_of(subject, {"odd": Fails()}, 2, None, quiet)
    assert [r.outcome.error for r in found.comparison.failures] == ["RuntimeError: not today"] * 2
    assert np.isnan(found.mean("odd", "error"))
    broken = Fails()
    broken.classes_ = np.array(["left", "stayed"])
    subject = subject_of(broken, X, y, None, 0)
    with pytest.raises(RuntimeError, match="not today"):
        evidence_of(subject, {}, 2, None, quiet)
