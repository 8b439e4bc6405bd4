"""What blocks of trees lose on rows out of bag, and which of them are worth keeping."""

from itertools import pairwise

import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.ensemble.choice import MANY_TREES, losses_of_blocks, means, worth_keeping
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.sampling import Sampling, rows_in_bag
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.flow import Hard
from softwood.grow.random import RandomGrower, VariableRandom


def grown(data, n_trees=12, sizes=(6, 6)):
    shared = SharedTrainingData.of(data, Sampling("subsample", max_samples=(0.3, 0.9)), seed=3)
    trees = grow_trees([RandomGrower(VariableRandom(0.5))] * n_trees, shared)
    ends = np.cumsum((0, *sizes))
    return shared, [trees[a:b] for a, b in pairwise(ends)]


def tables(n_rows=60):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 3))
    label = (X[:, 0] + 0.5 * rng.normal(size=n_rows) > 0).astype(int) + (X[:, 1] > 1)
    weight = rng.integers(1, 4, n_rows).astype(float)
    of_classes = TrainingSet.of_classes(X, label, weight=weight)
    return {"classes": of_classes, "numbers": TrainingSet.of_target(X, X[:, 0] ** 2, weight=weight)}


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_losses_are_those_of_many_trees_row_by_row(kind):
    data = tables()[kind]
    shared, blocks = grown(data)
    losses, weight = losses_of_blocks(blocks, shared, Jobs(2))
    assert weight.tolist() == data.weight.tolist()
    bags = rows_in_bag(shared.sampling, shared.seed, 12, data.weight)
    for number, trees in enumerate(blocks):
        for row in range(data.n_rows):
            unseen = [k for k in range(6) if row not in bags[6 * number + k]]
            if len(unseen) < 2:
                assert np.isnan(losses[number, row])
                continue
            answers = np.array([Hard().predict(trees[k], data.X[[row]])[0] for k in unseen])
            is_number = kind == "numbers"
            truth = data.target[[row]] if is_number else np.arange(3) == data.label[row]
            # The square of a mean, without the part that is the variance of few trees.
            few = ((answers.mean(axis=0) - truth) ** 2).sum()
            spread = answers.var(axis=0, ddof=1).sum()
            wanted = few - spread / len(unseen) + spread / MANY_TREES
            assert losses[number, row] == pytest.approx(wanted, abs=1e-9)


def test_losses_do_not_favour_rows_that_few_trees_have_missed():
    # Of noise every tree answers another number; two of them lose half a variance more than many.
    rng = np.random.default_rng(1)
    data = TrainingSet.of_target(rng.normal(size=(1500, 2)), rng.normal(size=1500))
    shared, blocks = grown(data, 40, (4, 36))
    losses, weight = losses_of_blocks(blocks, shared)
    few, many = means(losses, weight)
    assert few == pytest.approx(many, rel=0.05)


def test_many_rows_are_judged_by_some():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2500, 2))
    shared, blocks = grown(TrainingSet.of_classes(X, X[:, 0] > 0), 4, (2, 2))
    losses, weight = losses_of_blocks(blocks, shared)
    assert losses.shape == (2, 2000)
    assert weight.size == 2000


def test_the_usual_stays_unless_another_is_clearly_better():
    rng = np.random.default_rng(0)
    usual = rng.normal(2.0, 1.0, 400)
    noise = rng.normal(size=400)
    noise = 0.5 * (noise - noise.mean()) / noise.std()  # a standard error of 0.025
    by = {gain: usual - gain + noise for gain in (-0.1, -0.01, 0.02, 0.03, 0.045, 0.055, 0.2)}
    ones = np.ones(400)
    kept = {gain: worth_keeping(np.array([usual, by[gain]]), ones).tolist() for gain in by}
    alone, both, other = [0], [0, 1], [1]
    assert list(kept.values()) == [alone, alone, both, both, both, other, other]
    three = np.array([usual, by[0.03], by[0.2]])
    assert worth_keeping(three, ones).tolist() == [2]
    assert worth_keeping(three[[0, 2, 1]], ones).tolist() == [1]


def test_weights_count():
    losses = np.array([[1.0, 1.0, 1.0, 1.0], [0.5, 0.4, 2.0, 2.1]])
    assert worth_keeping(losses, np.array([9.0, 9.0, 1.0, 1.0])).tolist() == [1]
    assert worth_keeping(losses, np.array([1.0, 1.0, 9.0, 9.0])).tolist() == [0]
    doubled = np.repeat(losses, [2, 1, 1, 3], axis=1)
    np.testing.assert_allclose(means(doubled, np.ones(7)), means(losses, np.array([2, 1, 1, 3.0])))


def test_rows_that_not_all_can_judge_are_not_asked():
    losses = np.array([[1.0, 1.0, np.nan, 9.0], [2.0, 2.0, 0.0, np.nan]])
    assert means(losses, np.ones(4)).tolist() == [1.0, 2.0]
    assert worth_keeping(losses[:, 2:], np.ones(2)).tolist() == [0]
