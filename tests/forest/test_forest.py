"""Sums of trees, checked against sums written out."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from softwood import CoalescenceClassifier
from softwood.flow import Gaussian, Hard, Ramp
from softwood.forest import Forest, sums
from tests.strategies import checked, rows_for, tree_of, trees

FLOWS = [Hard(), Ramp(), Gaussian(0.5)]


def constant(*response, n_features=2):
    return tree_of([{"response": list(response), "weight": 1.0}], n_features)


@st.composite
def forests_and_rows(draw):
    """Draw a sum of three scores: trees that answer one of them, and one that answers all."""
    single = draw(st.lists(trees(n_outputs=1, kinds=(1,)), min_size=1, max_size=4))
    everything = draw(trees(n_outputs=3, kinds=(1,)))
    output = [draw(st.integers(0, 2)) for _ in single] + [-1]
    numbers = st.floats(-2.0, 2.0)
    factor = [draw(numbers) for _ in output]
    base = [draw(numbers) for _ in range(3)]
    return Forest((*single, everything), output, factor, base), draw(rows_for(everything))


@st.composite
def masks(draw, n_rows, n_trees):
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    return rng.random((n_rows, n_trees)) < 0.6


def by_hand(forest, X, flows, use):
    total = np.tile(forest.base, (len(X), 1))
    for i in range(len(X)):
        for j, tree in enumerate(forest.trees):
            if use[i, j]:
                columns = range(3) if forest.output[j] < 0 else [forest.output[j]]
                answer = flows[j].predict(tree, X[i : i + 1])[0]
                for value, column in zip(answer, columns, strict=True):
                    total[i, column] += forest.factor[j] * value
    return total


@given(forests_and_rows(), st.sampled_from(FLOWS))
@checked
def test_raw_is_the_sum_in_order(case, flow):
    forest, X = case
    use = np.ones((len(X), forest.n_trees), dtype=bool)
    expected = by_hand(forest, X, [flow] * forest.n_trees, use)
    assert forest.raw(X, flow).tobytes() == expected.tobytes()
    assert forest.raw(X, flow, use=use).tobytes() == expected.tobytes()


@given(forests_and_rows(), st.data())
@checked
def test_every_tree_can_have_its_flow_and_its_rows(case, data):
    forest, X = case
    flows = [data.draw(st.sampled_from(FLOWS)) for _ in forest.trees]
    use = data.draw(masks(len(X), forest.n_trees))
    expected = by_hand(forest, X, flows, use)
    assert forest.raw(X, flows, use=use).tobytes() == expected.tobytes()


@given(st.lists(trees(kinds=(1,)), min_size=1, max_size=5), st.data())
@checked
def test_a_mean_is_over_the_trees_asked(grown, data):
    X = data.draw(rows_for(grown[0]))
    forest = Forest.average(grown)
    each = np.stack([Hard().predict(tree, X) for tree in grown])
    assert_allclose(forest.raw(X), each.mean(axis=0), atol=1e-15)
    use = data.draw(masks(len(X), len(grown)))
    answer = forest.raw(X, use=use)
    for i in range(len(X)):
        if use[i].any():
            assert_allclose(answer[i], each[use[i], i].mean(axis=0), atol=1e-15)
        else:
            assert np.isnan(answer[i]).all()


def test_a_weighted_mean():
    forest = Forest.average([constant(1.0), constant(4.0)], factor=[2.0, 1.0])
    assert forest.predict(np.zeros((3, 2))).tolist() == [[2.0]] * 3


def test_every_score_of_a_mean_has_its_own_divisor():
    grown = (constant(1.0), constant(4.0), constant(6.0))
    forest = Forest(grown, [0, 1, 1], np.ones(3), [0.0, 10.0], is_mean=True)
    assert forest.raw([[0.0, 0.0]]).tolist() == [[1.0, 15.0]]
    use = np.array([[True, False, True], [False, True, True]])
    assert_array_equal(forest.raw(np.zeros((2, 2)), use=use), [[1.0, 16.0], [np.nan, 15.0]])


def test_blocks_of_rows_do_not_show(monkeypatch):
    rng = np.random.default_rng(0)
    stump = tree_of(
        [
            {"kind": 1, "feature": 0, "first": 1, "n_children": 2, "response": [0.0]},
            {"response": [-0.1]},
            {"response": [0.7]},
        ],
        n_features=2,
    )
    X = rng.normal(size=(50, 2))
    forest = Forest([stump] * 3, [0] * 3, [0.1, 0.2, 0.3], [0.05])
    use = rng.random((50, 3)) < 0.5
    whole, part = forest.raw(X), forest.raw(X, Gaussian(0.3), use)
    monkeypatch.setattr(sums, "BLOCK_ROWS", 7)
    assert forest.raw(X).tobytes() == whole.tobytes()
    assert forest.raw(X, Gaussian(0.3), use).tobytes() == part.tobytes()


@pytest.mark.parametrize(
    ("link", "scores", "expected"),
    [
        ("identity", [2.0, -1.0], [2.0, -1.0]),
        ("logistic", [np.log(3.0)], [0.25, 0.75]),
        ("sigmoid", [0.0, np.log(3.0)], [0.5, 0.75]),
        ("softmax", [0.0, np.log(3.0)], [0.25, 0.75]),
        ("exponential", [np.log(5.0)], [5.0]),
    ],
)
def test_links(link, scores, expected):
    forest = Forest((constant(*scores),), [-1], [1.0], np.zeros(len(scores)), link=link)
    assert_allclose(forest.predict([[0.0, 0.0]]), [expected], rtol=1e-15)
    doubled = forest.replace(factor=[0.5], slope=2.0)
    assert_allclose(doubled.predict([[0.0, 0.0]]), [expected], rtol=1e-15)
    assert_allclose(doubled.raw([[0.0, 0.0]]), [np.array(scores) / 2], rtol=1e-15)


def test_far_scores_stay_probabilities():
    forest = Forest((constant(1.0),), [0], [1000.0], [0.0], link="logistic")
    assert forest.predict([[0.0, 0.0]]).tolist() == [[0.0, 1.0]]
    assert forest.replace(factor=[-1000.0]).predict([[0.0, 0.0]]).tolist() == [[1.0, 0.0]]
    assert forest.replace(link="exponential").predict([[0.0, 0.0]]).tolist() == [[np.inf]]


def test_map_and_replace_leave_the_forest_alone():
    forest = Forest((constant(1.0), constant(2.0)), [0, 0], [1.0, 1.0], [0.5])
    doubled = forest.map(lambda tree: tree.replace(response=2 * tree.response))
    assert doubled.raw([[0.0, 0.0]]).tolist() == [[6.5]]
    assert forest.replace(base=[0.0]).raw([[0.0, 0.0]]).tolist() == [[3.0]]
    assert forest.raw([[0.0, 0.0]]).tolist() == [[3.5]]


def test_equality_pickles_and_frozen_arrays():
    forest = Forest((constant(1.0), constant(2.0)), [0, 0], [1.0, 1.0], [0.5], slope=2.0)
    again = pickle.loads(pickle.dumps(forest))
    assert again == forest
    assert again != forest.replace(slope=1.0)
    assert again != forest.replace(trees=forest.trees[::-1])
    assert forest != "a forest"
    assert (forest.n_trees, forest.n_features, forest.n_outputs) == (2, 2, 1)
    for array in (again.output, again.factor, again.base):
        assert not array.flags.writeable
    factor = np.ones(2)
    made = forest.replace(factor=factor)
    factor[0] = 9.0
    assert_array_equal(made.factor, [1.0, 1.0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trees": ()}, "at least one tree"),
        ({"trees": (constant(1.0), constant(1.0, n_features=3))}, "tree 1 reads 3"),
        ({"output": [0]}, r"output must have shape \(2,\); got \(1,\)"),
        ({"factor": [[1.0, 1.0]]}, r"factor must have shape \(2,\)"),
        ({"base": []}, r"base must have shape \(n_outputs,\)"),
        ({"link": "probit"}, "link must be one of identity, .*got 'probit'"),
        ({"base": [0.0, 0.0], "link": "logistic"}, "takes one raw score; base has 2"),
        ({"output": [0, 1]}, r"in 0\.\.0; got 1 for tree 1"),
        ({"output": [0, -2]}, r"got -2 for tree 1"),
        ({"base": [0.0, 0.0], "output": [0, -1]}, "tree 1 must have responses of length 2"),
        ({"factor": [1.0, np.inf]}, "factor must be finite"),
        ({"slope": np.nan}, "slope must be finite"),
        ({"is_mean": True, "factor": [1.0, -2.0]}, "must not be negative in a mean"),
        ({"is_mean": True, "factor": [0.0, 0.0]}, "must answer each of the 1 outputs"),
        ({"is_mean": True, "base": [0.0, 0.0]}, "must answer each of the 2 outputs"),
    ],
)
def test_what_is_not_a_forest_is_refused(changes, message):
    forest = Forest((constant(1.0), constant(2.0)), [0, 0], [1.0, 1.0], [0.5])
    with pytest.raises(ValueError, match=message):
        forest.replace(**changes)


def test_other_refusals():
    forest = Forest.average([constant(1.0), constant(2.0)])
    with pytest.raises(TypeError, match="number 1 is str"):
        forest.replace(trees=(constant(1.0), "oak"))
    with pytest.raises(ValueError, match="at least one tree"):
        Forest.average([])
    with pytest.raises(ValueError, match="X must be 2-D"):
        forest.raw([1.0, 2.0])
    with pytest.raises(ValueError, match="X has 3 columns"):
        forest.raw([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="flow must be one flow or 2, one per tree; got 1"):
        forest.raw([[1.0, 2.0]], [Hard()])
    with pytest.raises(ValueError, match=r"use must be bool and of shape \(1, 2\)"):
        forest.raw([[1.0, 2.0]], use=[[True]])
    with pytest.raises(ValueError, match="use must be bool"):
        forest.raw([[1.0, 2.0]], use=[[1, 1]])


def test_leaves_are_counted_without_unpacking():
    X, y = np.random.default_rng(0).normal(size=(90, 3)), np.arange(90) % 3
    forest = CoalescenceClassifier(7, random_state=0).fit(X, y).forest_
    assert forest.n_leaves == sum(tree.n_leaves for tree in forest.trees)
    unpacked = replace(forest, trees=tuple(forest.trees))
    assert unpacked.n_leaves == forest.n_leaves
