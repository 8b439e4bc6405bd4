"""The suite that keeps looking: it knows all there is, and sees what breaks."""

import inspect
import os
import time

import numpy as np
import pytest

import softwood as sw
from tests.fuzz import tables, watching
from tests.fuzz.kinds import KINDS, Kind
from tests.fuzz.learners import PARAMETERS
from tests.strategies import WITHOUT_JIT

# They wrap another model, or make no answers of their own: functions draw them.
WRAPPERS = {"SoftenedClassifier", "SoftenedRegressor", "LeafEmbedding", "TableCleaner"}
METHODS = {"Anneal", "Confidence", "Gradient", "Perturb"}
N_CASES = 10 if WITHOUT_JIT else 60


def prepare():
    """Stand for a kind of cases: three that are answered, one broken, one crash, one hang."""


def case(rng, state):
    number = int(rng.bit_generator.seed_seq.entropy[1])
    if number == 1:
        raise ValueError("as it must not be")
    if number == 3:
        os.abort()
    if number == 5:
        time.sleep(60)
    return "answered"


def test_every_estimator_is_drawn_with_every_parameter():
    public = {name for name in sw.__all__ if hasattr(getattr(sw, name), "get_params")}
    assert public - WRAPPERS - METHODS == {kind.__name__ for kind in PARAMETERS}
    for kind, drawn in PARAMETERS.items():
        assert set(drawn) == set(inspect.signature(kind).parameters), kind


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_can_be_found(kind):
    assert __import__(KINDS[kind].module, fromlist=["case"]).case


def test_what_breaks_crashes_or_hangs_is_seen(monkeypatch):
    # Children know the kinds of their own: this one is named in the environment.
    monkeypatch.setenv("SOFTWOOD_FUZZ_KIND", "tests.fuzz.test_suite")
    monkeypatch.setitem(KINDS, "trial", Kind("tests.fuzz.test_suite", patience=5.0))
    result = watching.watch(watching.Watched("trial", 0, 0, 60.0, 7, bounds=False))
    assert [number for number, _ in result.found] == [1, 3, 5]
    told = [text.splitlines()[0] for _, text in result.found]
    assert told == ["ValueError: as it must not be", "case 3 ends with -6", "case 5 hangs"]
    assert result.counts["answered"] > 0


@pytest.mark.filterwarnings("ignore")
def test_some_hostile_tables():
    state = tables.prepare()
    with np.errstate(all="ignore"):
        came = {tables.case(np.random.default_rng([0, number]), state) for number in range(N_CASES)}
    assert "answered" in came
