"""Quotes: where all are regular, everybody agrees on what they mean."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import encodings
from softwood.data.readers.quotes import are_regular, large_fields, rewrite, too_long

soup = st.text(st.sampled_from('ab,"\n\r '), max_size=60)


def put(folder, text):
    path = folder / "a.csv"
    path.write_bytes(text.encode())
    return path


@given(rows=st.lists(st.lists(soup, min_size=2, max_size=3), max_size=6))
def test_what_csv_writes_is_regular(tmp_path_factory, rows):
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    assert are_regular(put(tmp_path_factory.mktemp("quotes"), out.getvalue()), ",")


@given(text=soup)
def test_csv_reads_what_is_regular(tmp_path_factory, text):
    path = put(tmp_path_factory.mktemp("quotes"), text)
    is_regular = are_regular(path, ",")
    strict = list(by_csv(text, strict=True)) if is_regular else []
    assert strict == (list(by_csv(text, strict=False)) if is_regular else [])


def by_csv(text, strict):
    return csv.reader(io.StringIO(text, newline=""), strict=strict)


@given(text=soup, size=st.integers(1, 7))
def test_where_chunks_end_does_not_matter(tmp_path_factory, text, size):
    path = put(tmp_path_factory.mktemp("quotes"), text)
    at_once = are_regular(path, ",")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encodings, "CHUNK", size)
        assert are_regular(path, ",") == at_once


def test_rewriting_pads_short_rows_and_tells_their_lines(tmp_path):
    path = put(tmp_path, '# above\nx,y\n1,5" pipe\n\n2\n3,"a\nb"\n4\n')
    copy = tmp_path / "copy.csv"
    assert rewrite(path, path, ",", 2, 2, copy) == [5, 8]
    assert copy.read_text(encoding="utf-8") == '1,"5"" pipe"\n2,\n3,"a\nb"\n4,\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('1,"a\nb"\n2,"c\n3,d\n', ["line 3", "never closed"]),
        ('1,"a\nb"\n2,"c"d\n', ["line 3", "closing quote"]),
        ('1,"a\nb"\n2,3,4\n', ["line 3", "3 fields", "2 columns"]),
    ],
)
def test_rewriting_refuses_with_the_line(tmp_path, text, words):
    path = put(tmp_path, text)
    for word in words:
        with pytest.raises(ValueError, match=word):
            rewrite(path, path, ",", 2, 0, tmp_path / "copy.csv")


def test_the_limit_of_others_is_left_as_it_was():
    old = csv.field_size_limit()
    with large_fields():
        assert csv.field_size_limit() > old
    assert csv.field_size_limit() == old


def test_rows_that_are_too_long_are_told_without_a_line_too(tmp_path):
    assert "more fields where there are 2" in str(too_long(tmp_path, "more", 2, None))
