"""Tests, names and numbers in words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.explain import labels
from softwood.explain.labels import number_text, set_text, value_text
from softwood.tree import Tree
from tests.strategies import checked, trees


def tree_of(**root):
    """A root with as many leaves as it has children."""
    n = root.pop("n_children", 2)
    none = [0] * n
    columns = {name: [value, *none] for name, value in root.items() if np.ndim(value) == 0}
    ragged = {name: value for name, value in root.items() if np.ndim(value)}
    columns["feature"] = [root.get("feature", -1), *([-1] * n)]
    for prefix, flat in (("term", "term_weight"), ("set", "set_child")):
        size = len(ragged.get(flat, ()))
        ragged[f"{prefix}_start"] = np.array([0] + [size] * (n + 1))
    return Tree.from_nodes(
        n_features=30,
        first_child=[1] + [-1] * n,
        n_children=[n, *none],
        weight=[1.0] * (n + 1),
        response=[[0.0]] * (n + 1),
        **{"threshold": [0.0] * (n + 1), **columns, **ragged},
    )


def words(tree, branch, names=None, categories=None, decimals=6, max_terms=4):
    return labels.test_text(tree, 0, branch, names, categories, decimals, max_terms)


def test_numeric_tests():
    tree = tree_of(kind=1, feature=1, threshold=0.6)
    assert words(tree, 0) == "x1 <= 0.6"
    assert words(tree, 1, ["a", "petal width"]) == "petal width > 0.6"


def test_nominal_tests():
    tree = tree_of(kind=2, feature=0, n_children=3, set_child=np.array([2, 0, 1, 1, -1]))
    colours = [["red", "blue", "green, dark", "", "odd"]]
    assert words(tree, 0, ["colour"], colours) == "colour = blue"
    assert words(tree, 1, ["colour"], colours) == 'colour in {"green, dark", ""}'
    assert words(tree, 2, ["colour"], colours) == "colour = red"
    assert words(tree, 1) == "x0 in {2, 3}"


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "x in {}"),
        (1, "x = 0"),
        (7, "x in {0, 1, 2, 3, 4, 5, 6}"),
        (8, "x in {0, 1, 2, 3, 4, 5, … 2 more}"),
        (18, "x in {0, 1, 2, 3, 4, 5, … 12 more}"),
    ],
)
def test_long_sets_are_shortened(n, text):
    assert set_text("x", range(n)) == text


def test_oblique_tests():
    tree = tree_of(
        kind=3,
        threshold=3.0,
        term_feature=np.array([1, 2, 0]),
        term_weight=np.array([0.5, -2.0, 1.0]),
    )
    assert words(tree, 0) == "-2·x2 + x0 + 0.5·x1 <= 3"
    assert words(tree, 1, ["a", "b", "c"]) == "-2·c + a + 0.5·b > 3"
    long = tree_of(
        kind=3, term_feature=np.arange(6), term_weight=np.array([1.0, -6.0, 5.0, -4.0, 3.0, 2.0])
    )
    assert words(long, 0) == "-6·x1 + 5·x2 - 4·x3 + 3·x4 + … 2 more <= 0"
    assert words(long, 0, max_terms=2) == "-6·x1 + 5·x2 + … 4 more <= 0"
    assert words(long, 1, max_terms=None) == "-6·x1 + 5·x2 - 4·x3 + 3·x4 + 2·x5 + x0 > 0"


def test_weights_have_four_digits():
    tree = tree_of(
        kind=3,
        threshold=1.23456789,
        term_feature=np.arange(3),
        term_weight=np.array([0.820143, 1.00001, -123456.7]),
    )
    assert words(tree, 0) == "-123500·x2 + x1 + 0.8201·x0 <= 1.234568"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.0, 6, "0"),
        (-0.0, 6, "0"),
        (3.0, 6, "3"),
        (0.1 + 0.2, 6, "0.3"),
        (-2.5, 6, "-2.5"),
        (2.0000004, 6, "2"),
        (0.0000005, 6, "5e-07"),
        (0.00005, 6, "0.00005"),
        (0.000123456, 6, "0.000123"),
        (1.23456789e-5, 6, "1.23457e-05"),
        (-1.5e-300, 6, "-1.5e-300"),
        (123456.789, 6, "123456.789"),
        (123456.789, 0, "123457"),
        (123456.789, 2, "123456.79"),
        (1.125, 2, "1.13"),
        (-10.125, 2, "-10.13"),
        (0.3, 0, "0.3"),
        (1.5, 0, "2"),
        (3e20, 6, "3e+20"),
        (1e15, 6, "1e+15"),
        (1.5e308, 0, "1.5e+308"),
        (-1.5e308, 6, "-1.5e+308"),
        (float("inf"), 6, "inf"),
        (float("nan"), 6, "nan"),
    ],
)
def test_numbers_are_short(value, decimals, text):
    assert number_text(value, decimals) == text


@given(st.floats(-1e300, 1e300), st.integers(0, 12))
@checked
def test_numbers_lose_no_more_than_they_may(value, decimals):
    shown = float(number_text(value, decimals))
    assert shown == pytest.approx(value, abs=0.5000001 * 10.0**-decimals, rel=1e-5)
    if value != 0.0 and abs(value) < 1.0 and decimals:
        assert shown != 0.0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("New York", "New York"),
        ("a, b", "a, b"),
        ("", '""'),
        (" lead", '" lead"'),
        ("it's", "it's"),
        ('say "so"', 'say "so"'),
        ("two\nlines", r"two\nlines"),
        ("名前", "名前"),
        ("\ud800", r"\ud800"),
        ("\x1b[31m", r"\x1b[31m"),
        (True, "True"),
        (3, "3"),
        (0.1, "0.1"),
        (np.str_("x"), "x"),
    ],
)
def test_names_stay_on_their_line(value, text):
    assert value_text(value) == text


def test_members_of_sets_can_be_told_apart():
    assert set_text("x", ["a", "b, c", "d}"]) == 'x in {a, "b, c", "d}"}'


@given(trees())
@checked
def test_every_branch_has_words(tree):
    for node in np.flatnonzero(tree.n_children):
        texts = [
            labels.test_text(tree, node, branch, None, None, 6, 4)
            for branch in range(tree.n_children[node])
        ]
        assert len(set(texts)) == len(texts)
        assert all("\n" not in text for text in texts)
