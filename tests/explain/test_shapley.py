"""SHAP values against the definition, against closed forms, and against the package shap."""

import warnings
from dataclasses import replace
from itertools import product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, CARTClassifier, CARTRegressor, explain
from softwood.errors import SoftwoodError
from softwood.explain import ShapValues, shap_values, shapley
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.forest import Forest
from softwood.interop import from_sklearn
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.persist.models import TinyForest, mixed_model
from tests.strategies import WITHOUT_JIT, checked, rows_for, tree_of, trees

AXIS_PARALLEL = (NUMERIC, NUMERIC, NOMINAL)
N_FEATURES = 4

# The shares of three categories that were rounded do not quite sum to one.
SHARES = [(), (1.0,), (0.3333333,) * 3, (0.5, 0.0, 0.25, 0.125, 0.125)]


def each(values):
    return st.lists(st.sampled_from(values), min_size=N_FEATURES, max_size=N_FEATURES)


flows = st.one_of(
    st.just(Hard()),
    st.builds(Ramp, shape=st.sampled_from(["linear", "logistic", "normal"])),
    st.builds(
        Gaussian,
        scale=each([0.0, 0.05, 0.3, 1.0]),
        exact=st.booleans(),
        drop=st.sampled_from([0.0, 1e-15, 1e-3]),
        redraw=st.sampled_from([0.0, 0.2, 1.0]),
        marginals=each(SHARES),
    ),
)


@st.composite
def cases(draw):
    """Draw a tree, rows, background rows and a flow."""
    tree = draw(trees(kinds=AXIS_PARALLEL, max_tests=8, n_features=N_FEATURES))
    X, background = (draw(rows_for(tree, max_rows=3)) for _ in range(2))
    return tree, X, background, draw(flows)


def by_definition(tree, X, background, flow):
    """Weigh the gain of each feature over all subsets of the others."""
    n = tree.n_features
    subsets = np.array(list(product([False, True], repeat=n)))
    found = np.zeros((len(X), n, tree.n_outputs))
    for x, z in product(range(len(X)), range(len(background))):
        answers = flow.predict(tree, np.where(subsets, X[x], background[z]))
        for with_j, before in zip(subsets, answers, strict=True):
            size = int(with_j.sum())
            for j in np.flatnonzero(~with_j):
                after = answers[int("".join(map(str, (with_j | (np.arange(n) == j)) * 1)), 2)]
                weight = factorial(size) * factorial(n - size - 1) / factorial(n)
                found[x, j] += weight * (after - before) / len(background)
    return found


def chain(n_features, thresholds=0.0):
    """Return a tree that answers 1 if all features are above their thresholds, and else 0."""
    nodes = [{}]
    for feature, cut in enumerate(np.broadcast_to(thresholds, n_features)):
        test = {"kind": NUMERIC, "feature": feature, "threshold": float(cut), "n_children": 2}
        nodes[-1] = test | {"first": len(nodes)}
        nodes += [{"response": [0.0]}, {}]
    nodes[-1] = {"response": [1.0]}
    return tree_of([{"response": [0.0], **node} for node in nodes], n_features)


# -- against oracles ---------------------------------------------------------------


@given(cases())
@checked
def test_values_are_the_mean_gains_over_all_subsets(case):
    tree, X, background, flow = case
    found = shap_values(tree, X, background, flow=flow)
    exact = flow if isinstance(flow, Hard) else replace(flow, drop=min(flow.drop, 1e-15))
    assert_allclose(found.values, by_definition(tree, X, background, exact), rtol=0, atol=1e-13)


@pytest.mark.parametrize(("mine", "theirs"), [(1, 0), (0, 1), (3, 2), (8, 9), (25, 0), (20, 20)])
def test_a_conjunction_has_a_closed_form(mine, theirs):
    """The row has ``mine`` of the conditions to itself, the background row ``theirs``."""
    n = mine + theirs
    x = np.where(np.arange(n) < mine, 1.0, -1.0)
    found = shap_values(chain(n), [x], [-x]).values[0]
    # Of none there is no factorial; nor does anything get that share.
    own = factorial(max(mine - 1, 0)) * factorial(theirs) / factorial(n)
    other = -factorial(mine) * factorial(max(theirs - 1, 0)) / factorial(n)
    assert_allclose(found, np.repeat([own, other], [mine, theirs]), rtol=1e-11)


