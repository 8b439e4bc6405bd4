"""Rows as leaves: masses of any model, names, hashes, frames, pipelines."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from lightgbm import LGBMClassifier
from scipy.sparse import issparse
from sklearn.base import clone, is_regressor
from sklearn.ensemble import RandomForestClassifier, RandomTreesEmbedding
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CoalescenceClassifier,
    CoalescenceRegressor,
    LeafEmbedding,
    SoftTreeClassifier,
    load,
    save,
    soften,
)
from tests.architecture.fingerprints import mixed, numbers
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model

pytestmark = pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
X, Y, T = numbers(150)


SOFT = SoftTreeClassifier(method="perturb", smoothing=0.1, random_state=0)


def expected_failures(embedding):
    if isinstance(embedding.estimator, CARTClassifier):
        return {}
    why = "folds and random cuts count rows, whatever these weigh"
    return {"check_sample_weight_equivalence_on_dense_data": why}


@parametrize_with_checks(
    [
        LeafEmbedding(CoalescenceClassifier(3, random_state=0)),
        LeafEmbedding(SOFT, sparse_output=False),
        LeafEmbedding(CARTClassifier(), mass="leaf", n_components=4),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learns_checks(estimator, check):
    assert check(estimator) is None


@pytest.mark.parametrize("model", [*every_model(CLASSIFIERS), *every_model(REGRESSORS)])
def test_masses_are_those_of_the_model(model):
    rows, label, target = mixed(80)
    y = target if is_regressor(model) else label
    fitted = clone(model).fit(rows, y)
    embedding = LeafEmbedding(fitted, prefit=True).fit(rows)
    masses = embedding.transform(rows)
    trees = embedding.imported_.forest.trees
    assert masses.shape == (80, sum(tree.n_leaves for tree in trees))
    np.testing.assert_allclose(masses.sum(axis=1), len(trees))
    if not hasattr(fitted, "imported_") or len(trees) == 1:
        np.testing.assert_allclose(masses.toarray(), len(trees) * fitted.flow(rows).toarray())
    leaves = LeafEmbedding(fitted, prefit=True, mass="leaf").fit(rows).transform(rows)
    ends = np.asarray(fitted.apply(rows)).reshape(80, -1)
    start = np.cumsum([0, *(tree.n_leaves for tree in trees)])
    for k, tree in enumerate(trees):
        own = leaves[:, start[k] : start[k + 1]].toarray()
        np.testing.assert_array_equal(tree.leaves[own.argmax(axis=1)], ends[:, k])
        assert set(np.unique(own)) <= {0.0, 1.0}


def test_models_of_others():
    for theirs in (
        RandomForestClassifier(4, random_state=0),
        LGBMClassifier(n_estimators=3, verbose=-1),
    ):
        embedding = LeafEmbedding(theirs).fit(X, Y)
        ends = np.asarray(embedding.estimator_.apply(X) if hasattr(theirs, "apply") else 0)
        masses = embedding.transform(X)
        np.testing.assert_allclose(masses.sum(axis=1), embedding.imported_.forest.n_trees)
        assert ends.size in (1, 150 * 4)
    soft = soften(BaggedTreesClassifier(3, random_state=0).fit(X, Y), X, Y, smoothing=0.2)
    masses = LeafEmbedding(soft, prefit=True).fit(X).transform(X)
    assert (np.diff(masses.indptr) > 3).any()


def test_of_random_trees_it_is_like_scikit_learns():
    theirs = RandomTreesEmbedding(5, max_depth=3, random_state=0).fit(X)
    ours = LeafEmbedding(RandomForestClassifier(5, max_depth=3, random_state=0)).fit(X, Y)
    for masses in (theirs.transform(X), ours.transform(X)):
        assert set(masses.data.tolist()) == {1.0}
        np.testing.assert_array_equal(masses.sum(axis=1), np.full_like(masses.sum(axis=1), 5.0))


def test_names_and_frames():
    frame, y, _ = mixed(80)
    single = LeafEmbedding(C45Classifier(), sparse_output=False).fit(frame, y)
    names = single.get_feature_names_out()
    assert names.tolist() == [f"leaf{leaf}" for leaf in single.estimator_.tree_.leaves]
    many = LeafEmbedding(BaggedTreesClassifier(2, random_state=0)).fit(frame, y)
    last = many.estimator_.trees_[1].leaves[-1]
    assert many.get_feature_names_out()[-1] == f"tree1_leaf{last}"
    for kind, frames in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        made = single.set_output(transform=kind).transform(frame)
        assert isinstance(made, frames)
        assert list(made.columns) == names.tolist()
    assert list(single.set_output(transform="pandas").transform(frame).index) == list(frame.index)
    with pytest.raises(ValueError, match="sparse"):
        many.set_output(transform="pandas").transform(frame)


def test_leaves_are_hashed_into_columns():
    model = CoalescenceClassifier(5, random_state=0).fit(X, Y)
    whole = LeafEmbedding(model, prefit=True).fit(X).transform(X)
    embedding = LeafEmbedding(model, prefit=True, n_components=16).fit(X)
    hashed = embedding.transform(X)
    assert issparse(hashed)
    assert hashed.shape == (150, 16)
    np.testing.assert_allclose(hashed.sum(axis=1), whole.sum(axis=1))
    assert embedding.get_feature_names_out().tolist() == [f"leaves{k}" for k in range(16)]
    used = np.count_nonzero(hashed.toarray().sum(axis=0))
    assert used > 12  # spread over most of the columns
    column = embedding._hashing().indices  # the slow way: each leaf to its column
    slow = np.zeros((150, 16))
    for leaf, place in enumerate(column):
        slow[:, place] += whole.toarray()[:, leaf]
    np.testing.assert_allclose(hashed.toarray(), slow)


def test_a_linear_model_on_top_answers_as_well():
    trees = CoalescenceClassifier(20, random_state=0)
    linear = make_pipeline(LeafEmbedding(trees), LogisticRegression(C=0.3, max_iter=500))
    alone, above = (cross_val_score(model, X, Y, cv=3).mean() for model in (trees, linear))
    assert above > alone - 0.03


def test_the_default_follows_the_target():
    assert isinstance(LeafEmbedding(random_state=0).fit(X, Y).estimator_, CoalescenceClassifier)
    model = LeafEmbedding(random_state=0).fit(X, T).estimator_
    assert isinstance(model, CoalescenceRegressor)
    weight = np.where(Y == 0, 0.0, 1.0)
    weighted = LeafEmbedding(CARTClassifier()).fit(X, Y, sample_weight=weight).estimator_
    assert weighted.predict_proba(X)[:, 0].max() == 0.0


def test_it_is_pickled_and_its_trees_are_saved(tmp_path):
    embedding = LeafEmbedding(C45Classifier()).fit(X, Y)
    masses = embedding.transform(X).toarray()
    again = pickle.loads(pickle.dumps(embedding))
    np.testing.assert_array_equal(again.transform(X).toarray(), masses)
    with pytest.raises(
        TypeError, match=r"save its estimator_, and make LeafEmbedding\(load\(path\)"
    ):
        save(embedding, tmp_path / "no")
    save(embedding.estimator_, tmp_path / "trees")
    back = LeafEmbedding(load(tmp_path / "trees"), prefit=True).fit(X)
    np.testing.assert_array_equal(back.transform(X).toarray(), masses)


def test_mistakes_are_named():
    for options, said in (
        ({"mass": "all"}, "mass"),
        ({"n_components": 0}, "n_components"),
        ({"prefit": True}, "prefit=True needs an estimator that is fitted; got None"),
    ):
        with pytest.raises(ValueError, match=said):
            LeafEmbedding(**options).fit(X, Y)
    with pytest.raises(ValueError, match="requires y to be passed"):
        LeafEmbedding(CARTClassifier()).fit(X)
    with pytest.raises(TypeError, match="cannot import a LogisticRegression"):
        LeafEmbedding(LogisticRegression()).fit(X, Y)
    fitted = CARTClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features"):
        LeafEmbedding(fitted, prefit=True).fit(X[:, :3])
    embedding = LeafEmbedding(fitted, prefit=True)
    with pytest.raises(ValueError, match="not fitted"):
        embedding.transform(X)
