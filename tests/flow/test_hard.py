"""What all flows have in common."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import Gaussian, Hard, Ramp, Sampled, leaf_of, sampled
from softwood.flow import spreading as parts
from softwood.tree import NUMERIC
from tests.oracles import spreading
from tests.strategies import checked, tree_of, trees, trees_and_rows

FLOWS = [Hard(), Ramp(), Gaussian(0.5), Gaussian([0.5, 0.0, 1.0], exact=False), Sampled(0.5, n=4)]
flows = st.sampled_from(FLOWS)


@pytest.fixture
def tree():
    """x0 <= 0, then x1 <= 1 on the right; weights 1, 2, 3 at the leaves 1, 3, 4."""
    return tree_of(
        [
            {"kind": NUMERIC, "feature": 0, "first": 1, "n_children": 2, "weight": 6.0},
            {"weight": 1.0, "response": [1.0]},
            {"kind": NUMERIC, "feature": 1, "threshold": 1.0, "first": 3, "n_children": 2}
            | {"weight": 5.0},
            {"weight": 2.0, "response": [10.0]},
            {"weight": 3.0, "response": [100.0]},
        ],
        n_features=2,
    )


@given(trees_and_rows(), flows)
@checked
def test_spread_is_a_distribution_over_leaves(case, flow):
    tree, X = case
    mass = flow.spread(tree, X)
    assert mass.shape == (len(X), tree.n_leaves)
    assert_allclose(mass.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    assert mass.data.min() > 0
    # Canonical: SciPy's own check must agree with the flag that we set.
    again = type(mass)((mass.data, mass.indices, mass.indptr), shape=mass.shape)
    assert again.has_canonical_format
    assert mass.has_canonical_format


@given(trees_and_rows(), flows)
@checked
def test_predict_is_mass_times_response(case, flow):
    tree, X = case
    mass = flow.spread(tree, X).toarray()
    assert_allclose(flow.predict(tree, X), mass @ tree.response[tree.leaves], atol=1e-12)
    other = np.arange(3.0 * tree.n_nodes).reshape(tree.n_nodes, 3)
    assert_allclose(flow.predict(tree, X, other), mass @ other[tree.leaves], atol=1e-10)


@given(trees_and_rows(), flows)
@checked
def test_reach_sums_the_leaves_below(case, flow):
    tree, X = case
    mass, reach = flow.spread(tree, X).toarray(), flow.reach(tree, X)
    assert reach.shape == (len(X), tree.n_nodes)
    assert reach.has_sorted_indices
    expected = np.zeros(reach.shape)
    expected[:, tree.leaves] = mass
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after parents
        expected[:, tree.parent[node]] += expected[:, node]
    assert_allclose(reach.toarray(), expected, rtol=0, atol=1e-12)


@given(trees_and_rows())
@checked
def test_hard_flow_equals_recursion(case):
    tree, X = case
    expected = np.array([spreading.hard(tree, x) for x in X])
    assert_allclose(Hard().spread(tree, X).toarray(), expected, rtol=1e-14, atol=0)


@given(trees_and_rows())
@checked
def test_leaf_of_is_the_leaf_of_most_mass(case):
    tree, X = case
    leaf, mass = leaf_of(tree, X), Hard().spread(tree, X).toarray()
    assert leaf.dtype == np.int32
    assert_array_equal(leaf, tree.leaves[mass.argmax(axis=1)])  # argmax: the first of equals


@given(trees_and_rows(), st.sampled_from([f for f in FLOWS if not isinstance(f, Sampled)]))
@checked
def test_no_flow_forgets_a_row_that_is_wholly_missing(case, flow):
    tree, X = case
    X = np.full_like(X, np.nan)
    assert_allclose(flow.spread(tree, X).toarray(), Hard().spread(tree, X).toarray(), rtol=1e-13)


@given(trees_and_rows(), flows, st.randoms(use_true_random=False))
@checked
def test_rows_do_not_see_each_other(case, flow, random):
    tree, X = case
    order = list(range(len(X)))
    random.shuffle(order)
    assert_array_equal(flow.predict(tree, X)[order], flow.predict(tree, X[order]))
    assert_array_equal(flow.spread(tree, X).toarray()[order], flow.spread(tree, X[order]).toarray())


@given(trees_and_rows(), flows, st.integers(1, 5))
@checked
def test_blocks_leave_no_seam(case, flow, size):
    tree, X = case
    whole, predicted = flow.spread(tree, X), flow.predict(tree, X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "BLOCK_ROWS", size)
        patch.setattr(sampled, "COPIED_VALUES", size * 12)  # 4 copies of 3 features
        patch.setattr(parts, "LEAVES_PER_ROW", size - 1)  # 0: starts without any room
        assert_array_equal(flow.spread(tree, X).toarray(), whole.toarray())
        assert_array_equal(flow.predict(tree, X), predicted)


def test_threads_do_not_meet(tree):
    X = np.random.default_rng(0).normal(size=(64, 2))
    for flow in (Hard(), Gaussian(0.5)):
        alone = flow.predict(tree, X)
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda _, f=flow: f.predict(tree, X), range(16)))
        for predicted in together:
            assert_array_equal(predicted, alone)


@given(trees(), flows)
@checked
def test_no_rows_are_no_problem(tree, flow):
    X = np.empty((0, tree.n_features))
    assert flow.spread(tree, X).shape == (0, tree.n_leaves)
    assert flow.reach(tree, X).shape == (0, tree.n_nodes)
    assert flow.predict(tree, X).shape == (0, tree.n_outputs)
    assert leaf_of(tree, X).shape == (0,)


@pytest.mark.parametrize("flow", FLOWS[:3])
def test_a_lone_leaf_gets_everything(flow):
    tree = tree_of([{"response": [7.0]}], n_features=0)
    X = np.empty((3, 0))
    assert_array_equal(flow.spread(tree, X).toarray(), [[1.0]] * 3)
    assert_array_equal(flow.predict(tree, X), [[7.0]] * 3)


def test_worked_example(tree):
    nan = np.nan
    X = [[0.0, 5.0], [0.1, 1.0], [0.1, 1.1], [nan, 0.0], [1.0, nan], [nan, nan]]
    expected = [1.0, 10.0, 100.0, 1 / 6 + 50 / 6, 64.0, (1 + 20 + 300) / 6]
    assert_allclose(Hard().predict(tree, X)[:, 0], expected)
    assert_array_equal(leaf_of(tree, X), [1, 3, 4, 3, 4, 4])


@pytest.mark.parametrize("flow", [Hard(), Ramp(), Gaussian(0.0), Gaussian(1.0), Sampled(1.0, n=3)])
def test_infinite_values_have_a_side(tree, flow):
    predicted = flow.predict(tree, [[-np.inf, 0.0], [np.inf, -np.inf], [np.inf, np.inf]])
    assert_array_equal(predicted[:, 0], [1.0, 10.0, 100.0])


@pytest.mark.parametrize("flow", FLOWS)
def test_flow_does_not_touch_its_input(flow):
    tree = tree_of([{}], n_features=3)
    for X in (np.zeros((4, 3)), np.zeros((4, 3), order="F"), np.zeros((4, 3), np.float32)):
        flow.predict(tree, X)
        assert X.flags.writeable
    frozen = np.zeros((4, 3))
    frozen.flags.writeable = False
    flow.predict(tree, frozen)


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("flow", [Hard(), Gaussian(0.5)])
def test_layout_and_dtype_do_not_matter(tree, flow, dtype, layout):
    X = np.array([[0, 5], [1, 1], [2, 7], [-1, 0]])
    assert_array_equal(
        flow.predict(tree, np.asarray(X, dtype=dtype, order=layout)), flow.predict(tree, X * 1.0)
    )


# -- mistakes ----------------------------------------------------------------


@pytest.mark.parametrize("flow", [Hard(), Ramp(), Gaussian(1.0), Sampled(1.0)])
@pytest.mark.parametrize("method", ["spread", "predict", "reach"])
def test_wrong_number_of_columns(tree, flow, method):
    with pytest.raises(ValueError, match="X has 3 columns, but the tree reads 2"):
        getattr(flow, method)(tree, np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"X must be 2-D, rows by features; got shape \(2,\)"):
        getattr(flow, method)(tree, np.zeros(2))


def test_leaf_of_checks_columns(tree):
    with pytest.raises(ValueError, match="X has 1 columns, but the tree reads 2"):
        leaf_of(tree, np.zeros((4, 1)))


@pytest.mark.parametrize("flow", [Hard(), Ramp(), Sampled(1.0)])
def test_response_needs_a_row_for_each_node(tree, flow):
    with pytest.raises(ValueError, match=r"response must have one row for each of the 5 nodes"):
        flow.predict(tree, np.zeros((1, 2)), np.zeros((3, 1)))


@pytest.mark.parametrize("kind", [Gaussian, Sampled])
def test_scale_is_checked(tree, kind):
    for bad in (-1.0, np.inf, np.nan, [1.0, -0.5]):
        with pytest.raises(ValueError, match="scale must be finite and not negative"):
            kind(bad)
    with pytest.raises(ValueError, match="scale must be a number or one for each feature"):
        kind([[1.0]])
    with pytest.raises(ValueError, match="scale has 3 entries, but the tree reads 2 features"):
        kind([1.0, 1.0, 1.0]).predict(tree, np.zeros((1, 2)))


@pytest.mark.parametrize("drop", [-1e-9, 0.5, np.nan])
@pytest.mark.parametrize("make", [lambda d: Ramp(drop=d), lambda d: Gaussian(1.0, drop=d)])
def test_drop_is_checked(make, drop):
    with pytest.raises(ValueError, match=r"drop must be at least 0 and less than 0\.5"):
        make(drop)


def test_sampled_parameters_are_checked():
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        Sampled(1.0, n=0)
    with pytest.raises(ValueError, match="n must be at most 100000; got 1000000000"):
        Sampled(1.0, n=10**9)
    with pytest.raises(ValueError, match="random_state must not be negative; got -1"):
        Sampled(1.0, random_state=-1)
    with pytest.raises(TypeError):
        Sampled(1.0, n=2.5)


# -- values ------------------------------------------------------------------


def test_flows_are_values():
    assert Gaussian(np.array([1, 2])) == Gaussian((1.0, 2.0))
    assert Gaussian(1) == Gaussian(np.float32(1.0))
    assert Gaussian(1.0) != Gaussian(1.0, exact=False)
    assert len({Hard(), Hard(), Ramp(), Gaussian([1.0]), Gaussian([1.0])}) == 3
    wanted = "Gaussian(scale=(1.0, 2.0), exact=True, drop=1e-15, redraw=0.0, marginals=())"
    assert repr(Gaussian([1, 2])) == wanted
    for flow in FLOWS:
        assert pickle.loads(pickle.dumps(flow)) == flow
    with pytest.raises(AttributeError):
        Gaussian(1.0).scale = 2.0


def test_importing_flows_does_not_import_numba_or_scipy():
    code = (
        "import sys; from softwood.flow import Gaussian; Gaussian(1.0); "
        "assert not {'numba', 'scipy', 'sklearn'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
