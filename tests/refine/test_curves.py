import numpy as np
import pytest
from numpy.testing import assert_allclose

from softwood.data.training import TrainingSet
from softwood.forest import Forest
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.curves import ForestCurves
from softwood.refine.perturbation import Perturbation


def trained(n_rows=60):
    X = np.random.default_rng(0).normal(size=(n_rows, 2))
    data = TrainingSet.of_target(X, X[:, 0] * X[:, 1])
    return data, GreedyGrower(Cart("squared_error", max_depth=4)).grow(data)


@pytest.mark.parametrize("changes", [{}, {"is_mean": False, "link": "sigmoid", "slope": 2.0}])
@pytest.mark.parametrize("output", [-1, 0])
@pytest.mark.parametrize("flow", ["exact", "sampled"])
def test_any_forest_is_asked_as_it_answers(changes, output, flow):
    data, tree = trained()
    forest = Forest([tree] * 2, [output] * 2, [1.0, 0.5], base=[0.3], is_mean=True)
    forest, noise = forest.replace(**changes), Perturbation.of(data, flow=flow, n=8)
    rows = np.array([5, 2, 40])
    found = ForestCurves(forest, data.X, None, noise).answers([0.0, 0.3], rows)
    for smoothing, answers in zip([0.0, 0.3], found, strict=True):
        assert_allclose(answers, forest.predict(data.X[rows], noise.at(smoothing)), atol=1e-7)


def test_what_is_neglected_is_little():
    data, tree = trained()
    forest, noise = Forest.average([tree]), Perturbation.of(data)
    rows = np.arange(data.n_rows)
    rough = ForestCurves(forest, data.X, None, noise, drop=0.01).answers([0.5], rows)
    fine = ForestCurves(forest, data.X, None, noise).answers([0.5], rows)
    assert 0.0 < np.abs(rough - fine).max() < 0.1 * np.ptp(data.target)
