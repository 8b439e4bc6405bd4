"""Soft thresholds by confidence, against C5.0 2.07's own trees and C4.5's rule written out."""

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.grow.greedy import C45, Cart, GreedyGrower
from softwood.refine.confidence import RULES, KnownRows, SoftenByConfidence, c45_zone, c50_zone
from softwood.tree import NUMERIC
from tests.golden import C50_SETS, read_c50, read_j48
from tests.oracles import c50, confidence
from tests.strategies import tree_of

RUNS = [(name, run) for name in C50_SETS for run in (0, 2)]  # CF 0.25 and 0.10


@functools.cache
def of_c50(name, run):
    """C5.0's crisp tree, its soft one's zones and probabilities, and the data it saw."""
    record, golden = read_c50(name), read_j48(name)
    X = c50.single(golden.X)
    rows = record["train_rows"]
    data = TrainingSet.of_classes(X[rows], golden.label[rows], n_classes=len(golden.classes))
    crisp, soft = record["runs"][run], record["runs"][run + 1]
    tree, _ = c50.parse_tree(crisp["tree"], golden.features)
    _, zones = c50.parse_tree(soft["tree"], golden.features)
    return tree, data, zones, X[record["test_rows"]], np.array(soft["test_probabilities"])


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_low_mid_and_high_are_those_that_c50_prints(name, run):
    tree, data, zones, _, _ = of_c50(name, run)
    soft = SoftenByConfidence("c50").refine(tree, data)
    for node in np.flatnonzero(tree.kind == NUMERIC):
        middle = soft.threshold[node]
        ours = middle - soft.below[node], middle, middle + soft.above[node]
        np.testing.assert_allclose(ours, zones[node], rtol=1e-6)  # seven digits are printed


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_probabilities_are_those_of_c50s_predictor(name, run):
    tree, data, _, X, theirs = of_c50(name, run)
    soft = SoftenByConfidence("c50-cut").refine(tree, data)
    np.testing.assert_allclose(c50.probabilities(soft, X), theirs, atol=1e-6)


@pytest.mark.parametrize("name", ["bupa", "magic", "wisconsin"])
def test_the_two_middles_of_c50_share_their_ends(name):
    tree, data, *_ = of_c50(name, 0)
    one, other = (SoftenByConfidence(rule).refine(tree, data) for rule in ("c50", "c50-cut"))
    np.testing.assert_allclose(one.threshold - one.below, other.threshold - other.below)
    np.testing.assert_allclose(one.threshold + one.above, other.threshold + other.above)
    assert (one.threshold != other.threshold).any()


numbers = st.integers(0, 8).map(float)


@st.composite
def known_rows(draw):
    """Rows of a node on few values, and a cut with rows on both sides."""
    n = draw(st.integers(2, 25))
    value = np.sort(draw(st.lists(numbers, min_size=n, max_size=n)))
    value[-1] += 1.0
    flags = st.lists(st.sampled_from([0.0, 1.0]), min_size=n, max_size=n)
    weight = np.array(draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n, max_size=n)))
    known = KnownRows(value, weight, np.array(draw(flags)), np.array(draw(flags)))
    return known, draw(st.sampled_from(value[value < value[-1]])) + draw(st.sampled_from([0, 0.25]))


@given(known_rows(), st.floats(0.0, 3.0))
def test_c50s_walk_step_by_step(case, errors):
    known, cut = case
    assert c50_zone(known, cut, errors) == confidence.c50_zone(*known, cut, errors)


@given(known_rows())
def test_c45s_scan_step_by_step(case):
    known, cut = case
    low, high = confidence.c45_bounds(*known, cut)
    zone = c45_zone(known, cut, 0.0)
    assert zone.low == pytest.approx(low)
    assert zone.high == pytest.approx(high)
    assert zone.middle == pytest.approx(cut)


def test_c45_takes_the_last_crossing_above_the_cut_and_the_first_below():
    worse, better = (1.0, 0.0), (0.0, 1.0)  # (left errs, right errs) of rows above the cut
    above = [worse] * 5 + [better] * 5 + [worse] * 5
    sides = np.array([side[::-1] for side in above[::-1]] + above)
    known = KnownRows(np.arange(-15.0, 15.0), np.ones(30), *sides.T)
    low, high = confidence.c45_bounds(*known, -0.5)
    assert low < -11.0
    assert high > 10.0
    assert c45_zone(known, -0.5, 0.0) == pytest.approx((low, -0.5, high))


def noisy(seed, missing=False, n=80):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 30, (n, 2)), rng.integers(0, 3, n)]).astype(float)
    label = (X[:, 0] > 15).astype(int) + (rng.uniform(size=n) < 0.3)
    if missing:
        X[rng.uniform(size=X.shape) < 0.1] = np.nan
    n_categories = np.array([0, 0, 3], dtype=np.int32)
    return TrainingSet.of_classes(X, label, n_classes=3, n_categories=n_categories)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("missing", [False, True])
