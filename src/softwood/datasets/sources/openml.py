"""Data sets from OpenML, fetched by number and cached by scikit-learn."""

from __future__ import annotations

import warnings
from http.client import HTTPException
from importlib.util import find_spec
from typing import Any

import numpy as np

from softwood.data.table import Column, Table
from softwood.datasets.dataset import Dataset, class_counts
from softwood.datasets.registry import Entry
from softwood.datasets.shaping import finished, recode, typed
from softwood.datasets.sources.offer import Offer
from softwood.errors import DatasetError, missing_extra


def openml_offer(entry: Entry) -> Offer | None:
    """Return the offer to fetch the set, if its number is known."""
    if entry.card.openml is None:
        return None
    where = f"OpenML {entry.card.openml}"
    return Offer("openml", where, lambda: _fetch(entry, where))


def _fetch(entry: Entry, where: str) -> Dataset:
    if find_spec("pandas") is None:
        raise missing_extra("pandas", "data")
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it tries again
            bunch = fetch_openml(
                data_id=entry.card.openml,
                as_frame=True,
                parser="auto",
                n_retries=1,
                delay=0.1,
                cache=True,
            )
    except (OSError, HTTPException, ValueError) as error:
        raise DatasetError(f"{where} could not be fetched ({error})") from None
    unwanted = {_plain(name) for name in entry.openml_drop}
    features = [
        _column(name, bunch.data[name]) for name in bunch.data if _plain(name) not in unwanted
    ]
    table = typed(Table((*features, _column(entry.target, bunch.target))), entry, where)
    return finished(_with_our_labels(table, entry), entry, where, strict=False)


def _plain(name: str) -> str:
    """Return the letters and digits of a name: spellings differ between versions."""
    return "".join(character for character in name.lower() if character.isalnum())


def _column(name: str, series: Any) -> Column:
    """Return a pandas series as a column; what is not a number is nominal."""
    if series.dtype.kind in "iuf":
        return Column(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    labelled = series.astype("category")
    categories = tuple(str(category) for category in labelled.cat.categories)
    return Column(name, labelled.cat.codes.to_numpy().astype(np.int32), categories)


def _with_our_labels(table: Table, entry: Entry) -> Table:
    """Return the table with our words for the classes, if their sizes tell which is which."""
    target = table.columns[-1]
    ours = entry.card.classes or {}
    theirs = class_counts(target) if target.is_nominal else {}
    by_size = {count: label for label, count in ours.items()}
    sizes_differ = len(by_size) == len(ours) and len(set(theirs.values())) == len(theirs)
    if set(theirs) == set(ours) or not sizes_differ or set(theirs.values()) != set(by_size):
        return table
    names = {label: by_size[count] for label, count in theirs.items()}
    return Table((*table.columns[:-1], recode(target, names, order=tuple(ours))))
