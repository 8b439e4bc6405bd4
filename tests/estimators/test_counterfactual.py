"""What if: the nearest row with another answer, of every model, in every form."""

import json
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from lightgbm import LGBMClassifier, LGBMRegressor
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from xgboost import XGBClassifier

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    column_scales,
    counterfactual,
    load,
    save,
    soften,
)
from softwood.data.encode import table_of
from softwood.errors import NoCounterfactualError
from softwood.interop import import_model
from tests.architecture.fingerprints import mixed, numbers
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model

pytestmark = pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
SEED = {"random_state": 0}
OTHERS = [
    DecisionTreeClassifier(max_depth=4, **SEED),
    DecisionTreeRegressor(max_depth=4, **SEED),
    RandomForestClassifier(5, **SEED),
    RandomForestRegressor(5, **SEED),
    GradientBoostingClassifier(n_estimators=4, **SEED),
    HistGradientBoostingClassifier(max_iter=4, **SEED),
    LGBMClassifier(n_estimators=4, verbose=-1, **SEED),
    LGBMRegressor(n_estimators=4, verbose=-1, **SEED),
    XGBClassifier(n_estimators=4, **SEED),
]


def wanted_number(predicted, now):
    """Return a number to be reached: one that is predicted of others, far from the present one."""
    return float(np.quantile(predicted, 0.8 if now < np.median(predicted) else 0.2))


def check_valid(model, rows, y, places):
    """Check that all answers are what the model itself says of the rows."""
    model = clone(model).fit(rows, y)
    predicted = model.predict(rows)
    is_table = hasattr(rows, "iloc")
    for i in places:
        now = predicted[i]
        target = wanted_number(predicted, now) if is_regressor(model) else None
        found = counterfactual(model, rows.iloc[[i]] if is_table else rows[i], target)
        answer = model.predict(found.row if is_table else found.row[None])[0]
        assert answer == found.prediction
        assert found.was == now
        if target is None:
            assert answer != now
        else:
            assert answer >= target if now < target else answer <= target
        assert found.distance == pytest.approx(
            distance(column_scales(model), rows, i, found.row), abs=1e-9
        )
        assert 0.0 <= found.bound <= found.distance


def distance(scales, rows, i, row):
    """Return how far a row is, by the values that users see."""
    if not hasattr(rows, "iloc"):
        return float(np.sum(np.abs(row - rows[i]) / scales))
    total = 0.0
    for j, (x, z) in enumerate(zip(rows.iloc[i], row.iloc[0], strict=True)):
        if pd.isna(x) or pd.isna(z):
            total += float(pd.isna(x) != pd.isna(z))
        elif isinstance(x, str):
            total += float(x != z)
        else:
            total += abs(z - x) / scales[j]
    return total


@pytest.mark.parametrize("model", [*every_model(CLASSIFIERS), *every_model(REGRESSORS)])
def test_every_estimator_answers_otherwise(model):
    rows, label, target = mixed(90)
    filled = rows.fillna({"c": 0.0, "colour": "red"})  # some fill gaps with numbers of their own
    check_valid(model, filled, target if is_regressor(model) else label, [0, 3, 8])


@pytest.mark.parametrize("model", OTHERS, ids=lambda model: type(model).__name__)
def test_models_of_others_answer_otherwise(model):
    X, y, target = numbers(90)
    check_valid(model, X, target if is_regressor(model) else y, [0, 3, 8])


def test_models_that_were_imported_or_softened():
    X, y, _ = numbers(90)
    forest = RandomForestClassifier(5, **SEED).fit(X, y)
    soft = soften(forest, X, y, smoothing=0.2, **SEED)
    imported = import_model(forest)
    for model in (imported, soft):
        found = counterfactual(model, X[4], scale=X)
        assert model.predict(found.row[None])[0] == found.prediction != model.predict(X[4:5])[0]
    assert counterfactual(imported, X[4], scale=X).is_exact
    assert not counterfactual(soft, X[4], scale=X).is_exact


def test_gaps_and_unknown_categories_are_allowed():
    rows, label, _ = mixed(120)
    model = C45Classifier().fit(rows, label)
    odd = rows.iloc[[5]].assign(colour=None, town="nowhere", c=np.nan)
    found = counterfactual(model, odd)
    assert model.predict(found.row)[0] != model.predict(odd)[0]
    changed = {change.column for change in found.changes}
    assert found.distance >= 0.0
    for column in {"colour", "town", "c"} - changed:
        assert found.row[column].equals(odd[column])
    assert not found.row[list(changed)].isna().any(axis=None)