def test_far_out_noise_moves_nothing():
    """A tail that underflows must not be taken for the other end of the line."""
    tree = chain(2, [0.0, 5.0])
    X, background = [[1e6, 1e6], [-1e6, 1e6]], [[-1e6, -1e6]]
    for exact in (True, False):
        found = shap_values(tree, X, background, flow=Gaussian(0.01, exact=exact, drop=0.0))
        assert_allclose(found.values, [[0.5, 0.5], [0.0, 0.0]], rtol=0, atol=1e-15)


def shap_package():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("shap", exc_type=ImportError)


@pytest.mark.skipif(WITHOUT_JIT, reason="the package shap compiles kernels, too")
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_hard_trees_agree_with_the_package_shap(load):
    shap = shap_package()
    X, y = load(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    peer = DecisionTreeClassifier(random_state=0).fit(X, y)
    rows, background = X[::5], X[3::8]
    explainer = shap.TreeExplainer(peer, background, feature_perturbation="interventional")
    found = shap_values(from_sklearn(peer), rows, background)
    assert_allclose(found.values, explainer.shap_values(rows), rtol=0, atol=1e-7)
    assert_allclose(found.expected_value, explainer.expected_value, rtol=0, atol=1e-7)


@pytest.mark.skipif(WITHOUT_JIT, reason="the package shap compiles kernels, too")
def test_the_parts_make_an_explanation_of_the_package_shap():
    shap = shap_package()
    X, y = load_wine(return_X_y=True, as_frame=True)
    found = shap_values(CARTClassifier(max_depth=3).fit(X, y), X[:7], X[::20])
    made = shap.Explanation(
        found.values, found.base_values, found.data, feature_names=found.feature_names
    )
    first = made[2, :, 1]
    assert first.values.shape == (13,)
    assert first.base_values == found.expected_value[1]
    assert_array_equal(first.data, X.iloc[2])


# -- the axioms --------------------------------------------------------------------


@given(cases())
@checked
def test_values_add_up_to_the_prediction(case):
    tree, X, background, flow = case
    found = shap_values(tree, X, background, flow=flow)
    allowed = 1e-10 + 20 * getattr(flow, "drop", 0.0)
    total = found.values.sum(axis=1) + found.expected_value
    assert_allclose(total, flow.predict(tree, X), rtol=0, atol=allowed)
    mean = flow.predict(tree, background).mean(axis=0)
    assert_allclose(found.expected_value, mean, rtol=0, atol=allowed)


@given(cases(), st.permutations(range(N_FEATURES)))
@checked
def test_values_follow_the_names_of_features(case, order):
    tree, X, background, _ = case
    order = np.array(order)
    moved = tree.replace(feature=np.where(tree.is_leaf, -1, np.argsort(order)[tree.feature]))
    for flow in Ramp(), Gaussian(0.3):
        expected = shap_values(tree, X, background, flow=flow).values[:, order]
        found = shap_values(moved, X[:, order], background[:, order], flow=flow).values
        assert_allclose(found, expected, rtol=0, atol=1e-15)


@given(cases(), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
@checked
def test_values_are_linear_in_the_responses(case, slope, shift):
    tree, X, background, flow = case
    before = shap_values(tree, X, background, flow=flow).values
    line = tree.replace(response=slope * tree.response + shift)
    after = shap_values(line, X, background, flow=flow).values
    assert_allclose(after, slope * before, rtol=0, atol=1e-13)
    only = shap_values(tree.replace(response=tree.response[:, :1]), X, background, flow=flow)
    assert_array_equal(only.values, before[:, :, 0])


@given(cases())
@checked
def test_what_makes_no_difference_gets_nothing(case):
    tree, X, background, flow = case
    found = shap_values(tree, X, background, flow=flow).values
    assert not found[:, np.setdiff1d(np.arange(N_FEATURES), tree.feature)].any()
    assert not shap_values(tree, X[:1], X[:1], flow=flow).values.any()


@given(cases())
@checked
def test_the_background_is_averaged(case):
    tree, X, background, flow = case
    one_by_one = [shap_values(tree, X, [z], flow=flow).values for z in background]
    found = shap_values(tree, X, background, flow=flow)
    assert_allclose(found.values, np.mean(one_by_one, axis=0), rtol=0, atol=1e-14)


def test_equal_parts_get_equal_shares():
    """Exclusive or treats its features alike, whatever the flow."""
    test = {"kind": NUMERIC, "threshold": 0.2, "below": 0.5, "above": 0.7, "n_children": 2}
    inner = [{"feature": f, "first": first, **test} for f, first in ((0, 1), (1, 3), (1, 5))]
    nodes = inner + [{"response": [answer]} for answer in (0.0, 1.0, 1.0, 0.0)]
    tree = tree_of([{"response": [0.5], **node} for node in nodes], n_features=2)
    for flow in Hard(), Ramp(), Ramp(shape="normal"), Gaussian(0.4), Gaussian(0.4, exact=False):
        found = shap_values(tree, [[0.3, 0.3], [-1.0, -1.0]], [[-0.1, -0.1]], flow=flow).values
        assert_allclose(found[:, 0], found[:, 1], rtol=0, atol=1e-15)


# -- models ------------------------------------------------------------------------


def test_blocks_of_rows_make_no_difference(monkeypatch):
    X, y = load_wine(return_X_y=True)
    model = CARTClassifier().fit(X, y)
    at_once = shap_values(model, X[:11], X[::30])
    monkeypatch.setattr(shapley, "LEAST_ROWS", 4)
    monkeypatch.setattr(shapley, "PAIRS_AT_ONCE", 1)
    assert_array_equal(shap_values(model, X[:11], X[::30]), at_once)


@pytest.mark.parametrize("kind", [C45Classifier, CARTClassifier, CARTRegressor])
def test_tables_with_names_categories_and_gaps(kind):
    model, table = mixed_model(kind)
    found = shap_values(model, table, table)
    predict = model.predict if kind is CARTRegressor else model.predict_proba
    total = found.values.sum(axis=1) + found.expected_value
    assert_allclose(total, predict(table), rtol=0, atol=1e-12)
    assert_allclose(found.expected_value, predict(table).mean(axis=0))
    assert found.feature_names == tuple(table.names)
    assert_array_equal(found.base_values, np.full_like(predict(table), found.expected_value))
    if kind is CARTRegressor:
        assert found.values.shape == (len(table), 3)
        assert found.output_names is None
        assert isinstance(found.expected_value, float)
    else:
        assert found.values.shape == (len(table), 3, len(model.classes_))
        assert found.output_names == tuple(model.classes_)


def test_the_model_s_own_flow_and_responses_are_explained():
    X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0] * 4, "b": list("ppqq") * 4})
    model = C45Classifier(laplace=True, min_samples_leaf=1).fit(X, list("xyyx") * 4)
    model.flow_ = Gaussian([0.4, 0.0])
    found = shap_values(model, X, X[:5])
    total = found.values.sum(axis=1) + found.expected_value
    assert_allclose(total, model.predict_proba(X), rtol=0, atol=1e-12)
    hard = shap_values(model, X, X[:5], flow=Hard())
    assert np.abs(hard.values - found.values).max() > 0.01


