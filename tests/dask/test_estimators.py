"""Distributed ensembles, against the ordinary ones on single partitions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score

import softwood
from softwood.flow import Hard

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("softwood.dask")

NAMES = [name for name in distributed.__all__ if "Soft" not in name]


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)).round(2)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0]) + 0.3 * rng.normal(size=n_rows) > 0).astype(int)
    return X, y


def target_of(name, y, X):
    return y if "Classifier" in name else y + 0.1 * np.nan_to_num(X[:, 1])


def collections(sizes, *columns):
    """Return the columns as Dask arrays with partitions of these sizes."""
    return [
        da.from_array(c, chunks=(tuple(sizes),) + ((c.shape[1],) if c.ndim == 2 else ()))
        for c in columns
    ]


def both(name):
    return getattr(distributed, name), getattr(softwood, name)


# -- fitting -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_one_partition_gives_the_ordinary_model(name):
    X, y = rows_of(80)
    y = target_of(name, y, X)
    weight = np.random.default_rng(1).integers(0, 3, 80).astype(float)
    options = {"random_state": 3, "oob_score": True, "smoothing": "oob"}
    options |= {} if "Bagged" in name else {"sampling": "bootstrap"}
    options |= {"alpha": "search"} if "VRForest" in name else {}
    options |= {"class_weight": {0: 2.0, 1: 0.5}} if "Classifier" in name else {}
    far, near = (kind(4, **options) for kind in both(name))
    far.fit(*collections([80], X, y, weight))
    near.fit(X, y, weight)
    assert far.forest_ == near.forest_
    assert far.oob_score_ == pytest.approx(near.oob_score_)
    assert far.smoothing_ == near.smoothing_
    np.testing.assert_allclose(far.predict(X), near.predict(X), rtol=1e-9)
    assert getattr(far, "alpha_losses_", {}) == pytest.approx(getattr(near, "alpha_losses_", {}))
    for attribute in ("alphas_", "classes_", "n_features_in_", "seed_"):
        assert str(getattr(far, attribute, None)) == str(getattr(near, attribute, None))


@pytest.mark.parametrize("name", NAMES)
def test_tree_i_is_tree_i_of_the_ordinary_model_of_its_partition(name):
    X, y = rows_of(150)
    y, sizes = target_of(name, y, X), [30, 70, 50]
    far, near = (kind(9, random_state=0) for kind in both(name))
    far.set_params(exchange=None).fit(*collections(sizes, X, y))
    assert np.bincount(far.partition_of_tree_).tolist() == [2, 4, 3]
    ends = np.cumsum([0, *sizes])
    for partition in range(3):
        here = slice(ends[partition], ends[partition + 1])
        alone = near.fit(X[here], y[here]).trees_
        for number in np.flatnonzero(far.partition_of_tree_ == partition):
            assert far.trees_[number] == alone[number]
    say = np.bincount(far.partition_of_tree_, far.forest_.factor)
    np.testing.assert_allclose(say, 9 * np.array(sizes) / 150)


def test_a_class_that_a_partition_lacks():
    X, _ = rows_of(120)
    y = np.repeat(["a", "b", "c"], 40)
    y[:40:2] = "b"  # a and b, b, c
    model = distributed.CoalescenceClassifier(6, exchange=None, random_state=0)
    model.fit(*collections([40, 40, 40], X, y))
    assert model.classes_.tolist() == ["a", "b", "c"]
    for number, partition in enumerate(model.partition_of_tree_):
        present = ([0, 1], [1], [2])[partition]
        here = slice(40 * partition, 40 * partition + 40)
        alone = softwood.CoalescenceClassifier(6, random_state=0).fit(X[here], y[here])
        tree, expected = model.trees_[number], alone.trees_[number]
        np.testing.assert_array_equal(tree.threshold, expected.threshold)
        np.testing.assert_array_equal(tree.response[:, present], expected.response)
        np.testing.assert_array_equal(tree.response.sum(axis=1), expected.response.sum(axis=1))


def test_empty_partitions_and_those_without_weight_are_skipped():
    X, y = rows_of(60)
    weight = np.repeat([1.0, 0.0, 1.0], 20)
    sizes = [20, 0, 20, 20, 0]
    model = distributed.VRForestClassifier(4, exchange=None, random_state=0)
    model.fit(*collections(sizes, X, y, weight))
    assert model.partition_of_tree_.tolist() == [0, 3, 0, 3]
    kept = weight > 0
    fewer = clone(model).fit(*collections([20, 20], X[kept], y[kept]))
    assert model.forest_ == fewer.forest_
    answers = model.predict_proba(collections(sizes, X)[0])
    assert answers.compute().shape == (60, 2)
    assert answers.chunks == ((20, 0, 20, 20, 0), (2,))


def test_chunks_of_unknown_size():
    X, y = rows_of(60)
    far_X, far_y = collections([30, 30], X, y)
    keep = da.from_array(np.arange(60) % 3 > 0, chunks=30)
    model = distributed.CoalescenceClassifier(4, random_state=0).fit(far_X[keep], far_y[keep])
    kept = np.arange(60) % 3 > 0
    expected = clone(model).fit(*collections([20, 20], X[kept], y[kept]))
    assert model.forest_ == expected.forest_
    np.testing.assert_array_equal(model.predict(far_X[keep]).compute(), expected.predict(X[kept]))


def test_balanced_classes_are_balanced_over_all_partitions():
    X, y = rows_of(90)
    y[:30] = 0
    count = np.bincount(y)
    factors = {label: 90 / (2 * count[label]) for label in (0, 1)}
    parts = collections([30, 30, 30], X, y)
    given = distributed.CoalescenceClassifier(6, class_weight=factors, random_state=0).fit(*parts)
    found = clone(given).set_params(class_weight="balanced").fit(*parts)
    assert found.forest_ == given.forest_


def test_classes_without_weight():
    X, y = rows_of(60)
    y[:20] = 1
    model = distributed.CoalescenceClassifier(4, exchange=None, random_state=0)
    model.fit(*collections([20, 20, 20], X, y, 1.0 - y))
    assert model.partition_of_tree_.tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sampling", ["all", "bootstrap"])
def test_the_scale_of_weights_says_nothing(name, sampling):
    X, y = rows_of(90)
    y = target_of(name, y, X)
    options = {"random_state": 0} | ({} if "Bagged" in name else {"sampling": sampling})
    far = both(name)[0](6, **options)
    sizes, weight = [20, 40, 30], np.random.default_rng(0).choice([0.25, 1.0, 1.5], 90)
    one, other, plain, even = (
        clone(far).fit(*collections(sizes, X, y, given))
        for given in (weight, weight * 2.0**-990, np.ones(90), np.full(90, 1 / 90))
    )
    method = "predict_proba" if "Classifier" in name else "predict"
    one, other, plain, even = (getattr(model, method)(X) for model in (one, other, plain, even))
    np.testing.assert_allclose(other, one, rtol=1e-6)
    np.testing.assert_allclose(even, plain, rtol=1e-12)


def test_class_weights_must_be_finite_and_positive():
    X, y = rows_of(60)
    for factor in (0, -1, np.nan, np.inf):
        model = distributed.CoalescenceClassifier(4, class_weight={0: 1, 1: factor})
        with pytest.raises(ValueError, match="class_weight must be finite and positive"):
            model.fit(*collections([30, 30], X, y))
    model = distributed.CoalescenceClassifier(4, class_weight={0: 1, 1: 1e200})
    with pytest.raises(ValueError, match="sample_weight times class_weight must be finite"):
        model.fit(*collections([30, 30], X, y, np.full(60, 1e200)))


# -- bags of other trees -------------------------------------------------------

MEMBERS = {
    "c45": softwood.C45Classifier(),
    "pruned": softwood.CARTClassifier(pruning="cv"),
    "oblique": softwood.ObliqueTreeClassifier(n_restarts=2),
    "soft": softwood.SoftTreeClassifier(method=softwood.Gradient(teacher=3, n_epochs=2)),
}


@pytest.mark.parametrize("member", MEMBERS)
def test_any_tree_can_be_bagged_and_flows_and_fills_as_in_memory(member):
    X, y = rows_of(60)
    options = {"estimator": MEMBERS[member], "random_state": 0, "oob_score": True}
    far, near = (kind(3, **options) for kind in both("BaggedTreesClassifier"))
    far.fit(*collections([60], X, y))
    near.fit(X, y)
    assert far.flow_ == near.flow_
    assert far.oob_score_ == pytest.approx(near.oob_score_)
    np.testing.assert_array_equal(far.predict_proba(X), near.predict_proba(X))
    np.testing.assert_array_equal(far.to_local().predict_proba(X), near.predict_proba(X))


def test_partitions_agree_about_what_a_missing_value_counts_as():
    X, y = rows_of(90)
    X[:40, 2] += 10.0  # the first partition knows other values
    member = MEMBERS["oblique"]
    far, near = (kind(4, estimator=member) for kind in both("BaggedTreesClassifier"))
    far.fit(*collections([40, 50], X, y))
    np.testing.assert_allclose(far.fill_values_, np.nanmean(X, axis=0), rtol=1e-12)
    np.testing.assert_allclose(far.fill_values_, near.fit(X, y).fill_values_, rtol=1e-12)
    gap = np.full((1, 4), np.nan)
    np.testing.assert_array_equal(far.predict_proba(gap), far.predict_proba([far.fill_values_]))


def test_soft_trees_are_not_smoothed_again():
    X, y = rows_of(60)
    model = distributed.BaggedTreesClassifier(4, estimator=MEMBERS["soft"], smoothing=0.5)
    with pytest.raises(ValueError, match="are soft already: use smoothing=None"):
        model.fit(*collections([30, 30], X, y))


# -- frames --------------------------------------------------------------------


def frame_of(n_rows=90):
    rng = np.random.default_rng(0)
    colour = np.repeat(["red", "blue", "green"], n_rows // 3)  # one in each partition
    colour[rng.random(n_rows) < 0.5] = "grey"
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows),
            "colour": colour,
            "grade": rng.integers(1, 4, n_rows),
            "empty": [None] * (n_rows // 3) + ["x", "y"] * (n_rows // 3),
        }
    )
    return frame, pd.Series(np.where((frame["size"] > 0) & (colour != "red"), "yes", "no"))


@pytest.mark.parametrize("declared", [False, True])
def test_frames_know_the_categories_of_all_partitions(declared):
    frame, y = frame_of()
    if declared:
        frame["colour"] = frame["colour"].astype("category")
    # Missing values stay missing: a category of their own is in some of the partitions only.
    options = {"categorical_features": ["colour", "grade", "empty"], "random_state": 0}
    options |= {"sampling": "all", "handle_missing": "spread"}
    far, near = (kind(6, **options) for kind in both("CoalescenceClassifier"))
    table = dd.from_pandas(frame.assign(y=y), npartitions=3)
    far.set_params(exchange=None).fit(table[list(frame.columns)], table["y"])
    near.fit(frame, y)
    assert far.schema_ == near.schema_
    assert far.classes_.tolist() == near.classes_.tolist()
    assert far.feature_names_in_.tolist() == list(frame.columns)
    answers = far.predict_proba(table[list(frame.columns)])
    assert answers.compute().tolist() == far.predict_proba(frame).tolist()
    assert far.predict(table[list(frame.columns)]).compute().tolist() == far.predict(frame).tolist()
    # A tree of one partition is that of the partition with the categories of all.
    for name in ("colour", "empty"):
        frame[name] = frame[name].astype("category")
    alone = near.fit(frame.iloc[30:60], y.iloc[30:60])
    assert alone.schema_ == far.schema_
    assert far.trees_[1] == alone.trees_[1]


def test_frames_with_other_columns():
    frame, y = frame_of()
    parts = [dask.delayed(frame.iloc[:45]), dask.delayed(frame.iloc[45:, ::-1])]
    table = dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)
    target = dd.from_pandas(y, npartitions=2)
    model = distributed.CoalescenceClassifier(4)
    with pytest.raises(ValueError, match=r"partition 0 has \['size', .*partition 1 has \['empty'"):
        model.fit(table, target)
    assert not model.__sklearn_is_fitted__()


# -- bad input -----------------------------------------------------------------


def test_errors_name_the_partition():
    X, y = rows_of(60)
    X[45, 1] = np.inf
    with pytest.raises(ValueError, match=r"in partition 2: .*infinity"):
        distributed.CoalescenceClassifier(4).fit(*collections([20, 20, 20], X, y))


def test_lengths_that_are_known_only_on_the_workers():
    X, y = rows_of(60)
    far_X, far_y = collections([30, 30], X, y)
    keep = da.from_array(np.arange(60) > 10, chunks=30)
    with pytest.raises(ValueError, match="partition 0: y must have as many rows as X, 19; got 30"):
        distributed.CoalescenceClassifier(4).fit(far_X[keep], far_y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_estimators": 1, "exchange": None}, "n_estimators .* partitions that hold rows, 2"),
        ({"exchange": 0}, "exchange"),
        ({"exchange": "much"}, "exchange"),
        ({"warm_start": True}, "warm_start=True is not for Dask"),
        ({"smoothing": "holdout"}, "smoothing='holdout' is not for Dask"),
        ({"sampling": "subspace", "subspace": 9}, "subspace must not be larger .* 4; got 9"),
        ({"alpha_range": (0.7, 0.2)}, "alpha_range must be two numbers"),
        ({"n_estimators": 0}, "n_estimators"),
    ],
)
def test_parameters_that_do_not_fit(options, message):
    parts = collections([20, 20], *rows_of(40))
    with pytest.raises(ValueError, match=message):
        distributed.CoalescenceClassifier(**options).fit(*parts)


def test_unseen_rows_take_two_partitions_or_a_bootstrap():
    parts = collections([40, 0], *rows_of(40))
    with pytest.raises(ValueError, match=r"oob_score=True .* takes two partitions with rows"):
        distributed.CoalescenceClassifier(4, sampling="all", oob_score=True).fit(*parts)
    model = distributed.CoalescenceClassifier(4, oob_score=True).fit(*parts)
    assert 0.5 < model.oob_score_ <= 1


def test_missing_categories_are_one_category_of_all_partitions():
    frame, y = frame_of()
    options = {"categorical_features": ["colour", "grade", "empty"], "random_state": 0}
    table = dd.from_pandas(frame.assign(y=y), npartitions=3)
    model = distributed.CoalescenceClassifier(12, **options).fit(
        table[list(frame.columns)], table["y"]
    )
    assert model.schema_.features[3].categories == ("x", "y", None)
    assert (
        model.predict(frame) == y
    ).mean() > 0.7  # of 90 rows in sorted partitions; the most frequent class has 0.6


def test_no_rows_and_no_weight():
    X, y = rows_of(40)
    with pytest.raises(ValueError, match=r"X has no rows in any of its 2 partition"):
        distributed.CoalescenceClassifier().fit(*collections([0, 0], X[:0], y[:0]))
    with pytest.raises(ValueError, match="sample_weight is 0 for every row"):
        distributed.CoalescenceClassifier().fit(*collections([20, 20], X, y, np.zeros(40)))


def test_numbers_and_text_in_the_target():
    X, _ = rows_of(40)
    parts = [np.array(["a", "b"] * 10), np.arange(20) % 2]
    y = da.concatenate([da.from_delayed(dask.delayed(p), (20,), dtype=object) for p in parts])
    with pytest.raises(TypeError, match="y holds numbers in some partitions and text in others"):
        distributed.CoalescenceClassifier().fit(collections([20, 20], X)[0], y)


# -- unseen rows ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["CoalescenceClassifier", "CoalescenceRegressor"])
def test_the_score_of_rows_that_trees_have_not_seen(name):
    X, y = rows_of(90)
    y = target_of(name, y, X)
    options = {"sampling": "all", "oob_score": True, "exchange": None, "random_state": 0}
    model = both(name)[0](5, **options)
    model.fit(*collections([20, 40, 30], X, y))
    answers = []
    for row, partition in zip(X, np.repeat([0, 1, 2], [20, 40, 30]), strict=True):
        strangers = np.flatnonzero(model.partition_of_tree_ != partition)
        said = [Hard().predict(model.trees_[i], row[None])[0] for i in strangers]
        answers.append(np.average(said, axis=0, weights=model.forest_.factor[strangers]))
    if name == "CoalescenceClassifier":
        expected = accuracy_score(y, np.argmax(answers, axis=1))
    else:
        expected = r2_score(y, np.ravel(answers))
    assert model.oob_score_ == pytest.approx(expected)


def test_smoothing():
    X, y = rows_of(120)
    parts = collections([40, 40, 40], X, y)
    soft = distributed.CoalescenceClassifier(6, smoothing="oob", random_state=0).fit(*parts)
    assert soft.smoothing_path_.smoothing == soft.smoothing_ > 0.0
    given = clone(soft).set_params(smoothing=soft.smoothing_).fit(*parts)
    assert given.flow_ == soft.flow_
    np.testing.assert_allclose(soft.flow_.scale, soft.smoothing_ * np.nanstd(X, axis=0, ddof=1))


# -- answers -------------------------------------------------------------------


@pytest.fixture
def fitted():
    X, y = rows_of(60)
    return distributed.CoalescenceClassifier(4, random_state=0).fit(*collections([30, 30], X, y))


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "predict_log_proba", "predict_confidence"]
)
def test_predictions_of_collections_are_lazy(fitted, method):
    X, _ = rows_of(50, seed=1)
    (far,) = collections([20, 30], X)
    answers, expected = getattr(fitted, method)(far), getattr(fitted, method)(X)
    assert isinstance(answers, da.Array)
    assert isinstance(expected, np.ndarray)
    assert answers.shape == expected.shape
    assert answers.dtype == expected.dtype
    np.testing.assert_array_equal(answers.compute(), expected)


def test_scores(fitted):
    X, y = rows_of(50, seed=1)
    weight = np.linspace(0.0, 1.0, 50)
    expected = fitted.to_local().score(X, y, weight)
    assert fitted.score(X, y, weight) == expected
    assert fitted.score(*collections([20, 30], X, y, weight)) == expected


def test_the_ordinary_model_can_be_saved(fitted, tmp_path):
    X, _ = rows_of(50, seed=1)
    local = fitted.to_local()
    assert type(local) is softwood.CoalescenceClassifier
    assert local.get_params() | {"exchange": "auto"} == fitted.get_params()
    softwood.save(local, tmp_path / "model.softwood")
    again = softwood.load(tmp_path / "model.softwood")
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))


def test_answers_that_cannot_be_had(fitted):
    X, y = rows_of(50)
    (far,) = collections([25, 25], X)
    with pytest.raises(TypeError, match="only predictions are lazy"):
        fitted.apply(far)
    with pytest.raises(ValueError, match="X has 3 features, but the model was fitted with 4"):
        fitted.predict(far[:, :3])
    with pytest.raises(ValueError, match="X is cut along its columns"):
        fitted.predict(far.rechunk((25, 2)))
    with pytest.raises(TypeError, match="permutation_importances needs all training rows"):
        fitted.permutation_importances(X, y)
    with pytest.raises(AttributeError, match="estimators_samples_"):
        _ = fitted.estimators_samples_


def test_columns_of_frames_are_checked_before_anything_runs():
    frame, y = frame_of()
    table = dd.from_pandas(frame.assign(y=y), npartitions=2)
    model = distributed.VRForestClassifier(2).fit(table[["size", "grade"]], table["y"])
    with pytest.raises(ValueError, match=r"those of training, \['size', 'grade'\]; got \['grade'"):
        model.predict(table[["grade", "size"]])


def test_no_answers_before_the_fit():
    from sklearn.exceptions import NotFittedError

    (far,) = collections([20], rows_of(20)[0])
    for model in (distributed.CoalescenceClassifier(), distributed.CoalescenceRegressor()):
        with pytest.raises(NotFittedError):
            model.predict(far)
        with pytest.raises(NotFittedError):
            model.to_local()


@pytest.mark.parametrize("name", NAMES)
def test_sets_and_intervals_take_rows_that_are_new(name):
    X, y = rows_of(300)
    target = target_of(name, y, X)
    model = both(name)[0](6, random_state=0).fit(*collections([150, 150], X, target))
    new, labels = rows_of(200, seed=1)
    new_target = target_of(name, labels, new)

    def ask(fitted):
        has_classes = hasattr(fitted, "predict_set")
        return fitted.predict_set(new) if has_classes else fitted.predict_interval(new)

    with pytest.raises(ValueError, match=r"Call calibrate\(X, y\) with rows that are new"):
        ask(model)
    with pytest.raises(ValueError, match="'cv' is not for models of Dask collections"):
        model.calibrate(X, target, method="cv")
    found = ask(model.calibrate(new, new_target))
    np.testing.assert_array_equal(ask(model.to_local()), found)
    lazy = model.calibrate(*collections([100, 100], new, new_target))
    np.testing.assert_array_equal(ask(lazy), found)
    model.fit(*collections([150, 150], X, target))
    assert not hasattr(model, "calibration_")
