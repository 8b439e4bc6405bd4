import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, Hard
from softwood.grow.evolve_simplify import simplified
from softwood.grow.evolve_trees import Line, as_tree

N_GROUPS = np.array([0, 0, 4], dtype=np.int32)


@st.composite
def lines(draw, max_tests=10):
    """Trees full of repetition: few cuts, few classes."""
    feature, cut, subset, label = [], [], [], []
    n_open, n_tests = 1, 0
    while n_open:
        n_open -= 1
        ends = n_tests == max_tests or draw(st.integers(0, 3)) == 0
        feature.append(-1 if ends else draw(st.integers(0, 2)))
        cut.append(draw(st.sampled_from([-1.0, 0.0, 0.5])))
        subset.append(draw(st.integers(1, 14)))
        label.append(draw(st.integers(0, 1)))
        if not ends:
            n_open, n_tests = n_open + 2, n_tests + 1
    return Line(
        np.array(feature, np.int32),
        np.array(cut),
        np.array(subset, np.uint64),
        np.array(label, np.int32),
    )


def tree_of(line, data):
    mass = np.where((line.feature < 0)[:, None], np.eye(2)[line.label], 0.0)
    return as_tree(line, mass, data)


@given(lines(), st.integers(0, 100))
@settings(max_examples=60)
def test_no_row_is_answered_differently(line, seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(20, 2)), rng.integers(0, 4, 20)])
    data = TrainingSet.of_classes(X, np.arange(20) % 2, n_categories=N_GROUPS)
    small = simplified(line, N_GROUPS)
    assert small.n_nodes <= line.n_nodes
    for flow in (
        Hard(),
        Gaussian(0.5, drop=0.0, redraw=0.3, marginals=((), (), (0.25,) * 4)),
    ):
        np.testing.assert_allclose(
            flow.predict(tree_of(small, data), X),
            flow.predict(tree_of(line, data), X),
            atol=1e-12,
        )


@given(lines())
def test_once_is_enough(line):
    small = simplified(line, N_GROUPS)
    again = simplified(small, N_GROUPS)
    np.testing.assert_array_equal(small.feature, again.feature)


def test_equal_subtrees_are_one():
    #      x0 <= 0 ? (x1 <= 0 ? A : B) : (x1 <= 0 ? A : B)
    line = Line(
        np.array([0, 1, -1, -1, 1, -1, -1], np.int32),
        np.zeros(7),
        np.zeros(7, np.uint64),
        np.array([0, 0, 0, 1, 0, 0, 1], np.int32),
    )
    small = simplified(line, N_GROUPS)
    assert small.feature.tolist() == [1, -1, -1]
    assert small.label.tolist() == [0, 0, 1]


def test_categories_that_are_gone_make_no_test():
    # {0, 1} go left; of those, {1, 2} go left again: only 1 is left there, and 0 elsewhere.
    line = Line(
        np.array([2, 2, -1, 2, -1, -1, -1], np.int32),
        np.zeros(7),
        np.array([0b0011, 0b0110, 0, 0b0001, 0, 0, 0], np.uint64),
        np.array([0, 0, 0, 0, 1, 0, 0], np.int32),
    )
    small = simplified(line, N_GROUPS)
    # Behind both tests only category 0 remains: the third test always says yes.
    assert small.feature.tolist() == [2, 2, -1, -1, -1]
    assert small.label[2:].tolist() == [0, 1, 0]


def test_both_sides_that_cannot_be_reached_go():
    # x0 <= 0 ? (x0 <= 1 ? A : B) : (x0 <= -1 ? C : A): neither B nor C is ever reached.
    line = Line(
        np.array([0, 0, -1, -1, 0, -1, -1], np.int32),
        np.array([0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0]),
        np.zeros(7, np.uint64),
        np.array([0, 0, 0, 1, 0, 2, 0], np.int32),
    )
    assert simplified(line, N_GROUPS).label.tolist() == [0]
