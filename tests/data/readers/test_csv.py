"""CSV: types are guessed, text survives, and mistakes are told in one line."""

from __future__ import annotations

import csv
import gzip
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import read_csv

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
numbers = st.none() | st.floats(allow_nan=False)


def write(path, text):
    path.write_bytes(text.encode("utf-8"))
    return path


def error_of(path, **options):
    with pytest.raises(ValueError, match=path.name) as caught:
        read_csv(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@given(rows=st.lists(st.tuples(numbers, texts, texts), min_size=1, max_size=12))
def test_what_is_written_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["number", "a, b", "naïve \N{SNOWMAN}"])
        for number, *words in rows:
            writer.writerow(["?" if number is None else repr(number), *words])
    table = read_csv(path, nominal=["a, b", "naïve \N{SNOWMAN}"], missing=["?"])
    expected = [np.nan if number is None else number for number, *_ in rows]
    np.testing.assert_array_equal(table["number"].values, expected)
    for position, name in enumerate(table.names[1:], start=1):
        words = [None if row[position] == "?" else row[position] for row in rows]
        assert table[name].as_objects().tolist() == words
        assert list(table[name].categories) == sorted({word for word in words if word is not None})


def test_types_are_guessed(tmp_path):
    lines = [
        "whole,real,special,name,mixed,nothing",
        '1,0.5,inf,"oak, red",1,',
        "-2, 1e-3 ,-Infinity,fir,x,NA",
        "?,NaN,nan,NA,2,?",
    ]
    table = read_csv(write(tmp_path / "a.csv", "\n".join(lines)))
    assert [c.name for c in table.columns if c.is_nominal] == ["name", "mixed"]
    np.testing.assert_array_equal(table["whole"].values, [1, -2, np.nan])
    np.testing.assert_array_equal(table["real"].values, [0.5, 1e-3, np.nan])
    np.testing.assert_array_equal(table["special"].values, [np.inf, -np.inf, np.nan])
    assert table["name"].categories == ("fir", "oak, red")
    assert table["name"].as_objects().tolist() == ["oak, red", "fir", None]
    assert np.isnan(table["nothing"].values).all()


@pytest.mark.parametrize("word", ["1_000", "\N{ARABIC-INDIC DIGIT ONE}", "0x10", "1,5"])
def test_only_plain_decimals_are_numbers(tmp_path, word):
    table = read_csv(write(tmp_path / "a.csv", f'x\n"{word}"\n'))
    assert table["x"].categories == (word,)


def test_missing_words_are_a_choice(tmp_path):
    path = write(tmp_path / "a.csv", 'kind\nNA\n""\n-\n')
    assert read_csv(path, missing=["-"])["kind"].as_objects().tolist() == ["NA", "", None]


def test_types_can_be_forced(tmp_path):
    path = write(tmp_path / "a.csv", "code,size\n01,3\n2,\n")
    table = read_csv(path, nominal=["code"], numeric=["size"])
    assert table["code"].categories == ("01", "2")
    assert not table["size"].is_nominal


def test_headerless_and_blank_separated(tmp_path):
    path = write(tmp_path / "a.txt", "  1   van \n\n 2 bus\n")
    table = read_csv(path, names=["x", "kind"], delimiter=None)
    assert table["kind"].as_objects().tolist() == ["van", "bus"]
    stripped = read_csv(write(tmp_path / "b.txt", "1, van ,\n"), names=["x", "k", "z"], strip=True)
    assert stripped["k"].categories == ("van",)


def test_byte_order_mark_line_ends_and_gzip(tmp_path):
    text = "\ufeffx,y\r\n1,a\r\n2,b\r\n"
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert read_csv(path).names == ["x", "y"]
    assert read_csv(path)["y"].categories == ("a", "b")
    path.write_bytes(path.read_bytes()[:-9])
    assert "gzip" in error_of(path)


def test_a_forced_number_names_column_row_and_value(tmp_path):
    path = write(tmp_path / "a.csv", "x,size\n1,3\n2,big\n")
    message = error_of(path, numeric=["size"])
    assert all(word in message for word in ("line 3", "row 2", "'size'", "'big'"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        (" \n\n", ["empty"]),
        ("a,b\n", ["no rows"]),
        ("a,b\n1,2\n1,2,3\n", ["line 3", "3 fields", "2 columns"]),
        ("a,b,a\n1,2,3\n", ["line 1", "['a']", "twice"]),
        ("a,,c\n1,2,3\n", ["line 1", "no name"]),
        ('a,b\n1,"2\n', ["line 2", "close"]),
        ('a,b\n1,"2"3\n', ["line 2", "quote"]),
    ],
)
def test_malformed_files_are_refused(tmp_path, text, words):
    message = error_of(write(tmp_path / "a.csv", text))
    assert all(word in message for word in words), message


def test_other_encodings_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("x\n1\nnaïve\n".encode("latin-1"))
    message = error_of(path)
    assert "line 3" in message
    assert "0xef" in message
    assert "UTF-8" in message


@pytest.mark.parametrize(
    "options", [{"nominal": ["z"]}, {"numeric": ["z"]}, {"nominal": ["x"], "numeric": ["x"]}]
)
def test_wrong_column_names_are_refused(tmp_path, options):
    assert "x" in error_of(write(tmp_path / "a.csv", "x\n1\n"), **options)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_csv(tmp_path / "none.csv")


def test_twenty_thousand_rows_take_no_time(tmp_path):
    row = ",".join(["3.25"] * 16 + ["A"])
    path = write(
        tmp_path / "a.csv", "\n".join([",".join(f"x{i}" for i in range(17))] + [row] * 20000)
    )
    start = perf_counter()
    assert read_csv(path).shape == (20000, 17)
    assert perf_counter() - start < 5  # well under a second on an idle machine


@pytest.mark.parametrize("cell", ["007", "-01", "+00", " 08", "00.5"])
def test_leading_zeros_make_text(tmp_path, cell):
    path = tmp_path / "codes.csv"
    path.write_text(f"code\n3\n{cell}\n12\n")
    assert set(read_csv(path)["code"].categories) == {"12", "3", cell}
    assert read_csv(path, numeric=["code"])["code"].values[1] == float(cell)


@pytest.mark.parametrize("cell", ["0", "0.5", "-0.05", "0e3", ".05", "100", "1e05", "0.0123"])
def test_other_zeros_do_not(tmp_path, cell):
    path = tmp_path / "numbers.csv"
    path.write_text(f"x\n3\n{cell}\n12\n")
    assert read_csv(path)["x"].values.tolist() == [3.0, float(cell), 12.0]
