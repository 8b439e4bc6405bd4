"""Importances as bars."""

import numpy as np
import pytest

from softwood.cli.terminal import importance_table, printed


def test_the_largest_comes_first_and_fills_the_width():
    lines = printed(importance_table(["a", "b", "c"], [0.1, 0.6, 0.3]), width=40).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["b", "c", "a"]
    assert [line.count("█") for line in lines[1:]] == [32, 16, 5]


def test_spread_is_a_line_and_a_number():
    text = printed(importance_table(["a", "b"], [0.5, 0.25], [0.5, 0.0]), width=40)
    first, second = text.splitlines()[1:]
    assert first.count("█") == first.count("─") == 13
    assert first.endswith("0.500 ±0.5")
    assert "─" not in second


@pytest.mark.parametrize("values", [[0.0, 0.0], [-1.0, -2.0], [np.nan, 1.0]])
def test_odd_values(values):
    lines = printed(importance_table(["a", "b"], values), width=40).splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= 40


def test_the_rest_is_counted():
    text = printed(importance_table([f"c{j}" for j in range(20)], np.arange(20.0), max_rows=5))
    assert text.splitlines()[-1] == "… 15 more columns"
    assert len(text.splitlines()) == 7


def test_names_from_data_are_only_shown():
    text = printed(importance_table(["[red]\x1b[31m" + "x" * 99], [1.0]), width=50)
    assert "[red]\\x1" in text
    assert max(map(len, text.splitlines())) <= 50


def test_ascii():
    assert printed(importance_table(["a"], [1.0], [0.1]), width=40, encoding="ascii").isascii()


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"importances must have 2 entries; got shape \(1,\)"):
        importance_table(["a", "b"], [1.0])
    with pytest.raises(ValueError, match="spread must have 2 entries"):
        importance_table(["a", "b"], [1.0, 2.0], [1.0])


def test_no_columns():
    assert printed(importance_table([], [])) == "Columns that matter\nno columns"
