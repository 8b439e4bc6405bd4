"""Dialects: what is guessed of delimited text, and what is said of it."""

import pytest

from softwood.data.readers import dialect
from softwood.data.readers.dialect import dialect_of
from softwood.data.readers.options import ReadOptions


def found(folder, text, name="a.csv", **options):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return dialect_of(path, ReadOptions(**options))


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("a\tb\n1,2\t2\n3\t4\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('a;b\n"x;y, z";2\n"p;q";3\n', ";"),
        ("a b\n1 2\n3 4\n", " "),
        ("words of a sentence\nother words here\n", ","),
        ("time;x\n12:30:10;1\n12:30:11;2\n", ";"),
        ("sep=|\na|b\n1|2\n", "|"),
    ],
)
def test_delimiters(tmp_path, text, delimiter):
    assert found(tmp_path, text).delimiter == delimiter


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
        (["1,5", "2,25"], ","),
        (["1.5", "2.25"], "."),
        (["€ 1.234,50", "€ 7,00"], ","),
        (["1,50 EUR", "7,00 EUR"], ","),
        (["1,234.50", "2,345.50"], "."),
        (["1", "2"], "."),
        (["1,234", "926"], "."),
        (["1,234", "0,926"], ","),
        (["47.282", "926"], "."),  # too few to say
        ([f"{k}.{k + 100}" for k in range(1, 80)] + ["926", "3"], ","),
        ([f"{k}.{k + 100}" for k in range(1, 80)], "."),  # three decimals, always
        ([f"{k}.{k + 100}" for k in range(1, 80)] + ["926", "0.5"], "."),
    ],
)
def test_decimal_signs(tmp_path, cells, decimal):
    text = "x;y\n" + "".join(f"{cell};a\n" for cell in cells)
    assert found(tmp_path, text).decimal == decimal


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,2\n", ("a", "b")),
        ("1,2\n3,4\n5,6\n", ("1", "2")),  # one after the other: names of a series
        ("1.5,2\n3,4\n", ("column_1", "column_2")),
        ("region,2019,2020\nnorth,1,2\nsouth,3,4\n", ("region", "2019", "2020")),
        ("5,x\n6,y\n", ("column_1", "column_2")),
        ("x,y\na,b\n", ("x", "y")),
        ("a,b\n1,2,\n3,4,\n", ("a", "b", "unnamed_3")),
        ("a,b\nr1,1,2\nr2,3,4\n", ("unnamed_1", "a", "b")),
        ('"a\nb",c\n1,2\n', ("a b", "c")),
    ],
)
def test_names(tmp_path, text, names):
    assert found(tmp_path, text).names == names


def test_lines_above_are_counted_down_to_the_first_row(tmp_path):
    assert found(tmp_path, "a,b\n1,2\n").n_lines_above == 1
    assert found(tmp_path, "# x\n\na,b\n\n\n1,2\n").n_lines_above == 5
    assert found(tmp_path, '"a\nb",c\n1,2\n').n_lines_above == 2
    assert found(tmp_path, "# x\x0cy\u2028z\na,b\n1,2\n").n_lines_above == 2
    assert found(tmp_path, "\n1.5,2\n", has_header=False).n_lines_above == 1


def test_a_first_row_that_lacks_fields(tmp_path):
    assert found(tmp_path, "a,b\n1\n2,3\n").begins_short
    assert not found(tmp_path, "a,b\n1,2\n3\n").begins_short


def test_a_row_that_is_cut_by_the_sample_is_not_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(dialect, "SAMPLE", 60)
    text = "a,b\n" + '1,"two\nlines"\n' * 50
    assert found(tmp_path, text).names == ("a", "b")
    assert found(tmp_path, f'a,b\n"{"x" * 500_000}",2\n3,4\n').names == ("a", "b")


def test_what_users_say_goes_first(tmp_path):
    said = found(tmp_path, "a;b\n1,5;2\n", delimiter=",", has_header=False)
    assert (said.delimiter, said.names) == (",", ("column_1", "column_2"))
    assert found(tmp_path, "a;b\n1,5;2\n", decimal=".").decimal == "."
    assert found(tmp_path, "a;b\n1;2\n", delimiter=";").notes == ()


@pytest.mark.parametrize("text", ["", " \n\n", "# only\n# comments\n"])
def test_nothing_is_no_table(tmp_path, text):
    with pytest.raises(ValueError, match=r"a\.csv: the file is empty"):
        found(tmp_path, text)


def test_names_without_rows(tmp_path):
    with pytest.raises(ValueError, match=r"a\.csv, line 2: there are column names but no rows"):
        found(tmp_path, "\na,b\n")
