"""The Gaussian flow against boxes, recursion, random draws and itself."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood.flow import Gaussian, Hard
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE, Tree
from tests.oracles import spreading
from tests.strategies import WITHOUT_JIT, checked, tree_of, trees_and_rows

AXIS_PARALLEL = (NUMERIC, NUMERIC, NOMINAL)
N_DRAWS = 20_000 if WITHOUT_JIT else 200_000
scales = st.lists(st.sampled_from([0.0, 0.05, 0.3, 1.0]), min_size=3, max_size=3)


def dense(flow, tree, X):
    return flow.spread(tree, X).toarray()


def stump(threshold=0.0, **test):
    inner = {"kind": NUMERIC, "feature": 0, "threshold": threshold, "first": 1, "n_children": 2}
    return tree_of([inner | test, {}, {}], n_features=2)


def chain(*tests):
    """Return a tree whose tests hang on each other's right side."""
    nodes = []
    for depth, test in enumerate(tests):
        nodes += [{"n_children": 2, "first": 2 * depth + 1, **test}, {}]
    # Siblings are adjacent: (leaf, next test), so swap each leaf before its sibling.
    root, *rest = nodes
    ordered = [root]
    for leaf, inner in zip(rest[::2], [*rest[1::2], {}], strict=True):
        ordered += [leaf, inner]
    return tree_of(ordered, n_features=2)


# -- against oracles ---------------------------------------------------------


@given(trees_and_rows(kinds=AXIS_PARALLEL, max_tests=8), scales)
@checked
def test_exact_flow_equals_boxes(case, scale):
    tree, X = case
    expected = np.array([spreading.box(tree, x, np.array(scale)) for x in X])
    assert_allclose(dense(Gaussian(scale), tree, X), expected, rtol=0, atol=1e-12)


