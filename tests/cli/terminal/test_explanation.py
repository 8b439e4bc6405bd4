"""Explanations on the terminal."""

import pandas as pd
import pytest
from rich.cells import cell_len
from sklearn.datasets import load_diabetes, load_iris

from softwood import BaggedTreesRegressor, C45Classifier, CoalescenceClassifier
from softwood.cli.terminal import explanation_panel, printed

DATA = load_iris(as_frame=True)
X, Y = DATA.data, DATA.target_names[DATA.target]


def test_of_a_tree():
    found = C45Classifier().fit(X, Y).explain(X.iloc[70])
    lines = printed(explanation_panel(found), width=70).splitlines()
    assert lines[0] == "Predicted: virginica (probability 0.978)"
    assert [line.split()[0] for line in lines[1:4]] == ["virginica", "versicolor", "setosa"]
    assert lines[4:] == str(found).splitlines()[1:]


def test_of_a_forest():
    found = CoalescenceClassifier(20, random_state=0).fit(X, Y).explain(X.iloc[70])
    text = printed(explanation_panel(found), width=80)
    lines = text.splitlines()
    assert found.scatter_text in lines
    assert found.moved_text in lines
    first = lines[lines.index(found.moved_text) + 1]
    assert first.endswith(f"{found.contributions[0].column} is {found.contributions[0].value}")
    assert first.split("│")[1].startswith("█") == (found.contributions[0].amount > 0)
    assert f"Tree {found.typical_tree}, the most typical, answers " in text
    assert lines[-len(found.typical.way_lines()) :] == found.typical.way_lines()


def test_of_a_number():
    table, target = load_diabetes(return_X_y=True, as_frame=True)
    found = BaggedTreesRegressor(5, random_state=0).fit(table, target).explain(table.iloc[3])
    lines = printed(explanation_panel(found), width=80).splitlines()
    assert lines[0] == f"Predicted: {found.prediction_text}"
    assert lines[1] == found.scatter_text


@pytest.mark.parametrize("width", [30, 70, 120])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_fits_and_data_is_only_shown(width, encoding):
    frame = pd.DataFrame({"[red]x\x1b[31m": ["\u202ea", "[b]b", "c" * 99] * 5})
    label = ["[link]yes", "no\n", "x" * 50] * 5
    for model in C45Classifier(), CoalescenceClassifier(4, random_state=0):
        found = model.fit(frame, label).explain(["\x07new"])
        lines = printed(explanation_panel(found), width=width, encoding=encoding).splitlines()
        assert max(map(cell_len, lines)) <= width
        assert all(line.isprintable() for line in lines)


def test_of_many_classes_some_are_shown():
    found = C45Classifier(min_samples_leaf=1).fit([[j] for j in range(20)], range(20)).explain([3])
    assert "… 12 more classes" in printed(explanation_panel(found))
