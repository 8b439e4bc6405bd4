"""Samples that are drawn over all partitions: what they hold, and the trees that grow on them."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score

import softwood
from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import seed_of_tree
from softwood.flow import Hard

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("softwood.dask")
from softwood.dask.exchange import BYTES_OF_SAMPLE, Exchange  # noqa: E402

NAMES = [name for name in distributed.__all__ if "Soft" not in name]


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(n_rows, seed=0, gaps=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)).round(2)
    X[rng.random(X.shape) < gaps] = np.nan
    y = (np.nan_to_num(X[:, 0]) + 0.3 * rng.normal(size=n_rows) > 0).astype(int)
    return X, y


def target_of(name, y, X):
    return y if "Classifier" in name else y + 0.1 * np.nan_to_num(X[:, 1])


def collections(sizes, *columns):
    return [
        da.from_array(c, chunks=(tuple(sizes),) + ((c.shape[1],) if c.ndim == 2 else ()))
        for c in columns
    ]


def both(name):
    return getattr(distributed, name), getattr(softwood, name)


def bytes_of(n_rows, name="Classifier"):
    return n_rows * (4 * 8 + 8 + 2 + (0 if "Classifier" in name else 8))


# -- what is dealt -------------------------------------------------------------


@pytest.mark.parametrize("n_samples", [1, 3, 7])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_samples_are_disjoint_of_one_size_and_drawn_from_all_partitions(n_samples, share):
    sizes = np.array([40, 1, 0, 100, 59])
    ends = np.cumsum(sizes)
    rows = np.arange(200.0)[:, None]
    parts = [
        dask.delayed(TrainingSet.of_target(rows[end - size : end], rows[end - size : end, 0]))
        for size, end in zip(sizes, ends, strict=True)
    ]
    exchange = Exchange(n_samples, int(200 * share), 0, is_all=False)
    samples = dask.compute(*exchange.dealt(parts, sizes, seed=3))
    found = [sample.target.astype(int) for sample in samples]
    assert max(map(len, found)) - min(map(len, found)) <= 1
    everything = np.concatenate(found)
    assert len(everything) == len(set(everything)) == int(200 * share)
    for sample, numbers in zip(samples, found, strict=True):
        assert sample.X[:, 0].tolist() == numbers.tolist()  # whole rows
        from_each = np.bincount(np.searchsorted(ends, numbers, side="right"), minlength=5)
        np.testing.assert_allclose(from_each, sizes * share / n_samples, atol=1.01)
    again = dask.compute(*exchange.dealt(parts, sizes, seed=4))
    assert (share, n_samples) == (1.0, 1) or again[0].target.tolist() != found[0].tolist()


def test_rows_are_drawn_alike():
    rows = np.arange(10.0)[:, None]
    part = dask.delayed(TrainingSet.of_target(rows, rows[:, 0]))
    count = np.zeros(10)
    for seed in range(600):
        (sample,) = dask.compute(*Exchange(1, 3, 0, False).dealt([part], np.array([10]), seed))
        count[sample.target.astype(int)] += 1
    # 180 each: binomial of standard deviation 11.2
    assert np.abs(count - 180).max() < 50


@pytest.mark.parametrize(
    ("wanted", "sizes", "n_trees", "expected"),
    [
        (None, [5, 5], 9, None),
        ("auto", [10], 9, None),
        ("auto", [10, 30], 9, (1, 40, True)),
        (40 * 10, [10, 30], 9, (4, 40, False)),
        (40 * 10, [10, 30], 2, (2, 20, False)),
        (1, [10, 30], 99, (16, 16, False)),
        ("auto", [BYTES_OF_SAMPLE // 40, 2], 9, (2, BYTES_OF_SAMPLE // 40 + 2, False)),
        ("auto", [BYTES_OF_SAMPLE // 20, 5], 9, (2, BYTES_OF_SAMPLE // 20 + 5, False)),
    ],
)
def test_how_many_samples_and_how_large(wanted, sizes, n_trees, expected):
    found = Exchange.of(wanted, np.array(sizes), 40, n_trees)
    if expected is None:
        assert found is None
    else:
        assert (found.n_samples, found.n_rows, found.is_all) == expected
        assert found.n_bytes == 40 * found.n_rows


# -- what grows ----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_all_rows_in_one_sample_give_the_ordinary_model_whatever_the_partitions(name):
    X, y = rows_of(120, gaps=0.05)
    y = target_of(name, y, X)
    weight = np.random.default_rng(1).integers(0, 3, 120).astype(float)
    options = {"random_state": 3, "oob_score": True, "smoothing": "oob"}
    options |= {} if "Bagged" in name else {"sampling": "bootstrap"}
    far, near = (kind(5, **options) for kind in both(name))
    near.fit(X, y, weight)
    for sizes in ([120], [30, 0, 50, 40], [1] * 20 + [100]):
        far.fit(*collections(sizes, X, y, weight))
        assert far.forest_ == near.forest_
        assert far.oob_score_ == pytest.approx(near.oob_score_)
        assert hasattr(far, "partition_of_tree_") == (len(sizes) == 1)
        np.testing.assert_allclose(far.predict(X), near.predict(X), rtol=1e-6)
        np.testing.assert_array_equal(far.to_local().predict(X), far.predict(X))


def test_sorted_rows():
    """Partitions know a part of the world each, and samples all of it."""
    X, _ = rows_of(3000)
    X = X[np.argsort(X[:, 0])]
    new, _ = rows_of(2000, seed=1)
    y, new_y = ((rows[:, 0] * rows[:, 1] > 0).astype(int) for rows in (X, new))
    parts = collections([300] * 10, X, y)
    error = {}
    for exchange in (None, bytes_of(500)):
        model = distributed.CoalescenceClassifier(20, exchange=exchange, random_state=0)
        error[exchange] = 1 - model.fit(*parts).score(new, new_y)
    assert error[None] > 0.25
    assert error[bytes_of(500)] < 0.15


@pytest.mark.parametrize("name", ["CoalescenceClassifier", "CoalescenceRegressor"])
def test_out_of_bag_no_tree_has_heard_what_a_row_says(name):
    """Against trees that grow on the samples one by one, and keep the leaves they have there."""
    X, y = rows_of(90)
    y = target_of(name, y, X)
    options = {"sampling": "all", "random_state": 0}
    far, near = both(name)
    model = far(4, **options, oob_score=True, exchange=bytes_of(45, name))
    model.fit(*collections([20, 40, 30], X, y))
    whole = TrainingSet.of_target(X, np.arange(90.0))
    parts = [whole.take(slice(a, b)) for a, b in ((0, 20), (20, 60), (60, 90))]
    later, sizes = [dask.delayed(part) for part in parts], np.array([20, 40, 30])
    dealt = model.exchange_.dealt(later, sizes, model.seed_)
    samples = [sample.target.astype(int) for sample in dask.compute(*dealt)]
    alone = [near(4, **options).fit(X[rows], y[rows]).trees_ for rows in samples]
    answers = np.empty((90, 2 if "Classifier" in name else 1))
    for mine, other in ((0, 1), (1, 0)):
        unseen = [alone[other][tree] for tree in range(4) if tree % 2 == other]
        answers[samples[mine]] = np.mean([Hard().predict(t, X[samples[mine]]) for t in unseen], 0)
    if "Classifier" in name:
        expected = accuracy_score(y, np.argmax(answers, axis=1))
    else:
        expected = r2_score(y, answers[:, 0])
    assert model.oob_score_ == pytest.approx(expected)


def test_the_score_of_labels_that_are_noise_is_chance():
    X, _ = rows_of(1500)
    y = np.random.default_rng(5).integers(0, 2, 1500)
    model = distributed.CoalescenceClassifier(
        12, oob_score=True, exchange=bytes_of(400), random_state=0
    )
    model.fit(*collections([500, 500, 500], X, y))
    assert abs(model.oob_score_ - 0.5) < 0.06
    assert model.score(X, y) > model.oob_score_ + 0.04  # a quarter of the rows knows the answer


def test_the_same_bits_by_threads_and_for_a_clone():
    X, y = rows_of(300)
    parts = collections([70, 130, 100], X, y)
    model = distributed.CoalescenceClassifier(
        9, exchange=bytes_of(80), smoothing="oob", random_state=1
    )
    model.fit(*parts)
    with dask.config.set(scheduler="threads", num_workers=3):
        again = clone(model).fit(*parts)
    assert again.forest_ == model.forest_
    assert again.smoothing_ == model.smoothing_
    assert again.exchange_ == model.exchange_


def test_seeds_of_deals_are_those_of_no_tree():
    deal = np.random.SeedSequence(7, spawn_key=(2, 0, 0))
    assert deal.generate_state(4).tolist() != seed_of_tree(7, 2).generate_state(4).tolist()


def test_parameters_of_here_and_of_the_ordinary_estimator():
    for name in NAMES:
        far, near = both(name)
        assert far().get_params() == near().get_params() | {"exchange": "auto"}
        assert far(7, exchange=None, random_state=2).n_estimators == 7
    with pytest.raises(TypeError, match="unexpected keyword"):
        distributed.CoalescenceClassifier(exchanges=None)


@pytest.mark.parametrize("name", ["CoalescenceClassifier", "VRForestClassifier"])
def test_columns_that_tell_no_more_than_chance_are_left_out_as_in_memory(name):
    from softwood.errors import UntestedColumnWarning

    rng = np.random.default_rng(0)
    n = 400
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 150, n), rng.integers(0, 3, n)])
    y = ((X[:, 0] > 0) ^ (X[:, 2] == 1)).astype(int)
    options = {"categorical_features": [1, 2], "random_state": 0}
    far, near = (kind(6, **options) for kind in both(name))
    with pytest.warns(UntestedColumnWarning, match="x1"):
        near.fit(X, y)
    with pytest.warns(UntestedColumnWarning, match="x1"):
        far.fit(*collections([100, 150, 150], X, y))
    assert far.forest_ == near.forest_
    assert {tree.feature.max() for tree in far.trees_} == {2}
    assert not any((tree.feature == 1).any() for tree in far.trees_)
    few = both(name)[0](6, exchange=150 * 34, **options)
    with pytest.warns(UntestedColumnWarning, match="x1"):
        few.fit(*collections([100, 150, 150], X, y))
    assert few.exchange_.n_samples == 3
    assert not any((tree.feature == 1).any() for tree in few.trees_)