@given(trees_and_rows(kinds=AXIS_PARALLEL, max_tests=8), scales)
@checked
def test_without_drop_small_masses_are_right_too(case, scale):
    tree, X = case
    mass = dense(Gaussian(scale, drop=0.0), tree, X)
    expected = np.array([spreading.box(tree, x, np.array(scale)) for x in X])
    # An interval narrower than its bounds' rounding has no digits; others keep theirs.
    assert_allclose(mass, expected, rtol=1e-9, atol=1e-15)
    assert_allclose(mass.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_a_mass_that_underflows_is_none():
    """The tail of z = 38.5 is 0, which also stood for infinity: both sides got one half."""
    tree = Tree.from_nodes(
        n_features=1,
        first_child=[1, -1, -1],
        n_children=[2, 0, 0],
        kind=[1, 0, 0],
        feature=[0, -1, -1],
        threshold=[0.0, 0.0, 0.0],
        weight=[2.0, 1.0, 1.0],
        response=[[0.0], [1.0], [2.0]],
    )
    for z in np.linspace(37.0, 40.0, 301):
        for exact in (True, False):
            flow = Gaussian(1.0, exact=exact, drop=0.0)
            assert_allclose(dense(flow, tree, np.array([[-z], [z]])), np.eye(2), atol=1e-290)


@given(trees_and_rows(max_tests=8), scales)
@checked
def test_product_flow_equals_recursion(case, scale):
    tree, X = case
    expected = np.array([spreading.product(tree, x, np.array(scale)) for x in X])
    assert_allclose(dense(Gaussian(scale, exact=False), tree, X), expected, rtol=0, atol=1e-12)


def test_exact_flow_agrees_with_random_draws():
    rng = np.random.default_rng(5)
    tree, X = deep_tree(rng, 40), rng.normal(size=(3, 3))
    X[2, 1] = np.nan
    scale = np.array([0.8, 0.7, 0.5])
    product_is_off = 0.0
    for x, mass in zip(X, dense(Gaussian(scale), tree, X), strict=True):
        drawn = spreading.monte_carlo(tree, x, scale, N_DRAWS, rng)
        error = spreading.standard_error(mass, N_DRAWS)
        assert np.all(np.abs(mass - drawn) < 4 * error)
        product = spreading.product(tree, x, scale)
        product_is_off = max(product_is_off, np.max(np.abs(product - drawn) / error))
    assert product_is_off > 20  # so large a sample can tell the two apart


def deep_tree(rng, n_tests, n_features=3):
    nodes, leaves = [{}], [0]
    for _ in range(n_tests):
        node = leaves.pop(rng.integers(len(leaves)))
        test = {"kind": NUMERIC, "feature": int(rng.integers(n_features)), "n_children": 2}
        nodes[node] = test | {"threshold": rng.normal(), "first": len(nodes)}
        leaves += [len(nodes), len(nodes) + 1]
        nodes += [{}, {}]
    for node in nodes:
        node["weight"] = rng.random()
    return tree_of(nodes, n_features)


# -- identities --------------------------------------------------------------


@given(trees_and_rows(max_tests=8))
@checked
def test_scale_zero_is_the_hard_tree_bit_for_bit(case):
    tree, X = case
    for exact in (True, False):
        flow = Gaussian(0.0, exact=exact)
        assert_array_equal(dense(flow, tree, X), dense(Hard(), tree, X))
        assert_array_equal(flow.predict(tree, X), Hard().predict(tree, X))


@given(trees_and_rows(max_tests=8))
@checked
def test_scale_to_zero_is_the_hard_tree_away_from_ties(case):
    tree, X = case
    X = X + 0.01  # off the grid of thresholds; NaN stays NaN
    cut = [k for k in range(tree.n_nodes) if tree.kind[k] in (NUMERIC, OBLIQUE)]

    def is_clear(x):
        distance = [spreading.value_of(tree, k, x) - tree.threshold[k] for k in cut]
        return not np.any(np.abs(distance) < 1e-6)

    X = X[[is_clear(x) for x in X]]
    assume(len(X))
    assert_array_equal(dense(Gaussian(1e-9), tree, X), dense(Hard(), tree, X))


@given(trees_and_rows(kinds=(NUMERIC,), max_tests=8, n_features=4), st.floats(0.01, 2.0))
@checked
def test_product_equals_exact_where_no_feature_repeats(case, scale):
    tree, X = case
    tests = [[int(tree.feature[k]) for k in tree.path(int(leaf))[:-1]] for leaf in tree.leaves]
    assume(all(len(set(path)) == len(path) for path in tests))
    product = dense(Gaussian(scale, exact=False), tree, X)
    assert_allclose(dense(Gaussian(scale), tree, X), product, rtol=0, atol=1e-14)


def test_unreachable_branch_changes_product_but_not_exact():
    """Below x > 1, the test x <= 0 sends nothing left."""
    x = {"kind": NUMERIC, "feature": 0}
    once, twice = chain(x | {"threshold": 1.0}), chain(x | {"threshold": 1.0}, x)
    X = [[0.8, 0.0]]
    exact, product = Gaussian(0.5), Gaussian(0.5, exact=False)
    before, after = dense(exact, once, X)[0], dense(exact, twice, X)[0]
    assert_array_equal(after, [before[0], 0.0, before[1]])
    assert dense(product, twice, X)[0, 1] > 0.01


@given(trees_and_rows(kinds=AXIS_PARALLEL), scales)
@checked
def test_mirror_image(case, scale):
    """Reflecting rows and thresholds swaps the children of every numeric test."""
    tree, X = case
    assume(not set(tree.feature[tree.kind == NOMINAL]) & set(tree.feature[tree.kind == NUMERIC]))
    numeric = [f for f in range(3) if f not in tree.feature[tree.kind == NOMINAL]]
    mirrored = X.copy()
    mirrored[:, numeric] *= -1
    # As an oblique test -x <= -t has the sides of x <= t exchanged, and a negative slope.
    is_numeric = tree.kind == NUMERIC
    reflected = tree.replace(
        kind=np.where(is_numeric, OBLIQUE, tree.kind),
        feature=np.where(is_numeric, -1, tree.feature),
        term_start=np.concatenate([[0], np.cumsum(is_numeric)]),
        term_feature=tree.feature[is_numeric],
        term_weight=-np.ones(is_numeric.sum()),
    )
    for exact in (True, False):
        flow = Gaussian(scale, exact=exact, drop=0.0)
        assert_allclose(
            dense(flow, reflected, mirrored), dense(flow, tree, X), rtol=1e-9, atol=1e-15
        )


def test_both_tails_keep_their_digits():
    """A slice far above the row weighs as much as its mirror image far below."""
    up = chain(
        {"kind": NUMERIC, "feature": 0, "threshold": 6.0},
        {"kind": NUMERIC, "feature": 0, "threshold": 6.5},
    )
    down = chain(
        {"kind": OBLIQUE, "terms": [(0, -1.0)], "threshold": 6.0},
        {"kind": OBLIQUE, "terms": [(0, -1.0)], "threshold": 6.5},
    )
    X, flow = [[0.0, 0.0]], Gaussian(1.0, drop=0.0)
    expected = spreading.between(0.0, 6.0, 6.5, 1.0)
    assert_allclose(dense(flow, up, X)[0, 1], expected, rtol=1e-13)
    assert_allclose(dense(flow, down, X)[0, 1], expected, rtol=1e-13)


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6), st.floats(0.01, 1.0))
@checked
def test_left_mass_falls_as_the_value_grows(values, scale):
    X = np.array([[v, 0.0] for v in sorted(values)])
    left = dense(Gaussian(scale), stump(), X)[:, 0]
    assert np.all(np.diff(left) <= 0)
    assert np.all((left >= 0) & (left <= 1))


# -- dropping ----------------------------------------------------------------


