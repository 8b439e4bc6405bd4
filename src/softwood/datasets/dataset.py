"""A data set that is there: its rows and its card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from softwood.data.table import Column, Table
from softwood.datasets.card import Card
from softwood.errors import missing_extra


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features, target and card of a data set; unpacks as ``X, y = dataset``.

    Attributes
    ----------
    table : Table
        All columns, the target last, without pandas.
    card : Card
        Where the rows came from, and what is known about them.
    target_name : str
        The column to predict.
    X : DataFrame
        The features; nominal ones have dtype ``category``. Needs pandas.
    y : Series
        The target: strings for classification, floats for regression. Needs pandas.
    frame : DataFrame
        ``X`` and ``y`` side by side. Needs pandas.

    Examples
    --------
    >>> from softwood.datasets import load_dataset
    >>> load_dataset("tic-tac-toe")
    <Dataset tic-tac-toe: 958 rows, 9 features (9 nominal), 2 classes>
    """

    table: Table
    card: Card
    target_name: str

    @cached_property
    def X(self) -> Any:
        """The features, a pandas frame."""
        return self.table.drop([self.target_name]).to_pandas()

    @cached_property
    def y(self) -> Any:
        """The target, a pandas series."""
        try:
            import pandas as pd
        except ImportError:
            raise missing_extra("pandas", "data") from None
        return pd.Series(self.target.as_objects(), name=self.target_name)

    @property
    def frame(self) -> Any:
        """The features and the target, one pandas frame."""
        return self.X.assign(**{self.target_name: self.y})

    @property
    def target(self) -> Column:
        """The target, a column of the table."""
        return self.table[self.target_name]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y))

    def __repr__(self) -> str:
        n_rows, n_columns = self.table.shape
        kind = "regression"
        if self.target.categories is not None:
            kind = f"{len(class_counts(self.target))} classes"
        return (
            f"<Dataset {self.card.name}: {n_rows} rows, {n_columns - 1} features "
            f"({len(self.card.nominal)} nominal), {kind}>"
        )


def class_counts(target: Column) -> dict[str, int]:
    """Return how many rows each class of a nominal target has, leaving out those with none."""
    categories = target.categories or ()
    counts = np.bincount(target.values[target.values >= 0], minlength=len(categories)).tolist()
    return {label: count for label, count in zip(categories, counts, strict=True) if count}
