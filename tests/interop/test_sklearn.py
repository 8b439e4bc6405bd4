"""scikit-learn's trees become ours, with the same answers on every float64."""

import numpy as np
import pytest
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

from softwood import CARTClassifier, interop
from softwood.flow import Hard
from softwood.interop.sklearn import (
    _response,
    from_sklearn,
    largest_going_left,
    to_sklearn_arrays,
)
from tests.persist.models import mixed_model
from tests.strategies import WITHOUT_JIT

N_ROWS = 60 if WITHOUT_JIT else 400
MAX32 = float(np.finfo(np.float32).max)
TINY32 = float(np.finfo(np.float32).smallest_subnormal)


def data(seed=0, n_features=4, missing=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, n_features)) * 10.0 ** rng.integers(-3, 4, n_features)
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > X[:, 1].mean()) + (rng.random(N_ROWS) < 0.2)
    if missing:
        X[rng.random(X.shape) < 0.15] = np.nan
    return X, y


def rows_at_thresholds(trees, X, seed=0):
    """Rows that lie on, or one step beside, the cuts of the trees, in float32 and float64."""
    rng = np.random.default_rng(seed)
    rows = [X]
    for tree in trees:
        for node in np.flatnonzero(tree.n_children)[:25]:
            feature, cut = tree.feature[node], tree.threshold[node]
            if cut >= MAX32:  # missing values apart, everything goes left
                continue
            near = np.float32(cut)
            values = [cut, np.nextafter(cut, np.inf), np.nextafter(cut, -np.inf), near]
            values += [np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-9e9))]
            made = X[rng.integers(0, len(X), len(values))].copy()
            made[:, feature] = values
            rows.append(made)
    return np.vstack(rows)


def means(trees, X):
    """The mean of the trees, summed as scikit-learn sums."""
    total = 0.0
    for tree in trees:
        total = total + Hard().predict(tree, X)
    return total / len(trees)


# -- thresholds --------------------------------------------------------------------


def assert_is_the_largest(threshold):
    moved = largest_going_left(threshold)
    with np.errstate(over="ignore"):
        assert (moved.astype(np.float32) <= threshold).all()
        assert (np.nextafter(moved, np.inf).astype(np.float32) > threshold).all()


def test_thresholds_move_to_where_the_decision_changes():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**64, 200_000, dtype=np.uint64).view(np.float64)
    inside = bits[np.abs(bits) < MAX32]  # any exponent
    floats = rng.integers(0, 2**32, 200_000, dtype=np.uint64).astype(np.uint32).view(np.float32)
    floats = floats[np.abs(floats) < MAX32].astype(np.float64)
    following = np.nextafter(floats.astype(np.float32), np.float32(np.inf)).astype(np.float64)
    halves = (floats + following) / 2.0
    for thresholds in (inside, floats, halves, np.nextafter(halves, np.inf), inside * 1e-30):
        assert_is_the_largest(thresholds[np.abs(thresholds) < MAX32])


@pytest.mark.parametrize(
    "threshold",
    [0.0, -0.0, TINY32, -TINY32, TINY32 / 2, -TINY32 / 2, 1e-60, -1e-60, 1.0, MAX32, -MAX32, 0.1],
)
def test_thresholds_at_the_edges(threshold):
    assert_is_the_largest(np.array([threshold]))


def test_infinite_thresholds_stay_on_their_side():
    low, high, above = largest_going_left([-np.inf, np.inf, 1e200])
    assert low < -MAX32
    assert MAX32 < high < np.inf
    assert MAX32 < above < np.inf


# -- single trees ------------------------------------------------------------------


@pytest.mark.parametrize(
    "theirs",
    [
        DecisionTreeClassifier(random_state=0),
        DecisionTreeClassifier(max_leaf_nodes=9, criterion="entropy", random_state=0),
        DecisionTreeClassifier(max_depth=3, class_weight="balanced", random_state=0),
        ExtraTreeClassifier(random_state=0),
        DecisionTreeRegressor(random_state=0),
        DecisionTreeRegressor(criterion="poisson", max_depth=4, random_state=0),
        DecisionTreeRegressor(criterion="absolute_error", max_depth=3, random_state=0),
        ExtraTreeRegressor(random_state=0),
    ],
    ids=lambda model: f"{type(model).__name__}-{model.criterion}",
)
@pytest.mark.parametrize("missing", [False, True])
def test_trees_answer_the_same(theirs, missing):
    if missing and not theirs.__sklearn_tags__().input_tags.allow_nan:
        pytest.skip("scikit-learn refuses missing values here")
    X, y = data(missing=missing)
    theirs.fit(X, y, sample_weight=np.random.default_rng(1).random(len(X)) + 0.1)
    ours = from_sklearn(theirs)
    rows = rows_at_thresholds([ours], X)
    expected = getattr(theirs, "predict_proba", theirs.predict)(rows).reshape(len(rows), -1)
    assert Hard().predict(ours, rows).tobytes() == np.ascontiguousarray(expected).tobytes()
    assert ours.n_leaves == theirs.get_n_leaves()
    assert ours.depth == theirs.get_depth()
    assert np.sort(ours.weight).tolist() == np.sort(theirs.tree_.weighted_n_node_samples).tolist()


def test_text_classes_keep_their_order():
    X, y = data()
    theirs = DecisionTreeClassifier(max_depth=3).fit(X, np.array(["b", "a", "d", "c"])[y])
    ours = from_sklearn(theirs)
    assert theirs.classes_[Hard().predict(ours, X).argmax(axis=1)].tolist() == (
        theirs.predict(X).tolist()
    )


