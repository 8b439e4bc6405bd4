import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.ensemble.alphas import (
    GRID,
    coalescing_alphas,
    missing_alphas,
    progressive_loss,
    search_alpha,
)
from softwood.flow import Hard
from softwood.grow.greedy import Cart, GreedyGrower


def stumps(n_trees=5, is_regression=False, seed=0):
    """Shallow trees of random halves of a noisy table, and the table."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    if is_regression:
        data = TrainingSet.of_target(X, X.sum(axis=1), weight=rng.uniform(0.5, 2.0, 60))
    else:
        label = (X[:, 0] + rng.normal(size=60) > 0) + (X[:, 1] > 1)
        data = TrainingSet.of_classes(X, label, weight=rng.uniform(0.5, 2.0, 60))
    grower = GreedyGrower(Cart("squared_error" if is_regression else "gini", max_depth=2))
    return [grower.grow(data.take(rng.permutation(60)[:30])) for _ in range(n_trees)], data


def test_the_paper_has_alphas_from_0_to_almost_a_half():
    np.testing.assert_allclose(coalescing_alphas(100), np.arange(100) * 0.005, atol=1e-15)


@given(st.integers(1, 50), st.floats(0, 0.5), st.floats(0.5, 1))
def test_alphas_ascend_in_equal_steps_and_stop_short_of_the_end(n_trees, low, high):
    alphas = coalescing_alphas(n_trees, low, high)
    assert alphas[0] == low
    np.testing.assert_allclose(np.diff(alphas), (high - low) / n_trees, atol=1e-12)
    assert alphas[-1] <= high


@given(st.integers(1, 30), st.integers(1, 4))
def test_known_and_missing_alphas_together_are_those_wanted(n_known, factor):
    known, wanted = coalescing_alphas(n_known), coalescing_alphas(n_known * factor)
    together = np.sort(np.concatenate([known, missing_alphas(known, wanted)]))
    np.testing.assert_allclose(together, wanted, atol=1e-15)


@pytest.mark.parametrize("is_regression", [False, True])
def test_progressive_loss_is_the_mean_over_growing_ensembles(is_regression):
    trees, data = stumps(is_regression=is_regression)
    answers = np.array([Hard().predict(tree, data.X) for tree in trees])
    losses = []
    for n in range(1, len(trees) + 1):
        mean = answers[:n].mean(axis=0)
        if is_regression:
            loss = (mean[:, 0] - data.target) ** 2
        else:
            loss = mean.argmax(axis=1) != data.label
        losses.append(np.average(loss, weights=data.weight))
    assert progressive_loss(trees, data) == pytest.approx(np.mean(losses))


def test_the_search_takes_the_least_loss_and_its_trees():
    forests = {alpha: stumps(seed=k)[0] for k, alpha in enumerate(GRID)}
    data = stumps(seed=3)[1]
    found = search_alpha(forests.__getitem__, data)
    assert found.alphas.tolist() == list(GRID)
    assert found.losses.tolist() == [progressive_loss(trees, data) for trees in forests.values()]
    assert found.alpha == GRID[found.losses.argmin()]
    assert found.trees is forests[found.alpha]


def test_of_equal_alphas_the_smallest_is_taken():
    trees, data = stumps()
    assert search_alpha(lambda _: trees, data, (0.2, 0.4)).alpha == 0.2
    with pytest.raises(ValueError, match="alphas must hold at least one alpha"):
        search_alpha(lambda _: trees, data, ())
