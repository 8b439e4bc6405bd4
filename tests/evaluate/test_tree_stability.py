"""Stability: what it must be for models that never change, and numbers from scratch."""

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import softwood
from softwood import C45Classifier, CARTClassifier, CARTRegressor, VRTreeClassifier, stability
from softwood.evaluate import tree_stability
from softwood.evaluate._seeds import number_of_seed
from softwood.evaluate._sketch import Sketch, jaccard, overlap
from softwood.evaluate.tree_stability import SAMPLINGS, _drawn
from tests.architecture.fingerprints import mixed, numbers

X, Y, T = numbers(120)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize(
    ("model", "y"),
    [
        (DummyClassifier(strategy="constant", constant=1), Y),
        (DummyRegressor(strategy="constant", constant=2.0), T),
    ],
)
def test_a_model_that_never_changes_never_disagrees(model, y, sampling):
    found = stability(model, X, y, n_pairs=3, sampling=sampling, random_state=0)
    assert (found.disagreement, found.variation, found.standard_error) == (0.0, 0.0, 0.0)
    assert np.isnan([found.columns, found.top, found.root, found.n_leaves]).all()
    assert "columns" not in str(found)


def test_the_same_tree_every_time_is_stable_in_all_respects():
    rows = np.repeat(np.arange(6.0), 20)[:, None]
    label = (rows[:, 0] > 2.5).astype(int)
    found = stability(CARTClassifier(), rows, label, n_pairs=4, random_state=0)
    assert (found.disagreement, found.columns, found.importances, found.top) == (0, 1, 1, 1)
    assert (found.root, found.n_leaves, found.n_leaves_spread, found.error) == (1, 2, 0, 0)
    assert found.root_cut_spread < 0.1


def test_numbers_are_those_of_two_models_fitted_by_hand():
    model = VRTreeClassifier()
    found = stability(model, X, Y, n_pairs=2, sampling="bootstrap", random_state=5)
    seed = np.random.SeedSequence(5).spawn(2)[1]
    drawing, *fitting = seed.spawn(3)
    samples, judged = _drawn(120, "bootstrap", np.random.default_rng(drawing))
    models = [
        softwood.evaluate.methods.seeded(model, number_of_seed(own)).fit(X[sample], Y[sample])
        for sample, own in zip(samples, fitting, strict=True)
    ]
    assert not set(judged) & set(np.concatenate(samples))
    one, two = (fitted.predict(X[judged]) for fitted in models)
    pair = found.pairs[1]
    assert pair.n_rows == judged.size
    assert pair.disagreement == np.mean(one != two)
    assert pair.error == pytest.approx(
        0.5 * np.mean(one != Y[judged]) + 0.5 * np.mean(two != Y[judged])
    )
    shares = [fitted.predict_proba(X[judged]) for fitted in models]
    assert pair.variation == pytest.approx(np.abs(shares[0] - shares[1]).sum(axis=1).mean() / 2)
    used = [set(fitted.tree_.feature[fitted.tree_.feature >= 0]) for fitted in models]
    assert pair.columns == len(used[0] & used[1]) / len(used[0] | used[1])
    assert (pair.first_leaves, pair.second_leaves) == tuple(m.get_n_leaves() for m in models)
    assert pair.first_cut == models[0].tree_.threshold[0]
    assert found.disagreement == np.mean([p.disagreement for p in found.pairs])
    spread = np.std([p.disagreement for p in found.pairs], ddof=1) / np.sqrt(2)
    assert found.standard_error == pytest.approx(spread)


def test_numbers_to_predict_are_in_deviations_of_the_target():
    found = stability(CARTRegressor(max_depth=3), X, T, n_pairs=3, random_state=1)
    scaled = stability(CARTRegressor(max_depth=3), X, 1000.0 * T, n_pairs=3, random_state=1)
    assert found.disagreement == pytest.approx(scaled.disagreement)
    assert 0.0 < found.variation <= found.disagreement < found.error * 2
    assert "deviations of the target" in str(found)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_jobs_make_no_difference(sampling):
    model = RandomForestClassifier(3)
    options = {"n_pairs": 3, "sampling": sampling, "random_state": 3}
    one, two = (stability(model, X, Y, n_jobs=n, **options) for n in (1, 2))
    assert str(one.pairs) == str(two.pairs)  # NaN is not equal to itself
    with joblib.parallel_config("loky", n_jobs=2):
        three = stability(C45Classifier(), X, Y, **options)
    assert str(three.pairs) == str(stability(C45Classifier(), X, Y, **options).pairs)


