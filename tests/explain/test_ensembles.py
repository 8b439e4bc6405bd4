"""Every ensemble in words: ours, softened ones, and those of others."""

import json

import numpy as np
import pandas as pd
import pytest
from lightgbm import LGBMClassifier, LGBMRegressor
from numpy.testing import assert_allclose
from sklearn.base import clone, is_classifier
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from xgboost import XGBClassifier, XGBRegressor

from softwood import (
    BaggedTreesClassifier,
    CARTClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    export_rules,
    export_text,
    soften,
)
from softwood.explain import explain_row, rules_frame
from softwood.explain._ensembles import ensemble_of
from softwood.forest import Forest
from softwood.interop import import_model
from tests.every_estimator import CLASSIFIERS, REGRESSORS, every_model

N_ROWS = 120


def mixed_frame():
    """Numbers, categories, dates and gaps, and a target of three classes that depends on them."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=N_ROWS).round(3),
            "colour": rng.choice(["red", "green", "blue"], N_ROWS),
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, N_ROWS), "D"),
            "[bold]flag": rng.choice([True, False], N_ROWS),
        }
    )
    number = 3.0 * frame["size"] + 2.0 * (frame["colour"] == "red") + frame["when"].dt.month
    frame.loc[::9, "size"] = np.nan
    label = np.array(["low", "mid", "high"])[pd.qcut(number, 3, labels=False)]
    return frame, number.to_numpy() + 0.1 * rng.normal(size=N_ROWS), label


FRAME, NUMBER, LABEL = mixed_frame()
NUMBERS = FRAME.assign(
    colour=FRAME["colour"].factorize()[0],
    when=FRAME["when"].dt.dayofyear,
    **{"[bold]flag": FRAME["[bold]flag"].astype(float)},
).fillna(0.0)


def is_forest(model):
    return hasattr(model, "n_estimators") or hasattr(getattr(model, "model", None), "n_estimators")


def check_words(model, rows, predicted, probability=None):
    """Check that all that can be said of an ensemble is said, and adds up."""
    ensemble = ensemble_of(model)
    for i, row in enumerate(rows):
        found = explain_row(model, row)
        raw = ensemble.forest.raw(ensemble.read(row), ensemble.flows)[0]
        assert found.prediction == predicted[i] or found.prediction == pytest.approx(predicted[i])
        assert str(found).startswith("Predicted: ")
        assert json.loads(json.dumps(found.to_dict()))["n_trees"] == found.n_trees
        assert 0 <= found.n_agreeing <= found.n_trees <= ensemble.forest.n_trees
        if probability is None:
            assert_allclose(found.answer, raw[0], atol=1e-9)
            continue
        assert_allclose([*found.probabilities.values()], probability[i], atol=1e-6)
        chosen = list(found.probabilities).index(found.prediction)
        wanted = raw[chosen] if raw.size > 1 else raw[0] * (1 if chosen else -1)
        assert_allclose(found.answer, ensemble.forest.slope * wanted, atol=1e-9)
    rules = rules_frame(model, 5)
    assert 1 <= len(rules) <= 5
    assert (rules["score"].diff().dropna() <= 0).all()
    assert rules["n_trees"].between(1, ensemble.forest.n_trees).all()
    assert rules["support"].between(0, 1).all()
    assert len(export_rules(model, max_rules=3).splitlines()) <= 3
    assert len(export_text(model, max_lines=12).splitlines()) <= 13


def one_row_each(table, places=(0, 1, 9)):
    return [table.iloc[[i]] for i in places]


@pytest.mark.filterwarnings("ignore:columns? .* categor")
@pytest.mark.parametrize("model", every_model(CLASSIFIERS, is_forest))
def test_our_classifiers(model):
    model = clone(model).fit(FRAME, LABEL)
    rows = one_row_each(FRAME)
    table = FRAME.iloc[[0, 1, 9]]
    check_words(model, rows, model.predict(table), model.predict_proba(table))
    assert model.get_rules(2).equals(rules_frame(model, 2))
    assert model.export_text(max_lines=9) == export_text(model, max_lines=9)


@pytest.mark.parametrize("model", every_model(REGRESSORS, is_forest))
def test_our_regressors(model):
    model = clone(model).fit(FRAME, NUMBER)
    check_words(model, one_row_each(FRAME), model.predict(FRAME.iloc[[0, 1, 9]]))


MEMBERS = {
    "oblique": ObliqueTreeClassifier(n_restarts=2),
    "cart": CARTClassifier(max_depth=3),
    "soft": SoftTreeClassifier(method="confidence"),
}


@pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)
def test_bags_of_any_member(member):
    model = BaggedTreesClassifier(4, estimator=member, random_state=0).fit(FRAME, LABEL)
    table = FRAME.iloc[[0, 1, 9]]
    rows = one_row_each(FRAME)
    check_words(model, rows, model.predict(table), model.predict_proba(table))


SMALL = {"n_estimators": 5, "random_state": 0}
THEIRS = [
    RandomForestClassifier(max_depth=4, **SMALL),
    GradientBoostingClassifier(max_depth=2, **SMALL),
    HistGradientBoostingClassifier(max_iter=5, max_leaf_nodes=4),
    LGBMClassifier(num_leaves=4, verbose=-1, **SMALL),
    XGBClassifier(max_depth=2, **SMALL),
]
THEIR_REGRESSORS = [
    RandomForestRegressor(max_depth=4, **SMALL),
    GradientBoostingRegressor(max_depth=2, **SMALL),
    HistGradientBoostingRegressor(max_iter=5, max_leaf_nodes=4, loss="squared_error"),
    LGBMRegressor(num_leaves=4, verbose=-1, **SMALL),
    XGBRegressor(max_depth=2, **SMALL),
]


def by_name(model):
    return type(model).__name__


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("theirs", THEIRS, ids=by_name)
def test_classifiers_of_others(theirs, n_classes):
    codes = pd.factorize(LABEL, sort=True)[0] % n_classes
    table = NUMBERS.set_axis([f"c{j}" for j in range(4)], axis=1)
    theirs = clone(theirs).fit(table, codes)
    imported = import_model(theirs)
    rows, some = one_row_each(table), table.iloc[[0, 1, 9]]
    check_words(imported, rows, theirs.predict(some), theirs.predict_proba(some))
    soft = soften(theirs, table, codes, smoothing=0.05)
    check_words(soft, rows, soft.predict(some), soft.predict_proba(some))
    assert soft.get_rules(2).equals(rules_frame(soft, 2))


@pytest.mark.parametrize("theirs", THEIR_REGRESSORS, ids=by_name)
def test_regressors_of_others(theirs):
    table = NUMBERS.set_axis([f"c{j}" for j in range(4)], axis=1)
    theirs = clone(theirs).fit(table, NUMBER)
    imported = import_model(theirs)
    check_words(imported, one_row_each(table), theirs.predict(table.iloc[[0, 1, 9]]))
    assert not is_classifier(theirs)


def test_the_parts_add_up_to_the_whole():
    model = BaggedTreesClassifier(3, random_state=0).fit(FRAME, LABEL)
    ensemble = ensemble_of(model)
    rows = model._rows(FRAME)
    total = sum(
        share * model.flow_.predict(tree, rows)
        for tree, share in zip(model.trees_, ensemble.shares(), strict=True)
    )
    assert_allclose(total, model.predict_proba(FRAME), atol=1e-12)
    roots = np.mean([tree.response[0] for tree in model.trees_], axis=0)
    assert_allclose(ensemble.average(), roots)


def test_what_kind_of_sum_it_is():
    forest = BaggedTreesClassifier(3, random_state=0).fit(FRAME, LABEL).forest_
    assert ensemble_of(forest).is_vote
    assert not ensemble_of(forest.replace(is_mean=False)).is_mean
    assert ensemble_of(CARTClassifier().fit(FRAME, LABEL)) is None
    assert ensemble_of(BaggedTreesClassifier()) is None
    assert ensemble_of("a text") is None


def test_a_bare_forest_has_rules_but_reads_no_rows():
    model = BaggedTreesClassifier(3, random_state=0).fit(NUMBERS.to_numpy(), LABEL)
    bare = Forest.average(model.trees_)
    assert export_rules(bare, class_names=model.classes_.tolist()) == export_rules(model)
    with pytest.raises(TypeError, match="bare Forest does not know how to read rows"):
        explain_row(bare, NUMBERS.iloc[0])


def test_names_of_the_callers():
    model = BaggedTreesClassifier(3, random_state=0).fit(NUMBERS.to_numpy(), LABEL)
    text = export_text(model, feature_names=["A", "B", "C", "D"], class_names=["x", "y", "z"])
    assert "x0" not in text
    assert "THEN x" in text
    with pytest.raises(ValueError, match="feature_names must have 4 entries"):
        export_text(model, feature_names=["A"])
    with pytest.raises(ValueError, match="predicts a number"):
        export_rules(
            import_model(RandomForestRegressor(2).fit(NUMBERS, NUMBER)), class_names=["x", "y"]
        )
