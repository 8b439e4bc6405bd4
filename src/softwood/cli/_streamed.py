"""Rows of files with their target, some at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from softwood.cli._fitted import (
    AllBut,
    _check_target,
    _classes_of,
    _numbers_read,
    _reader,
    _target_name,
    _target_values,
    _with_own_marks,
)
from softwood.cli._screen import note
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.rows import BATCH, opened
from softwood.data.schema import Schema
from softwood.data.table import Table


@contextmanager
def batches_with_target(
    fitted: Any, data: Sequence[str], target: str | None, options: ReadOptions, size: int = BATCH
) -> Iterator[Iterator[tuple[Table, Any]]]:
    """Open files for a model; yield the rows whose target is known, and it, some at a time."""
    schema: Schema = fitted.schema_
    marked = _with_own_marks(schema, options)
    with opened(data, marked, AllBut(_numbers_read(schema))) as rows:
        for said in rows.notes:
            note(said)
        name = target or _target_name(schema, rows.names, None, data[0])
        read, classes = _reader(schema), _classes_of([fitted])

        def in_turn() -> Iterator[tuple[Table, Any]]:
            n_left_out = n_rows = 0
            for frame in rows.batches(size):
                _check_target([schema], frame, name, data[0])
                known = frame.filter(frame[name].is_not_null())
                n_left_out += frame.height - known.height
                n_rows += frame.height
                if known.height:
                    yield read(known), _target_values(schema, classes, known[name])
            if n_left_out:
                note(f"{n_left_out} of {n_rows} rows have no {name!r} and are left out")

        yield in_turn()
