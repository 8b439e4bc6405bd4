"""ARFF and KEEL: declared types and orders are kept, quoting is undone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import read_arff, read_keel

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text):
    return "'" + "".join(ESCAPES.get(character, character) for character in text) + "'"


def arff(tmp_path, declarations, rows):
    path = tmp_path / "a.arff"
    lines = ["@relation r", *(f"@attribute {line}" for line in declarations), "@data", *rows]
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    return path


def error_of(path, reader=read_arff):
    with pytest.raises(ValueError, match=path.name) as caught:
        reader(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


@given(data=st.data(), categories=st.lists(texts, min_size=1, max_size=5, unique=True))
def test_what_is_written_is_read(tmp_path_factory, data, categories):
    cell = st.tuples(
        st.none() | st.sampled_from(categories), st.none() | texts, st.none() | st.floats(-1e9, 1e9)
    )
    rows = data.draw(st.lists(cell, min_size=1, max_size=8))
    path = arff(
        tmp_path_factory.mktemp("arff"),
        [f"'the kind' {{{','.join(map(quoted, categories))}}}", "note string", "size numeric"],
        [
            ",".join(
                [
                    "?" if kind is None else quoted(kind),
                    "?" if note is None else quoted(note),
                    "?" if size is None else repr(size),
                ]
            )
            for kind, note, size in rows
        ],
    )
    table = read_arff(path)
    assert table["the kind"].categories == tuple(categories)
    assert table["the kind"].as_objects().tolist() == [kind for kind, _, _ in rows]
    assert table["note"].as_objects().tolist() == [note for _, note, _ in rows]
    sizes = [np.nan if size is None else size for *_, size in rows]
    np.testing.assert_array_equal(table["size"].values, sizes)


def test_keywords_in_any_case_comments_and_odd_spacing(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text(
        "% a comment\n\n@RELATION 'odd one'\n"
        '@Attribute "leaf size"{big , small}% sizes\n'
        "@ATTRIBUTE\theight\tREAL % metres\n"
        "@attribute girth integer\n"
        "@DATA\n% another\n big,\t3.5 , 7 % tall\n\n'small' , ? ,8\n",
        encoding="utf-8",
    )
    table = read_arff(path)
    assert table.names == ["leaf size", "height", "girth"]
    assert table["leaf size"].as_objects().tolist() == ["big", "small"]
    np.testing.assert_array_equal(table["height"].values, [3.5, np.nan])


def test_special_words_are_categories_when_quoted(tmp_path):
    rows = ["NA", "'NA'", "''", "'?'", "?", '"a, b"', r"'it\'s'", "50%", "a b"]
    declared = r"k {NA, '', '?', 'a, b', 'it\'s', 50%, a b}"
    column = read_arff(arff(tmp_path, [declared], rows))["k"]
    texts = ["NA", "NA", "", "?", None, "a, b", "it's", "50%", "a b"]
    assert column.as_objects().tolist() == texts


def test_sparse_rows(tmp_path):
    declared = ["size numeric", "kind {fir, oak}", "'no name' {'}', x}", "count integer"]
    rows = ["{0 1.5, 1 oak}", "{}", "{2 x , 3 ?}", "{ 2 '}' }"]
    table = read_arff(arff(tmp_path, declared, rows))
    np.testing.assert_array_equal(table["size"].values, [1.5, 0, 0, 0])
    assert table["kind"].as_objects().tolist() == ["oak", "fir", "fir", "fir"]
    assert table["no name"].as_objects().tolist() == ["}", "}", "x", "}"]
    np.testing.assert_array_equal(table["count"].values, [0, 0, np.nan, 0])


def test_blanks_may_separate_values(tmp_path):
    table = read_arff(arff(tmp_path, ["x real", "k {a,b}"], ["1.5 a", "2\tb"]))
    assert table["k"].as_objects().tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("declared", "rows", "words"),
    [
        (["x real", "k {a,b}"], ["1,a,{0.5}"], ["line 5", "weights"]),
        (["x real", "k {a,b}"], ["{0 1}, {0.5}"], ["line 5", "weights"]),
        (["x real", "k {a,b}"], ["1,c"], ["line 5", "row 1", "'k'", "'c'", "'a', 'b'"]),
        (["x real", "k {a,b}"], ["1,a,b"], ["line 5", "3 values", "2 attributes"]),
        (["x real"], ["1", "two"], ["line 5", "row 2", "'x'", "'two'"]),
        (["x real"], ["{3 1}"], ["line 4", "index 3"]),
        (["x real"], ["{0 1, 0 2}"], ["line 4", "twice"]),
        (["x real"], ["{0}"], ["line 4", "index value"]),
        (["x string"], ["{}"], ["line 4", "'x'", "sparse"]),
        (["x real"], ["'1"], ["line 4", "quote"]),
        (["x real"], [], ["no rows"]),
        (["x {a,b,a}"], ["a"], ["line 2", "twice"]),
        (["x {a,b"], ["a"], ["line 2", "brace"]),
        (["x {a,b} real"], ["a"], ["line 2", "'real'"]),
        (["x date"], ["a"], ["line 2", "'date'"]),
        (["x"], ["a"], ["line 2", "'x'"]),
        (["x real", "x real"], ["1,2"], ["['x']", "twice"]),
        ([], ["1"], ["@attribute"]),
    ],
)
def test_malformed_files_are_refused(tmp_path, declared, rows, words):
    message = error_of(arff(tmp_path, declared, rows))
    assert all(word in message for word in words), message


def test_headers_must_be_complete(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text("@relation r\n@attribute x real\n", encoding="utf-8")
    assert "@data" in error_of(path)
    path.write_text("x,y\n1,2\n", encoding="utf-8")
    assert "line 1" in error_of(path)
    path.write_text("@relation r\n@atribute x real\n@data\n", encoding="utf-8")
    assert "@atribute" in error_of(path)


def test_keel_moves_outputs_last_and_leaves_out_what_is_neither(tmp_path):
    path = tmp_path / "a.dat"
    path.write_text(
        "@relation woods\n@attribute Kind {fir, red oak}\n@attribute Height integer[1, 40]\n"
        "@attribute Girth real [0.1,3.0]\n@attribute Id integer [1,9]\n"
        "@inputs Girth, Height\n@output Kind\n@data\nred oak, 12, <null>, 1\nfir,?,0.5,2\n",
        encoding="utf-8",
    )
    table = read_keel(path)
    assert table.names == ["Girth", "Height", "Kind"]
    np.testing.assert_array_equal(table["Girth"].values, [np.nan, 0.5])
    np.testing.assert_array_equal(table["Height"].values, [12, np.nan])
    assert table["Kind"].categories == ("fir", "red oak")


def test_keel_inputs_must_be_declared(tmp_path):
    path = tmp_path / "a.dat"
    path.write_text("@relation w\n@attribute x real\n@inputs x, z\n@data\n1\n", encoding="utf-8")
    assert "['z']" in error_of(path, read_keel)