@given(cases(), st.booleans())
@checked
def test_a_forest_is_the_sum_of_its_trees(case, is_mean):
    tree, X, background, flow = case
    first = tree.replace(response=tree.response[:, :1])
    forest = Forest((tree, first), [-1, 1], [0.5, 2.0], [0.25, -1.0], "softmax", 3.0, is_mean)
    found = shap_values(forest, X, background, flow=[flow, Hard()])
    expected = 0.5 * shap_values(tree, X, background, flow=flow).values
    expected[:, :, 1] += 2.0 * shap_values(first, X, background).values
    if is_mean:  # of one tree for the first output, of both for the second
        expected /= [0.5, 2.5]
    assert_allclose(found.values, expected, rtol=0, atol=1e-13)
    mean = forest.raw(background, [flow, Hard()]).mean(axis=0)
    assert_allclose(found.expected_value, mean, rtol=0, atol=0.02)  # the flow may drop some
    assert found.output_names == ("0", "1")


def test_one_class_keeps_its_axis_and_a_root_alone_explains_nothing():
    found = shap_values(CARTClassifier().fit([[0.0], [1.0]], ["a", "a"]), [[0.3]], [[1.0]])
    assert_array_equal(found.values, np.zeros((1, 1, 1)))
    assert_array_equal(found.expected_value, [1.0])


