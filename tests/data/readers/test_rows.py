"""Rows: reading some at a time is reading at once."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.columns.apply import prepared
from softwood.data.columns.describe import describe
from softwood.data.readers import delimited
from softwood.data.readers.rows import opened

cells = st.sampled_from(["1", "2.50", "-3", "", "NA", "1e3", "007", "n/a?", "oak", "12 kg", "5%"])


@given(
    rows=st.lists(st.tuples(cells, cells, st.sampled_from("ab")), min_size=2, max_size=30),
    size=st.integers(1, 9),
    first=st.integers(1, 5),
)
def test_reading_in_batches_is_reading_at_once(tmp_path_factory, rows, size, first):
    path = tmp_path_factory.mktemp("rows") / "a.csv"
    path.write_text("u,v,k\n" + "".join(f"{u},{v},{k}\n" for u, v, k in rows), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "FIRST_ROWS", first)
        with opened([path]) as found:
            whole = found.collect()
        preparation = describe(whole, keep=["u", "v", "k"]).preparation()
        with opened([path], as_text=preparation.as_text) as found:
            parts = [prepared(preparation, batch) for batch in found.batches(size)]
    expected = prepared(preparation, whole)
    assert sum(len(part) for part in parts) == len(expected) == len(rows)
    for column in expected.columns:
        seen = np.concatenate([values(part[column.name]) for part in parts])
        np.testing.assert_array_equal(seen, values(column))


def values(column):
    return column.as_objects() if column.is_nominal else column.values


def test_a_late_word_makes_a_column_text_and_loses_nothing(tmp_path):
    path = tmp_path / "a.csv"
    texts = [f"{i % 90}.{i % 7}0" for i in range(20_000)]
    path.write_text("x,k\n" + "".join(f"{t},a\n" for t in texts) + "n/a?,b\n", encoding="utf-8")
    with opened([path]) as rows:
        assert rows.parts[0].numbers == ["x"]
        assert rows.collect()["x"].to_list() == [*texts, "n/a?"]
        batches = list(rows.batches(3000))
    assert sum(batch.height for batch in batches) == 20_001
    assert str(batches[-1]["x"][-1]) == "n/a?"


def test_files_of_several_formats_are_joined(tmp_path):
    pl.DataFrame({"x": [1, 2], "k": ["a", "b"]}).write_parquet(tmp_path / "1.parquet")
    (tmp_path / "2.csv").write_text("k;x\nc;3,5\n", encoding="utf-8")
    (tmp_path / "3.csv").write_text("k,x\nd,many\n", encoding="utf-8")
    with opened([tmp_path / "1.parquet", tmp_path / "2.csv"]) as rows:
        assert rows.names == ["x", "k"]
        assert rows.collect().rows() == [(1.0, "a"), (2.0, "b"), (3.5, "c")]
    with opened([tmp_path / "1.parquet", tmp_path / "3.csv"]) as rows:
        assert rows.collect().rows() == [("1", "a"), ("2", "b"), ("many", "d")]


def test_rows_without_values_are_rows_where_they_are_declared(tmp_path):
    (tmp_path / "a.arff").write_text(
        "@relation w\n@attribute x real\n@attribute k {a,b}\n@data\n1,a\n?,?\n", encoding="utf-8"
    )
    (tmp_path / "a.csv").write_text("x,k\n1,a\n,\n\n2,b\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x,k\n1,a\nNA,?\n2,b\n", encoding="utf-8")
    with opened([tmp_path / "a.arff"]) as rows:
        assert rows.collect().rows() == [(1.0, "a"), (None, None)]
    with opened([tmp_path / "a.csv"]) as rows:
        assert rows.collect().rows() == [(1.0, "a"), (2.0, "b")]
    with opened([tmp_path / "b.csv"]) as rows:
        assert rows.collect().rows() == [(1.0, "a"), (None, None), (2.0, "b")]


def test_broken_rows_are_told_by_their_line_in_batches_too(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,k\n" + "1,a\n" * 11_000 + "1,a,b\n", encoding="utf-8")
    for way in (lambda rows: rows.collect(), lambda rows: list(rows.batches(500))):
        with (
            pytest.raises(ValueError, match=r"a\.csv, line 11002: 3 fields"),
            opened([path]) as rows,
        ):
            way(rows)


def test_rows_of_typed_files_that_break_late_are_told(tmp_path):
    lines = ['{"x": 1, "k": "a"}'] * 12_000 + ['{"x": {"y": 1}, "k": [2']
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    pl.DataFrame({"x": list(range(5000))}).write_parquet(tmp_path / "b.parquet")
    raw = bytearray((tmp_path / "b.parquet").read_bytes())
    raw[8:4000] = bytes(3992)
    (tmp_path / "b.parquet").write_bytes(raw)
    for name in ("a.jsonl", "b.parquet"):
        for way in (lambda rows: rows.collect(), lambda rows: list(rows.batches(500))):
            with pytest.raises(ValueError, match=name), opened([tmp_path / name]) as rows:
                way(rows)
