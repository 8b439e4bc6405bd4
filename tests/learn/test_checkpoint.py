"""A checkpoint that was made to do harm is refused: it neither crashes nor runs for ever."""

import json
import os
import random

import numpy as np
import pandas as pd
import pytest

from softwood import EvolvedTreeClassifier
from softwood.grow.evolve_state import DTYPES
from softwood.persist.container import json_bytes, pack, unpack
from tests.strategies import WITHOUT_JIT

N_CASES = int(os.environ.get("FORGED_CASES", 30 if WITHOUT_JIT else 300))


def rows():
    """A column of numbers, one of categories, and two that are constant."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=40)
    frame = pd.DataFrame(
        {
            "x": X,
            "kind": pd.Categorical(rng.choice(list("abc"), 40)),
            "one": pd.Categorical(["only"] * 40),
            "zero": np.zeros(40),
        }
    )
    return frame, (X > 0).astype(int) + (X > 1)


def model(path, **options):
    options = {"n_iter": 60, "n_runs": 2, **options}
    return EvolvedTreeClassifier(
        population_size=6, max_depth=3, random_state=0, checkpoint=path, **options
    )


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run.checkpoint"
    model(path).fit(*rows())
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.checkpoint"


def forged(content, change):
    _, members = unpack(content, 1)
    said = json.loads(members["checkpoint.json"])
    arrays = {name: np.frombuffer(members[name], dtype).copy() for name, dtype in DTYPES.items()}
    change(said, arrays)
    made = {name: array.tobytes() for name, array in arrays.items()}
    return pack({"checkpoint.json": json_bytes(said), **made}, 1)


def fill(name, value, place=...):
    def change(said, arrays):
        arrays[name][place] = value

    return change


def say(*keys, value):
    def change(said, arrays):
        for key in keys[:-1]:
            said = said[key]
        said[keys[-1]] = value

    return change


def swap_members(said, arrays):
    arrays["is_member"][:] = ~arrays["is_member"]


def first_test_reads(feature):
    def change(said, arrays):
        arrays["feature"][np.flatnonzero(arrays["feature"] >= 0)[0]] = feature

    return change


def deep_chain(said, arrays):
    """Make of the first member that is large enough one long path."""
    first = 0
    for size in arrays["n_nodes"].tolist():
        if size >= 9:
            chain = np.full(size, -1)
            chain[: size - 1 : 2] = 0
            arrays["feature"][first : first + size] = chain
            return
        first += size
    raise AssertionError("there is no large member")


WRONG = {
    "iteration in the past": (fill("iteration", -(2**62)), "iteration must be"),
    "iteration never": (fill("iteration", 2**62), "iteration must be"),
    "runs not in step": (fill("iteration", 3, 0), "must be in step"),
    "history": (say("history", "iteration", -1, value=10**6), "history end where they are"),
    "random numbers": (fill("state", 0), "must be able to move"),
    "ranks": (fill("n_better", 2**31 - 1), "ranks of the members"),
    "negative ranks": (fill("n_better", -5), "ranks of the members"),
    "risks": (fill("risk", 0.0), "risk of a member"),
    "NaN": (fill("risk", np.nan), "risk of a member"),
    "masses": (fill("mass", 2**62), "masses of a member"),
    "cut": (fill("cut", np.nan), "cut that is not finite|masses"),
    "class": (fill("label", 7), "class that does not exist"),
    "negative class": (fill("label", -1), "class that does not exist"),
    "feature": (first_test_reads(99), "does not exist or is constant"),
    "constant category": (first_test_reads(2), "does not exist or is constant"),
    "constant number": (first_test_reads(3), "does not exist or is constant"),
    "no leaves": (fill("feature", 0), "do not form a tree"),
    "deep": (deep_chain, "deeper than max_depth|do not form a tree"),
    "no categories": (fill("subset", 0), "all categories one way|masses"),
    "all categories": (fill("subset", 2**64 - 1), "all categories one way"),
    "births": (fill("born", 2**62), "born one after the other"),
    "counts": (fill("counts", 0), "there must be 6 members"),
    "negative counts": (fill("counts", -1), "there must be 6 members"),
    "depth limit": (fill("counts", 1000, [2, 5]), "counts must be"),
    "others are members": (swap_members, "positive for members"),
    "sizes": (fill("n_nodes", -1), "positive for members"),
    "shapes": (say("shapes", value=[]), "shapes must list"),
    "shapes of text": (say("shapes", 0, value="x"), "whole numbers"),
    "negative shape": (say("shapes", 0, "mass", value=[-1, 3]), "whole numbers"),
    "huge shape": (say("shapes", 0, "mass", value=[2**30, 2**30]), "entries, not"),
    "huge empty shape": (say("shapes", 0, "mass", value=[0, 10**30]), "whole numbers"),
    "one run": (say("shapes", value=[{}]), "whole numbers"),
    "sigma2": (say("sigma2", value=[1.0]), "sigma2 must be what was given"),
    "sigma2 of text": (say("sigma2", value="x"), "list of numbers"),
    "path": (say("path", value=3), "path must have"),
    "facts": (say("facts", value=[]), "wrong keys"),
    "no history": (say("history", value={}), "history must have"),
    "history of text": (say("history", "risk", value="x"), "equally many"),
    "history of one run": (say("history", "risk", 0, value=[0.5]), "risk of each of 2 runs"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused_by_name(case, content, path):
    change, message = WRONG[case]
    path.write_bytes(forged(content, change))
    with pytest.raises(ValueError, match=rf"run\.checkpoint.*({message})"):
        model(path, n_iter=80).fit(*rows())


def test_another_number_of_runs_is_refused(content, path):
    path.write_bytes(forged(content, say("facts", "n_runs", value=1)))
    with pytest.raises(ValueError, match="it must have 1 runs; got 2"):
        model(path, n_runs=1).fit(*rows())


def test_what_is_right_goes_on(content, path):
    path.write_bytes(forged(content, lambda said, arrays: None))
    later = model(path, n_iter=80).fit(*rows())
    assert later.front_trees_ == model(None, n_iter=80).fit(*rows()).front_trees_


def test_a_checkpoint_must_be_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", os.devnull):
        with pytest.raises(OSError, match="must be a file"):
            model(place).fit(*rows())
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        model(tmp_path / "nowhere" / "run").fit(*rows())


def test_whatever_is_changed_it_is_refused_or_goes_on(content, path):
    values = [-1, 0, 1, 2, 3, 100, 2**31 - 1, 2**62, -(2**62)]
    n_refused = 0
    for number in range(N_CASES):
        rng = random.Random(number)

        def change(said, arrays, rng=rng):
            name = rng.choice(list(arrays))
            array = arrays[name]
            odd = rng.choice(values) if array.dtype.kind != "f" else rng.choice([*values, np.nan])
            if array.dtype.kind in "iu":
                info = np.iinfo(array.dtype)
                odd = min(max(odd, info.min), info.max)
            array[rng.randrange(array.size)] = odd

        path.write_bytes(forged(content, change))
        try:
            model(path, n_iter=70).fit(*rows())
        except ValueError:
            n_refused += 1
    assert n_refused > N_CASES / 2
