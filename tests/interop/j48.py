"""What Weka's J48 printed, and the tables it was given."""

import csv
import json
from pathlib import Path

import numpy as np

from softwood.data.table import Column, Table

FOLDER = Path(__file__).parent.parent / "golden" / "j48"
SETS = ("contact-lenses", "iris", "labor", "vote", "weather.nominal")
OPTIONS = {
    "default": {},
    "-U": {"pruning": None},
    "-C 0.1": {"confidence": 0.1},
    "-M 5": {"min_samples_leaf": 5},
    "-S": {"subtree_raising": False},
    "-A": {"laplace": True},
}
FRAME = ("J48", "---", "Number of Leaves", "Size of the tree")


def declared(text):
    """The values of ``{a, 'b c'}``, or None for a numeric attribute."""
    if not text.startswith("{"):
        return None
    values = next(csv.reader([text[1:-1]], quotechar="'", skipinitialspace=True))
    return tuple(value.strip() for value in values)


def column(name, cells, categories):
    if categories is None:
        return Column(name, np.array([np.nan if c == "?" else float(c) for c in cells]))
    codes = [-1 if cell == "?" else categories.index(cell) for cell in cells]
    return Column(name, np.array(codes, dtype=np.int32), categories)


def read(name, folder=FOLDER):
    """Training table, class codes, names of classes, and the runs."""
    said = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    rows = [[cell.strip() for cell in rows[i]] for i in said["train_rows"]]
    kinds = [declared(attribute["type"]) for attribute in said["attributes"]]
    columns = [
        column(name, cells, kind)
        for name, cells, kind in zip(header, zip(*rows, strict=True), kinds, strict=True)
    ]
    target = columns.pop(header.index(said["class_attribute"]))
    return Table(tuple(columns)), target.values, target.categories, said["runs"]


def body(text):
    """The lines of the tree itself."""
    return [line for line in text.split("\n") if line.strip() and not line.startswith(FRAME)]
