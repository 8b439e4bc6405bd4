"""What is saved comes back, bit for bit, and all of it or nothing."""

import os
import stat
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    EvolvedTreeClassifier,
    load,
    save,
)
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.persist import files
from softwood.tree import Tree
from tests.persist.models import ODD_NAMES, mixed_model, mixed_table, numeric_rows
from tests.strategies import WITHOUT_JIT


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def saved_and_loaded(model, path):
    save(model, path)
    return load(path)


def assert_same(one, other):
    assert type(one) is type(other)
    assert one.get_params() == other.get_params()
    assert one.tree_ == other.tree_
    assert one.flow_ == other.flow_
    assert one.schema_ == other.schema_
    assert vars(one).keys() - {"_fitted_rows"} == vars(other).keys()


@pytest.mark.parametrize("kind", [C45Classifier, CARTClassifier, CARTRegressor])
def test_a_model_comes_back_with_the_same_bits(kind, path):
    model, table = mixed_model(kind)
    again = saved_and_loaded(model, path)
    assert_same(model, again)
    assert model.predict(table).tolist() == again.predict(table).tolist()
    if hasattr(model, "predict_proba"):
        assert model.predict_proba(table).tobytes() == again.predict_proba(table).tobytes()
        assert again.classes_.dtype == model.classes_.dtype
    assert again.feature_names_in_.tolist() == table.names
    assert again.export_text() == model.export_text()


@pytest.mark.parametrize(
    "flow",
    [Hard(), Ramp(drop=1e-9), Gaussian([0.1, 0.2, 0.0], exact=False), Sampled(0.3, n=7)],
)
def test_every_flow_comes_back(flow, path):
    X, y = numeric_rows()
    model = CARTClassifier(max_depth=3).fit(X, y)
    model.flow_ = flow
    inner = model.tree_.kind == 1
    model.tree_ = model.tree_.replace(below=np.where(inner, 0.5, 0.0))
    again = saved_and_loaded(model, path)
    assert_same(model, again)
    assert model.predict_proba(X).tobytes() == again.predict_proba(X).tobytes()


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["b", "a"]),
        np.array(ODD_NAMES[:2], dtype="<U40"),
        np.array(ODD_NAMES, dtype=object),
        np.array([2, -1], dtype=np.int8),
        np.array([5, 2**63 + 1], dtype=np.uint64),
        np.array([5, 7], dtype=">i4"),
        np.array([1.0, 2.0], dtype=np.float32),
        np.array([1.0, 2.0]),
        np.array([True, False]),
        np.array([3]),
    ],
    ids=lambda classes: classes.dtype.str,
)
def test_classes_keep_their_dtype(classes, path):
    X = np.arange(len(classes), dtype=float)[:, None]
    model = CARTClassifier().fit(X, classes)
    again = saved_and_loaded(model, path)
    assert again.classes_.dtype == model.classes_.dtype == classes.dtype
    assert again.classes_.tolist() == model.classes_.tolist() == sorted(classes.tolist())
    assert again.predict(X).tolist() == classes.tolist()


@pytest.mark.parametrize(
    "values",
    [["x", "", "y, z"], [3, 1, 2], [0.1, 2.5, np.inf], [True, False, True], [b"x", b"\xff", b""]],
    ids=str,
)
def test_categories_keep_their_type(values, path):
    X = pd.DataFrame({"c": pd.Categorical(values * 4)})
    y = [0, 1, 1] * 4
    model = C45Classifier().fit(X, y)
    again = saved_and_loaded(model, path)
    (feature,) = again.schema_.features
    assert again.schema_ == model.schema_
    assert [type(c) for c in feature.categories] == [
        type(c) for c in model.schema_.features[0].categories
    ]
    assert again.predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize(
    "weights",
    [
        {0: 1.0, 1: np.float64(2.0)},
        {np.int64(0): 1, 1: np.float32(0.5)},
        "balanced",
        None,
    ],
    ids=str,
)
def test_parameters_come_back(weights, path):
    X, y = numeric_rows()
    model = CARTClassifier(class_weight=weights, min_samples_leaf=np.int64(2)).fit(X, y)
    again = saved_and_loaded(model, path)
    assert again.get_params() == model.get_params()
    assert type(again.min_samples_leaf) is int