def test_a_split_that_only_tells_missing_values():
    X = np.array([[1.0], [2.0], [3.0], [np.nan], [np.nan], [np.nan]])
    theirs = DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert np.isinf(theirs.tree_.threshold[0])
    rows = np.vstack([X, [[MAX32], [-MAX32]]])
    assert np.array_equal(Hard().predict(from_sklearn(theirs), rows), theirs.predict_proba(rows))


def test_counts_are_normalised_and_fractions_left_alone():
    counts = np.array([[2.0, 6.0], [0.0, 0.0]])
    assert _response(counts, True).tolist() == [[0.25, 0.75], [0.0, 0.0]]
    fractions = np.array([[0.1, 0.9], [1 / 3, 2 / 3]])
    assert _response(fractions, True) is fractions
    assert _response(counts, False) is counts


# -- ensembles ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "theirs",
    [
        RandomForestClassifier(n_estimators=5, random_state=0),
        ExtraTreesClassifier(n_estimators=5, bootstrap=True, random_state=0),
        RandomForestRegressor(n_estimators=5, random_state=0),
        ExtraTreesRegressor(n_estimators=5, random_state=0),
        BaggingClassifier(n_estimators=5, max_features=0.5, max_samples=8, random_state=0),
        BaggingRegressor(n_estimators=5, max_features=0.5, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_forests_answer_the_same(theirs):
    X, y = data()
    trees = from_sklearn(theirs.fit(X, y))
    assert len(trees) == 5
    rows = rows_at_thresholds(trees, X)
    expected = getattr(theirs, "predict_proba", theirs.predict)(rows).reshape(len(rows), -1)
    assert np.allclose(means(trees, rows), expected, rtol=1e-13, atol=1e-13)


# -- what is refused ---------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        GradientBoostingClassifier(n_estimators=2),
        LogisticRegression(),
        BaggingClassifier(LogisticRegression(), n_estimators=2),
        CARTClassifier(),
        3,
    ],
    ids=lambda model: type(model).__name__,
)
def test_other_models_are_refused_by_name(model):
    if hasattr(model, "fit"):
        X = np.arange(8.0)[:, None]
        model.fit(X, [0, 1] * 4)
    with pytest.raises(TypeError, match=r"from_sklearn takes .*(Gradient|Logistic|CART|int)"):
        from_sklearn(model)


def test_several_outputs_are_refused():
    X, y = data()
    with pytest.raises(ValueError, match="predicts 2 outputs"):
        from_sklearn(DecisionTreeRegressor().fit(X, np.column_stack([y, y])))


@pytest.mark.parametrize("model", [DecisionTreeClassifier(), RandomForestRegressor()])
def test_unfitted_models_are_refused(model):
    with pytest.raises(ValueError, match="is not fitted yet"):
        from_sklearn(model)


# -- and back ----------------------------------------------------------------------


@pytest.mark.parametrize("missing", [False, True])
def test_there_and_back(missing):
    X, y = data(missing=missing)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    arrays = to_sklearn_arrays(from_sklearn(theirs))
    inner = arrays.children_left != -1
    for name in ("children_left", "children_right", "feature", "value", "n_node_samples"):
        assert np.array_equal(getattr(arrays, name), getattr(theirs.tree_, name)), name
    assert np.allclose(arrays.impurity, theirs.tree_.impurity, atol=1e-12)
    assert np.allclose(arrays.threshold, np.minimum(theirs.tree_.threshold, MAX32), rtol=1e-6)
    went = theirs.tree_.missing_go_to_left
    assert np.array_equal(arrays.missing_go_to_left[inner], went[inner])
    assert arrays.missing_go_to_left.dtype == went.dtype


def test_our_trees_in_their_arrays_answer_the_same():
    X, y = data()
    tree = CARTClassifier(max_depth=4).fit(X, y).tree_
    arrays = to_sklearn_arrays(tree)
    expected = Hard().predict(tree, X)
    for row, answer in zip(X, expected, strict=True):
        node = 0
        while arrays.children_left[node] != -1:
            left = row[arrays.feature[node]] <= arrays.threshold[node]
            node = (arrays.children_left if left else arrays.children_right)[node]
        assert arrays.value[node, 0].tolist() == answer.tolist()


def test_missing_values_that_spread_go_to_the_heavier_child():
    tree = CARTClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 1]).tree_
    assert to_sklearn_arrays(tree).missing_go_to_left.tolist() == [0, 0, 0]
    tree = CARTClassifier().fit([[1.0], [2.0], [3.0]], [0, 0, 1]).tree_
    assert to_sklearn_arrays(tree).missing_go_to_left.tolist() == [1, 0, 0]


def test_regression_has_no_impurity():
    X, y = data()
    arrays = to_sklearn_arrays(from_sklearn(DecisionTreeRegressor(max_depth=2).fit(X, y)))
    assert np.isnan(arrays.impurity).all()


def test_trees_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="a test that is nominal"):
        to_sklearn_arrays(mixed_model(CARTClassifier)[0].tree_)
    tree = CARTClassifier().fit([[1.0], [2.0]], [0, 1]).tree_
    with pytest.raises(ValueError, match="node 0 is soft"):
        to_sklearn_arrays(tree.replace(below=[0.5, 0.0, 0.0]))


def test_names_are_imported_lazily():
    assert interop.from_sklearn is from_sklearn
    assert "import_model" in dir(interop)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        interop.nothing  # noqa: B018
