"""Softened models in files whose checksum is right and whose contents are wrong."""

import json
import random

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from softwood import CARTClassifier, SoftTreeClassifier, load, soften
from softwood.errors import ModelFileError
from softwood.persist.format import members_of
from tests.persist.edits import loaded_or_complaint
from tests.persist.models import mixed_table, numeric_rows
from tests.persist.test_sealed import put, remove, sealed
from tests.strategies import WITHOUT_JIT

N_EDITS = 60 if WITHOUT_JIT else 400
IMPORTED = ("attributes", "imported_", "record", "fields")
FOREST = (*IMPORTED, "forest", "forest")
READER = (*IMPORTED, "reader", "record", "fields")
FLOW = (*IMPORTED, "flow", "flow", "fields")
PATH = ("attributes", "smoothing_path_", "record", "fields")
NOISE = (*PATH, "perturbation", "record", "fields")


@pytest.fixture(scope="module")
def forest():
    X, y = numeric_rows()
    return soften(RandomForestClassifier(3, random_state=0).fit(X, y), X, y, random_state=0)


@pytest.fixture(scope="module")
def mixed():
    """A tree with nominal tests whose categories are drawn anew."""
    table, y = mixed_table()
    return soften(CARTClassifier().fit(table, y), table, y, smoothing=0.5)


@pytest.fixture(scope="module")
def soft_tree():
    table, y = mixed_table()
    return SoftTreeClassifier(method="perturb", random_state=0).fit(table, y)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def floats(*values):
    return {"array": {"dtype": "<f8", "shape": [len(values)], "values": list(values)}}