@given(trees_and_rows(max_tests=8), scales, st.booleans(), st.sampled_from([1e-15, 1e-9, 1e-3]))
@checked
def test_dropped_mass_is_bounded_and_kept(case, scale, exact, drop):
    tree, X = case
    whole = dense(Gaussian(scale, exact, drop=0.0), tree, X)
    mass = dense(Gaussian(scale, exact, drop=drop), tree, X)
    assert_allclose(mass.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    # Each inner node moves less than drop from one side to the other.
    n_tests = tree.n_nodes - tree.n_leaves
    assert np.all(np.abs(mass - whole).sum(axis=1) <= 2 * drop * n_tests + 1e-12)


def test_dropped_branch_goes_to_its_sibling():
    X = [[-3.0, 0.0]]
    assert dense(Gaussian(1.0), stump(), X)[0, 1] == pytest.approx(0.00134989803)
    assert_array_equal(dense(Gaussian(1.0, drop=2e-3), stump(), X), [[1.0, 0.0]])
    assert_array_equal(dense(Gaussian(1.0), stump(), [[-9.0, 0.0]]), [[1.0, 0.0]])
    assert dense(Gaussian(1.0, drop=0.0), stump(), [[-9.0, 0.0]])[0, 1] > 1e-20


# -- oblique -----------------------------------------------------------------


def oblique(threshold, *terms):
    return {"kind": OBLIQUE, "terms": list(enumerate(terms)), "threshold": threshold}


# u = x0 + 2 x1 is cut at -0.5, then from above at 0.9, then at 0.2.
COLLINEAR = chain(oblique(-0.5, 1.0, 2.0), oblique(-1.8, -2.0, -4.0), oblique(0.6, 3.0, 6.0))


@pytest.mark.parametrize("scale", [[0.3, 0.3], [0.5, 0.1], [0.0, 0.4]])
def test_collinear_tests_share_their_noise(scale):
    """Slopes (1, 2) times 1, -2 and 3 are tests of one number."""
    sd = float(np.hypot(scale[0], 2 * scale[1]))
    slices = [(-np.inf, -0.5), (0.9, np.inf), (-0.5, 0.2), (0.2, 0.9)]
    for x in np.array([[0.3, 0.1], [0.0, 0.2], [-0.4, 0.0], [1.0, 1.0]]):
        mass = dense(Gaussian(scale), COLLINEAR, x[None])[0]
        expected = [spreading.between(x @ [1.0, 2.0], low, high, sd) for low, high in slices]
        assert_allclose(mass, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scale", [[0.3, 0.3], [0.5, 0.1]])
def test_collinear_tests_agree_with_random_draws(scale):
    rng = np.random.default_rng(2)
    for x in np.array([[0.3, -0.1], [-0.4, 0.2], [0.1, 0.1]]):
        mass = dense(Gaussian(scale), COLLINEAR, x[None])[0]
        drawn = spreading.monte_carlo(COLLINEAR, x, np.array(scale), N_DRAWS, rng)
        assert np.all(np.abs(mass - drawn) < 4 * spreading.standard_error(mass, N_DRAWS))


def test_one_term_is_its_feature():
    """-3 x <= -1.5 and x <= 1 test one feature, whatever their kind."""
    mixed = chain(oblique(-1.5, -3.0), {"kind": NUMERIC, "feature": 0, "threshold": 0.2})
    mass = dense(Gaussian(0.4), mixed, [[0.3, 0.0]])[0]
    between = spreading.between
    expected = [between(0.3, 0.5, np.inf, 0.4), between(0.3, -np.inf, 0.2, 0.4)]
    assert_allclose(mass[:2], expected, rtol=0, atol=1e-14)
    assert mass.sum() == pytest.approx(1.0)


def test_features_without_noise_do_not_turn_a_direction():
    """With no noise on x1, tests of x0 + x1 and of x0 see one noise, also past a missing x1."""
    tree = chain(oblique(0.0, 1.0, 1.0), {"kind": NUMERIC, "feature": 0, "threshold": -1.0})
    flow, between = Gaussian([0.5, 0.0]), spreading.between
    mass = dense(flow, tree, [[0.1, 0.2]])[0]
    assert_allclose(mass, [between(0.3, -np.inf, 0.0, 0.5), 0.0, between(0.3, 0.0, np.inf, 0.5)])
    below = between(0.1, -np.inf, -1.0, 0.5)
    mass = dense(flow, tree, [[0.1, np.nan]])[0]
    assert_allclose(mass, [0.5, 0.5 * below, 0.5 * (1 - below)], rtol=1e-12)


def test_directions_apart_are_independent():
    tree = chain(oblique(0.0, 1.0, 1.0), oblique(0.0, 1.0, -1.0))
    X = [[0.3, 0.1]]
    assert_array_equal(dense(Gaussian(0.5), tree, X), dense(Gaussian(0.5, exact=False), tree, X))


def test_zero_slopes_are_hard():
    tree = chain(oblique(0.0, 0.0, 0.0), oblique(-1.0, 0.0))
    assert_array_equal(dense(Gaussian(0.5), tree, [[1.0, 1.0]]), [[1.0, 0.0, 0.0]])
