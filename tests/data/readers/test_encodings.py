"""Encodings: found by marks and bytes, and told where they are guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import encodings
from softwood.data.readers.encodings import (
    chunks,
    encoding_of,
    first_byte_that_is_not,
    offset_of_line,
    recode,
)


def put(folder, raw):
    path = folder / "a.csv"
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
    ],
)
def test_encodings_are_found(tmp_path, encoding, found):
    text = "größe;straße\n" + "1;Köln\n" * 50
    path = put(tmp_path, text.encode(encoding))
    assert encoding_of(path)[0] == found
    recode(path, found, tmp_path / "copy")
    assert (tmp_path / "copy").read_text(encoding="utf-8").lstrip("\ufeff") == text


def test_a_guess_is_told_with_the_byte_and_its_line(tmp_path):
    said = encoding_of(put(tmp_path, b"a\nb\n" + "ü\n".encode("latin-1")))[1]
    assert "0xfc in line 3" in said
    assert "--encoding" in said


@given(text=st.text(max_size=40), bad=st.integers(0x80, 0xFF), size=st.integers(1, 5))
def test_the_first_wrong_byte_is_where_python_finds_it(tmp_path_factory, text, bad, size):
    text = text.replace("\0", "")
    raw = text.encode("utf-8", "ignore") + b"\n" + bytes([bad]) + b"\n"
    path = put(tmp_path_factory.mktemp("bytes"), raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encodings, "CHUNK", size)
        assert first_byte_that_is_not(path, "utf-8") == (raw.count(b"\n"), bad)


def test_all_is_well(tmp_path):
    assert first_byte_that_is_not(put(tmp_path, "größe\n".encode() * 9), "utf-8") is None
    assert first_byte_that_is_not(put(tmp_path, "größe".encode()[:3]), "utf-8") == (1, 0xC3)


@pytest.mark.parametrize(("n_above", "line"), [(0, ""), (2000, ", line 2001")])
def test_a_byte_of_zero_is_no_text(tmp_path, n_above, line):
    path = put(tmp_path, b"some text\n" * n_above + b"\x89PNG\0 and more\n" * 3)
    with pytest.raises(ValueError, match=rf"a\.csv{line}: this is no text"):
        encoding_of(path)


def test_what_cannot_be_decoded_is_refused(tmp_path):
    path = put(tmp_path, b"\xff\xfe\n")
    with pytest.raises(ValueError, match="it is not utf-8"):
        recode(path, "utf-8", tmp_path / "copy")
    with pytest.raises(ValueError, match="no encoding 'klingon'"):
        recode(path, "klingon", tmp_path / "copy")


def test_chunks_begin_anywhere(tmp_path):
    path = put(tmp_path, b"one\ntwo\r\nthree")
    assert [offset_of_line(path, n) for n in (0, 1, 2, 9)] == [0, 4, 9, 14]
    assert b"".join(chunks(path, 4)) == b"two\r\nthree"
