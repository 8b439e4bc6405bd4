"""Data sets in folders the user names.

A folder may hold, for each set, ``NAME.csv`` with a card ``NAME.json`` beside it, or one of
``NAME.csv``, ``NAME.tsv``, ``NAME.arff``, ``NAME.dat`` (KEEL) and ``NAME.names`` with
``NAME.data`` (C4.5), without a card.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from softwood.data.readers import read_c45, read_table
from softwood.data.readers.recast import as_nominal
from softwood.data.table import Table
from softwood.datasets.card import Card, Task
from softwood.datasets.dataset import Dataset
from softwood.datasets.registry import Entry
from softwood.datasets.shaping import finished, loaded_card, typed
from softwood.datasets.sources.cards import read_with_card
from softwood.datasets.sources.offer import Offer
from softwood.errors import DatasetError

ENVIRONMENT = "SOFTWOOD_DATA"
_SUFFIXES = (".csv", ".csv.gz", ".tsv", ".arff", ".arff.gz", ".dat", ".names")
DataDir = str | PathLike[str] | Sequence[str | PathLike[str]] | None


def folders_from(data_dir: DataDir) -> list[Path]:
    """Return the folders to look in: those named, then those of ``SOFTWOOD_DATA``."""
    given = [data_dir] if isinstance(data_dir, str | PathLike) else list(data_dir or ())
    for folder in given:
        if not Path(folder).is_dir():
            raise DatasetError(f"data_dir={str(folder)!r} is not a folder")
    listed = os.environ.get(ENVIRONMENT, "").split(os.pathsep)
    return [Path(folder) for folder in [*given, *filter(None, listed)] if Path(folder).is_dir()]


def folder_offer(name: str, folders: Sequence[Path], entry: Entry | None) -> Offer | None:
    """Return the offer to read the set from the first folder that has it."""
    names = [name] if entry is None else [entry.name, *entry.aliases]
    candidates = (
        folder / f"{candidate}{suffix}"
        for folder in folders
        for candidate in names
        for suffix in _SUFFIXES
    )
    path = next((path for path in candidates if path.is_file()), None)
    return None if path is None else Offer("folder", str(path), lambda: _read(name, path, entry))


def _read(name: str, path: Path, entry: Entry | None) -> Dataset:
    stem = path.name.removesuffix(".gz").removesuffix(".csv")
    card = path.parent / f"{stem}.json"
    try:
        if card.is_file():
            return read_with_card(name, path, card, entry)
        table = read_c45(path, part="all") if path.suffix == ".names" else read_table(path)
    except DatasetError:
        raise
    except ValueError as error:
        raise DatasetError(str(error)) from None
    if entry is None:
        return _unregistered(name, table, path)
    target = entry.target if entry.target in table.names else table.names[-1]
    return finished(
        typed(_with_last(table, target), entry, str(path)), entry, str(path), strict=False
    )


def _unregistered(name: str, table: Table, path: Path) -> Dataset:
    """Return a set we know nothing of: its target is ``class``, ``target`` or the last column."""
    target = next((n for n in ("class", "target") if n in table.names), table.names[-1])
    table = _with_last(table, target)
    if target == "class":
        table = Table((*table.columns[:-1], as_nominal(table.columns[-1])))
    task: Task = "classification" if table.columns[-1].is_nominal else "regression"
    card = Card(name, task, len(table), len(table.columns) - 1)
    return Dataset(table, loaded_card(card, table, str(path)), target)


def _with_last(table: Table, target: str) -> Table:
    return Table((*table.drop([target]).columns, table[target]))
