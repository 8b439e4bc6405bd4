"""C4.5's files: names declare, data and test hold rows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import read_c45

# Blanks around values are not part of them, and runs of blanks count as one.
word = st.text(st.characters(exclude_categories=["Cs", "Cn", "Z", "Cc"]), min_size=1, max_size=5)
values = st.lists(word, min_size=1, max_size=3).map(" ".join)
# A lone attribute value must not look like a type.
lists = st.lists(values, min_size=2, max_size=5, unique=True)


def escaped(text):
    return re.sub(r"[,:|.?\\]", lambda match: "\\" + match[0], text)


def write(folder, names, data, test=None):
    path = folder / "woods.names"
    path.write_text(names, encoding="utf-8", newline="")
    path.with_suffix(".data").write_text(data, encoding="utf-8", newline="")
    if test is not None:
        path.with_suffix(".test").write_text(test, encoding="utf-8", newline="")
    return path


def error_of(path):
    with pytest.raises(ValueError, match="woods") as caught:
        read_c45(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


@given(data=st.data(), classes=lists, categories=lists, name=values)
def test_what_is_written_is_read(tmp_path_factory, data, classes, categories, name):
    rows = data.draw(
        st.lists(
            st.tuples(st.none() | st.sampled_from(categories), st.sampled_from(classes)),
            min_size=1,
            max_size=6,
        )
    )
    name = name if name != "class" else "kind"
    path = write(
        tmp_path_factory.mktemp("c45"),
        f"{', '.join(map(escaped, classes))}.\n"
        f"{escaped(name)}: {', '.join(map(escaped, categories))}.\n",
        "".join(
            f"{'?' if value is None else escaped(value)}, {escaped(label)}.\n"
            for value, label in rows
        ),
    )
    table = read_c45(path)
    assert table.names == [name, "class"]
    assert table[name].categories == tuple(categories)
    assert table[name].as_objects().tolist() == [value for value, _ in rows]
    assert table["class"].categories == tuple(classes)
    assert table["class"].as_objects().tolist() == [label for _, label in rows]


def test_all_kinds_of_attributes(tmp_path):
    path = write(
        tmp_path,
        "fir, oak.   | the classes\n\n| a comment line\n"
        "height: continuous.\nbark: smooth,\n   deeply   furrowed. girth: continuous,?.\n"
        "forest: discrete 3\nsize: [ordered] small, big.\ninspector: ignore.\nid: label.\n",
        "12.5, deeply furrowed, 1, north, big, Jo, 1, oak.\n\n"
        "?, ?, 2.5, south, small, Al, 2, fir\n",
    )
    table = read_c45(path)
    assert table.names == ["height", "bark", "girth", "forest", "size", "class"]
    np.testing.assert_array_equal(table["height"].values, [12.5, np.nan])
    assert table["bark"].as_objects().tolist() == ["deeply furrowed", None]
    assert table["forest"].categories == ("north", "south")
    assert table["size"].categories == ("small", "big")


def test_the_parts(tmp_path):
    path = write(tmp_path, "a, b.\nx: continuous.\nk: discrete 4.\n", "1,p,a\n", "2,q,b\n3,p,a\n")
    sizes = {part: len(read_c45(path, part=part)) for part in ("data", "test", "all")}
    assert sizes == {"data": 1, "test": 2, "all": 3}
    assert len(read_c45(path.with_suffix(".data"))) == 1
    assert len(read_c45(path.with_suffix(".test"))) == 2
    assert read_c45(path, part="all")["k"].categories == ("p", "q")
    path.with_suffix(".test").unlink()
    assert len(read_c45(path, part="all")) == 1


def test_a_value_may_be_an_equals_sign(tmp_path):
    path = write(tmp_path, "a, b.\nsign: =, <, [ordered].\n", "=, a\n[ordered], b\n")
    assert read_c45(path)["sign"].categories == ("=", "<", "[ordered]")


def test_the_class_may_be_an_attribute(tmp_path):
    path = write(tmp_path, "kind.\nkind: fir, oak.\nx: continuous.\n", "oak,1\n")
    assert read_c45(path).names == ["x", "kind"]


@pytest.mark.parametrize(
    ("names", "data", "words"),
    [
        ("x: continuous.\n", "1\n", ["line 1", "classes"]),
        ("\n| only a comment\n", "1\n", ["classes"]),
        ("a, b.\n", "a\n", ["attributes"]),
        ("a, b.\nx: continuous.\nx: continuous.\n", "1,2,a\n", ["['x']"]),
        ("a, b.\nx\n", "1,a\n", ["line 2", "'x'"]),
        ("a, b.\nx := y + 1.\n", "1,a\n", ["line 2", "formulas"]),
        ("a, b.\nx: timestamp.\n", "1,a\n", ["line 2", "'timestamp'"]),
        ("a, b.\nx: p, p.\n", "p,a\n", ["line 2", "twice"]),
        ("a, b.\nx: p,", "p,a\n", ["not finished"]),
        ("a, b.\nx: continuous.\n", "1,a\n1,2,a\n", ["line 2", "3 fields", "2"]),
        ("a, b.\nx: continuous.\n", "big,a\n", ["line 1", "'x'", "'big'"]),
        ("a, b.\nx: continuous.\n", "1,c\n", ["line 1", "'class'", "'c'"]),
        ("a, b.\nk: discrete 1.\n", "p,a\nq,b\n", ["'k'", "discrete 1", "2 values"]),
        ("a, b.\nx: continuous.\n", "| nothing\n", ["no rows"]),
    ],
)
def test_malformed_files_are_refused(tmp_path, names, data, words):
    message = error_of(write(tmp_path, names, data))
    assert all(word in message for word in words), message


def test_the_names_must_be_there(tmp_path):
    path = tmp_path / "woods.data"
    path.write_text("1,a\n", encoding="utf-8")
    assert "woods.names" in error_of(path)
