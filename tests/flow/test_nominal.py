"""Categories drawn anew, against every draw there is, random draws and the hard tree."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood import C45Classifier, load, save
from softwood.errors import ModelFileError
from softwood.flow import Gaussian, Hard, Sampled
from softwood.persist.kept import Kept
from softwood.persist.readers.v1_values import decode
from softwood.persist.values import encode
from softwood.tree import NOMINAL, NUMERIC
from tests.oracles import spreading
from tests.strategies import WITHOUT_JIT, checked, tree_of, trees_and_rows

N = 500 if WITHOUT_JIT else 100_000
MARGINALS = ((0.5, 0.2, 0.3), (0.1, 0.0, 0.4, 0.25, 0.25), ())
SCALE = np.array([0.5, 0.0, 1.0])
KINDS = (NOMINAL, NOMINAL, NUMERIC)
chances = st.sampled_from([0.05, 0.3, 1.0])


def dense(flow, tree, X):
    return flow.spread(tree, X).toarray()


def fates(code, redraw, shares):
    """Return the categories a nominal value may become, and how likely each is."""
    if not shares or np.isnan(code):
        return [(code, 1.0)]
    return [(code, 1.0 - redraw), *((v, redraw * share) for v, share in enumerate(shares))]


def with_own_columns(tree):
    """Let nominal tests read columns of their own, behind the others."""
    nominal = tree.kind == NOMINAL
    feature = np.where(nominal, tree.feature + tree.n_features, tree.feature)
    return tree.replace(n_features=2 * tree.n_features, feature=feature)


def enumerated(tree, x, scale, redraw, marginals):
    """Sum the boxes of the leaves over all combinations of drawn categories."""
    wide, total = with_own_columns(tree), 0.0
    every = [fates(code, redraw, shares) for code, shares in zip(x, marginals, strict=True)]
    for draw in itertools.product(*every):
        row = np.array([*x, *(code for code, _ in draw)])
        chance = np.prod([part for _, part in draw])
        total = total + chance * spreading.box(wide, row, [*scale, *scale])
    return total


def drawn_at_every_test(tree, x, scale, redraw, marginals):
    """Multiply along each path; every nominal test draws for itself."""
    mass, gate = np.zeros(tree.n_nodes), spreading.gaussian_gate(scale)
    mass[0] = 1.0
    for node in range(tree.n_nodes):
        parts = spreading.parts_of(tree, node, x, gate)
        if tree.kind[node] == NOMINAL:
            feature = tree.feature[node]
            parts = np.zeros(tree.n_children[node])
            for code, chance in fates(x[feature], redraw, marginals[feature]):
                row = x.copy()
                row[feature] = code
                parts += chance * np.array(spreading.parts_of(tree, node, row, gate))
        for child, part in zip(tree.children(node), parts, strict=True):
            mass[child] = mass[node] * part
    return mass[tree.leaves]


@given(trees_and_rows(kinds=KINDS, max_tests=7), chances)
@checked
def test_exact_flow_is_the_sum_over_all_draws(case, redraw):
    tree, X = case
    X = X[:4]
    got = dense(Gaussian(SCALE, True, 0.0, redraw, MARGINALS), tree, X)
    expected = [enumerated(tree, x, SCALE, redraw, MARGINALS) for x in X]
    assert_allclose(got, expected, rtol=0, atol=1e-12)


@given(trees_and_rows(max_tests=7), chances)
@checked
def test_product_flow_draws_at_every_test(case, redraw):
    tree, X = case
    got = dense(Gaussian(SCALE, False, 0.0, redraw, MARGINALS), tree, X)
    expected = [drawn_at_every_test(tree, x, SCALE, redraw, MARGINALS) for x in X]
    assert_allclose(got, expected, rtol=0, atol=1e-12)


def two_tests_of_one_feature():
    """Category 0 or not, then 1 against 2: a subset test and another below it."""
    return tree_of(
        [
            {"kind": NOMINAL, "feature": 0, "sets": [0, 1, 1], "first": 1, "n_children": 2},
            {"kind": NUMERIC, "feature": 1, "first": 3, "n_children": 2},
            {"kind": NOMINAL, "feature": 0, "sets": [-1, 0, 1], "first": 5, "n_children": 2},
            *[{}] * 4,
        ],
        n_features=2,
    )


def test_tests_of_one_feature_share_the_draw():
    shares = ((0.5, 0.3, 0.2), ())
    mass = dense(Gaussian(0.0, redraw=0.4, marginals=shares), two_tests_of_one_feature(), [[1, -1]])
    # Ordered by node: not redrawn or drawn 0; then the draws 1 and 2.
    assert_allclose(mass, [[0.4 * 0.5, 0.0, 0.6 + 0.4 * 0.3, 0.4 * 0.2]], rtol=1e-14)


@pytest.mark.parametrize("redraw", [0.2, 1.0])
def test_random_draws_agree(redraw):
    tree = two_tests_of_one_feature()
    X = [[0, 0.2], [2, -0.1], [99, 0.0], [np.nan, 0.3], [1, np.nan]]
    shares = ((0.5, 0.3, 0.2), ())
    exact = dense(Gaussian(0.3, redraw=redraw, marginals=shares), tree, X)
    drawn = dense(Sampled(0.3, n=N, redraw=redraw, marginals=shares), tree, X)
    assert np.all(np.abs(exact - drawn) < 4 * spreading.standard_error(exact, N))


@given(trees_and_rows(max_tests=7))
@checked
def test_no_redraw_changes_nothing(case):
    tree, X = case
    for exact in (True, False):
        plain = Gaussian(SCALE, exact).predict(tree, X)
        assert_array_equal(
            Gaussian(SCALE, exact, redraw=0.0, marginals=MARGINALS).predict(tree, X), plain
        )
    plain = Sampled(SCALE, n=3).predict(tree, X)
    assert_array_equal(Sampled(SCALE, 3, marginals=MARGINALS).predict(tree, X), plain)
    none = Gaussian(SCALE, redraw=0.5, marginals=[()] * 3)
    assert_array_equal(none.predict(tree, X), Gaussian(SCALE).predict(tree, X))


@given(trees_and_rows(kinds=(NOMINAL,), max_tests=7), st.sampled_from([1e-3, 0.05, 0.3]))
@checked
def test_what_is_dropped_goes_to_the_siblings_and_is_bounded(case, drop):
    tree, X = case
    whole = dense(Gaussian(0.0, True, 0.0, 0.3, MARGINALS), tree, X)
    pruned = dense(Gaussian(0.0, True, drop, 0.3, MARGINALS), tree, X)
    assert_allclose(pruned.sum(axis=1), 1.0, rtol=1e-13)
    assert np.all(np.abs(whole - pruned).sum(axis=1) <= 2 * drop * tree.n_nodes)


def test_a_missing_category_is_not_drawn_anew():
    tree = two_tests_of_one_feature()
    flow = Gaussian(0.0, redraw=1.0, marginals=((1.0, 0.0, 0.0), ()))
    assert_array_equal(dense(flow, tree, [[np.nan, 0.0]]), dense(Hard(), tree, [[np.nan, 0.0]]))


@pytest.mark.parametrize("kind", [Gaussian, Sampled])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"redraw": 1.5, "marginals": MARGINALS}, "redraw must be at least 0 and at most 1"),
        ({"redraw": np.nan, "marginals": MARGINALS}, "redraw must be at least 0"),
        ({"redraw": 0.5}, "redraw 0.5 needs marginals"),
        ({"marginals": ((0.5, 0.4),)}, "sum to 1 for each feature"),
        ({"marginals": ((1.5, -0.5),)}, "for feature 0"),
        ({"marginals": ((np.nan, 1.0),)}, "for feature 0"),
    ],
)
def test_odd_redraws_are_refused(kind, options, message):
    with pytest.raises(ValueError, match=message):
        kind(1.0, **options)


@pytest.mark.parametrize("kind", [Gaussian, Sampled])
def test_marginals_must_fit_the_tree(kind):
    flow = kind(1.0, redraw=0.5, marginals=MARGINALS)
    with pytest.raises(ValueError, match="marginals has 3 entries, but the tree reads 2"):
        flow.predict(two_tests_of_one_feature(), [[0.0, 0.0]])


@pytest.mark.parametrize("kind", [Gaussian, Sampled])
def test_model_files_hold_the_redraw(kind, tmp_path):
    X = np.array([["a"], ["b"], ["a"], ["b"], ["c"], ["c"]], dtype=object)
    model = C45Classifier(min_samples_leaf=1).fit(X, [0, 1, 0, 1, 1, 1])
    model.flow_ = kind([0.0], redraw=0.25, marginals=[np.array([0.5, 0.25, 0.25])])
    save(model, tmp_path / "model.softwood")
    again = load(tmp_path / "model.softwood")
    assert again.flow_ == model.flow_
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("redraw", "half", "redraw of the wrong type"),
        ("redraw", 2.0, "redraw must be"),
        ("marginals", 1.0, "marginals of the wrong type"),
        ("marginals", {"tuple": [{"tuple": [1]}]}, "marginals of the wrong type"),
        ("marginals", {"tuple": [1.0]}, "is wrong"),
        ("marginals", {"tuple": [{"tuple": [0.5]}]}, "sum to 1"),
    ],
)
def test_model_files_with_odd_redraws_are_refused(field, value, message):
    said = encode(Gaussian(1.0, redraw=0.5, marginals=MARGINALS), "the flow", Kept())
    said["flow"]["fields"][field] = value
    with pytest.raises(ModelFileError, match=message):
        decode(said, "the flow", Kept())
