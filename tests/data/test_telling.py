"""What is said about a table: once, to who gave it, and not by work inside."""

import numpy as np
import pandas as pd
import pytest

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    SoftTreeClassifier,
    VRForestRegressor,
    VRTreeClassifier,
    soften,
)
from softwood.errors import IdentifierWarning, UnknownCategoryWarning, UntestedColumnWarning

N = 60
NAMES = [f"person {i}" for i in range(N)]
LABELS = np.resize(["a", "b", "b"], N)


def people(**columns):
    return pd.DataFrame({"name": NAMES, "age": np.resize(np.arange(7.0), N), **columns})


@pytest.mark.filterwarnings("ignore::softwood.errors.UntestedColumnWarning")
@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(),
        CARTClassifier(pruning="cv", random_state=0),
        CARTRegressor(),
        BaggedTreesClassifier(5, random_state=0),
        CoalescenceClassifier(5, random_state=0),
        SoftTreeClassifier(method="perturb", random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_identifiers_are_named_once(model):
    y = np.arange(N) % 3 if "Regressor" in type(model).__name__ else LABELS
    with pytest.warns(IdentifierWarning) as told:
        model.fit(people(), y)
    told = [each for each in told if each.category is IdentifierWarning]
    assert len(told) == 1
    assert "column 'name' looks like an identifier: 60 different categories in 60 rows" in str(
        told[0].message
    )
    assert told[0].filename == __file__


def test_what_does_not_look_like_an_identifier_is_not_named():
    half = np.resize(NAMES[: N // 2], N)  # no more than half of them distinct
    C45Classifier().fit(people(name=half), LABELS)
    C45Classifier().fit(people()[:30], LABELS[:30])  # too few rows to say
    sparse = pd.Series(NAMES, dtype=object).where(np.arange(N) < 30)
    C45Classifier().fit(people(name=sparse), LABELS)
    unused = pd.Categorical(np.resize(["x", "y"], N), categories=["x", "y", *NAMES])
    C45Classifier().fit(people(name=unused), LABELS)
    C45Classifier(categorical_features=["name"]).fit(people(), LABELS)  # it is meant
    with pytest.warns(IdentifierWarning):
        C45Classifier().fit(people(name=pd.Categorical(NAMES)), LABELS)


@pytest.mark.parametrize(
    "model",
    [
        VRTreeClassifier(random_state=0),
        VRForestRegressor(3, random_state=0),
        BaggedTreesClassifier(3, criterion="gain_ratio", random_state=0),
        CoalescenceClassifier(3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_columns_that_no_node_tests_are_named(model):
    y = np.arange(N) % 3 if "Regressor" in type(model).__name__ else LABELS
    towns = np.random.default_rng(3).permutation(np.resize(NAMES[:20], N))
    with pytest.warns(UntestedColumnWarning, match="column 'name' is not tested") as told:
        model.fit(people(name=towns), y)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert model.feature_importances_[0] == 0.0
    with pytest.warns(UntestedColumnWarning, match="columns 'name', 'x' are not tested"):
        model.fit(people(name=towns, x=towns), y)


def test_columns_of_few_categories_are_not_named():
    X = people(name=np.resize(list("uvw"), N))
    CoalescenceClassifier(3, random_state=0).fit(X, LABELS)


def test_refits_inside_are_quiet():
    """Folds lack categories that others have: that is not the user's table."""
    rng = np.random.default_rng(0)
    rare = np.where(rng.random(N) < 0.1, np.resize(list("uvwxyz"), N), "usual")
    X = people(name=rare)
    model = CARTClassifier().fit(X, LABELS)
    assert soften(model, X, LABELS, smoothing="cv", random_state=0).smoothing_ >= 0


def test_comparisons_tell_once():
    from softwood.evaluate import compare

    with pytest.warns(IdentifierWarning) as told:
        result = compare({"c45": C45Classifier()}, {"people": (people(), LABELS)}, "kfold:2")
    assert len(told) == 1
    assert not result.failures


def test_unknown_categories_are_counted_in_one_warning_per_call():
    X = pd.DataFrame({"colour": ["red", "blue"] * 10, "flag": [True, False] * 10})
    model = CARTClassifier().fit(X, [0, 1] * 10)
    later = pd.DataFrame({"colour": [f"c{i % 5}" for i in range(20)], "flag": ["on"] * 20})
    for call in (model.predict, model.predict_proba, model.apply):
        with pytest.warns(UnknownCategoryWarning) as told:
            call(later)
        assert len(told) == 1
        message = str(told[0].message)
        assert "column 'colour' in 20 rows ('c0', 'c1', 'c2' and 2 more)" in message
        assert "column 'flag' in 20 rows ('on')" in message
        assert told[0].filename == __file__
    assert "unknown category 'c0'" in str(model.explain(later[:1]))  # says it by itself
