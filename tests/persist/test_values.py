"""Values go to JSON and come back the same."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.errors import ModelFileError
from softwood.interop._rows import RowReader, numeric_schema
from softwood.persist.kept import Kept
from softwood.persist.readers.v1_values import decode
from softwood.persist.trees import FOLDER, trees_from_members, trees_to_members
from softwood.persist.values import encode
from tests.persist.models import ODD_NAMES
from tests.strategies import checked, trees


def round_trip(value):
    said = json.loads(json.dumps(encode(value, "it", Kept()), allow_nan=False))
    return decode(said, "it", Kept())


def same(one, other):
    if isinstance(one, float) and math.isnan(one):
        return isinstance(other, float) and math.isnan(other)
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    return one == other and str(one) == str(other)  # text tells 0.0 from -0.0


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(max_size=5)
)
keys = st.one_of(st.integers(), st.text(max_size=5), st.booleans())
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(keys, inner, max_size=4),
    ),
    max_leaves=12,
)


@given(values)
@checked
def test_any_value_comes_back(value):
    assert same(value, round_trip(value))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_text_comes_back(name):
    assert round_trip(name) == name
    assert round_trip({name: [name]}) == {name: [name]}


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.5, np.nan, -0.0, np.inf]),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.zeros((0, 3)),
        np.array(2.5, dtype=np.float16),
        np.array([True]),
        np.array(["", "naïve"], dtype="<U9"),
        np.array(["a", 1, None, (2, 3)], dtype=object),
        np.array([2**64 - 1], dtype=">u8"),
    ],
    ids=lambda array: array.dtype.str,
)
def test_arrays_keep_dtype_and_shape(array):
    again = round_trip(array)
    assert again.dtype == array.dtype
    assert again.shape == array.shape
    assert again.dtype.kind == "O" or again.tobytes() == array.tobytes()
    assert same(array.tolist(), again.tolist())


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, 1j, np.longdouble(1) / 3, np.datetime64("2020-01-01"), lambda: 0, range(3)],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_refused_by_name(value):
    for holder in (value, [value], {"a": (value,)}, {"a": value}):
        with pytest.raises(TypeError, match=r"the parameter 'p' .*which a model file cannot hold"):
            encode(holder, "the parameter 'p'", Kept())


def test_other_arrays_and_keys_are_refused_by_name():
    for array in (np.zeros(2, complex), np.zeros(2, "M8[D]"), np.zeros(2, np.longdouble)):
        with pytest.raises(TypeError, match="the parameter 'p' is an array of"):
            encode(array, "the parameter 'p'", Kept())
    with pytest.raises(TypeError, match="a key of the parameter 'p' holds"):
        encode({(1, 2): 3}, "the parameter 'p'", Kept())


@pytest.mark.parametrize(
    "said",
    [
        {"float": "1.0"},
        {"float": 3},
        {"bytes": "xx"},
        {"bytes": 3},
        {"tuple": {"tuple": []}},
        {"dict": [[1]]},
        {"dict": [[[1], 2]]},
        {"dict": {"a": 1}},
        {"array": []},
        {"array": {"dtype": "<f8", "shape": [2], "values": [1.0]}},
        {"array": {"dtype": "<f8", "shape": [-1], "values": []}},
        {"array": {"dtype": "<f8", "shape": [1], "values": [1]}},
        {"array": {"dtype": "<f4", "shape": [1], "values": [0.1]}},
        {"array": {"dtype": "|i1", "shape": [1], "values": [300]}},
        {"array": {"dtype": "|b1", "shape": [1], "values": [1]}},
        {"array": {"dtype": "<U999999", "shape": [200], "values": [""] * 200}},
        {"flow": {"name": "Ramp", "fields": {"drop": 0.9}}},
        {"flow": {"name": "Ramp", "fields": {"drop": "x"}}},
        {"flow": {"name": "Gaussian", "fields": {"scale": 1.0, "exact": 1, "drop": 0.0}}},
        {"flow": {"name": "Gaussian", "fields": {"scale": -1.0, "exact": True, "drop": 0.0}}},
        {"flow": {"name": "Sampled", "fields": {"scale": {"tuple": ["x"]}, "n": 1}}},
        {"estimator": {"class": "Popen", "parameters": {}}},
        {"estimator": {"class": "CARTClassifier", "parameters": {"max_depth": 0}}},
        {"schema": [{"name": 3, "categories": None, "is_date": False}]},
        {"schema": [{"name": "a", "categories": None}]},
        {"schema": {"name": "a"}},
        {"schema": [{"name": "a", "categories": None, "is_date": 1}]},
        {"schema": [{"name": "a", "categories": ["b"], "is_date": True}]},
        {"schema": [{"name": "a", "categories": None, "kind": "date"}]},
        {"tree": 0},
        {"tree": "0"},
        {"forest": {"packed": 0}},
        {"forest": 3},
        {},
    ],
    ids=str,
)
def test_odd_json_is_refused(said):
    with pytest.raises(ModelFileError):
        decode(said, "it", Kept())


@given(st.lists(trees(), min_size=1, max_size=3))
@checked
def test_any_trees_come_back(grown):
    layout, members = trees_to_members(grown)
    assert all(name.startswith(FOLDER) for name in members)
    assert trees_from_members(json.loads(json.dumps(layout)), members) == grown


def test_what_is_filled_in_comes_back():
    said = encode(RowReader(numeric_schema(2), fill=(1.0, 2.5)), "it", Kept())
    assert decode(said, "it", Kept()).fill == (1.0, 2.5)
    said["record"]["fields"]["fill"] = {"tuple": ["a", "b"]}
    with pytest.raises(ModelFileError, match="it is wrong"):
        decode(said, "it", Kept())
    del said["record"]["fields"]["fill"]
    with pytest.raises(ModelFileError, match="must have the keys"):
        decode(said, "it", Kept())
