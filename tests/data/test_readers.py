"""read_table: the format follows from name and contents, and types can be overruled."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from softwood.data.readers import read_table
from softwood.data.readers.recast import as_nominal, as_numeric, recast
from softwood.data.table import Column, Table

KEEL = (
    "@relation w\n@attribute x real[0,9]\n@attribute k {a,b}\n@inputs x\n@outputs k\n@data\n1,a\n"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "x,k\n1,a\n"),
        ("a.CSV", "x,k\n1,a\n"),
        ("a.tsv", "x\tk\n1\ta\n"),
        ("a.txt", "x,k\n1,a\n"),
        ("a.arff", "@relation w\n@attribute x real\n@attribute k {a,b}\n@data\n1,a\n"),
        ("a.dat", KEEL),
        ("a.data", KEEL),
        ("a.txt", "% said\n\n" + KEEL),
        ("a.csv.gz", "x,k\n1,a\n"),
        ("a.dat.gz", KEEL),
        ("a", "x,k\n1,a\n"),
        ("a.log", "x;k\n1;a\n"),
        ("a.dat", "x,k\n1,a\n"),
        ("a.data", "x,k\n1,a\n"),  # there is no a.names
        ("a.json", '[{"x": 1, "k": "a"}]'),
        ("a.jsonl", '{"x": 1, "k": "a"}'),
    ],
)
def test_the_format_follows_from_name_and_contents(tmp_path, name, text):
    path = tmp_path / name
    raw = text.encode()
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    table = read_table(path)
    assert table.names == ["x", "k"]
    assert table["x"].values.tolist() == [1.0]
    assert table["k"].as_objects().tolist() == ["a"]


def test_c45_files(tmp_path):
    for name, text in (("a.names", "a, b.\nx: continuous.\n"), ("a.data", "1,a\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_table(tmp_path / "a.names").names == ["x", "class"]
    assert read_table(tmp_path / "a.data").names == ["x", "class"]


def test_target_types_and_delimiter(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("k;x\n1;-\n2;3\n", encoding="utf-8")
    table = read_table(path, target="k", nominal=["k"], missing=["-"], delimiter=";")
    assert table.names == ["x", "k"]
    assert table["k"].categories == ("1", "2")
    np.testing.assert_array_equal(table["x"].values, [np.nan, 3])


def test_declared_types_can_be_overruled(tmp_path):
    path = tmp_path / "a.dat"
    path.write_text(
        "@relation w\n@attribute x real\n@attribute k {07, 10}\n@data\n2.5,10\n3,07\n?,?\n",
        encoding="utf-8",
    )
    table = read_table(path, nominal=["x"], numeric=["k"])
    assert table["x"].as_objects().tolist() == ["2.5", "3", None]
    np.testing.assert_array_equal(table["k"].values, [10, 7, np.nan])
    with pytest.raises(ValueError, match=r"\['z'\]"):
        read_table(path, nominal=["z"])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.xlsx", "x,k\n1,a\n", ["workbook", r"\.csv"]),
        ("a.parquet", "x,k\n1,a\n", ["parquet", r"\.csv"]),
        ("a", "x", ["line 1", "no rows"]),
        ("a.dat", "1,2\n", ["line 1", "no rows"]),
        ("a.arff", "1,2\n", ["@attribute", "line 1"]),
        ("a.names", "a, b.\nx: continuous.\n", [r"a\.data"]),
        ("a.csv", "x,k\n1,a\n2\n", ["line 3", "fewer fields than the 2"]),
        ("a.csv", "x,k\n1,a\n2,b,c\n", ["line 3", "3 fields", "2 columns"]),
        ("a.csv", 'x,k\n1,a\n2,"b\n', ["line 3", "never closed"]),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    for word in words:
        with pytest.raises((ValueError, OSError), match=word):
            read_table(path)


def test_the_target_must_exist(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="target='z'"):
        read_table(path, target="z")


def test_recast_leaves_what_is_right_alone():
    numbers = Column("x", np.array([2.0, np.nan, 0.5]))
    words = Column("k", np.array([0, -1, 1], dtype=np.int32), ("1e1", "x"))
    assert as_numeric(numbers, "here") is numbers
    assert as_nominal(words) is words
    assert as_nominal(numbers).categories == ("0.5", "2")
    with pytest.raises(ValueError, match=r"here.*'k'.*'x'"):
        recast(Table((numbers, words)), numeric=["k"], where="here")
