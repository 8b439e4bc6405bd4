"""Units: a tree becomes weights and is itself again."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Ramp
from softwood.refine.gradient_units import Units
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import checked, tree_of, trees


def numbers(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1.0, 20.0, 0.1] + [0.0, -5.0, 3.0]
    return TrainingSet.of_target(X, rng.normal(50.0, 9.0, n))


@given(trees(kinds=(NUMERIC, OBLIQUE), n_outputs=1))
@checked
def test_there_and_back(tree):
    """Widths below the least become the least: only soft trees come back as they were."""
    soft = (tree.kind == NUMERIC) | (tree.kind == OBLIQUE)
    tree = tree.replace(below=np.where(soft, 20.0, 0.0), above=np.where(soft, 30.0, 0.0))
    data = numbers()
    units = Units.of(data)
    again = units.tree(tree, units.weights(tree, width=None))
    flow = Ramp(shape="logistic")
    assert_allclose(flow.predict(again, data.X), flow.predict(tree, data.X), atol=1e-9)


def test_the_main_term_counts_in_its_own_units():
    data = numbers()
    terms = [(0, 3.0), (1, 0.5), (2, -8.0)]  # in deviations 3, 10 and -0.8, about
    test = {"kind": OBLIQUE, "terms": terms, "n_children": 2, "first": 1, "threshold": 1.0}
    tree = tree_of([{**test, "below": 1.0, "above": 2.0}, {}, {}], 3)
    units = Units.of(data)
    again = units.tree(tree, units.weights(tree, width=None))
    assert_array_equal(again.terms(0)[0], [0, 1, 2])
    assert_allclose(again.terms(0)[1], [6.0, 1.0, -16.0])
    assert (again.threshold[0], again.below[0], again.above[0]) == pytest.approx((2.0, 2.0, 4.0))


def test_weights_of_a_test_start_with_length_one():
    test = {"kind": OBLIQUE, "terms": [(0, 7.0), (2, 2.0)], "n_children": 2, "first": 1}
    weights = Units.of(numbers()).weights(tree_of([test, {}, {}], 3), width=0.3)
    assert np.sum(weights.term**2) == pytest.approx(1.0)
    assert_allclose(weights.test[0, 1:], np.log(0.3))
