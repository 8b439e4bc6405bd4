"""Delimited text: whatever Python's csv module writes is read back."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import delimited
from softwood.data.readers.delimited import is_unread_number, open_delimited, plain_number
from softwood.data.readers.options import ReadOptions
from softwood.data.readers.rows import opened

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"]
WESTERN = st.characters(codec="latin-1", categories=["L", "N", "P", "S", "Zs"])
texts = st.text(WESTERN | st.sampled_from([",", ";", '"', "'", "\n", " ", "#"]), max_size=8)
tame = st.text(st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=5)


class Everything:
    def __contains__(self, name):
        return True


def written(rows, delimiter, quoting, end):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue()


def tidy(text):
    return text.strip() or None


@given(
    rows=st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(texts, min_size=n, max_size=n), min_size=1, max_size=8)
    ),
    delimiter=st.sampled_from([",", ";", "\t", "|", ":", "^"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    encoding=st.sampled_from(ENCODINGS),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_is_written_is_read(tmp_path_factory, rows, delimiter, quoting, encoding, end):
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    names = [f"column {j}" for j in range(len(rows[0]))]
    expected = [[tidy(cell) for cell in row] for row in rows]
    expected = [row for row in expected if any(row)]
    path.write_bytes(written([names, *rows], delimiter, quoting, end).encode(encoding))
    options = ReadOptions(delimiter=delimiter, encoding=encoding, missing=("",), has_header=True)
    if not expected:
        with pytest.raises(ValueError, match="no rows"), opened([path], options):
            raise AssertionError
        return
    with opened([path], options, Everything()) as found:
        frame = found.collect()
    assert frame.columns == names
    assert [list(row) for row in frame.rows()] == expected


@given(
    rows=st.lists(st.tuples(st.floats(-1e9, 1e9), tame, tame), min_size=3, max_size=12),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_dialects_are_found_out(tmp_path_factory, rows, delimiter, encoding, end):
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    table = [["number", "a b", "größe"], *rows]
    path.write_bytes(written(table, delimiter, csv.QUOTE_MINIMAL, end).encode(encoding))
    options = ReadOptions(missing=())
    with opened([path], options, as_text=["a b", "größe"]) as found:
        frame = found.collect()
    assert frame.columns == table[0]
    assert frame["number"].to_list() == [row[0] for row in rows]
    assert frame.rows() == [tuple(row) for row in rows]


@given(text=st.text(st.sampled_from('a1,"\n '), max_size=40))
def test_quotes_anywhere_are_read_as_csv_does_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    whole = f"first,second\n1,x\n{text}\n2,y\n"
    path.write_text(whole, encoding="utf-8", newline="")
    reader = csv.reader(io.StringIO(whole, newline=""), strict=True, skipinitialspace=True)
    try:
        rows = [row for row in reader][1:]
        problem = max(map(len, rows)) > 2
    except csv.Error:
        problem = True
    options = ReadOptions(delimiter=",", missing=("",), has_header=True)
    if problem:
        with pytest.raises(ValueError, match="line"), opened([path], options, Everything()):
            raise AssertionError
        return
    padded = [[tidy(cell) for cell in row] + [None] * (2 - len(row)) for row in rows]
    with opened([path], options, Everything()) as found:
        frame = found.collect()
    assert [list(row) for row in frame.rows()] == [row for row in padded if any(row)]


@pytest.mark.parametrize("word", ["0", "-1", "+2.5", ".5", "1.", "1e-7", " 3 ", "inf", "-Infinity"])
def test_plain_numbers(tmp_path, word):
    assert numbers(tmp_path, word) == ["x"]


@pytest.mark.parametrize("word", ["007", "1_000", "0x1", "1,5", "\uff11", "9007199254740993"])
def test_names_that_are_no_plain_numbers(tmp_path, word):
    assert numbers(tmp_path, word) == []


def numbers(folder, word):
    path = folder / "a.csv"
    path.write_text(f'x,k\n1,a\n"{word}",b\n', encoding="utf-8")
    return open_delimited(path, path, ReadOptions(), folder).numbers(["k"])[0]


def test_the_decimal_sign_decides_what_is_plain():
    assert "," in plain_number(",")
    assert "," not in plain_number(".")


def test_only_the_first_rows_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "FIRST_ROWS", 2)
    path = tmp_path / "a.csv"
    path.write_text("x,k\n1,2\n2,2\nlate,2\n", encoding="utf-8")
    with opened([path]) as rows:
        assert rows.parts[0].numbers == ["x", "k"]
        assert rows.collect()["x"].to_list() == ["1", "2", "late"]
    assert not is_unread_number(ValueError("something else"))
