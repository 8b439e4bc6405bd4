"""What changed: any two models, whoever made them."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from lightgbm import LGBMClassifier, LGBMRegressor
from scipy.stats import binomtest
from sklearn.base import clone, is_regressor
from sklearn.ensemble import (
    BaggingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from xgboost import XGBClassifier

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    diff,
    refresh,
    soften,
)
from tests.architecture.fingerprints import mixed, numbers
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model

pytestmark = pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
SEED = {"random_state": 0}
X, Y, T = numbers(150)
OTHERS = [
    DecisionTreeClassifier(max_depth=4, **SEED),
    DecisionTreeRegressor(max_depth=4, **SEED),
    RandomForestClassifier(5, **SEED),
    BaggingClassifier(DecisionTreeClassifier(), 4, **SEED),
    GradientBoostingRegressor(n_estimators=5, **SEED),
    HistGradientBoostingClassifier(max_iter=5, **SEED),
    LGBMClassifier(n_estimators=5, verbose=-1, **SEED),
    LGBMRegressor(n_estimators=5, verbose=-1, **SEED),
    XGBClassifier(n_estimators=5, **SEED),
]


@pytest.mark.parametrize("model", [*every_model(CLASSIFIERS), *every_model(REGRESSORS)])
def test_nothing_changes_between_a_model_and_itself(model):
    rows, label, target = mixed(90)
    y = target if is_regressor(model) else label
    model = clone(model).fit(rows, y)
    found = diff(model, model, rows, y)
    assert found.is_empty
    assert len(found.rows()) == 0
    assert (found.judged.n_better, found.judged.n_worse, found.judged.pvalue) == (0, 0, 1.0)
    if found.trees is not None:
        assert len(found.tests()) == 0
        assert len(found.tests(all_tests=True)) == model.tree_.n_nodes - model.tree_.n_leaves
        assert found.trees.mass_moved.max(initial=0.0) == 0.0
    assert f"answers   0 of {len(rows)} change (0%)" in str(found)


@pytest.mark.parametrize("theirs", OTHERS, ids=lambda model: type(model).__name__)
def test_models_of_others_against_ours(theirs):
    is_number = is_regressor(theirs)
    y = T if is_number else Y
    theirs = clone(theirs).fit(X[:100], y[:100])
    ours = (CARTRegressor if is_number else CARTClassifier)(max_depth=3).fit(X, y)
    found = diff(theirs, ours, X, y)
    before, after = theirs.predict(X), ours.predict(X)
    if is_number:
        np.testing.assert_allclose(found.shift, after - before, atol=1e-6)
        assert found.judged.old_error == pytest.approx(np.mean((before - y) ** 2))
    else:
        np.testing.assert_array_equal(found.changed, before != after)
        moved = np.abs(theirs.predict_proba(X) - ours.predict_proba(X)).sum(axis=1) / 2
        np.testing.assert_allclose(found.shift, moved, atol=1e-5)
        assert found.judged.new_error == pytest.approx(np.mean(after != y))
    assert found.old_importance.sum() == pytest.approx(1.0)
    assert (found.trees is None) == (
        not isinstance(theirs, DecisionTreeClassifier | DecisionTreeRegressor)
    )
    assert diff(theirs, theirs, X).is_empty
    json.dumps(found.to_dict())
    assert str(found)


def test_the_same_tree_of_another_library_is_the_same():
    theirs = DecisionTreeClassifier(max_depth=3, **SEED).fit(X, Y)
    ours = CARTClassifier(max_depth=3).fit(X, Y)
    found = diff(theirs, ours, X)
    assert found.trees.count("same") == len(found.trees.tests) == 7
    assert found.is_empty


def test_rows_that_change_and_which_were_for_the_better():
    old, new = (CARTClassifier(max_depth=d).fit(X[:80], Y[:80]) for d in (2, 5))
    found, back = diff(old, new, X, Y), diff(new, old, X, Y)
    before, after = old.predict(X), new.predict(X)
    better, worse = np.sum((before != Y) & (after == Y)), np.sum((before == Y) & (after != Y))
    judged = found.judged
    assert (judged.n_better, judged.n_worse) == (better, worse)
    assert judged.n_right + judged.n_wrong + better + worse == len(Y)
    assert judged.pvalue == pytest.approx(binomtest(int(better), int(better + worse)).pvalue)
    assert (back.judged.n_better, back.judged.n_worse) == (worse, better)
    assert (found.n_changed, found.trees.count("grown")) == (
        back.n_changed,
        back.trees.count("pruned"),
    )
    np.testing.assert_allclose(found.shift, back.shift)
    frame = found.rows()
    assert frame["changed"].sum() == found.n_changed
    assert set(frame.index) == set(np.flatnonzero((before != after) | found.trees.leaf_changed))
    assert frame.loc[frame["changed"], "new"].tolist() == after[before != after].tolist()
    assert len(found.rows(all_rows=True)) == len(Y)


def test_numbers_change_by_more_than_a_tolerance():
    old, new = (CARTRegressor(max_depth=d).fit(X, T) for d in (2, 3))
    found = diff(old, new, X, T)
    change = new.predict(X) - old.predict(X)
    np.testing.assert_allclose(found.shift, change, atol=1e-9)
    large = diff(old, new, X, T, tolerance=0.5)
    np.testing.assert_array_equal(large.changed, np.abs(change) > 0.5)
    nearer = np.sum((new.predict(X) - T) ** 2 < (old.predict(X) - T) ** 2 - 1e-9)
    assert found.judged.n_better == nearer
    assert "nearer" in str(found)
    assert "on average where it changes" in str(found)
    with pytest.raises(ValueError, match="tolerance must be finite and not negative; got -1"):
        diff(old, new, X, tolerance=-1)


def test_soft_trees_against_hard_ones():
    hard = CARTClassifier(max_depth=3).fit(X, Y)
    soft = soften(hard, X, Y, smoothing=0.2)
    found = diff(hard, soft, X)
    assert found.trees.count("width") == len(found.trees.tests)
    assert not found.trees.leaf_changed.all()
    mass = 1.0 - np.minimum(hard.flow(X).toarray(), soft.flow(X).toarray()).sum(axis=1)
    np.testing.assert_allclose(found.trees.mass_moved, mass, atol=1e-9)
    assert "width 0 ->" in str(found)


def test_a_refreshed_model_has_the_same_tests_and_other_leaves():
    old = C45Classifier().fit(X[:80], Y[:80])
    new = refresh(old, X[80:], 2 - Y[80:])
    found = diff(old, new, X)
    assert found.trees.count("same") == len(found.trees.tests)
    assert not found.trees.leaf_changed.any()
    leaves = found.leaves()
    assert len(leaves) == old.get_n_leaves()
    turned = (leaves["old_answer"] != leaves["new_answer"]).sum()
    assert turned > 0
    assert f"{turned} leaves at the same place, with another answer" in str(found)


def test_ensembles_have_importances_and_scatter():
    old = BaggedTreesClassifier(6, **SEED).fit(X[:80], Y[:80])
    new = VRForestClassifier(6, **SEED).fit(X, Y)
    found = diff(old, new, X)
    said = np.array(
        [tree.response[leaf] for tree, leaf in zip(old.trees_, old.apply(X).T, strict=True)]
    )
    own = said[:, np.arange(len(X)), old.predict(X)]
    np.testing.assert_allclose(found.old_scatter, own.std(axis=0))
    frame = found.importances()
    np.testing.assert_allclose(frame["old"], old.feature_importances_)
    assert "scatter" in str(found)
    assert "old_scatter" in found.rows(all_rows=True)
    for asked in (found.tests, found.leaves):
        with pytest.raises(ValueError, match="of two single trees; these are BaggedTrees"):
            asked()
    single = CARTClassifier(max_depth=2).fit(X, Y)
    assert diff(single, new, X).old_scatter is None


def test_classes_of_different_lists_and_orders():
    old = CARTClassifier(max_depth=3).fit(X[Y < 2], np.array(["0", "1"])[Y[Y < 2]])
    new = C45Classifier().fit(
        X, np.array([2, 1, 0])[Y]
    )  # whole numbers, another class, another order
    found = diff(old, new, X, np.array([2, 1, 0])[Y])
    assert found.classes == ("0", "1", 2)
    after = new.predict(X)
    assert found.new_answer.tolist() == [2 if label == 2 else str(label) for label in after]
    shares = np.column_stack([old.predict_proba(X), np.zeros(len(X))])
    np.testing.assert_allclose(found.shift, 0.5 * np.abs(shares - new.predict_proba(X)).sum(axis=1))
    assert found.judged.new_error == pytest.approx(np.mean(after != np.array([2, 1, 0])[Y]))
    other = CARTClassifier().fit(X, np.array(["a", "b", "c"])[Y])
    with pytest.raises(
        ValueError, match="no class in common: the old one has '0', '1', the new one 'a'"
    ):
        diff(old, other, X)
    with pytest.raises(
        ValueError, match="CARTClassifier predicts classes and CARTRegressor numbers"
    ):
        diff(old, CARTRegressor().fit(X, T), X)


def test_columns_must_be_the_same_in_any_order():
    frame = pd.DataFrame(X, columns=list("abcde"))
    old = CARTClassifier(max_depth=3).fit(frame, Y)
    turned = CARTClassifier(max_depth=3).fit(frame[list("edcba")], Y)
    for table in (frame, frame[list("bdeca")], pl.DataFrame(frame.to_dict("list"))):
        found = diff(old, turned, table)
        np.testing.assert_array_equal(found.new_answer, turned.predict(frame[list("edcba")]))
        np.testing.assert_allclose(found.new_importance, turned.feature_importances_[::-1])
    assert diff(old, turned, frame).trees.tests[0].change == "same"
    lacking = CARTClassifier().fit(frame[["a", "b"]].assign(z=1.0), Y)
    with pytest.raises(
        ValueError, match="only the old one reads 'c', 'd', 'e'; only the new one reads 'z'"
    ):
        diff(old, lacking, frame)
    nameless = CARTClassifier(max_depth=3).fit(X, Y)
    found = diff(nameless, old, X)
    assert found.columns == tuple("abcde")
    assert found.trees.count("same") == len(found.trees.tests)
    with pytest.raises(ValueError, match="the old one has 5, the new one 3, and one knows"):
        diff(nameless, lacking, X)


def test_categories_that_one_model_does_not_know():
    frame, y, _ = mixed(150)
    old = C45Classifier().fit(frame[frame["colour"] != "blue"], y[frame["colour"] != "blue"])
    new = C45Classifier().fit(frame, y)
    found = diff(old, new, frame, y)
    n_blue = int((frame["colour"] == "blue").sum())
    (note,) = found.notes
    assert note == f"not known to the old model: column 'colour' in {n_blue} rows ('blue')"
    assert f"note      {note}" in str(found)
    np.testing.assert_array_equal(found.old_answer, old.predict(frame))
    strict = C45Classifier(handle_unknown="error").fit(
        *[p[frame["colour"] != "blue"] for p in (frame, y)]
    )
    with pytest.raises(ValueError, match="'blue'"):
        diff(strict, new, frame)


def test_names_of_rows_stay():
    frame = pd.DataFrame(X, columns=list("abcde"), index=[f"r{k}" for k in range(len(X))])
    old, new = (CARTClassifier(max_depth=d).fit(frame, Y) for d in (1, 2))
    assert diff(old, new, frame).rows(all_rows=True).index[:2].tolist() == ["r0", "r1"]


def test_dates_are_told_in_days():
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(40), "D")
    frame = pd.DataFrame({"when": days})
    old, new = (CARTClassifier().fit(frame, np.arange(40) > cut) for cut in (9, 19))
    found = diff(old, new, frame)
    assert (
        "when <= 2024-01-10 12:00 -> 2024-01-20 12:00 (+10 days, 25% of all rows between)"
        in str(found)
    )


@pytest.mark.parametrize("kind", [ObliqueTreeClassifier, SoftTreeClassifier, CoalescenceClassifier])
def test_any_two_of_ours_can_be_compared(kind):
    rows, y, _ = mixed(120)
    old, new = C45Classifier().fit(rows, y), kind(random_state=0).fit(rows, y)
    for found in (diff(old, new, rows, y), diff(new, old, rows, y)):
        assert 0 <= found.n_changed <= 120
        json.dumps(found.to_dict(), allow_nan=False)


def test_what_is_no_model_is_refused():
    with pytest.raises(TypeError, match="cannot import a str"):
        diff("old", CARTClassifier().fit(X, Y), X)
    model = CARTClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        diff(model, model, X, Y[:3])
