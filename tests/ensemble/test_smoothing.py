import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import Sampling, mask_of_bags, rows_in_bag
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.ensemble.smoothing import tuned_by_holdout, tuned_out_of_bag
from softwood.forest import Forest
from softwood.grow.greedy import Cart
from softwood.learn.bagging import CartOfSample
from softwood.refine.perturbation import Perturbation
from tests.strategies import WITHOUT_JIT


def ground_of(n_rows=200, noise=0.2, kind="bootstrap"):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n_rows, 2))
    target = X.sum(axis=1) + rng.normal(0.0, noise, n_rows)
    return SharedTrainingData.of(TrainingSet.of_target(X, target), Sampling(kind), seed=0)


def grow(shared):
    return Forest.average(grow_trees([CartOfSample(Cart("squared_error"))] * 12, shared))


def test_out_of_bag_losses_are_those_of_unseen_rows():
    shared = ground_of()
    forest, data = grow(shared), shared.data
    path = tuned_out_of_bag(forest, shared)
    in_bag = mask_of_bags(rows_in_bag(shared.sampling, 0, 12, data.weight), data.n_rows)
    flow = Perturbation.of(data).at(float(path.lambdas[9]))
    squares = []
    for i in range(data.n_rows):
        unseen = [forest.trees[j] for j in np.flatnonzero(~in_bag[i])]
        if unseen:
            answers = [flow.predict(tree, data.X[i : i + 1])[0, 0] for tree in unseen]
            squares.append((np.mean(answers) - data.target[i]) ** 2)
    assert path.losses[9] == pytest.approx(np.mean(squares), rel=0.01)  # little mass is neglected
    assert path.losses.min() < 0.95 * path.losses[0]


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_held_out_rows_have_not_been_seen():
    shared, seen = ground_of(kind="all"), []

    def grow_and_note(part):
        seen.append(part.data)
        return grow(part)

    path = tuned_by_holdout(grow_and_note, shared)
    (part,) = seen
    assert part.n_rows == 133
    assert len({*map(tuple, part.X)} & {*map(tuple, shared.data.X)}) == 133
    assert path.perturbation == Perturbation.of(shared.data)
    assert path.smoothing > 0.05


@pytest.mark.skipif(WITHOUT_JIT, reason="takes long without compilation, and shows no more")
def test_many_rows_are_judged_by_some_of_them(monkeypatch):
    monkeypatch.setattr("softwood.ensemble.smoothing.MOST_JUDGED", 50)
    shared = ground_of()
    forest = grow(shared)
    few = tuned_out_of_bag(forest, shared)
    monkeypatch.setattr("softwood.ensemble.smoothing.MOST_JUDGED", 1000)
    many = tuned_out_of_bag(forest, shared)
    ratio = few.standard_errors[0] / many.standard_errors[0]
    assert 1.4 < ratio < 2.8  # about the root of 200 / 50


def test_where_there_is_nothing_to_smooth_no_lambda_is_looked_for():
    flat = SharedTrainingData.of(
        TrainingSet.of_target(np.ones((9, 1)), np.arange(9.0)), Sampling("bootstrap"), seed=0
    )
    assert tuned_out_of_bag(grow(flat), flat) is None
    assert tuned_by_holdout(grow, flat) is None
    one = SharedTrainingData.of(
        TrainingSet.of_target([[1.0]] * np.ones((1, 1)), [0.0]), Sampling(), seed=0
    )
    assert tuned_by_holdout(grow, one) is None
