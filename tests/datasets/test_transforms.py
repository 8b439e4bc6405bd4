"""Sets made from others."""

from __future__ import annotations

import numpy as np

from softwood.data.table import Column, Table
from softwood.datasets.shaping import recode
from softwood.datasets.transforms import (
    adult_fifth,
    any_disease,
    complete_rows,
    dear_houses,
    float_glass,
    ripley,
    statlog_dna,
)


def numbers(name, *values):
    return Column(name, np.array(values, dtype=np.float64))


def words(name, *texts):
    categories = tuple(sorted({text for text in texts if text is not None}))
    codes = [-1 if text is None else categories.index(text) for text in texts]
    return Column(name, np.array(codes, dtype=np.int32), categories)


def labels(table):
    return table.columns[-1].as_objects().tolist()


def test_complete_rows():
    table = Table((numbers("x", 1, np.nan, 3), words("k", "a", "b", None), words("class", *"pqr")))
    assert labels(complete_rows(table)) == ["p"]


def test_ripley():
    names = ("preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age")
    values = np.ones((8, 8)) - np.eye(8)  # row i has its zero in column i
    table = Table(
        (*(numbers(n, *x) for n, x in zip(names, values, strict=True)), words("class", *"01234567"))
    )
    kept = ripley(table)
    assert labels(kept) == ["0", "4", "6", "7"], "zeros of the other columns mean something"
    assert "insu" not in kept.names


def test_statlog_dna():
    table = Table((words("x1", *"ACGTNDA"), words("x2", *"AAAAANS"), words("class", *"1234567")))
    dna = statlog_dna(table)
    assert labels(dna) == ["1", "2", "3", "4", "5"]
    assert dna["x1"].as_objects().tolist() == list("ACGTG")
    assert dna["x1"].categories == dna["x2"].categories == tuple("ACGT")


def test_float_glass():
    table = Table((numbers("RI", *range(6)), words("class", *"123567")))
    windows = float_glass(table)
    assert windows["RI"].values.tolist() == [0, 1, 2]
    assert labels(windows) == ["float", "non-float", "float"]
    assert windows["class"].categories == ("float", "non-float")


def test_two_classes_of_many():
    assert labels(any_disease(Table((words("class", *"0142"),)))) == ["absence"] + ["presence"] * 3
    houses = dear_houses(Table((numbers("target", 20.9, 21, 50),)))
    assert labels(houses) == ["low", "high", "high"]


def test_adult_fifth_is_fixed_and_in_order():
    x = np.arange(100.0)
    x[3] = np.nan
    fifth = adult_fifth(Table((Column("x", x), words("class", *["p"] * 100))))["x"].values
    assert len(fifth) == 19
    assert (np.diff(fifth) > 0).all()


def test_recode_merges_and_reorders():
    column = words("k", "a", None, "b", "c")
    merged = recode(column, {"a": "x", "c": "x"})
    assert merged.categories == ("x", "b")
    assert merged.as_objects().tolist() == ["x", None, "b", "x"]
    assert recode(column, {}, order=("c", "b", "a")).values.tolist() == [2, -1, 1, 0]