def test_no_rows_have_no_values():
    found = shap_values(chain(3), np.empty((0, 3)), np.zeros((2, 3)))
    assert found.values.shape == (0, 3)
    assert found.base_values.shape == (0,)


def test_the_result_is_an_array_when_needed():
    found = shap_values(chain(2), [[1.0, -1.0]], [[0.0, 0.0]])
    assert repr(found) == "ShapValues(shape=(1, 2))"
    assert len(found) == 1
    assert np.asarray(found) is found.values
    assert np.array(found, dtype=np.float32).dtype == np.float32
    assert found.feature_names == ("x0", "x1")
    assert explain.ShapValues is ShapValues
    assert "shap_values" in dir(explain)


# -- refusals ----------------------------------------------------------------------


def test_other_models_are_refused():
    with pytest.raises(ValueError, match="this CARTClassifier is not fitted yet; call fit first"):
        shap_values(CARTClassifier(), [[1.0]], [[1.0]])
    with pytest.raises(TypeError, match="a Tree or a Forest; got DecisionTreeClassifier"):
        shap_values(DecisionTreeClassifier(), [[1.0]], [[1.0]])
    forest = TinyForest().fit(np.arange(4.0)[:, None], [0, 0, 1, 1])
    with pytest.raises(TypeError, match=r"has 3 trees; explain one of them, model\.trees_\[0\]"):
        shap_values(forest, [[1.0]], [[1.0]])


def test_oblique_tests_are_refused():
    test = {"kind": OBLIQUE, "terms": [(0, 1.0), (1, 2.0)], "n_children": 2, "first": 1}
    with pytest.raises(ValueError, match=r"oblique tests \(the first is node 0\)"):
        shap_values(tree_of([test, {}, {}], n_features=2), [[0.0, 0.0]], [[0.0, 0.0]])


def test_sampled_flows_are_refused():
    with pytest.raises(TypeError, match="flow must be Hard, Ramp or Gaussian; got Sampled"):
        shap_values(chain(1), [[0.0]], [[0.0]], flow=Sampled(0.1))


def test_a_flow_too_few_is_refused():
    with pytest.raises(ValueError, match="flow must be one flow or 2, one per tree; got 1"):
        shap_values(Forest.average([chain(1)] * 2), [[0.0]], [[0.0]], flow=[Hard()])


def test_odd_tables_are_refused():
    tree, model = chain(2), CARTRegressor().fit([[0.0, 0.0], [1.0, 1.0]], [0.0, 1.0])
    good, wide, none = np.zeros((1, 2)), np.zeros((1, 3)), np.zeros((0, 2))
    with pytest.raises(ValueError, match=r"^X: X has 3 columns, but the tree reads 2"):
        shap_values(tree, wide, good)
    with pytest.raises(ValueError, match=r"^background: X has 3 columns"):
        shap_values(tree, good, wide)
    with pytest.raises(ValueError, match=r"^background: X has 3 features"):
        shap_values(model, good, wide)
    with pytest.raises(ValueError, match=r"background must have at least one row; got .*\(0, 2\)"):
        shap_values(tree, good, none)
    with pytest.raises(ValueError, match=r"^background: Found array with 0 sample\(s\)"):
        shap_values(model, good, none)


def test_values_that_do_not_add_up_are_refused(monkeypatch):
    monkeypatch.setattr(shapley, "_values_of", lambda *_: np.full((1, 2, 1), 0.25))
    with pytest.raises(SoftwoodError, match=r"values of row 0 miss its prediction by 0\.5"):
        shap_values(chain(2), np.zeros((1, 2)), np.zeros((1, 2)))
    found = shap_values(chain(2), np.zeros((1, 2)), np.zeros((1, 2)), check_additivity=False)
    assert_array_equal(found.values, [[0.25, 0.25]])
