"""Formats: told by how files begin, and by how their names end."""

import numpy as np
import polars as pl
import pytest

from softwood.data.readers.formats import format_of, frame_of_table, scan_typed
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.rows import opened
from softwood.data.readers.sources import LocalFile
from softwood.data.table import Column, Table


def put(folder, name, raw):
    path = folder / name
    path.write_bytes(raw)
    return LocalFile(path, path, path.suffix)


@pytest.mark.parametrize(
    ("name", "raw", "kind"),
    [
        ("a.csv", b"x,y\n", "delimited text"),
        ("a.xyz", b"x,y\n", "delimited text"),
        ("a.csv", b"PAR1", "parquet"),
        ("a", b"ARROW1", "arrow"),
        ("a", b"PK\x03\x04", "workbook"),
        ("a.json", b' [{"x": 1}]', "json"),
        ("a.json", b'{"x": 1}\n{"x": 2}', "json lines"),
        ("a", b'{"x": 1}', "json lines"),
        ("a", b'[{"x": 1}]', "json"),
        ("a.csv", b'{"x": 1}', "delimited text"),
        ("a.txt", b"% said\n@relation w\n", "keel"),
        ("a.csv", b"@RELATION w\n", "arff"),
    ],
)
def test_formats_are_found(tmp_path, name, raw, kind):
    assert format_of(put(tmp_path, name, raw)) == kind


def test_nested_columns_are_passed_over_and_told(tmp_path):
    frame = pl.DataFrame({"x": [1, 2], "l": [[1], [2]], "s": [{"a": 1}, {"a": 2}]})
    frame.write_parquet(tmp_path / "a.parquet")
    with opened([tmp_path / "a.parquet"]) as rows:
        assert rows.names == ["x"]
        assert "'l', 's'" in rows.notes[0]


def test_names_in_typed_files_are_mended(tmp_path):
    pl.DataFrame({" x ": [1], "": [2]}).write_parquet(tmp_path / "a.parquet")
    with opened([tmp_path / "a.parquet"]) as rows:
        assert rows.names == ["x", "unnamed_2"]


def test_errors_name_the_file_that_users_know(tmp_path):
    path = tmp_path / "unpacked.arff"
    path.write_text("@relation w\n@attribute x real\n@data\noak\n", encoding="utf-8")
    file = LocalFile(path, tmp_path / "theirs.arff.gz", ".arff")
    with pytest.raises(ValueError, match=r"theirs\.arff\.gz, line 4"):
        scan_typed(file, "arff", ReadOptions())


def test_tables_become_frames():
    table = Table(
        (
            Column("x", np.array([1.5, np.nan])),
            Column("k", np.array([1, -1], dtype=np.int32), ("a", "b"), is_declared=True),
        )
    )
    frame = frame_of_table(table)
    assert frame.rows() == [(1.5, "b"), (None, None)]
    assert frame.schema["k"].categories.to_list() == ["a", "b"]
