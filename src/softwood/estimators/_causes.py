"""Failures inside a tree, told by the column or parameter that is behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from softwood.data.schema import Schema
from softwood.data.training import TrainingSet
from softwood.errors import MalformedTreeError

SUSPECT = 1e100  # numbers above this can leave the range of floats: squares, sums, differences


@contextmanager
def causes_named(schema: Schema, data: TrainingSet) -> Iterator[None]:
    """Tell why no tree could be made in terms of the user's columns and parameters.

    Parameters
    ----------
    schema : Schema
        The columns.
    data : TrainingSet
        What the tree was to be made of.

    Raises
    ------
    ValueError
        In place of an error about the arrays of a tree, if one of the numbers is so large
        that what is computed from it overflows.
    """
    try:
        yield
    except MalformedTreeError as error:
        name, size = _largest(schema, data)
        if size < SUSPECT:
            raise
        raise ValueError(
            f"{name} holds {size:g}, and what is computed from it overflows: divide it by a "
            "power of ten"
        ) from error


def _largest(schema: Schema, data: TrainingSet) -> tuple[str, float]:
    """Return the largest number of all, by size, and what it stands in."""
    found = {"sample_weight": float(data.weight.max())}
    for feature, column in zip(schema.features, data.X.T, strict=True):
        found[f"column {feature.name!r}"] = float(np.fmax.reduce(np.abs(column), initial=0.0))
    if data.is_regression:
        found["y"] = float(np.abs(data.target).max())
    name = max(found, key=found.__getitem__)
    return name, found[name]