# -- limits ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bank():
    """Whole years, a number that may be anything, a nominal column, and a tree of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 400),
            "balance": rng.normal(1000.0, 400.0, 400),
            "job": rng.choice(["clerk", "baker", "nurse"], 400),
        }
    )
    is_good = (frame["age"] > 40) & (frame["balance"] > 900) | (frame["job"] == "nurse")
    return frame, np.where(is_good, "good", "bad")


MODELS = {
    "hard": CARTClassifier(max_depth=6),
    "soft": SoftTreeClassifier(method="perturb", smoothing=0.3, **SEED),
    "oblique": ObliqueTreeClassifier(n_restarts=2, **SEED),
    "forest": VRForestClassifier(5, **SEED),
}


@pytest.mark.parametrize("name", MODELS)
def test_limits_are_kept(name, bank):
    frame, y = bank
    model = clone(MODELS[name]).fit(frame, y)
    bad = frame[model.predict(frame) == "bad"].iloc[:6]
    for place in range(len(bad)):
        x = bad.iloc[[place]]
        free = counterfactual(model, x)
        assert free.row["age"].dtype == frame["age"].dtype
        same = counterfactual(model, x, fixed="job", ranges={"age": (None, 70)})
        assert model.predict(same.row)[0] == "good"
        assert same.row["job"].item() == x["job"].item()
        assert same.row["age"].item() <= 70
        if name in ("hard", "forest"):
            assert free.is_exact
            assert same.is_exact
            assert free.distance <= same.distance + 1e-9
        nurse = counterfactual(model, x, fixed=["age", 1])
        assert nurse.row["job"].item() == "nurse"
        assert nurse.distance == 1.0


def test_ways_and_whole_numbers(bank):
    frame, y = bank
    model = CARTClassifier(max_depth=6).fit(frame, y)
    x = {"age": 30, "balance": 500.5, "job": "baker"}
    limits = {"age": "increase", "balance": "whole", "job": ["baker", "clerk"]}
    found = counterfactual(model, x, ranges=limits)
    assert found.row["job"] == "baker"
    assert found.row["age"] > 30
    assert isinstance(found.row["age"], int)
    assert float(found.row["balance"]).is_integer()
    assert model.predict(pd.DataFrame([found.row]))[0] == "good"
    with pytest.raises(NoCounterfactualError, match="because of ranges"):
        counterfactual(model, x, ranges={**limits, "age": "decrease"})


def test_a_value_that_is_outside_has_to_change(bank):
    frame, y = bank
    model = CARTClassifier(max_depth=6).fit(frame, y)
    x = {"age": 30, "balance": 500.0, "job": "baker"}
    found = counterfactual(model, x, "bad", ranges={"age": range(35, 39)})
    assert found.row["age"] == 35
    assert [change.column for change in found.changes] == ["age"]
    with pytest.raises(ValueError, match="'age' is fixed, but what x has there is outside"):
        counterfactual(model, x, fixed="age", ranges={"age": range(35, 39)})


def test_dates_move_by_whole_days():
    days = pd.date_range("2020-01-01", periods=200)
    frame = pd.DataFrame({"since": days, "n": np.arange(200) % 7})
    model = CARTClassifier(max_depth=2).fit(frame, np.arange(200) >= 100)
    found = counterfactual(model, {"since": date(2020, 1, 31), "n": 3})
    assert found.row["since"] == date(2020, 4, 10)
    assert str(found) == "False would be True if since were at least 2020-04-10 (now 2020-01-31)"
    table = table_of(pd.DataFrame({"since": [pd.Timestamp("2020-01-31")], "n": [3]}))
    found = counterfactual(model, table)
    assert found.row["since"] == "2020-04-10"
    still = counterfactual(CARTClassifier(max_depth=2).fit(frame, frame["n"] > 3), table)
    assert still.row["since"] == "2020-01-31"


def test_no_category_becomes_one_of_no_training_row():
    rng = np.random.default_rng(0)
    kind = pd.Categorical(rng.choice(["a", "c"], 60), categories=["a", "b", "c"])
    frame = pd.DataFrame({"kind": kind})
    # Spread over both branches, "b" would be answered "no" as well, and come before "c".
    y = np.where((kind == "a") & (rng.random(60) < 0.7), "yes", "no")
    row = frame[frame["kind"] == "a"].iloc[[0]]
    for model in CARTClassifier(max_depth=1), C45Classifier(), SoftTreeClassifier(method="perturb"):
        model.fit(frame, y)
        assert model.predict(row)[0] == "yes"
        assert counterfactual(model, row).row["kind"].iloc[0] == "c"


# -- what is wanted ------------------------------------------------------------------------


def test_a_class_that_is_wanted():
    X, y, _ = numbers(120)
    model = CARTClassifier(max_depth=5).fit(X, y)
    own = int(model.predict(X[:1])[0])
    distances = []
    for target in sorted({0, 1, 2} - {own}):
        found = counterfactual(model, X[0], target)
        assert found.prediction == target
        distances.append(found.distance)
    assert counterfactual(model, X[0]).distance == min(distances)
    as_it_is = counterfactual(model, X[0], own)
    assert as_it_is.distance == 0.0
    assert not as_it_is.changes
    assert str(as_it_is) == f"{own} is the answer as it is"
    with pytest.raises(ValueError, match=r"target must be one of the classes \[0, 1, 2\]; got 7"):
        counterfactual(model, X[0], 7)


@pytest.mark.parametrize(
    ("target", "is_met"),
    [
        ((0.5, 1.5), lambda y: 0.5 <= y <= 1.5),
        ((None, -1.0), lambda y: y <= -1.0),
        ("> 1", lambda y: y > 1),
        (1.2, lambda y: y >= 1.2),
        (-1.2, lambda y: y <= -1.2),
    ],
)
def test_numbers_that_are_wanted(target, is_met):
    X, _, y = numbers(150)
    model = CARTRegressor(min_samples_leaf=3).fit(X, y)
    x = X[np.abs(model.predict(X)).argmin()]  # predicted to be about 0
    found = counterfactual(model, x, target)
    assert is_met(model.predict(found.row[None])[0])
    assert found.probability is None
    with pytest.raises(ValueError, match="target must be a number, a pair"):
        counterfactual(model, x)
    with pytest.raises(NoCounterfactualError, match="answers no row at least 99, whatever"):
        counterfactual(model, x, 99)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fixed": "height"}, "fixed has 'height'; the columns are"),
        ({"ranges": {"age": "old"}}, r"ranges\['age'\] must be a pair"),
        ({"ranges": {"job": ["king"]}}, "has 'king', which is none of"),
        ({"ranges": {"age": (5, 1)}}, "must not begin above its end"),
        ({"ranges": [1]}, "ranges must be a mapping"),
        ({"scale": [1.0, 2.0]}, "scale must be a table of rows, or a positive number for each"),
    ],
)
def test_wishes_that_cannot_be_read(options, words, bank):
    frame, y = bank
    model = CARTClassifier(max_depth=3).fit(frame, y)
    with pytest.raises(ValueError, match=words):
        counterfactual(model, frame.iloc[[0]], **options)


# -- forms ---------------------------------------------------------------------------------


def test_a_row_comes_back_in_the_form_in_which_it_was_given(bank):
    frame, y = bank
    model = CARTClassifier(max_depth=6).fit(frame, y)
    values = {"age": 30, "balance": 500.0, "job": "baker"}
    forms = [
        values,
        pd.Series(values),
        pd.DataFrame([values]),
        pl.DataFrame([values]),
        list(values.values()),
        np.array(list(values.values()), dtype=object),
    ]
    rows = []
    for x in forms:
        found = counterfactual(model, x, fixed="job")
        assert type(found.row) is type(x)
        kept = found.row
        kept = kept.to_dict() if isinstance(kept, pd.Series) else kept
        kept = kept.to_dict("records")[0] if isinstance(kept, pd.DataFrame) else kept
        kept = kept.to_dicts()[0] if isinstance(kept, pl.DataFrame) else kept
        rows.append(list(kept.values()) if isinstance(kept, dict) else list(kept))
    assert all(row == rows[0] for row in rows)
    assert rows[0][2] == "baker"


def test_the_words_hold(bank):
    """All that the sentence says would do, does; and what it does not say, does not."""
    frame, y = bank
    model = CARTClassifier(max_depth=6).fit(frame, y)
    for place in np.flatnonzero(model.predict(frame) == "bad")[:10]:
        x = frame.iloc[[place]]
        found = counterfactual(model, x)
        for change in found.changes:
            if change.above is None:
                continue
            inside = [v for v in (np.floor(change.above) + 1, change.up_to) if np.isfinite(v)]
            outside = [v for v in (change.above, change.up_to + 1e-6) if np.isfinite(v)]
            rows = pd.concat([found.row.astype({change.column: float})] * len(inside + outside))
            rows[change.column] = [*inside, *outside]
            answers = model.predict(rows)
            assert (answers[: len(inside)] == "good").all()
            assert (answers[len(inside) :] == "bad").all()


def test_table_and_facts(bank):
    frame, y = bank
    model = CARTClassifier(max_depth=6).fit(frame, y)
    found = counterfactual(model, {"age": 30, "balance": 1500.0, "job": "baker"}, fixed="job")
    assert str(found) == "bad would be good if age were at least 41 (now 30)"
    assert found.to_frame().to_dict("records") == [
        {"column": "age", "before": 30, "after": 41, "wanted": "at least 41"}
    ]
    facts = json.loads(json.dumps(found.to_dict()))
    assert facts["text"] == str(found)
    assert facts["is_exact"]
    assert "<td>at least 41</td>" in found._repr_html_()
    assert "no row is nearer" in found._repr_html_()


# -- scales --------------------------------------------------------------------------------


def test_scales_are_those_of_the_training_rows_and_are_saved(tmp_path):
    X, y, _ = numbers(120)
    for model in (CARTClassifier(max_depth=3), VRForestClassifier(3, **SEED)):
        model.fit(X, y)
        np.testing.assert_allclose(column_scales(model), X.std(axis=0))
        save(model, tmp_path / "model.softwood")
        again = load(tmp_path / "model.softwood")
        np.testing.assert_array_equal(column_scales(again), column_scales(model))
        assert str(counterfactual(again, X[0])) == str(counterfactual(model, X[0]))
    other = DecisionTreeClassifier(max_depth=3, **SEED).fit(X, y)
    np.testing.assert_allclose(column_scales(other, X), X.std(axis=0))


def test_a_large_scale_makes_a_column_cheap():
    X, y = load_breast_cancer(return_X_y=True)
    model = CARTClassifier(max_depth=5).fit(X, y)
    used = np.unique(model.tree_.feature[model.tree_.feature >= 0])
    for j in used[:4].tolist():
        cheap = counterfactual(model, X[0], scale={j: 1e9})
        assert cheap.distance <= counterfactual(model, X[0]).distance


def test_a_forest_is_not_searched_for_ever():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(60, **SEED).fit(X, y)
    quick = counterfactual(forest, X[0], scale=X, max_regions=0)
    assert not quick.is_exact
    assert quick.bound < quick.distance
    assert forest.predict(quick.row[None])[0] != forest.predict(X[:1])[0]
    better = counterfactual(forest, X[0], scale=X, max_regions=300)
    assert better.distance <= quick.distance
    assert better.bound >= quick.bound


def test_a_model_of_one_class():
    model = CARTClassifier().fit([[1.0], [2.0]], ["a", "a"])
    with pytest.raises(NoCounterfactualError, match="knows one class only, 'a'"):
        counterfactual(model, [1.0])


def test_a_gap_that_is_filled_by_a_mean_becomes_a_whole_number():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, (200, 2)).astype(float)
    y = X @ [1.0, 0.7] > 40.3
    X[::9, 0] = np.nan
    model = ObliqueTreeClassifier(random_state=0).fit(X, y)
    assert model.fill_values_[0] % 1.0
    for x in X[::9]:
        found = counterfactual(model, x, fixed=1)
        assert found.row[0] % 1.0 == 0.0
        assert found.row[1] == x[1]
        assert model.predict([found.row])[0] != model.predict([x])[0]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_costs_without_end_are_no_reason_to_search_without_end():
    largest = np.finfo(float).max
    X = np.array([[0.0, np.nan], [1e308, np.nan], [1e308, 0.0], [-largest, 0.0], [largest, 1.0]])
    model = VRForestClassifier(3, min_samples_split=2, min_samples_leaf=1, random_state=0)
    model.fit(np.tile(X, (4, 1)), np.arange(20) % 3)
    for row in X:
        found = counterfactual(model, row, scale=X)
        assert found.row is None or model.predict([found.row]) != model.predict([row])
