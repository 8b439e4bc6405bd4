"""Data sets inside scikit-learn: its examples, and complete files among its test data."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from softwood.data.readers import read_arff
from softwood.data.table import Table
from softwood.datasets.dataset import Dataset
from softwood.datasets.registry import Entry, Recipe
from softwood.datasets.shaping import finished, shaped
from softwood.datasets.sources.made import table_from
from softwood.datasets.sources.offer import Offer
from softwood.datasets.transforms import TRANSFORMS

_TEST_DATA = "datasets/tests/data/openml"
_FILES = {"iris": "iris.csv", "wine": "wine_data.csv", "breast_cancer": "breast_cancer.csv"}


def scikit_offer(entry: Entry) -> Offer | None:
    """Return the offer to read the set from scikit-learn, if it is there."""
    recipe = entry.recipes.get("scikit-learn")
    if recipe is None:
        return None
    if recipe.load:
        where = f"sklearn.datasets.load_{recipe.load}"
        return Offer("scikit-learn", where, lambda: _finished(_example(recipe), entry, where))
    file = _test_file(recipe.arff)
    if not file.is_file():  # some distributions leave tests out
        return None
    where = f"scikit-learn, {_TEST_DATA}/{recipe.arff}"
    return Offer("scikit-learn", where, lambda: _finished(read_arff(file), entry, where))


def _finished(table: Table, entry: Entry, where: str) -> Dataset:
    recipe = entry.recipes["scikit-learn"]
    table = shaped(table, entry, recipe, where)
    return finished(TRANSFORMS[recipe.fix](table) if recipe.fix else table, entry, where)


def _example(recipe: Recipe) -> Table:
    file = _folder() / "datasets/data" / _FILES.get(recipe.load, "")
    if file.is_file():  # importing sklearn.datasets takes longer than fitting a tree
        rows = np.loadtxt(file, delimiter=",", skiprows=1)
        return table_from(rows[:, :-1], rows[:, -1].astype(np.int64))
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{recipe.load}")()
    return table_from(bunch.data, bunch.target)


def _test_file(name: str) -> Path:
    return _folder() / _TEST_DATA / name


def _folder() -> Path:
    spec = find_spec("sklearn")
    places = (spec.submodule_search_locations if spec else None) or [""]
    return Path(places[0])
