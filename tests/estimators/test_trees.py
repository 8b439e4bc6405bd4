import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import train_test_split

from softwood import C45Classifier, CARTClassifier, CARTRegressor


@pytest.fixture(scope="module")
def cancer():
    return train_test_split(*load_breast_cancer(return_X_y=True), random_state=0)


def test_paths_leaves_and_flow_tell_one_story(cancer):
    X, Xt, y, _ = cancer
    model = C45Classifier().fit(X, y)
    Xt = Xt.copy()
    Xt[::3, model.tree_.feature[0]] = np.nan
    flow, path, leaf = model.flow(Xt), model.decision_path(Xt), model.apply(Xt)
    np.testing.assert_allclose(flow.sum(axis=1), 1, atol=1e-12)
    tree = model.tree_
    np.testing.assert_allclose(
        flow @ tree.response[tree.leaves], model.predict_proba(Xt), atol=1e-12
    )
    assert (tree.leaves[flow.toarray().argmax(axis=1)] == leaf).all()
    assert set(np.unique(path.data)) == {1}
    assert (path.toarray()[:, 0] == 1).all()
    assert (path.toarray()[np.arange(len(leaf)), leaf] == 1).all()


def test_importances_sum_to_one_and_find_the_feature():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    for model in (C45Classifier(), CARTClassifier(), CARTRegressor(max_depth=3)):
        model.fit(X, (X[:, 2] > 0).astype(int))
        assert model.feature_importances_.sum() == pytest.approx(1)
        assert model.feature_importances_.argmax() == 2
    flat = CARTClassifier().fit(X, np.zeros(300))
    assert flat.feature_importances_.tolist() == [0, 0, 0, 0]


def test_max_leaf_nodes_takes_the_best_splits(cancer):
    X, Xt, y, yt = cancer
    sizes = [CARTClassifier(max_leaf_nodes=n).fit(X, y).get_n_leaves() for n in (2, 5, 9)]
    assert sizes == [2, 5, 9]
    one = CARTClassifier(max_leaf_nodes=2).fit(X, y).tree_
    full = CARTClassifier().fit(X, y).tree_
    assert one.threshold[0] == full.threshold[0]
    assert CARTClassifier(max_leaf_nodes=6).fit(X, y).score(Xt, yt) > 0.85


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_pruning_makes_smaller_trees_that_do_no_worse(cancer, pruning):
    X, Xt, y, yt = cancer
    noisy = np.where(np.random.default_rng(0).uniform(size=len(y)) < 0.15, 1 - y, y)
    full = CARTClassifier().fit(X, noisy)
    sizes = []
    for errors in (0, 1):
        model = CARTClassifier(pruning=pruning, n_standard_errors=errors, random_state=1)
        model.fit(X, noisy)
        assert model.score(Xt, yt) >= full.score(Xt, yt)
        assert model.tree_ == CARTClassifier(**model.get_params()).fit(X, noisy).tree_
        sizes.append(model.get_n_leaves())
    assert full.get_n_leaves() > sizes[0] >= sizes[1] >= 2


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_regression_trees_are_pruned_too(pruning):
    X, Xt, y, yt = train_test_split(*load_diabetes(return_X_y=True), random_state=0)
    full = CARTRegressor().fit(X, y)
    model = CARTRegressor(pruning=pruning, n_standard_errors=1, random_state=0).fit(X, y)
    assert model.score(Xt, yt) > full.score(Xt, yt) + 0.1
    assert model.get_n_leaves() < full.get_n_leaves() / 4


def test_ccp_alpha_is_the_price_of_a_leaf(cancer):
    X, _, y, _ = cancer
    leaves = [CARTClassifier(ccp_alpha=a).fit(X, y).get_n_leaves() for a in (0, 0.005, 0.02, 0.5)]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[-1] == 1


def test_laplace_corrects_every_leaf():
    X, y = load_iris(return_X_y=True)
    plain, laplace = C45Classifier().fit(X, y), C45Classifier(laplace=True).fit(X, y)
    assert plain.tree_ == laplace.tree_
    weight = plain.tree_.weight[plain.apply(X)][:, None]
    expected = (plain.predict_proba(X) * weight + 1) / (weight + 3)
    np.testing.assert_allclose(laplace.predict_proba(X), expected)


def test_readable_when_printed():
    X, y = load_iris(return_X_y=True)
    model = C45Classifier()
    assert str(model) == repr(model) == "C45Classifier()"
    model.fit(X, y)
    assert "x3 <= 0.6: 0 (50.0)" in str(model)
    assert len(str(CARTClassifier().fit(X, np.arange(150) % 50)).splitlines()) < 70


def test_predictions_of_one_row_and_of_many_agree(cancer):
    X, Xt, y, _ = cancer
    model = CARTClassifier().fit(X, y)
    many = model.predict_proba(Xt)
    assert all(np.array_equal(model.predict_proba(Xt[i : i + 1])[0], many[i]) for i in range(50))
    assert np.array_equal(model.predict_proba(Xt.tolist()), many)
    assert np.array_equal(model.predict_proba(np.asfortranarray(Xt)), many)