@given(seed=st.integers(0, 999))
def test_rows_outside_the_zone_and_the_leaves_are_left_alone(rule, missing, seed):
    data = noisy(seed, missing)
    tree = GreedyGrower(C45()).grow(data)
    soft = SoftenByConfidence(rule).refine(tree, data)
    assert np.array_equal(soft.response, tree.response)
    numeric = tree.kind == NUMERIC
    assert not soft.below[~numeric].any()
    assert not soft.above[~numeric].any()
    hard = soft.replace(below=tree.below, above=tree.above)
    moved = Hard().predict(hard, data.X)
    np.testing.assert_array_equal(moved, Hard().predict(tree, data.X))
    inside = np.zeros(data.n_rows, dtype=bool)
    for node in np.flatnonzero(numeric):
        over = data.X[:, tree.feature[node]] - soft.threshold[node]
        inside |= (over > -soft.below[node]) & ((over < soft.above[node]) | (over == 0.0))
    ramp = Ramp().predict(soft, data.X)
    np.testing.assert_allclose(ramp[~inside], moved[~inside], atol=1e-12)


def test_a_row_of_weight_two_counts_as_two_rows():
    data = noisy(5)
    twice = TrainingSet.of_classes(
        data.X, data.label, n_classes=3, weight=np.full(80, 2.0), n_categories=data.n_categories
    )
    doubled = data.take(np.repeat(np.arange(80), 2))
    tree = GreedyGrower(C45()).grow(twice)
    for rule in RULES:
        assert SoftenByConfidence(rule).refine(tree, twice) == SoftenByConfidence(rule).refine(
            tree, doubled
        )


def test_a_row_with_a_missing_value_counts_in_part_for_c50_and_not_at_all_for_c45():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 2, 60), rng.integers(0, 20, 60)]).astype(float)
    label = (X[:, 1] > 10) ^ (rng.uniform(size=60) < 0.2)
    lacking = rng.uniform(size=60) < 0.4
    X[lacking, 0] = np.nan
    test = {"n_children": 2, "kind": NUMERIC}
    tree = tree_of(
        [
            {**test, "first": 1, "feature": 0, "threshold": 0.5, "response": [0.5, 0.5]},
            {**test, "first": 3, "feature": 1, "threshold": 10.5, "response": [0.5, 0.5]},
            {"response": [0.6, 0.4], "weight": 10.0},
            {"response": [0.9, 0.1], "weight": 15.0},
            {"response": [0.1, 0.9], "weight": 15.0},
        ],
        2,
    )
    tree = tree.replace(weight=[40.0, 30.0, 10.0, 15.0, 15.0])
    holes = TrainingSet.of_classes(X, label)
    filled = np.where(np.isnan(X), 0.0, X)
    in_part = TrainingSet.of_classes(filled, label, weight=np.where(lacking, 0.75, 1.0))

    def zone(rule, data):
        soft = SoftenByConfidence(rule).refine(tree, data)
        return soft.threshold[1], soft.below[1], soft.above[1]

    whole = TrainingSet.of_classes(filled, label)
    assert zone("c50", holes) == zone("c50", in_part) != zone("c50", whole)
    known = TrainingSet.of_classes(X[~lacking], label[~lacking])
    assert zone("c45", holes) == zone("c45", known) != zone("c45", whole)


def test_a_side_without_rows_and_a_single_leaf_stay_hard():
    data = TrainingSet.of_classes(np.array([[1.0], [2.0], [3.0]]), [0, 1, 0])
    stump = GreedyGrower(Cart(max_depth=1)).grow(data)
    for cut in (0.5, 3.0, 99.0):
        moved = stump.replace(threshold=np.array([cut, 0.0, 0.0]))
        soft = SoftenByConfidence().refine(moved, data)
        assert soft.below[0] == soft.above[0] == 0.0
        X = [[np.nextafter(cut, -9.0)], [cut], [cut + 1e-9]]  # a row on the cut is not halved
        np.testing.assert_array_equal(Ramp().predict(soft, X), Hard().predict(moved, X))
    leaf = stump.compact(leaves=np.array([True, True, True]))
    assert SoftenByConfidence().refine(leaf, data) == leaf


def test_complaints_say_what_would_do():
    with pytest.raises(ValueError, match="rule must be one of c50, c50-cut, c45; got 'c60'"):
        SoftenByConfidence("c60")
    tree = GreedyGrower(C45()).grow(noisy(0))
    data = TrainingSet.of_target(np.zeros((2, 3)), [1.0, 2.0])
    with pytest.raises(ValueError, match="needs classes"):
        SoftenByConfidence().refine(tree, data)
