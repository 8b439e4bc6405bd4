import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softwood._kernels.normal import cdf_table
from softwood._kernels.smoothing.curve import BLOCK, part_below
from softwood.forest import Forest
from softwood.refine.curves import ForestCurves
from softwood.refine.perturbation import Perturbation
from softwood.tree import NOMINAL
from tests.strategies import WITHOUT_JIT, trees_and_rows

LAMBDAS = [0.05, 0.4, 1.0, 3.0]


def test_the_short_series_is_near_enough():
    from math import erfc

    for z in np.linspace(-9.0, 9.0, 601):
        assert part_below(z, cdf_table()) == pytest.approx(0.5 * erfc(-z / 2**0.5), abs=1e-8)


def shares(n_categories, rng):
    if n_categories == 0:
        return ()
    parts = rng.uniform(0.1, 1.0, n_categories)
    return tuple(parts / parts.sum())


def perturbation_of(trees, flow, seed):
    """Noise on numbers, and categories drawn anew where some tree tests them."""
    rng, n_categories = np.random.default_rng(seed), np.zeros(trees[0].n_features, int)
    for tree in trees:
        nominal = np.flatnonzero(tree.kind == NOMINAL)
        size = np.diff(tree.set_start)[nominal]
        np.maximum.at(n_categories, tree.feature[nominal], size)
    marginals = tuple(shares(n, rng) for n in n_categories)
    return Perturbation(tuple(rng.uniform(0.0, 2.0, n_categories.size)), marginals, flow)


@pytest.mark.parametrize("flow", ["exact", "product"])
@given(st.lists(trees_and_rows(), min_size=1, max_size=3), st.integers(0, 99))
@settings(deadline=None, max_examples=20 if WITHOUT_JIT else 100)
def test_all_lambdas_at_once_are_as_one_by_one(flow, drawn, seed):
    trees, X = [tree for tree, _ in drawn], drawn[0][1]
    forest, noise = Forest.average(trees), perturbation_of([t for t in trees], flow, seed)
    use = np.random.default_rng(seed).random((len(X), len(trees))) < 0.7
    curves = ForestCurves(forest, X, use, noise)
    found = curves.answers([0.0, *LAMBDAS], np.arange(len(X)))
    for smoothing, answers in zip([0.0, *LAMBDAS], found, strict=True):
        expected = forest.predict(X, noise.at(smoothing), use)
        np.testing.assert_allclose(answers, expected, atol=1e-6, rtol=1e-6)


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_more_rows_than_a_block_are_no_matter():
    from softwood.data.training import TrainingSet
    from softwood.grow.greedy import Cart, GreedyGrower

    rng = np.random.default_rng(0)
    X = rng.normal(size=(BLOCK // 2, 3))
    data = TrainingSet.of_target(X, X.sum(axis=1))
    forest = Forest.average([GreedyGrower(Cart("squared_error")).grow(data)] * 2)
    noise = Perturbation.of(data)
    found = ForestCurves(forest, X, None, noise).answers(LAMBDAS, np.arange(len(X)))
    for smoothing, answers in zip(LAMBDAS, found, strict=True):
        np.testing.assert_allclose(answers, forest.predict(X, noise.at(smoothing)), atol=1e-6)