WRONG = {
    "trees past the end": (put(*FOREST, "trees", value=[1, 3]), "names 3 trees from 1 on, of 3"),
    "trees before": (put(*FOREST, "trees", value=[-1, 2]), "trees from -1 on"),
    "no trees": (put(*FOREST, "trees", value=[0, 0]), "names 0 trees"),
    "odd trees": (put(*FOREST, "trees", value=[0, 3.0]), "and how many"),
    "one tree less": (put(*FOREST, "trees", value=[0, 2]), "output must have shape"),
    "output 7": (put(*FOREST, "output", "array", "values", 0, value=7), "output must be -1"),
    "wide output": (put(*FOREST, "output", "array", "dtype", value="<i8"), "'output' of the wrong"),
    "factors of text": (put(*FOREST, "factor", value="x"), "'factor' of the wrong type"),
    "infinite base": (put(*FOREST, "base", value=floats(0.0, 1e400)), "JSON|not of dtype|finite"),
    "link": (put(*FOREST, "link", value="cube"), "link must be one of"),
    "logistic": (put(*FOREST, "link", value="logistic"), "takes one raw score"),
    "field of a forest": (remove(*FOREST, "slope"), "must have the keys"),
    "rule": (put(*IMPORTED, "rule", value="last"), "rule must be one of"),
    "classes of text": (put(*IMPORTED, "classes", value="ab"), "'classes' of the wrong type"),
    "no classes": (put(*IMPORTED, "classes", value=None), "must have classes"),
    "one class": (put(*IMPORTED, "classes", value=floats(1.0)), "classes must have one entry"),
    "one class twice": (put(*IMPORTED, "classes", value=floats(1.0, 1.0)), "distinct classes"),
    "single tree": (put(*IMPORTED, "is_single_tree", value=True), "a single tree must be one"),
    "flow of text": (put(*IMPORTED, "flow", value="Hard"), "'flow' of the wrong type"),
    "list of flows": (put(*IMPORTED, "flow", value=[]), "'flow' of the wrong type"),
    "record": (
        put("attributes", "imported_", "record", "name", value="RowReader"),
        "must have the keys",
    ),
    "unknown record": (put("attributes", "imported_", "record", "name", value="Popen"), "'Popen'"),
    "no record": (put("attributes", "imported_", value=3), "'schema_' is missing"),
    "reader": (put(*IMPORTED, "reader", value=None), "'reader' of the wrong type"),
    "columns": (put(*READER, "schema", "schema", value=[]), "columns of the reader, 0"),
    "column 9": (put(*READER, "zero_is_missing", value={"tuple": [9]}), "columns in 0..2; got 9"),
    "column true": (put(*READER, "zero_is_missing", value={"tuple": [True]}), "0..2; got True"),
    "column -1": (put(*READER, "unnamed", value={"tuple": [-1]}), "columns in 0..2; got -1"),
    "column 0.5": (put(*READER, "unnamed", value={"tuple": [0.5]}), "integer"),
    "unknown": (put(*READER, "unknown", value="guess"), "unknown must be one of"),
    "zero": (put(*READER, "zero", value=-1.0), "zero must be finite"),
    "missing value": (put(*READER, "missing_value", value="x"), "'missing_value' of the wrong"),
    "scales": (put(*FLOW, "scale", value={"tuple": [1.0]}), "1 scales for 3 features"),
    "n_features_in_": (put("attributes", "n_features_in_", value=2), "must be 3"),
    "names": (
        put(
            "attributes",
            "feature_names_in_",
            value={"array": {"dtype": "|O", "shape": [1], "values": ["a"]}},
        ),
        "names in the schema",
    ),
    "what is computed": (put("attributes", "flow_", value=None), "no attribute 'flow_'"),
    "lambda": (put("attributes", "smoothing_", value=-0.5), "'smoothing_' must be a lambda"),
    "lambda of text": (put("attributes", "smoothing_", value="cv"), "'smoothing_' must be"),
    "path of text": (put("attributes", "smoothing_path_", value="x"), "must be a curve"),
    "no lambdas": (put(*PATH, "lambdas", value=floats()), "lambdas that ascend"),
    "lambdas": (put(*PATH, "lambdas", value=floats(1.0, 0.0)), "lambdas that ascend"),
    "losses": (put(*PATH, "losses", value=floats(1.0)), "a loss, and its error, for every"),
    "loss": (put(*PATH, "loss_name", value="regret"), "'regret', which is unknown"),
    "choice": (put(*PATH, "smoothing", value=77.0), "was not tried"),
    "noise": (put(*NOISE, "flow", value="loud"), "flow must be one of"),
    "noise of two": (put(*NOISE, "scale", value={"tuple": [1.0, 1.0]}), "2 scales for 3 features"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_sealed_forest_is_checked_all_the_same(case, forest, path):
    change, message = WRONG[case]
    sealed(path, forest, change)
    with pytest.raises(ModelFileError, match=f"{path.name}: .*({message})"):
        load(path)


@pytest.mark.parametrize(
    ("marginals", "message"),
    [
        ([[], [1.0]], "2 marginals for 3 features"),
        ([[], [0.5, 0.5], [1.0]], "2 shares for 9 categories"),
        ([[1.0], [], []], "1 shares for 0 categories"),
        ([[], [2.0], []], "sum to 1"),
        ([[], ["a"], []], "wrong type"),
    ],
)
def test_shares_are_those_of_the_categories(marginals, message, mixed, soft_tree, path):
    value = {"tuple": [{"tuple": shares} for shares in marginals]}
    own = ("attributes", "flow_", "flow", "fields", "marginals")
    for model, place in ((mixed, (*FLOW, "marginals")), (soft_tree, own)):
        sealed(path, model, put(*place, value=value))
        with pytest.raises(ModelFileError, match=message):
            load(path)


def test_shares_of_the_path_are_checked_too(soft_tree, path):
    value = {"tuple": [{"tuple": []}, {"tuple": [1.0]}, {"tuple": []}]}
    sealed(path, soft_tree, put(*NOISE, "marginals", value=value))
    with pytest.raises(ModelFileError, match="1 shares for 9 categories"):
        load(path)


def numbers_in(said):
    """Every (holder, key) of a number in JSON."""
    items = said.items() if isinstance(said, dict) else enumerate(said)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from numbers_in(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield said, key


def test_a_file_with_other_numbers_is_refused_or_safe_to_use(mixed, path):
    rng = random.Random(22)
    table = mixed_table()[0]
    n_used = 0
    for _ in range(N_EDITS):

        def change(said, members):
            holder, key = rng.choice(list(numbers_in(said["attributes"])))
            holder[key] = rng.choice([-1, 0, 1, 2, 10**6, 2**31, 0.0, 0.5, 1.0, 1e300])

        sealed(path, mixed, change)
        again, _ = loaded_or_complaint(path)
        if again is not None:
            n_used += 1
            assert again.predict_proba(table).shape == (len(table), mixed.classes_.size)
            assert set(again.predict(table)) <= set(mixed.classes_)
    assert 0 < n_used < N_EDITS


def test_json_says_what_the_format_promises(forest):
    said = json.loads(members_of(forest)["model.json"])
    assert set(said["attributes"]) == {
        "column_scales_",
        "imported_",
        "n_features_in_",
        "smoothing_",
        "smoothing_path_",
        "whole_columns_",
    }
    assert said["parameters"]["model"] is None
    assert said["trees"]["n_nodes"] == [tree.n_nodes for tree in forest.trees_]
    assert np.isfinite(said["attributes"]["smoothing_"])
