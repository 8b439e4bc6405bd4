import json

import numpy as np
import pytest

from softwood import CARTClassifier, EvolvedTreeClassifier
from softwood.interop import import_model
from softwood.view.explorer import specification as spec
from softwood.view.explorer.arrays import Block
from softwood.view.explorer.columns import facts_of


@pytest.fixture(scope="module")
def shown():
    X = np.random.default_rng(0).normal(size=(80, 3))
    model = CARTClassifier().fit(X, X[:, 0] > 0.2 * X[:, 1])
    imported = import_model(model)
    return spec.Shown("a tree", model, imported, facts_of(model, imported, X))


def test_a_specification_is_json(shown):
    block = Block()
    written = spec.specification(shown, block)
    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert written["trees"]["nNodes"] == [shown.model.tree_.n_nodes]
    assert written["classes"] == ["False", "True"]
    assert sum(written["importances"]) == pytest.approx(1.0)


def test_very_large_ensembles_are_cut_short(shown, monkeypatch):
    forest = shown.imported.forest
    many = forest.replace(
        trees=forest.trees * 9, output=np.full(9, -1, np.int32), factor=np.ones(9)
    )
    size = forest.trees[0].n_nodes * (50 + 8 * forest.trees[0].n_outputs)
    monkeypatch.setattr(spec, "MOST_BYTES", 4 * size)
    assert spec._trees_that_fit(many) == 4
    monkeypatch.setattr(spec, "MOST_BYTES", 1)
    assert spec._trees_that_fit(many) == 1


def test_a_front_begins_with_the_tree_that_was_chosen():
    X = np.random.default_rng(1).normal(size=(120, 2))
    model = EvolvedTreeClassifier(n_iter=2000, random_state=0).fit(X, X[:, 0] * X[:, 1] > 0)
    imported = import_model(model)
    whole = spec.Shown("evolved", model, imported, facts_of(model, imported, X))
    front = spec.front_of(whole)
    assert len(front) == len(model.pareto_front_)
    assert front[0].imported.forest.trees[0] == model.tree_


def test_other_models_have_no_front(shown):
    assert spec.front_of(shown) == [shown]
