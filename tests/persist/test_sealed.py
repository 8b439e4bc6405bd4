"""A file whose checksum is right, and its contents wrong, is refused by what is wrong."""

import json
import random

import numpy as np
import pytest

from softwood import load
from softwood.errors import ModelFileError
from softwood.persist.container import pack
from softwood.persist.format import members_of
from tests.persist.edits import copy_part, flip, loaded_or_complaint, set_byte, swap_parts
from tests.persist.models import mixed_table, rich_model
from tests.strategies import WITHOUT_JIT

N_EDITS = 50 if WITHOUT_JIT else 300


@pytest.fixture(scope="module")
def model():
    return rich_model()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def sealed(path, model, change):
    """Write a file whose checksum is right, after ``change(said, members)``."""
    members = members_of(model)
    said = json.loads(members["model.json"])
    change(said, members)
    members["model.json"] = json.dumps(said).encode("ascii")
    path.write_bytes(pack(members, 1))


def put(*keys, value):
    def change(said, members):
        for key in keys[:-1]:
            said = said[key]
        said[keys[-1]] = value

    return change


def remove(*keys):
    def change(said, members):
        for key in keys[:-1]:
            said = said[key]
        del said[keys[-1]]

    return change


def array(name, dtype, edit, folder="trees"):
    def change(said, members):
        values = np.frombuffer(members[f"{folder}/{name}"], dtype).copy()
        edited = edit(values)
        values = values if edited is None else edited
        members[f"{folder}/{name}"] = values.tobytes()

    return change


def fill(value):
    def edit(values):
        values[:] = value

    return edit


def first_category(said, members):
    said["attributes"]["schema_"]["schema"][1]["categories"].pop()


def one_class_more(said, members):
    classes = said["attributes"]["classes_"]["array"]
    classes["values"].append("one more")
    classes["shape"] = [len(classes["values"])]


