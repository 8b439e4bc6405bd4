"""Preparations in model files: kept as they are, and refused where they are forged.

``FORGED_CASES=20000`` runs more forgeries.
"""

import copy
import json
import os
import random
import warnings
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from softwood import C45Classifier, load
from softwood.data.columns.apply import prepared
from softwood.data.columns.describe import describe
from softwood.data.columns.plan import ColumnPlan
from softwood.data.columns.polars import as_polars
from softwood.errors import ModelFileError
from softwood.persist.container import json_bytes, pack
from softwood.persist.format import members_of
from softwood.persist.preparation import decode_preparation, encode_preparation
from tests.persist.forging import edit_json

N_ROWS = 80
N_CASES = int(os.environ.get("FORGED_CASES", 300))
TOLD = ("column", "feature", "categor")  # words of rows that a forged model cannot read


def messy():
    rng = np.random.default_rng(3)
    days = pd.date_range("2020-01-01", periods=N_ROWS, freq="17D")
    return pd.DataFrame(
        {
            "id": [f"u{k}" for k in range(N_ROWS)],
            "share": [f"{k} %" if k % 9 else "unknown" for k in rng.integers(0, 100, N_ROWS)],
            "since": days.strftime("%d.%m.%Y"),
            "clock": [f"{k % 24}:30" for k in range(N_ROWS)],
            "wood": rng.choice(["Oak", "oak", "fir"], N_ROWS),
            "flag": rng.choice(["yes", "NO", "y", None], N_ROWS),
        }
    )


@pytest.fixture(scope="module")
def model():
    frame = messy()
    preparation = describe(frame).preparation(ColumnPlan("y", "category"))
    y = np.where(frame["since"].str[3:5] < "07", "hi", "lo")
    return C45Classifier(min_samples_leaf=1).fit(prepared(preparation, as_polars(frame)), y)


@pytest.fixture(scope="module")
def said(model):
    return json.loads(json.dumps(encode_preparation(model.schema_.preparation)))


def test_what_is_kept_is_read_back(model, said):
    assert decode_preparation(said, "here") == model.schema_.preparation
    assert [asdict(plan) for plan in model.schema_.preparation.columns]


def at(name, /, **changes):
    """Return an edit of the plan of a column."""

    def edit(said):
        plan = next(plan for plan in said["columns"] if plan["name"] == name)
        plan.update(changes)

    return edit


EDITS = {
    "no target": lambda said: said.pop("target"),
    "columns": lambda said: said.update(columns={}),
    "a column": lambda said: said["columns"].append(3),
    "twice": lambda said: said["columns"].append(said["columns"][0]),
    "target twice": lambda said: said["target"].update(name="share"),
    "name": at("share", name=3),
    "half a character": at("share", name="\ud800"),
    "kind": at("share", kind="colour"),
    "no kind": at("share", kind=["number"]),
    "used": at("share", is_used=1),
    "identifier used": at("id", is_used=True),
    "format": at("since", formats=["%Q%!"]),
    "formats": at("since", formats=["%d.%m.%Y"] * 4),
    "format of a number": at("share", formats=["%d.%m.%Y"]),
    "clock": at("clock", formats=["%d.%m.%Y"]),
    "part": at("since", parts=["year"]),
    "part twice": at("since", parts=["month", "month"]),
    "part of a number": at("share", parts=["month"]),
    "spelling": at("wood", spellings=["oak"]),
    "pair": at("wood", spellings=[["oak", "fir", "elm"]]),
    "spelling twice": at("wood", spellings=[["oak", "fir"], ["oak", "elm"]]),
    "spelling of a number": at("share", spellings=[["oak", "fir"]]),
    "missing": at("share", missing="unknown"),
    "missing number": at("share", missing=[3]),
    "number": at("share", number={"decimal": "."}),
    "decimal": at("share", number={"decimal": ";", "thousands": "", "unit": ""}),
    "thousands": at("share", number={"decimal": ".", "thousands": ".", "unit": ""}),
    "unit": at("share", number={"decimal": ".", "thousands": "", "unit": None}),
    "pattern": at("share", number={"decimal": ".", "thousands": "[", "unit": ""}),
    "feature twice": lambda said: said["columns"].append(
        {**said["columns"][0], "name": "since.month", "kind": "number", "is_used": True}
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_forged_preparation_is_refused(said, name):
    forged = copy.deepcopy(said)
    EDITS[name](forged)
    with pytest.raises(ModelFileError, match="here"):
        decode_preparation(forged, "here")


@pytest.mark.parametrize("said", [None, [], "x", {}, {"columns": [], "target": 3}])
def test_what_is_no_preparation_is_refused(said):
    with pytest.raises(ModelFileError, match="here"):
        decode_preparation(said, "here")


def test_forged_files_are_refused_or_answer(model, said, tmp_path):
    path, members, frame = tmp_path / "forged", members_of(model), messy()
    whole = json.loads(members["model.json"])
    n_loaded = 0
    for number in range(N_CASES):
        rng = random.Random(number)
        forged = {"preparation": copy.deepcopy(said)}
        edit_json(rng, forged)
        whole["attributes"]["schema_"]["schema"].update(forged)
        path.write_bytes(pack({**members, "model.json": json_bytes(whole)}, 1))
        try:
            again = load(path)
        except ModelFileError:
            continue
        n_loaded += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answers = again.predict(frame)
        except (TypeError, ValueError) as error:
            if any(word in str(error).lower() for word in TOLD):
                continue
            raise AssertionError(f"case {number}: {error!r}") from error
        assert set(answers) <= {"hi", "lo"}, f"case {number}"
    assert 0 < n_loaded < N_CASES
