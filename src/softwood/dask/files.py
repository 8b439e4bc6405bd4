"""Parquet files as partitions: each worker reads its own rows, and nobody all of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray
from softwood.dask.partitions import Part
from softwood.data.columns.apply import UnreadValueError, columns_of, prepared
from softwood.data.columns.plan import ColumnPlan, Preparation
from softwood.data.table import Table

if TYPE_CHECKING:
    import polars as pl

BYTES_OF_PART = 1 << 26  # of its numbers in memory; reading takes some times as much
ROWS_OF_SAMPLE = 100_000  # from which it is told what the columns are
INTEGERS, TEXTS, NUMBERS = "integers", "texts", "numbers"


@dataclass(frozen=True)
class Slice:
    """Some rows of a file.

    Attributes
    ----------
    path : Path
        The file, by a name that all workers know.
    start, n_rows : int
        Which rows.
    """

    path: Path
    start: int
    n_rows: int

    def read(self, columns: Sequence[str] | None = None, most: int | None = None) -> pl.DataFrame:
        """Return the rows, or the first of them."""
        import polars as pl

        from softwood.data.readers.rows import stripped

        scan = stripped(pl.scan_parquet(self.path, glob=False), ("",))
        scan = scan if columns is None else scan.select(columns)
        n_rows = self.n_rows if most is None else min(most, self.n_rows)
        return scan.slice(self.start, n_rows).collect()


def slices_of(paths: Sequence[Path]) -> list[Slice]:
    """Return the rows of Parquet files in pieces that a worker can easily read.

    Raises
    ------
    ValueError
        If a file is none of Parquet, or has other columns than the first.
    """
    import polars as pl

    found, names = [], None
    for path in paths:
        try:
            scan = pl.scan_parquet(path, glob=False)
            own = scan.collect_schema().names()
            n_rows = int(scan.select(pl.len()).collect().item())
        except pl.exceptions.PolarsError:
            raise ValueError(
                f"{path} is no Parquet file, and rows of other files cannot be read from the "
                "middle: make Parquet of them (polars: scan_csv(...).sink_parquet(...))"
            ) from None
        names = names or own
        if own != names:
            raise ValueError(f"{path} has other columns than {paths[0]}: {', '.join(own)}")
        size = max(1, BYTES_OF_PART // (8 * len(own)))
        n_parts = -(-n_rows // size)
        ends = [n_rows * k // n_parts for k in range(n_parts + 1)] if n_parts else [0]
        found += [
            Slice(path.resolve(), start, stop - start) for start, stop in itertools.pairwise(ends)
        ]
    if not found:
        raise ValueError(f"{paths[0]} has no rows")
    return found


def sample_of(slices: Sequence[Slice]) -> pl.DataFrame:
    """Return the first rows of each of up to a hundred slices."""
    import polars as pl

    some = slices[:: -(-len(slices) // 100)]
    return pl.concat([one.read(most=-(-ROWS_OF_SAMPLE // len(some))) for one in some])


@dataclass(frozen=True)
class Plan:
    """How rows of files are read, and which of them are not to be trained on.

    Attributes
    ----------
    preparation : Preparation
        What the columns become; it has a target.
    kind : {"integers", "texts", "numbers"}
        What the target is: classes of either type, or a number to predict.
    held_out : float
        Share of the rows that is kept to judge by.
    seed : int
        Draws these.
    """

    preparation: Preparation
    kind: str
    held_out: float = 0.0
    seed: int = 0

    @property
    def target(self) -> ColumnPlan:
        """How the target is read."""
        assert self.preparation.target is not None
        return self.preparation.target

    def parts(self, slices: Sequence[Slice]) -> list[Part]:
        """Return the partitions to be trained on, not computed yet."""
        from dask import delayed

        plan, read = delayed(self, traverse=False), delayed(read_rows, nout=2)
        pairs = [read(plan, one, number, False) for number, one in enumerate(slices)]
        return [(X, y, None) for X, y in pairs]

    def judges(self, slices: Sequence[Slice]) -> list[Any]:
        """Return the rows and targets to judge by, slice by slice, not computed yet."""
        from dask import delayed

        plan, read = delayed(self, traverse=False), delayed(read_rows)
        return [read(plan, one, number, True) for number, one in enumerate(slices)]


def read_rows(plan: Plan, rows: Slice, number: int, is_judge: bool) -> tuple[Table, AnyArray]:
    """Return rows of a slice and their target; rows without one are left out."""
    names = [one.name for one in plan.preparation.used]
    frame = rows.read([*names, plan.target.name])
    own = np.random.SeedSequence(plan.seed, spawn_key=(number,))
    kept = (np.random.default_rng(own).random(frame.height) < plan.held_out) == is_judge
    kept &= frame[plan.target.name].is_not_null().to_numpy()
    try:
        frame = frame.filter(kept)
        return prepared(plan.preparation, frame), _target(plan, frame[plan.target.name])
    except UnreadValueError as error:
        raise ValueError(f"{rows.path}: {error.at(rows.start + error.row)}") from None


def _target(plan: Plan, series: pl.Series) -> AnyArray:
    column = columns_of(plan.target, series)[0]
    if plan.kind == NUMBERS:
        return np.asarray(column.values)
    values = series.to_numpy() if plan.kind == INTEGERS else np.array(column.as_objects(), str)
    if plan.kind == INTEGERS and not np.all(values == np.floor(values)):
        raise ValueError(
            f"column {series.name!r} has {values[values != np.floor(values)][0]} in some rows, and "
            "whole numbers in the sample that was looked at: say what it is, by --nominal "
            f"{series.name} or a file whose first rows show it"
        )
    return values.astype(np.int64) if plan.kind == INTEGERS else values