NO_REDRAW = {"redraw": 0.0, "marginals": {"tuple": []}}
TWO_SCALES = {"scale": {"tuple": [1.0, 2.0]}, "exact": True, "drop": 0.0, **NO_REDRAW}
WRONG = {
    "one class more": (one_class_more, "outputs, but"),
    "one feature more": (put("trees", "n_features", value=4), "reads 4 features of 3"),
    "trees of odd keys": (remove("trees", "n_outputs"), "its trees has the wrong keys"),
    "two scales": (
        put("attributes", "flow_", "flow", value={"name": "Gaussian", "fields": TWO_SCALES}),
        "2 scales for 3 features",
    ),
    "unknown class": (put("class", value="os.system"), "os.system"),
    "class of no type": (put("class", value=["CARTClassifier"]), "does not know"),
    "other class": (put("class", value="CARTRegressor"), "has no parameter"),
    "extra key": (put("code", value="x"), "wrong keys"),
    "no attributes": (remove("attributes"), "wrong keys"),
    "odd attribute": (put("attributes", "predict", value=1), "no attribute 'predict'"),
    "no flow": (remove("attributes", "flow_"), "'flow_' is missing"),
    "no classes": (remove("attributes", "classes_"), "must have classes"),
    "no tree": (remove("attributes", "tree_"), "does not make a fitted"),
    "tree of text": (put("attributes", "tree_", value="x"), "'tree_' must be a tree"),
    "tree 7": (put("attributes", "tree_", value={"tree": 7}), "names tree 7 of 1"),
    "tree -1": (put("attributes", "tree_", value={"tree": -1}), "names tree -1"),
    "list of trees": (put("attributes", "tree_", value=[{"tree": 0}]), "must be a tree"),
    "odd tag": (put("attributes", "tree_", value={"pickle": "x"}), "holds a 'pickle'"),
    "two tags": (put("attributes", "tree_", value={"a": 1, "b": 2}), "object with keys"),
    "n_features_in_": (put("attributes", "n_features_in_", value=4), "must be 3"),
    "bool count": (put("attributes", "n_features_in_", value=True), "whole number"),
    "odd parameter": (put("parameters", "confidence", value=0.7), "'confidence'"),
    "text parameter": (put("parameters", "confidence", value="high"), "'confidence'"),
    "new parameter": (put("parameters", "speed", value=1), "no parameter 'speed'"),
    "parameters": (put("parameters", value=[]), "must be an object"),
    "handle_unknown": (put("parameters", "handle_unknown", value="x"), "handle_unknown"),
    "flow name": (put("attributes", "flow_", "flow", "name", value="Soft"), "does not know"),
    "flow type": (put("attributes", "flow_", value=3), "'flow_' must be a flow"),
    "flow field": (put("attributes", "flow_", "flow", "fields", value={"a": 1}), "keys"),
    "one name": (
        put("attributes", "feature_names_in_", "array", "values", 0, value="size"),
        "names in the schema",
    ),
    "too few names": (
        put("attributes", "feature_names_in_", "array", "shape", value=[1]),
        "3 values, but its shape",
    ),
    "name twice": (
        put("attributes", "classes_", "array", "values", 0, value="a, b"),
        "distinct classes",
    ),
    "odd dtype": (put("attributes", "classes_", "array", "dtype", value="|V8"), "odd dtype"),
    "huge dtype": (
        put("attributes", "classes_", "array", "dtype", value="<U999999999"),
        "odd dtype",
    ),
    "wrong dtype": (put("attributes", "classes_", "array", "dtype", value="<i8"), "not of dtype"),
    "cut classes": (put("attributes", "classes_", "array", "dtype", value="<U1"), "do not fit"),
    "one category less": (first_category, "does not fit the categories"),
    "numeric as nominal": (
        put("attributes", "schema_", "schema", 0, "categories", value=["a"]),
        "does not fit the kind",
    ),
    "categories twice": (
        put("attributes", "schema_", "schema", 2, "categories", value=[1, 1]),
        "category twice",
    ),
    "odd category": (
        put("attributes", "schema_", "schema", 2, "categories", value=[[1], 2]),
        "text, a number",
    ),
    "no features": (put("attributes", "schema_", "schema", value=[]), "n_features_in_"),
    "one node less": (put("trees", "n_nodes", value=[1]), "entries, not 1"),
    "no trees": (put("trees", "n_nodes", value=[]), "sizes of its trees"),
    "odd trees": (put("trees", "n_nodes", value=[1.5]), "must be positive"),
    "many outputs": (put("trees", "n_outputs", value=2**30), "response has"),
    "response": (array("response", "<f8", fill(0.7)), "do not sum to 1"),
    "negative": (array("response", "<f8", fill(-1.0)), "negative"),
    "NaN": (array("response", "<f8", fill(np.nan)), "must be finite"),
    "threshold": (array("threshold", "<f8", fill(np.inf)), "must be finite"),
    "weight": (array("weight", "<f8", fill(-1.0)), "weight must not be negative"),
    "feature": (array("feature", "<i4", fill(99)), "feature must be in 0..2"),
    "children": (array("n_children", "<i4", fill(2)), "malformed"),
    "kind": (array("kind", "|i1", fill(9)), "kind must be 0 to 3"),
    "set_child": (array("set_child", "<i4", fill(77)), "one of the node's branches"),
    "set_count": (array("set_count", "<i4", fill(-1)), "must not be negative"),
    "huge set_count": (array("set_count", "<i4", fill(2**31 - 1)), "set_child has"),
    "short array": (array("weight", "<f8", lambda values: values[:-1]), "weight has"),
    "odd bytes": (array("weight", "|i1", lambda values: values[:-3]), "not a multiple of 8"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_sealed_file_is_checked_all_the_same(case, model, path):
    change, message = WRONG[case]
    sealed(path, model, change)
    with pytest.raises(ModelFileError, match=f"{path.name}: .*{message}"):
        load(path)


def test_a_sealed_file_that_passes_is_safe_to_use(model, path):
    rng = random.Random(21)
    table = mixed_table()[0]
    n_used = 0
    for _ in range(N_EDITS):

        def change(said, members):
            name = rng.choice([name for name in members if members[name] and "/" in name])
            data = bytearray(members[name])
            edit = rng.choice([flip, set_byte, copy_part, swap_parts] if len(data) > 50 else [flip])
            edit(rng, data)
            members[name] = bytes(data)

        sealed(path, model, change)
        again, _ = loaded_or_complaint(path)
        if again is not None:
            n_used += 1
            probability = again.predict_proba(table)
            assert np.allclose(probability.sum(axis=1), 1.0, atol=1e-5)
            assert set(again.predict(table)) <= set(model.classes_)
    assert n_used > 0


def test_members_that_do_not_belong_are_refused(model, path):
    for change in (
        lambda said, members: members.pop("trees/kind"),
        lambda said, members: members.update({"trees/more": b""}),
        lambda said, members: members.update({"code.py": b""}),
    ):
        sealed(path, model, change)
        with pytest.raises(ModelFileError, match="arrays of its trees must be"):
            load(path)
    path.write_bytes(pack({}, 1))
    with pytest.raises(ModelFileError, match=r"it has no model\.json"):
        load(path)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b'{"a": NaN}', b'{"a": 1, "a": 2}', b"\xff", b"[]", b"3", b"[" * 100_000],
)
def test_odd_json_is_refused(text, model, path):
    members = members_of(model)
    members["model.json"] = text
    path.write_bytes(pack(members, 1))
    with pytest.raises(ModelFileError, match=path.name):
        load(path)


def test_a_newer_format_asks_for_an_upgrade(model, path):
    path.write_bytes(pack(members_of(model) | {"new": b""}, 2))
    with pytest.raises(ModelFileError, match=r"in format 2, .* upgrade softwood"):
        load(path)


@pytest.mark.parametrize("version", [0, -1, "1", None, 1.0, True])
def test_odd_versions_are_refused(version, model, path):
    path.write_bytes(pack(members_of(model), version))
    with pytest.raises(ModelFileError, match="format version must be a positive integer"):
        load(path)


def test_an_older_file_may_lack_a_parameter(model, path):
    sealed(path, model, remove("parameters", "laplace"))
    assert load(path).laplace is False