@pytest.mark.parametrize("choice", [[0], (0,), np.array([True, False, False]), np.array([0])])
def test_column_choices_come_back(choice, path):
    X, y = numeric_rows()
    X = np.column_stack([X[:, 0].round(), X[:, 1:]])
    model = CARTClassifier(categorical_features=choice).fit(X, y)
    again = saved_and_loaded(model, path)
    assert type(again.categorical_features) is type(choice)
    assert np.array_equal(again.categorical_features, choice)
    assert again.predict(X).tolist() == model.predict(X).tolist()


def test_a_generator_is_written_as_none(path):
    X, y = numeric_rows()
    model = CARTClassifier(random_state=np.random.RandomState(3)).fit(X, y)
    again = saved_and_loaded(model, path)
    assert again.random_state is None
    assert isinstance(model.random_state, np.random.RandomState)
    assert saved_and_loaded(CARTClassifier(random_state=3).fit(X, y), path).random_state == 3


def test_the_same_model_gives_the_same_bytes(tmp_path):
    model, _ = mixed_model()
    save(model, tmp_path / "one")
    save(load(tmp_path / "one"), tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_file_holds_json_and_arrays_and_no_pickle(path):
    model, _ = mixed_model()
    save(model, path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    assert names[:2] == ["manifest.json", "model.json"]
    assert all(name.startswith("trees/") for name in names[2:])


def test_any_path_will_do(tmp_path, monkeypatch):
    model = CARTClassifier().fit(*numeric_rows())
    monkeypatch.chdir(tmp_path)
    long_name = "ä" * 120
    for path in ("plain", "two words.zip", long_name):
        save(model, path)
        assert load(path).tree_ == model.tree_
    assert sorted(os.listdir()) == sorted(["plain", "two words.zip", long_name])


@pytest.mark.parametrize("step", ["replace", "fsync"])
@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt()], ids=repr)
def test_a_failure_leaves_the_old_file_and_nothing_else(step, failure, path, monkeypatch):
    X, y = numeric_rows()
    save(CARTClassifier(max_depth=1).fit(X, y), path)
    before = path.read_bytes()

    def fail(*_):
        raise failure

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(type(failure)):
        save(CARTClassifier(max_depth=2).fit(X, y), path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of Unix")
def test_links_are_followed_and_others_may_read(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    save(CARTClassifier().fit(*numeric_rows()), link)
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.skipif(WITHOUT_JIT, reason="nothing is compiled")
def test_a_loaded_model_compiles_nothing(path):
    from softwood._kernels.flow.route import leaf_of_rows
    from softwood._kernels.flow.spread import predict_rows

    model, table = mixed_model()
    expected = model.predict(table)
    before = [len(kernel.compiled.signatures) for kernel in (leaf_of_rows, predict_rows)]
    again = saved_and_loaded(model, path)
    assert again.predict(table).tolist() == expected.tolist()
    assert [len(kernel.compiled.signatures) for kernel in (leaf_of_rows, predict_rows)] == before


def test_a_loaded_tree_is_read_only(path):
    model, _ = mixed_model()
    tree = saved_and_loaded(model, path).tree_
    assert isinstance(tree, Tree)
    assert not tree.threshold.flags.writeable


def test_a_model_loaded_can_be_fitted_again(path):
    model, table = mixed_model()
    again = saved_and_loaded(model, path)
    _, y = mixed_table()
    assert again.fit(table, y).tree_ == model.tree_


def test_a_model_that_was_loaded_gives_the_same_file(tmp_path):
    X, y = numeric_rows()
    model = EvolvedTreeClassifier(n_iter=20, population_size=4, n_runs=2, random_state=0)
    save(model.fit(X, y), tmp_path / "model")
    save(load(tmp_path / "model"), tmp_path / "again")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "again").read_bytes()
