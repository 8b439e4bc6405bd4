"""Where rows come from: names, patterns, archives."""

import gzip
import io
import zipfile

import pytest

from softwood.data.readers.sources import expanded, local_file

RAW = b"x,y\n1,2\n"


def zipped(*names):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, RAW)
    return packed.getvalue()


def test_patterns_are_sorted_and_files_with_stars_are_files(tmp_path):
    for name in ("b.csv", "a.csv", "c.txt", "[1].csv"):
        (tmp_path / name).write_bytes(RAW)
    (tmp_path / "d.csv").mkdir()
    assert [p.name for p in expanded([tmp_path / "*.csv"])] == ["[1].csv", "a.csv", "b.csv"]
    assert [p.name for p in expanded([tmp_path / "[1].csv"])] == ["[1].csv"]
    for wrong, words in (
        ("z*.csv", "no file fits"),
        ("z.csv", "is not a file"),
        (".", "not a file"),
    ):
        with pytest.raises(FileNotFoundError, match=words):
            expanded([tmp_path / wrong])


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "/etc/evil.csv", "..", "a/b/c.csv", "x" * 400 + ".csv", "c:\\x.csv"]
)
def test_what_an_archive_calls_its_files_is_not_trusted(tmp_path, name):
    inner = tmp_path / "inner" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "a.zip").write_bytes(zipped(name))
    found = local_file(tmp_path / "a.zip", inner)
    assert found.path.parent == inner
    assert found.path.read_bytes() == RAW
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == sorted(
        ["a.zip", found.path.name]
    )


def test_suffixes_inside_archives_count(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped("t.TSV"))
    assert local_file(tmp_path / "a.zip", tmp_path).suffix == ".tsv"
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b"{}"))
    assert local_file(tmp_path / "b.jsonl.gz", tmp_path).suffix == ".jsonl"
    long = "n" * 240 + ".csv.gz"
    (tmp_path / long).write_bytes(gzip.compress(RAW))
    assert local_file(tmp_path / long, tmp_path).path.read_bytes() == RAW


def test_packed_files_without_a_telling_name(tmp_path):
    (tmp_path / "a.csv").write_bytes(gzip.compress(RAW))
    found = local_file(tmp_path / "a.csv", tmp_path)
    assert found.path.read_bytes() == RAW
    assert found.called == tmp_path / "a.csv"


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.gz", gzip.compress(RAW * 99, mtime=0)[:-9]),
        ("a.bz2", b"BZh91AY&SY"),
        ("a.xz", b"\xfd7zXZ\x00abc"),
        ("a.zip", b"PK\x03\x04"),
    ],
)
def test_damaged_archives_are_told(tmp_path, name, raw):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ValueError, match=rf"{name}: not a complete"):
        local_file(tmp_path / name, tmp_path)
