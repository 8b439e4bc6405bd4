import numpy as np
import pandas as pd
import pytest

from softwood import CARTClassifier, CoalescenceClassifier
from softwood.errors import missing_extra
from softwood.view._subject import NotPossible
from softwood.view.sections.surface import _seeded, content, main_columns
from tests.view.tables import messy_table, page_of


def test_the_two_main_columns_of_numbers():
    X, y = messy_table()
    page = page_of(CARTClassifier(max_depth=4).fit(X, y), X, y)
    first, second = main_columns(page)
    assert {page.names[first], page.names[second]} == {"age", "calls"}
    assert page.importances[first] >= page.importances[second]


def test_both_figures_are_drawn():
    X, y = messy_table()
    shown = content(page_of(CARTClassifier(max_depth=4).fit(X, y), X, y))
    assert len(shown["figures"]) == 2
    assert shown["reasons"] == []
    assert "number of leaves" in shown["figures"][1].caption
    forest = CoalescenceClassifier(5, random_state=0).fit(X, y)
    assert "number of trees" in content(page_of(forest, X, y))["figures"][1].caption


def test_one_column_of_numbers_makes_no_plane():
    X = pd.DataFrame({"a": np.arange(30.0), "one": 1.0, "c": list("xyz") * 10})
    y = X["c"]
    page = page_of(CARTClassifier().fit(X, y), X, y)
    with pytest.raises(NotPossible, match="needs two columns of numbers"):
        main_columns(page)
    shown = content(page)
    assert len(shown["figures"]) == 1
    assert shown["reasons"] == ["A picture of two columns needs two columns of numbers."]


def test_a_missing_pandas_is_said(monkeypatch):
    X, y = messy_table()
    page = page_of(CARTClassifier(max_depth=2).fit(X, y), X, y)

    def no_pandas(*_, **__):
        raise missing_extra("pandas", "data")

    monkeypatch.setattr("softwood.plot.plot_surface", no_pandas)
    [reason] = content(page)["reasons"]
    assert "pip install 'softwood[data]'" in reason


def test_a_model_without_seed_gets_one_and_stays_as_it_is():
    model = CARTClassifier()
    assert _seeded(model, 3).random_state == 3
    assert model.random_state is None
    given = CARTClassifier(random_state=5)
    assert _seeded(given, 3) is given
