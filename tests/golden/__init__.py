"""Outputs of the real programs, and how to read them.

``j48/``: Weka 3.6.14's J48 under six option sets, with the data it saw; ``rpart/``: the
cost-complexity tables of rpart 4.1.19 on six of those sets; ``c50/``: trees and class
probabilities of C5.0 2.07, crisp and with soft thresholds, on the same six.
"""

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
J48_SETS = sorted(path.name.removesuffix(".json.gz") for path in (HERE / "j48").glob("*.json.gz"))
RPART_SETS = sorted(path.stem for path in (HERE / "rpart").glob("*.json"))
C50_SETS = sorted(path.name.removesuffix(".json.gz") for path in (HERE / "c50").glob("*.json.gz"))


@dataclass
class Golden:
    """A data set as J48 saw it, and what J48 answered."""

    name: str
    features: list[str]
    categories: list[list[str] | None]  # of each feature; None if numeric
    classes: list[str]  # in declared order
    X: np.ndarray  # numbers, category codes, NaN for missing
    label: np.ndarray  # codes into ``classes``
    train: list[int]
    test: list[int]
    runs: list[dict[str, Any]]

    @property
    def n_categories(self) -> np.ndarray:
        return np.array([len(levels or []) for levels in self.categories], dtype=np.int32)

    def frame(self, rows: list[int]) -> pd.DataFrame:
        columns = {}
        for j, (name, levels) in enumerate(zip(self.features, self.categories, strict=True)):
            values = self.X[rows, j]
            if levels is not None:
                codes = np.where(np.isnan(values), -1, values).astype(int)
                values = pd.Categorical.from_codes(codes, levels)
            columns[name] = values
        return pd.DataFrame(columns)

    def y(self, rows: list[int]) -> np.ndarray:
        return np.array(self.classes)[self.label[rows]]


def read_j48(name: str) -> Golden:
    with gzip.open(HERE / "j48" / f"{name}.json.gz", "rt") as file:
        record = json.load(file)
    with gzip.open(HERE / "j48" / f"{name}.csv.gz", "rt", newline="") as file:
        header, *rows = list(csv.reader(file))
    levels = [_declared(attribute["type"]) for attribute in record["attributes"]]
    matrix = np.array(
        [
            [_number(field.strip(), level) for field, level in zip(row, levels, strict=True)]
            for row in rows
        ]
    )
    target = header.index(record["class_attribute"])
    features = [j for j in range(len(header)) if j != target]
    return Golden(
        name=name,
        features=[header[j] for j in features],
        categories=[levels[j] for j in features],
        classes=levels[target] or [],
        X=np.ascontiguousarray(matrix[:, features]),
        label=matrix[:, target].astype(int),
        train=record["train_rows"],
        test=record["test_rows"],
        runs=record["runs"],
    )


def read_rpart(name: str) -> dict[str, Any]:
    with open(HERE / "rpart" / f"{name}.json") as file:
        return json.load(file)


def read_c50(name: str) -> dict[str, Any]:
    with gzip.open(HERE / "c50" / f"{name}.json.gz", "rt") as file:
        return json.load(file)


def printed_tree(text: str) -> list[str]:
    """The lines of the tree that J48 printed, without header and footer."""
    skip = ("J48", "---", "Number of", "Size of")
    return [line.strip() for line in text.split("\n") if line.strip() and not line.startswith(skip)]


def _declared(kind: str) -> list[str] | None:
    if not kind.startswith("{"):
        return None
    fields = next(csv.reader([kind[1:-1]], quotechar="'", skipinitialspace=True))
    return [field.strip() for field in fields]


def _number(field: str, levels: list[str] | None) -> float:
    if field == "?":
        return np.nan
    return float(field) if levels is None else float(levels.index(field))