def test_equal_seeds_give_all_learners_equal_samples():
    options = {"n_pairs": 3, "random_state": 0}
    first = stability(CARTClassifier(max_depth=1), X, Y, **options)
    second = stability(C45Classifier(), X, Y, **options)
    assert [p.n_rows for p in first.pairs] == [p.n_rows for p in second.pairs]
    theirs = stability(DecisionTreeClassifier(max_depth=1, random_state=0), X, Y, **options)
    assert [p.disagreement for p in theirs.pairs] == [p.disagreement for p in first.pairs]


def test_a_seed_that_is_set_is_kept():
    fixed, free = VRTreeClassifier(random_state=0), VRTreeClassifier()
    rows = np.repeat(X, 8, axis=0)
    options = {"n_pairs": 4, "random_state": 0}
    same, other = (stability(m, rows, np.repeat(Y, 8), **options) for m in (fixed, free))
    assert same.pairs != other.pairs


@pytest.mark.parametrize("n_rows", [12, 13, 50])
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_samples_leave_rows_out(sampling, n_rows):
    for seed in range(20):
        samples, judged = _drawn(n_rows, sampling, np.random.default_rng(seed))
        assert judged.size > 0
        assert not set(judged) & set(np.concatenate(samples))
        sizes = {"half": n_rows // 2, "bootstrap": n_rows, "thirds": n_rows // 3}
        assert [sample.size for sample in samples] == [sizes[sampling]] * 2
        if sampling == "thirds":
            assert not set(samples[0]) & set(samples[1])


@pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
def test_frames_weights_and_models_without_trees_or_probabilities():
    frame, label, _ = mixed(120)
    found = stability(C45Classifier(), frame, label, n_pairs=2, random_state=0)
    table = found.frame()
    assert isinstance(table, pd.DataFrame)
    assert table["disagreement"].mean() == pytest.approx(found.disagreement)
    assert len(table) == 2
    weight = np.where(Y == 2, 0.0, 1.0)
    weighted = stability(CARTClassifier(), X, Y, n_pairs=2, sample_weight=weight, random_state=0)
    assert weighted.error > np.mean(Y == 2) - 0.1
    assert np.isnan(stability(LinearSVC(), X, Y, n_pairs=1, random_state=0).variation)
    one = stability(LogisticRegression(), X, Y, n_pairs=1, random_state=0)
    assert np.isnan(one.standard_error)
    assert repr(one).startswith("<Stability: disagreement=")


def test_sketches():
    assert jaccard(None, frozenset()) != jaccard(None, frozenset())  # NaN
    assert overlap(np.array([0.5, 0.5]), np.array([1.0, 0.0])) == 0.5
    assert overlap(np.zeros(2), np.zeros(2)) == 1.0
    model = CARTClassifier(max_depth=4).fit(X, Y)
    sketch = Sketch.of(model)
    tree = model.tree_
    assert len(sketch.top) == np.count_nonzero((tree.n_children > 0) & (tree.node_depth < 3))
    assert ("", (int(tree.feature[0]),)) in sketch.top
    assert ("0/1/", (int(tree.feature[4]),)) in sketch.top
    assert sketch.left == tree.weight[1] / tree.weight[0]
    leaf = Sketch.of(CARTClassifier().fit(X, np.zeros(120)))
    assert (leaf.root, leaf.top, leaf.n_leaves) == ((), frozenset(), 1)


def test_mistakes_are_named():
    model = CARTClassifier()
    for options, said in (
        ({"n_pairs": 0}, "n_pairs"),
        ({"sampling": "quarters"}, "sampling"),
    ):
        with pytest.raises(ValueError, match=said):
            stability(model, X, Y, **options)
    with pytest.raises(ValueError, match="an entry for each of the 120 rows"):
        stability(model, X, Y[:-1])
    with pytest.raises(ValueError, match="at least 12 rows to draw from; got 5"):
        stability(model, X[:5], Y[:5])
    assert clone(model).get_params() == model.get_params()
    assert tree_stability.stability is softwood.evaluate.stability is softwood.stability
