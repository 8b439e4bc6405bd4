"""Ensembles on the terminal."""

import numpy as np
import pytest
from rich.cells import cell_len
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier

from softwood import CARTClassifier, CoalescenceClassifier
from softwood.cli.terminal import forest_panel, printed
from softwood.explain import rules_table
from softwood.interop import import_model

DATA = load_iris(as_frame=True)
X, Y = DATA.data, DATA.target_names[DATA.target]


@pytest.fixture(scope="module")
def model():
    return CoalescenceClassifier(10, random_state=0).fit(X, Y)


def test_trees_columns_and_three_rules(model):
    lines = printed(forest_panel(model), width=100).splitlines()
    assert lines[0].startswith("CoalescenceClassifier: 10 trees, ")
    order = np.argsort(-model.feature_importances_)
    assert [line[:12] for line in lines[1:5]] == [X.columns[j][:12] for j in order]
    assert lines[5:7] == ["", "Rules that its trees share"]
    rules = rules_table(model, max_rules=3, decimals=4)
    starts = [line for line in lines if line.startswith("IF ")]
    assert [start.split(" THEN ")[0] for start in starts] == [f"IF {one.rule}" for one in rules]


@pytest.mark.parametrize("width", [30, 60, 120])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_fits(model, width, encoding):
    lines = printed(forest_panel(model), width=width, encoding=encoding).splitlines()
    assert max(map(cell_len, lines)) <= width


def test_names_from_data_are_only_shown():
    hostile = X.set_axis(["[red]a\x1b[31m", "b\nc", "\u202ed", "e" * 90], axis=1)
    model = CoalescenceClassifier(5, random_state=0).fit(hostile, Y)
    text = printed(forest_panel(model), width=70)
    assert "[red]a\\x1b[31m" in text
    assert all(line.isprintable() for line in text.splitlines())


def test_models_of_others():
    boosted = GradientBoostingClassifier(n_estimators=3, max_depth=2).fit(X, Y)
    text = printed(forest_panel(import_model(boosted), n_rules=1), width=90)
    assert text.startswith("GradientBoostingClassifier: 9 trees, whose answers are added up")
    assert text.count("IF ") == 1
    assert "Rules" not in printed(forest_panel(import_model(boosted), n_rules=0), width=90)


def test_a_tree_is_no_forest():
    with pytest.raises(TypeError, match="expected a fitted ensemble; got CARTClassifier"):
        forest_panel(CARTClassifier().fit(X, Y))
