"""A later estimator plugs into model files by declaring what it holds."""

import json

import numpy as np
import pytest

from softwood import CARTClassifier, load, save
from softwood.errors import ModelFileError
from softwood.persist.container import pack
from softwood.persist.format import members_of
from softwood.persist.registry import ESTIMATORS
from tests.persist.models import TinyForest, numeric_rows


@pytest.fixture
def forest(monkeypatch):
    monkeypatch.setitem(ESTIMATORS, "TinyForest", TinyForest.__module__)
    X, y = numeric_rows()
    return TinyForest(estimator=CARTClassifier(max_depth=7, random_state=1)).fit(X, y)


def test_an_ensemble_comes_back(forest, tmp_path):
    X, _ = numeric_rows(seed=1)
    save(forest, tmp_path / "forest")
    again = load(tmp_path / "forest")
    assert again.trees_ == forest.trees_
    assert again.spare_ == forest.spare_
    assert again.notes_ == forest.notes_
    assert again.alphas_.dtype == np.float32
    assert again.alphas_.tobytes() == forest.alphas_.tobytes()
    assert again.estimator.get_params() == forest.estimator.get_params()
    assert again.predict_proba(X).tobytes() == forest.predict_proba(X).tobytes()


def test_its_own_check_is_asked(forest, tmp_path):
    forest.alphas_ = forest.alphas_[:1]
    with pytest.raises(ValueError, match="alphas_ must have two rows"):
        save(forest, tmp_path / "forest")


def test_all_its_trees_are_checked(forest, tmp_path):
    members = members_of(forest)
    said = json.loads(members["model.json"])
    said["attributes"]["trees_"] = [{"tree": 0}, 3]
    members["model.json"] = json.dumps(said).encode()
    (tmp_path / "forest").write_bytes(pack(members, 1))
    with pytest.raises(ModelFileError, match="'trees_' must be a list of trees"):
        load(tmp_path / "forest")


def test_trees_of_different_tables_are_refused(forest, tmp_path):
    wide = CARTClassifier().fit(*numeric_rows(n_features=5)).tree_
    forest.trees_ = [*forest.trees_, wide]
    with pytest.raises(ValueError, match="must read the same features"):
        save(forest, tmp_path / "forest")


def test_classifiers_may_hold_other_trees(forest, tmp_path, monkeypatch):
    monkeypatch.setattr(TinyForest, "_frequency_trees", False, raising=False)
    tree = forest.trees_[0]
    forest.trees_ = [tree.replace(response=5.0 * tree.response - 1.0)]
    forest.spare_ = forest.trees_[0]
    save(forest, tmp_path / "forest")
    assert load(tmp_path / "forest").trees_ == forest.trees_
