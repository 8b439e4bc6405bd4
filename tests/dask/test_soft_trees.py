"""One tree of a distributed table, against that of one machine and against its teacher."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone

import softwood
from softwood.data.training import TrainingSet

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("softwood.dask")
from softwood.dask.leaves import with_leaves_of_all  # noqa: E402
from softwood.dask.teaching import set_apart, taught  # noqa: E402
from softwood.flow import Ramp  # noqa: E402
from softwood.forest import Forest  # noqa: E402
from softwood.learn.fitted import Fitted  # noqa: E402
from softwood.learn.soft_tree import SoftTreeLearner  # noqa: E402
from softwood.tree import Tree  # noqa: E402

QUICK = {"max_leaf_nodes": 4, "oblique": False, "random_state": 0}


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)).round(2)
    return X, ((X[:, 0] > 0) ^ (rng.random(n_rows) < 0.1)).astype(int)


def collections(sizes, X, y):
    return da.from_array(X, chunks=(tuple(sizes), -1)), da.from_array(y, chunks=(tuple(sizes),))


def both(name):
    return getattr(distributed, name), getattr(softwood, name)


@pytest.mark.parametrize("name", ["SoftTreeClassifier", "SoftTreeRegressor"])
def test_a_table_for_one_worker_gives_the_ordinary_tree(name):
    X, y = rows_of(200)
    X[::9, 2] = np.nan
    y = y if "Classifier" in name else y + X[:, 1]
    far, near = (kind(**QUICK) for kind in both(name))
    near.fit(X, y)
    far.fit(*collections([50, 0, 110, 40], X, y))
    assert far.tree_ == near.tree_
    assert far.flow_ == near.flow_
    np.testing.assert_array_equal(far.to_local().predict(X), near.predict(X))
    np.testing.assert_array_equal(
        far.predict(da.from_array(X, chunks=(70, 4))).compute(), near.predict(X)
    )
    for fact in ("deviations_", "ranges_", "column_scales_", "whole_columns_"):
        np.testing.assert_array_equal(getattr(far, fact), getattr(near, fact))
    assert type(far.to_local()) is type(near)
    assert far.to_local().get_params() == near.get_params()
    assert far.export_text() == near.export_text()


@pytest.mark.parametrize("exchange", ["auto", 42 * 300, None])
def test_a_larger_table_is_sorted_and_the_tree_knows_all_of_it(exchange):
    X, _ = rows_of(2000)
    X = X[np.argsort(X[:, 0])]
    new, _ = rows_of(2000, seed=1)
    y, new_y = ((rows[:, :2].min(axis=1) > 0).astype(int) for rows in (X, new))
    model = distributed.SoftTreeClassifier(n_taught=400, exchange=exchange, **QUICK)
    model.fit(*collections([200] * 10, X, y))
    assert model.tree_.weight[0] == pytest.approx(400)
    assert model.tree_.n_leaves <= 4
    assert model.score(new, new_y) > 0.9
    with dask.config.set(scheduler="threads", num_workers=3):
        again = clone(model).fit(*collections([200] * 10, X, y))
    assert again.tree_ == model.tree_


def test_rows_that_are_set_apart_are_not_shown_to_the_teacher():
    sizes = np.array([30, 1, 0, 69])
    ends = np.cumsum(sizes)
    rows = np.arange(100.0)[:, None]
    parts = [
        dask.delayed(TrainingSet.of_target(rows[end - size : end], rows[end - size : end, 0]))
        for size, end in zip(sizes, ends, strict=True)
    ]
    apart, rest, n_left = set_apart(parts, sizes, 20, seed=1)
    drawn, *others = dask.compute(apart, *rest)
    assert drawn.n_rows == 20
    assert [part.n_rows for part in others] == n_left.tolist()
    found = np.concatenate([drawn.target, *(part.target for part in others)])
    assert sorted(found) == list(range(100))
    share = [
        np.count_nonzero((drawn.target >= end - size) & (drawn.target < end))
        for size, end in zip(sizes, ends, strict=True)
    ]
    np.testing.assert_allclose(share, sizes / 5, atol=1)
    assert drawn.target.tolist() != list(range(20))


def test_the_tree_follows_its_teacher():
    """A teacher that says the opposite of the labels is heard."""
    X, _ = rows_of(400)
    data = TrainingSet.of_classes(X, (X[:, 1] > 0).astype(int))
    stump = Tree.from_nodes(
        n_features=4, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
        feature=[0, -1, -1], threshold=[0.0, 0.0, 0.0], weight=[2.0, 1.0, 1.0],
        response=[[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]],
    )  # fmt: skip
    learner = SoftTreeLearner(max_leaf_nodes=8, oblique=False)
    found = taught(learner, [Forest.average([stump])], data, seed=0).tree
    assert {0, 1} <= set(found.feature[found.feature >= 0].tolist())
    alone = taught(learner, (), data, seed=0).tree
    assert set(alone.feature[alone.feature >= 0].tolist()) == {1}


def test_what_needs_all_rows_in_one_place():
    parts = collections([50, 50], *rows_of(100))
    for options in (
        {"method": "confidence"},
        {"method": softwood.Gradient(teacher=5)},
        {"estimator": softwood.CARTClassifier()},
    ):
        with pytest.raises(ValueError, match="is taught by an ensemble that grows on them"):
            distributed.SoftTreeClassifier(**options).fit(*parts)
    with pytest.raises(ValueError, match="n_taught"):
        distributed.SoftTreeClassifier(n_taught=1).fit(*parts)


# -- leaves of all rows --------------------------------------------------------


def soft_fitted(is_number):
    X, y = rows_of(300)
    data = TrainingSet.of_target(X, X[:, 0] + y) if is_number else TrainingSet.of_classes(X, y)
    fitted = taught(SoftTreeLearner(max_leaf_nodes=4, oblique=False), (), data, seed=0)
    assert fitted.tree.n_leaves > 1
    return fitted


def parts_of(data, sizes):
    ends = np.cumsum([0, *sizes])
    return [dask.delayed(data.take(slice(a, b))) for a, b in pairwise(ends)]


def test_numbers_are_those_of_least_squares_over_all_partitions():
    fitted = soft_fitted(is_number=True)
    X, y = rows_of(900, seed=1)
    data = TrainingSet.of_target(X, 3 * X[:, 0] + y, weight=np.linspace(0.5, 1.5, 900))
    found = with_leaves_of_all(fitted, parts_of(data, [100] * 9)).tree
    spread = fitted.flow.spread(fitted.tree, X).toarray()
    half = np.sqrt(0.5) * np.eye(spread.shape[1])  # half a row that answers as before
    before = fitted.tree.response[fitted.tree.leaves, 0]
    root = np.sqrt(data.weight)
    rows = np.vstack([root[:, None] * spread, half])
    wanted = np.concatenate([root * data.target, half @ before])
    expected = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    np.testing.assert_allclose(found.response[found.leaves, 0], expected, rtol=1e-8)


def test_classes_become_more_likely_and_nearly_as_likely_as_can_be():
    fitted = soft_fitted(is_number=False)
    X, y = rows_of(900, seed=1)
    data = TrainingSet.of_classes(X, 1 - y)  # the world has changed
    tree = fitted.tree.replace(response=np.clip(fitted.tree.response, 0.1, 0.9))
    fitted = type(fitted).of_tree(tree, fitted.flow)
    one = with_leaves_of_all(fitted, parts_of(data, [900])).tree
    many = with_leaves_of_all(fitted, parts_of(data, [90] * 10)).tree
    np.testing.assert_allclose(one.response, many.response, rtol=1e-10)
    spread = fitted.flow.spread(tree, X)

    def loss(share):
        return -np.mean(np.log((spread @ share)[np.arange(900), data.label]))

    best = tree.response[tree.leaves]
    for _ in range(500):
        counts = best * (spread.T @ (np.eye(2)[data.label] / (spread @ best)))
        best = counts / counts.sum(axis=1, keepdims=True)
    before, after = loss(tree.response[tree.leaves]), loss(many.response[many.leaves])
    assert before - after > 0.8 * (before - loss(best)) > 0.2
    np.testing.assert_allclose(many.response.sum(axis=1), 1.0)


def test_a_tree_of_one_leaf_stays():
    leaf = Tree.from_nodes(
        n_features=4, first_child=[-1], n_children=[0], kind=[0], feature=[-1], threshold=[0.0],
        weight=[2.0], response=[[0.5, 0.5]],
    )  # fmt: skip
    fitted = Fitted.of_tree(leaf, Ramp())
    assert with_leaves_of_all(fitted, []).tree == leaf
