"""scikit-learn's averaging ensembles, imported: bit for bit the same means."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood.interop import import_model
from tests.interop.agreement import assert_same_answers, hostile_rows, imported, table

SINGLE = [DecisionTreeClassifier(random_state=0), DecisionTreeRegressor(max_depth=4)]
ENSEMBLES = [
    RandomForestClassifier(n_estimators=7, random_state=0),
    RandomForestRegressor(n_estimators=7, random_state=0),
    ExtraTreesClassifier(n_estimators=7, random_state=0),
    ExtraTreesRegressor(n_estimators=7, bootstrap=True, random_state=0),
    BaggingClassifier(n_estimators=7, max_features=0.5, max_samples=20, random_state=0),
    BaggingRegressor(n_estimators=7, max_features=0.5, random_state=0),
]


def name_of(model):
    return type(model).__name__


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("theirs", SINGLE + ENSEMBLES, ids=name_of)
def test_the_same_bits(theirs, missing):
    X, y = table(missing=missing)
    theirs.fit(X, y, sample_weight=np.random.default_rng(1).integers(1, 4, len(X)))
    ours = imported(theirs)
    rows = hostile_rows(ours.forest, X)
    assert_same_answers(ours, theirs, rows, rtol=0.0, atol=0.0)
    assert ours.is_single_tree == (theirs in SINGLE)
    assert ours.kind == name_of(theirs)
    assert ours.feature_names == ["x0", "x1", "x2", "x3"]


def test_names_and_text_classes():
    pd = pytest.importorskip("pandas")
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcd"))
    theirs = RandomForestClassifier(3, random_state=0).fit(frame, np.array(["u", "v", "w"])[y])
    ours = imported(theirs)
    assert ours.feature_names == list("abcd")
    assert ours.n_features == 4
    assert not ours.n_categories.any()
    assert_same_answers(ours, theirs, frame, rtol=0.0)
    with pytest.raises(ValueError, match=r"must be those of training, \['a', 'b', 'c', 'd'\]"):
        ours.encode(frame[list("dcba")])


@pytest.mark.parametrize("theirs", [ENSEMBLES[0], ENSEMBLES[3], ENSEMBLES[4]], ids=name_of)
def test_training_rows_of_each_tree(theirs):
    X, y = table()
    theirs.fit(X, y)
    samples = imported(theirs).bootstrap_indices
    assert len(samples) == 7
    for ours, expected in zip(samples, theirs.estimators_samples_, strict=True):
        assert_array_equal(ours, expected)
        assert ours.dtype == np.int32


def test_out_of_bag_means_are_those_of_scikit_learn():
    X, y = table()
    theirs = RandomForestRegressor(25, oob_score=True, random_state=0).fit(X, y)
    ours = imported(theirs)
    use = np.ones((len(X), 25), dtype=bool)
    for tree, rows in enumerate(ours.bootstrap_indices):
        use[rows, tree] = False
    answer = ours.forest.raw(ours.encode(X), use=use)[:, 0]
    asked = use.any(axis=1)
    np.testing.assert_allclose(answer[asked], theirs.oob_prediction_[asked], rtol=1e-12)


@pytest.mark.parametrize(
    "theirs",
    [
        DecisionTreeClassifier(),
        ExtraTreesClassifier(3),
        BaggingClassifier(n_estimators=3, bootstrap=False),
    ],
    ids=name_of,
)
def test_where_every_tree_saw_every_row_there_are_no_indices(theirs):
    X, y = table()
    assert imported(theirs.fit(X, y)).bootstrap_indices is None


def test_a_subsample_without_replacement_has_indices():
    X, y = table()
    theirs = BaggingClassifier(n_estimators=3, bootstrap=False, max_samples=0.5, random_state=0)
    assert [rows.size for rows in imported(theirs.fit(X, y)).bootstrap_indices] == [len(X) // 2] * 3


def test_refusals():
    X, y = table()
    with pytest.raises(TypeError, match="BaggingClassifier has a KNeighborsClassifier"):
        import_model(BaggingClassifier(KNeighborsClassifier(), n_estimators=2).fit(X, y))
    with pytest.raises(ValueError, match="predicts 2 outputs"):
        import_model(RandomForestRegressor(2).fit(X, np.column_stack([y, y])))
