"""Users' tables: frames, categories, missing values, labels, weights, and mistakes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.data.table import Column, Table
from softwood.errors import UnknownCategoryWarning

COLOURS = ["red", "blue", "green", "red", "blue", "green", None, "red"] * 4
SIZES = [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0, 8.0] * 4
FLAGS = [True, False, True, None, False, True, False, True] * 4
LABELS = np.array(["no", "yes", "yes", "no", "yes", "yes", "no", "no"] * 4)


def as_pandas():
    return pd.DataFrame(
        {"size": SIZES, "colour": COLOURS, "flag": pd.array(FLAGS, dtype="boolean")}
    )


def as_polars():
    return pl.DataFrame({"size": SIZES, "colour": COLOURS, "flag": FLAGS})


def as_objects():
    return np.array([SIZES, COLOURS, FLAGS], dtype=object).T


FRAMES = {
    "pandas": as_pandas,
    "pandas category": lambda: as_pandas().astype({"colour": "category"}),
    "pandas nullable": lambda: as_pandas().convert_dtypes(),
    "polars": as_polars,
    "polars categorical": lambda: as_polars().with_columns(pl.col("colour").cast(pl.Categorical)),
    "polars enum": lambda: as_polars().with_columns(
        pl.col("colour").cast(pl.Enum(["blue", "green", "red"]))
    ),
    "numpy objects": as_objects,
}


@pytest.mark.parametrize("model", [C45Classifier(), CARTClassifier()], ids=["C4.5", "CART"])
@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_table_gives_the_same_tree(model, kind):
    reference = type(model)().fit(as_pandas(), LABELS)
    X = FRAMES[kind]()
    model.fit(X, LABELS)
    assert model.tree_ == reference.tree_
    assert model.schema_.features[1].categories == ("blue", "green", "red")
    assert model.schema_.features[2].categories == (False, True)
    np.testing.assert_array_equal(model.predict_proba(X), reference.predict_proba(as_pandas()))
    if "numpy" not in kind:
        assert model.feature_names_in_.tolist() == ["size", "colour", "flag"]


def test_declared_categories_keep_their_order_and_their_empty_branches():
    colour = pd.Categorical(COLOURS, categories=["violet", "red", "green", "blue"])
    model = C45Classifier(min_samples_leaf=1).fit(pd.DataFrame({"colour": colour}), LABELS)
    assert model.schema_.features[0].categories == ("violet", "red", "green", "blue")
    assert model.tree_.n_children[0] == 4
    assert model.tree_.weight[1] == 0


def test_categorical_features_by_name_index_and_mask():
    frame = pd.DataFrame({"a": [1, 2, 3, 1, 2, 3] * 3, "b": [0.5, 1, 2, 3, 4, 5] * 3})
    y = [0, 1, 0, 0, 1, 0] * 3
    trees = [
        C45Classifier(categorical_features=choice).fit(frame, y).tree_
        for choice in (["a"], [0], [True, False], [-2])
    ]
    assert all(tree == trees[0] for tree in trees)
    assert trees[0].n_children[0] == 3
    array_tree = C45Classifier(categorical_features=[0]).fit(frame.to_numpy(), y)
    assert array_tree.tree_ == trees[0]
    assert array_tree.predict(frame.to_numpy()).tolist() == y


@pytest.mark.parametrize(
    ("choice", "words"),
    [(["c"], "names 'c'"), ([7], "7"), ([True], "mask of length 1"), ("a", "categorical_features")],
)
def test_wrong_categorical_features_say_so(choice, words):
    frame = pd.DataFrame({"a": [1, 2], "b": [0.5, 1]})
    with pytest.raises(ValueError, match=words):
        C45Classifier(categorical_features=choice).fit(frame, [0, 1])


def test_unknown_categories_spread_are_missing_or_refused():
    X = pd.DataFrame({"colour": ["red"] * 6 + ["blue"] * 2, "size": [1.0] * 8})
    y = ["no"] * 6 + ["yes"] * 2
    new = pd.DataFrame({"colour": ["mauve"], "size": [1.0]})
    spread = C45Classifier(min_samples_leaf=1).fit(X, y)
    told = r"column 'colour' in 1 row \('mauve'\)\. Their rows are divided among all branches"
    with pytest.warns(UnknownCategoryWarning, match=told):
        np.testing.assert_allclose(spread.predict_proba(new), [[0.75, 0.25]])
    missing = C45Classifier(min_samples_leaf=1, handle_unknown="missing").fit(X, y)
    with pytest.warns(UnknownCategoryWarning, match="taken as missing"):
        np.testing.assert_allclose(missing.predict_proba(new), [[0.75, 0.25]])
    strict = C45Classifier(handle_unknown="error").fit(X, y)
    with pytest.raises(ValueError, match=r"'colour' has the category 'mauve' \(row 0\)"):
        strict.predict(new)


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_unknown_and_missing_are_not_the_same_thing():
    """An imported tree may send missing values one way; an unknown category still spreads."""
    X = pd.DataFrame({"colour": ["red"] * 6 + ["blue"] * 2})
    model = C45Classifier(min_samples_leaf=1).fit(X, ["no"] * 6 + ["yes"] * 2)
    model.tree_ = model.tree_.replace(missing_child=np.array([0, -1, -1], dtype=np.int32))
    rows = pd.DataFrame({"colour": [None, "mauve"]}, dtype=object)
    np.testing.assert_allclose(model.predict_proba(rows), [[0, 1], [0.75, 0.25]])


@pytest.mark.parametrize(
    "labels",
    [
        [1, 2, 3],
        [0.0, 1.0, 2.0],
        ["a", "b", "c, with ünïcode"],
        [True, False, True],
        [-3, 10**12, 7],
    ],
)
def test_class_labels_of_any_type(labels):
    X = np.arange(30.0)[:, None]
    y = np.repeat(np.array(labels), 10)
    model = C45Classifier().fit(X, y)
    assert model.classes_.tolist() == sorted(set(labels))
    assert model.predict(X).dtype == y.dtype
    assert (model.predict(X) == y).all()


def test_class_weight_and_sample_weight_multiply():
    X, y = np.array([[0.0], [0.0], [0.0]]), np.array([0, 0, 1])
    model = CARTClassifier(class_weight={0: 1, 1: 4}).fit(X, y, sample_weight=[1, 1, 0.5])
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.5, 0.5]])
    balanced = CARTClassifier(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.predict_proba([[0.0]]), [[0.5, 0.5]])


def test_rows_of_weight_zero_are_left_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    weight = rng.integers(0, 2, 60)
    for model in (C45Classifier, CARTClassifier, CARTRegressor):
        part = model().fit(X[weight > 0], y[weight > 0])
        assert model().fit(X, y, sample_weight=weight).tree_.n_nodes == part.tree_.n_nodes


def test_our_own_tables_are_tables_too():
    table = Table(
        (
            Column("size", np.array([1.0, 2.0, 3.0, 4.0])),
            Column("colour", np.array([0, 1, 0, -1], dtype=np.int32), ("red", "blue")),
        )
    )
    model = CARTClassifier().fit(table, [0, 0, 1, 1])
    assert model.predict(table).tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="columns must be those of training"):
        model.predict(Table(table.columns[::-1]))


GOOD = np.arange(12.0).reshape(6, 2)
MISTAKES = {
    "empty": (np.empty((0, 2)), [], "0 sample"),
    "empty frame": (pd.DataFrame({"a": []}), [], "0 sample"),
    "no columns": (pd.DataFrame(index=range(3)), [0, 1, 0], "0 feature"),
    "infinite": (np.where(GOOD == 3, np.inf, GOOD), [0, 1] * 3, "infinity"),
    "infinite column": (
        pd.DataFrame({"a": [1, 2], "b": [1, -np.inf]}),
        [0, 1],
        "column 'b' has the infinite value -inf",
    ),
    "lengths": (GOOD, [0, 1], "inconsistent numbers of samples"),
    "one dimension": (np.arange(3.0), [0, 1, 0], "Expected 2D array"),
    "no target": (GOOD, None, "requires y"),
    "durations": (
        pd.DataFrame({"wait": pd.to_timedelta([1, 2], unit="h")}),
        [0, 1],
        r"column 'wait' has dtype timedelta.*total_seconds",
    ),
    "complex numbers": (
        pd.DataFrame({"z": [1j, 2.0]}),
        [0, 1],
        r"column 'z' has dtype complex128.*real and the imaginary",
    ),
    "intervals": (
        pd.DataFrame({"age": pd.arrays.IntervalArray.from_breaks([0, 3, 6])}),
        [0, 1],
        r"column 'age' has dtype interval.*middle of the intervals",
    ),
    "a whole number beyond floats": (
        [[1], [10**400]],
        [0, 1],
        r"column 'x0' holds a number beyond 1.798e\+308 \(row 1\)",
    ),
    "such a number in a frame": (
        pd.DataFrame({"a": pd.Series([10**400, 2], dtype=object)}),
        [0, 1],
        r"column 'a' holds a number beyond 1.798e\+308 \(row 0\)",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named_and_leave_nothing_behind(mistake):
    X, y, words = MISTAKES[mistake]
    for model in (C45Classifier(), CARTClassifier(), CARTRegressor()):
        with pytest.raises((ValueError, TypeError), match=words):
            model.fit(X, y)
        assert not [name for name in vars(model) if name.endswith("_")]


def test_a_failed_refit_keeps_the_old_model():
    model = C45Classifier().fit(GOOD, [0, 0, 0, 1, 1, 1])
    before = model.tree_
    with pytest.raises(ValueError, match="infinity"):
        model.fit(np.full((3, 5), np.inf), [0, 1, 0])
    assert model.tree_ is before
    assert model.n_features_in_ == 2
    assert model.predict(GOOD).tolist() == [0, 0, 0, 1, 1, 1]


def test_text_where_numbers_were_promised():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2]})
    with pytest.raises(ValueError, match="column 'a' holds 'x', which is not a number"):
        C45Classifier(categorical_features=None).fit(frame, [0, 1])
    numbers = pd.DataFrame({"a": [1, 2], "b": [1, 2]})
    model = C45Classifier().fit(numbers, [0, 1])
    with pytest.raises(ValueError, match="column 'a' is numeric in this model, but holds 'x'"):
        model.predict(frame)


def test_the_culprit_is_named_and_not_the_first_value():
    """'50' was blamed where 'abc' was wrong."""
    ages = pd.DataFrame({"age": ["50", "061", "abc", "52"]})
    model = CARTClassifier().fit(pd.DataFrame({"age": [50.0, 61.0, 20.0, 52.0]}), [0, 1, 0, 1])
    with pytest.raises(
        ValueError, match=r"'age' is numeric in this model, but holds 'abc' \(row 2"
    ):
        model.predict(ages)
    with pytest.raises(ValueError, match="column 'age' holds 'abc', which is not a number"):
        CARTClassifier(categorical_features=None).fit(ages, [0, 1, 0, 1])
    assert model.predict(ages.drop(2)).tolist() == [0, 1, 1]  # the others do write numbers


def test_numbers_beyond_floats_in_target_and_weights():
    for options in ({"y": [0, 10**400] * 3}, {"y": [0, 1] * 3, "sample_weight": [10**400] * 6}):
        with pytest.raises(ValueError, match=r"^(y|sample_weight) holds a number beyond 1.798e"):
            CARTRegressor().fit(GOOD, **options)


def test_wrong_columns_and_weights():
    model = CARTClassifier().fit(GOOD, [0, 1] * 3)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(np.ones((2, 3)))
    with pytest.raises(ValueError, match="infinity"):
        model.predict(np.array([[1.0, np.inf]]))
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        CARTClassifier().fit(GOOD, [0, 1] * 3, sample_weight=[1, 1, 1, 1, 1, -1])
    with pytest.raises(ValueError, match=r"zero|0 for every row"):
        CARTClassifier().fit(GOOD, [0, 1] * 3, sample_weight=np.zeros(6))


def test_too_many_classes_are_refused_and_many_are_not():
    rows = np.arange(8200)
    X = rows[:, None].astype(float)
    with pytest.raises(ValueError, match="2048 is the limit"):
        CARTClassifier().fit(X, rows % 2049)
    y = rows // 4 % 2048
    assert CARTClassifier(max_depth=4).fit(X, y).predict_proba(X[:1]).shape == (1, 2048)


def test_one_class_is_a_leaf():
    for model in (C45Classifier(), CARTClassifier()):
        model.fit(GOOD, ["only"] * 6)
        assert model.get_n_leaves() == 1
        assert model.predict(GOOD).tolist() == ["only"] * 6


def test_an_all_missing_column_does_no_harm():
    X = np.column_stack([np.full(6, np.nan), np.arange(6.0)])
    for model in (C45Classifier(), CARTClassifier()):
        assert model.fit(X, [0, 0, 0, 1, 1, 1]).predict(X).tolist() == [0, 0, 0, 1, 1, 1]


def test_sparse_columns_are_read_as_dense_ones():
    numbers, flags = np.resize([0, 0, 3], 24), np.resize([False, True], 24)
    dense = pd.DataFrame({"a": numbers, "b": flags})
    sparse = pd.DataFrame({"a": pd.arrays.SparseArray(numbers), "b": pd.arrays.SparseArray(flags)})
    y = np.resize([0, 1, 1, 0], 24)
    model = CARTClassifier().fit(sparse, y)
    assert model.tree_ == CARTClassifier().fit(dense, y).tree_
    np.testing.assert_array_equal(model.predict_proba(dense), model.predict_proba(sparse))


@pytest.mark.parametrize("names", [["a", "b"], [0, 1]])
def test_frames_of_numbers_keep_names_and_refuse_what_is_not_theirs(names):
    X = pd.DataFrame([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]], columns=names)
    model = CARTClassifier().fit(X, [0, 0, 1])
    assert model.schema_.names == [str(name) for name in names]
    np.testing.assert_array_equal(model.predict(X), [0, 0, 1])
    chosen = CARTClassifier(categorical_features=[1]).fit(X, [0, 0, 1])
    assert chosen.schema_.features[1].categories == (5, 6, 7)
    assert chosen.schema_.names == model.schema_.names
    if names[0] == "a":
        with pytest.raises(ValueError, match="feature names"):
            model.predict(X[["b", "a"]])
    else:
        with pytest.raises(ValueError, match="2 features"):
            model.predict(X[[1]])
    with pytest.raises(ValueError, match="infinite value"):
        model.predict(X.replace(3.0, np.inf))
    days = (
        X.assign(**{str(names[0]): pd.to_datetime(["2020-01-01"] * 3)}).set_axis(names, axis=1)
        if names[0] == "a"
        else None
    )
    if days is not None:
        dated = CARTClassifier().fit(days, [0, 0, 1])
        with pytest.raises(ValueError, match="held dates in training"):
            dated.predict(X)
