import numpy as np
import pandas as pd
import pytest

from softwood import C45Classifier, CARTClassifier, SoftTreeClassifier
from softwood.data import describe
from softwood.data.columns.apply import prepared
from softwood.data.columns.polars import as_polars
from softwood.interop import import_model
from softwood.view.explorer.columns import columns_of, facts_of
from softwood.view.explorer.moves import moves_of
from tests.view.tables import messy_table


@pytest.fixture(scope="module")
def messy():
    X, y = messy_table()
    model = C45Classifier().fit(X, y)
    imported = import_model(model)
    return X, model, imported, facts_of(model, imported, imported.encode(X))


def test_rows_tell_ranges_and_what_is_usual(messy):
    X, _, _, facts = messy
    age = X["age"].dropna()
    assert (facts[0].low, facts[0].high) == (age.min(), age.max())
    assert facts[0].usual in age.tolist()
    assert abs((age <= facts[0].usual).mean() - 0.5) < 0.02
    assert facts[0].deviation == pytest.approx(age.std())
    assert facts[0].is_whole


def test_rows_tell_shares_of_categories(messy):
    X, _, imported, facts = messy
    shares = X["plan"].value_counts(normalize=True)
    names = [c for c in imported.schema.features[1].categories if c is not None]
    assert facts[1].shares[: len(names)] == pytest.approx([shares[name] for name in names])
    assert names[int(facts[1].usual)] == shares.idxmax()
    assert facts[1].deviation == 0.0


def test_without_rows_cuts_tell(messy):
    _, model, imported, _ = messy
    facts = facts_of(model, imported, None)
    tree = model.tree_
    cuts = tree.threshold[tree.feature == 2]
    assert facts[2].low < cuts.min() <= cuts.max() < facts[2].high
    assert facts[2].deviation > 0.0


def test_a_model_that_remembers_its_rows_is_asked():
    X = np.arange(40.0).reshape(20, 2)
    model = SoftTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X, np.arange(20) % 2)
    facts = facts_of(model, import_model(model), None)
    assert (facts[0].low, facts[0].high) == (0.0, 38.0)
    assert facts[1].deviation == pytest.approx(model.deviations_[1])


def test_a_column_of_gaps_has_no_usual_value():
    X = np.column_stack([np.arange(6.0), np.full(6, np.nan)])
    imported = import_model(CARTClassifier().fit(X, [0, 0, 0, 1, 1, 1]))
    facts = facts_of(None, imported, X)
    assert columns_of(imported, facts, moves_of(None, imported, X))[1]["usual"] is None


def test_names_that_cannot_be_seen_are_written_out(messy):
    _, model, imported, facts = messy
    shown = columns_of(imported, facts, moves_of(model, imported, None))
    assert [column["name"] for column in shown] == ["age", "plan", "calls", "since"]
    assert shown[1]["categories"][-1] == "premium" or "(missing)" in shown[1]["categories"]
    assert shown[3]["isDate"]


def dated(n_rows=60):
    """Return a model of dates and of parts of them, and its rows."""
    day = pd.date_range("2020-11-03", periods=n_rows, freq="17D")
    frame = pd.DataFrame({"day": day.strftime("%Y-%m-%d"), "x": np.arange(n_rows) % 7.0})
    table = prepared(describe(frame).preparation(), as_polars(frame))
    return CARTClassifier().fit(table, day.month > 6), table


def test_parts_of_a_date_say_what_they_are_made_of():
    model, _ = dated()
    imported = import_model(model)
    facts = facts_of(model, imported, None)
    columns = columns_of(imported, facts, moves_of(model, imported, None))
    assert {column["name"]: column["madeOf"] for column in columns} == {
        "day": None,
        "day.weekday": {"column": 0, "part": "weekday"},
        "day.month": {"column": 0, "part": "month"},
        "x": None,
    }
