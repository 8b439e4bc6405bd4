"""Data sets in folders of the user's."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from softwood.datasets import list_datasets, load_dataset
from softwood.errors import DatasetError

CSV = "height,bark,class\n12.5,NA,1\n,smooth,2\n3,,1\n"
CARD = {
    "name": "woods",
    "task": "classification",
    "n": 3,
    "p": 2,
    "classes": {"1": 2, "2": 1},
    "nominal": ["bark"],
    "source": "our own walks",
    "paper": ["004", "ours"],
    "notes": "small",
}


def put(folder, name="woods", text=CSV, **changes):
    (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps({**CARD, **changes}), encoding="utf-8")
    return folder


def test_csv_with_card(tmp_path):
    woods = load_dataset("woods", data_dir=put(tmp_path))
    assert repr(woods) == "<Dataset woods: 3 rows, 2 features (1 nominal), 2 classes>"
    assert woods.table["bark"].as_objects().tolist() == ["NA", "smooth", None]
    assert woods.table["class"].categories == ("1", "2")
    np.testing.assert_array_equal(woods.table["height"].values, [12.5, np.nan, 3])
    assert woods.card.papers == ("spectrum", "ours")
    assert dict(woods.card.classes) == {"1": 2, "2": 1}
    assert "woods.csv" in woods.card.source
    assert "our own walks" in woods.card.source


def test_names_may_hold_periods(tmp_path):
    put(tmp_path, name="woods.v2")
    (tmp_path / "woods.json").write_text("{}", encoding="utf-8")
    assert load_dataset("woods.v2", data_dir=tmp_path).card.notes == "small"


def test_regression_card_with_a_target_elsewhere(tmp_path):
    put(
        tmp_path, text="age,size\n1,2\n3,4\n", task="regression", n=2, p=1, classes=None,
        nominal=[], target="age",
    )  # fmt: skip
    woods = load_dataset("woods", data_dir=tmp_path)
    assert woods.target_name == "age"
    assert woods.table.names == ["size", "age"]
    assert woods.card.classes is None


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"n": 4}, "4 and 2"),
        ({"p": 5}, "3 and 5"),
        ({"classes": {"1": 3}}, "classes"),
        ({"nominal": ["leaf"]}, "leaf"),
        ({"nominal": "bark"}, "nominal"),
        ({"task": "clustering"}, "clustering"),
        ({"target": "kind"}, "kind"),
    ],
)
def test_cards_must_agree_with_the_rows(tmp_path, changes, word):
    put(tmp_path, **changes)
    with pytest.raises(DatasetError, match=word):
        load_dataset("woods", data_dir=tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", '{"n": 3}', "\xff"])
def test_cards_must_be_cards(tmp_path, text):
    put(tmp_path)
    (tmp_path / "woods.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(DatasetError, match=r"woods\.json"):
        load_dataset("woods", data_dir=tmp_path)


FILES = {
    "csv": {"a.csv": "x,class\n1,0\n2,1\n"},
    "tsv": {"a.tsv": "class\tx\n0\t1\n1\t2\n"},
    "arff": {"a.arff": "@relation a\n@attribute x real\n@attribute class {0,1}\n@data\n1,0\n2,1\n"},
    "keel": {
        "a.dat": "@relation a\n@attribute class {0,1}\n@attribute x real\n@inputs x\n"
        "@outputs class\n@data\n0,1\n1,2\n"
    },
    "c45": {"a.names": "0, 1.\nx: continuous.\n", "a.data": "1,0\n", "a.test": "2,1\n"},
}


@pytest.mark.parametrize("kind", FILES)
def test_files_without_a_card(tmp_path, monkeypatch, kind):
    for name, text in FILES[kind].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("SOFTWOOD_DATA", str(tmp_path))
    found = load_dataset("a")
    assert found.card.task == "classification"
    assert found.table.names == ["x", "class"]
    assert found.table["x"].values.tolist() == [1, 2]
    assert found.target.as_objects().tolist() == ["0", "1"]


def test_numbers_that_are_no_class_are_a_regression(tmp_path):
    (tmp_path / "a.csv").write_text("x,size\n1,0.5\n", encoding="utf-8")
    assert load_dataset("a", data_dir=str(tmp_path)).card.task == "regression"


def test_several_folders_in_order(tmp_path, monkeypatch):
    folders = [tmp_path / name for name in ("first", "second", "third")]
    for size, folder in enumerate(folders, start=1):
        folder.mkdir()
        (folder / "a.csv").write_text("x,class\n" + "1,p\n" * size, encoding="utf-8")
    monkeypatch.setenv("SOFTWOOD_DATA", os.pathsep.join(["/no/such", *map(str, folders[1:])]))
    assert len(load_dataset("a").table) == 2
    assert len(load_dataset("a", data_dir=folders[0]).table) == 1
    assert len(load_dataset("a", data_dir=[folders[2], folders[0]]).table) == 3


def test_a_folder_goes_before_our_own(tmp_path):
    X = "\n".join(f"{i},0,0,0,Iris-{i % 3}" for i in range(150))
    (tmp_path / "iris.csv").write_text("a,b,c,d,class\n" + X, encoding="utf-8")
    mine = load_dataset("iris", data_dir=tmp_path)
    assert mine.table.names[0] == "a"
    assert mine.card.citation.startswith("R. A. Fisher")
    assert load_dataset("iris", data_dir=tmp_path, source="scikit-learn").table.names[0] != "a"


def test_registered_names_must_hold_what_they_promise(tmp_path):
    (tmp_path / "iris.csv").write_text("x,class\n1,p\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"iris\.csv has 1 rows and 1 features.*150 and 4"):
        load_dataset("iris", data_dir=tmp_path)
    rows = "".join(f"{i},0,0,0,{'p' if i else 'q'}\n" for i in range(150))
    (tmp_path / "iris.csv").write_text("a,b,c,d,class\n" + rows, encoding="utf-8")
    with pytest.raises(DatasetError, match="classes"):
        load_dataset("iris", data_dir=tmp_path)


def test_registered_types_and_aliases(tmp_path):
    head = "bi-rads,age,shape,margin,density,class\n"
    rows = "".join(f"5,60,{i % 4},1,3,{int(i >= 427)}\n" for i in range(830))
    (tmp_path / "mammographic.csv").write_text(head + rows, encoding="utf-8")
    found = load_dataset("mammographic", data_dir=tmp_path)
    assert found.card.nominal == ("shape", "margin")
    assert found.table["shape"].categories == ("0", "1", "2", "3")
    (tmp_path / "kr-vs-kp.csv").write_text("x,class\n1,p\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"kr-vs-kp\.csv"):
        load_dataset("chess", data_dir=tmp_path)


def test_broken_files_are_dataset_errors(tmp_path):
    (tmp_path / "a.csv").write_text("x,class\n1\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="line 2"):
        load_dataset("a", data_dir=tmp_path)
    with pytest.raises(DatasetError, match="not a folder"):
        load_dataset("a", data_dir=tmp_path / "a.csv")


def test_names_do_not_lead_out_of_the_folder(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "a.csv").write_text("x,class\n1,p\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="no data set"):
        load_dataset("../a", data_dir=inner)


def test_derived_sets_from_a_folder(tmp_path):
    head = ",".join(f"x{i}" for i in range(9)) + ",class\n"
    sizes = {"1": 70, "2": 76, "3": 17, "5": 13, "6": 9, "7": 29}
    rows = "".join(("0," * 9 + label + "\n") * size for label, size in sizes.items())
    (tmp_path / "glass.csv").write_text(head + rows, encoding="utf-8")
    windows = load_dataset("glass-float", data_dir=tmp_path, source="folder")
    assert dict(windows.card.classes) == {"float": 87, "non-float": 76}
    assert "glass.csv" in windows.card.source


def test_own_sets_are_listed(tmp_path):
    put(tmp_path)
    (tmp_path / "notes.json").write_text("[]", encoding="utf-8")
    put(tmp_path, name="iris")
    sets = list_datasets(data_dir=tmp_path)
    names = [card.name for card in sets]
    assert "woods" in names
    assert "notes" not in names
    assert names.count("iris") == 1
    assert sets.here["woods"].endswith("woods.csv")
    assert "woods" not in [card.name for card in list_datasets("regression", data_dir=tmp_path)]
