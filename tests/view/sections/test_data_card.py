from types import SimpleNamespace

import numpy as np
import pandas as pd

from softwood import CARTClassifier, CARTRegressor
from softwood.data import describe
from softwood.view.sections import data_card
from softwood.view.sections.data_card import content
from tests.view.tables import messy_table, page_of


def shown_of(X, y, **options):
    return content(page_of(CARTClassifier(max_depth=2).fit(X, y), X, y, **options))


def test_counts_are_those_of_pandas():
    X, y = messy_table()
    cards = {card.name: card for card in shown_of(X, y)["cards"]}
    assert list(cards) == list(X.columns)
    for name in X.columns:
        assert cards[name].n_missing == X[name].isna().sum()
        assert cards[name].n_distinct == X[name].nunique()
    assert [card.kind for card in cards.values()] == ["number", "category", "number", "date"]
    assert cards["since"].range == f"{X['since'].min():%Y-%m-%d} to {X['since'].max():%Y-%m-%d}"


def test_bars_are_the_shares_of_known_values():
    X, y = messy_table()
    [card] = [card for card in shown_of(X, y)["cards"] if card.name == "plan"]
    expected = X["plan"].value_counts(normalize=True)
    assert [bar.name for bar in card.bars] == list(expected.index)
    np.testing.assert_allclose([bar.share for bar in card.bars], expected)


def test_rare_categories_are_counted():
    X = pd.DataFrame({"letter": list("aaabbcdefg") * 3})
    [card] = shown_of(X, ["x", "y"] * 15)["cards"]
    assert [bar.name for bar in card.bars] == ["a", "b", "c", "d"]
    assert card.more == "3 more categories"


def test_gaps_are_counted():
    X, y = messy_table()
    n_gaps = int(X.isna().sum().sum())
    said = shown_of(X, y)["gaps"]
    assert said == f"{100 * n_gaps / X.size:.1f} % of the values are missing, in 2 columns."
    assert shown_of(X[["calls"]], y)["gaps"] == "No values are missing."


def test_an_empty_and_a_constant_column():
    X = pd.DataFrame({"gone": np.full(20, np.nan), "one": 1.0, "x": np.arange(20.0)})
    gone, one, _ = shown_of(X, ["a", "b"] * 10)["cards"]
    assert (gone.n_distinct, gone.missing, gone.picture) == (0, "100 %", None)
    assert one.range == "always 1"


def test_classes_have_shares_and_numbers_a_histogram():
    X, y = messy_table()
    shown = shown_of(X, y)
    assert [bar.name for bar in shown["classes"]] == list(y.value_counts().index)
    shown = content(page_of(CARTRegressor(max_depth=1).fit(X, X["calls"]), X, X["calls"]))
    assert shown["classes"] == []
    assert shown["target"].name == "calls"
    assert "<path" in shown["target"].picture


def test_of_many_columns_the_main_ones_are_shown(monkeypatch):
    monkeypatch.setattr(data_card, "MOST_COLUMNS", 2)
    X, y = messy_table()
    page = page_of(CARTClassifier(max_depth=3).fit(X, y), X, y)
    shown = content(page)
    assert shown["n_left_out"] == 2
    main = {page.names[j] for j in page.by_importance[:2]}
    assert {card.name for card in shown["cards"]} == main


def test_a_description_of_the_whole_table():
    X, y = messy_table()
    whole = X.assign(id=[f"row {k}" for k in range(len(X))], outcome=y)
    shown = shown_of(X, y, description=describe(whole))
    cards = {card.name: card for card in shown["cards"]}
    assert list(cards) == [*X.columns, "id"]
    assert cards["id"].kind == "identifier"
    assert cards["id"].action == "left out: it tells which row is which"
    assert cards["since"].action.startswith("days since 1970")


def test_parts_of_a_column_follow_it():
    X, y = messy_table()
    X.insert(0, "since.weekday", X["since"].dt.dayofweek)
    columns = [
        SimpleNamespace(name=name, kind="\u202e" * 9, n_missing=0, n_distinct=9, action="kept")
        for name in ("since", "age", "plan")
    ]
    cards = shown_of(X, y, description=SimpleNamespace(columns=columns))["cards"]
    names = [card.name for card in cards]
    assert names == ["since.weekday", "since", "age", "plan", "calls"]
    assert cards[1].kind.isprintable()


def test_what_is_described_goes_first():
    X, y = messy_table()
    described = SimpleNamespace(
        columns=[
            SimpleNamespace(name="id", kind="identifier", n_missing=0, n_distinct=9, action="none"),
            SimpleNamespace(
                name="plan", kind="free text", n_missing=1, n_distinct=2, action="kept"
            ),
        ]
    )
    shown = shown_of(X, y, description=described)
    assert [card.name for card in shown["cards"]] == ["id", "plan", "age", "calls", "since"]
    first, second = shown["cards"][:2]
    assert (first.kind, first.n_distinct, first.bars) == ("identifier", 9, [])
    assert (second.kind, second.action, second.n_distinct) == ("free text", "kept", 3)
    assert shown["has_actions"]
