"""Which of several kinds of trees suit a table: rows that a tree has not seen judge it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.sampling import mask_of_bags, seed_of_tree
from softwood.ensemble.shared_data import SharedTrainingData
from softwood.flow import Hard
from softwood.forest import Forest
from softwood.tree import Tree

MOST_JUDGES = 2000  # rows: more would take long, and tell what cannot be told apart anyway
MANY_TREES = 100  # what few trees lose is told as the loss of so many
CLEARLY = 2.0  # by so many standard errors


def losses_of_blocks(
    blocks: Sequence[Sequence[Tree]], shared: SharedTrainingData, jobs: Jobs | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return what each block of trees loses on rows out of bag, and the weights of these rows.

    Parameters
    ----------
    blocks : sequence of sequences of Tree
        Trees that were grown on ``shared``: the first block has the first numbers.
    shared : SharedTrainingData
        With a sampling that leaves out rows.
    jobs : Jobs, optional
        How many trees are asked at once.

    Returns
    -------
    losses : ndarray of shape (n_blocks, n_judges)
        Brier score of classes, squared error of numbers, as an ensemble of many such trees
        would have it; NaN for rows that fewer than two trees of a block have not seen.
    weight : ndarray of shape (n_judges,)
        Their weights.
    """
    data = shared.data
    rows = np.arange(data.n_rows)
    if rows.size > MOST_JUDGES:
        chosen = np.random.default_rng(shared.seed).choice(rows.size, MOST_JUDGES, replace=False)
        rows = np.sort(chosen)
    judges = data.take(rows)
    losses, first = [], 0
    for trees in blocks:
        unseen = _unseen(shared, first, len(trees), rows)
        losses.append(_debiased(trees, unseen, judges, jobs or Jobs()))
        first += len(trees)
    return np.stack(losses), judges.weight


def _unseen(shared: SharedTrainingData, first: int, n_trees: int, rows: AnyArray) -> BoolArray:
    """Return which of some rows each of these trees has not seen, rows by trees."""
    weight = shared.data.weight
    seeds = [seed_of_tree(shared.seed, first + number) for number in range(n_trees)]
    drawn = shared.sampling.rows(seeds, weight)
    assert drawn is not None
    return np.asarray(~mask_of_bags(list(drawn), weight.size)[rows])


def _debiased(
    trees: Sequence[Tree], unseen: BoolArray, judges: TrainingSet, jobs: Jobs
) -> FloatArray:
    """Return the loss of each row as many trees would have it.

    The mean of m trees loses the variance of a tree over m more than the mean of them all. A row
    has m trees by chance, and kinds of trees differ in variance: without it, few trees would
    favour those that are alike.
    """
    forest = Forest.average(trees)
    numbers = np.arange(len(trees))

    def answers(number: int) -> FloatArray:
        rows = judges.X[unseen[:, number]]
        # As a forest is asked anyway: no other kernels need to be compiled for it.
        return forest.predict(rows, Hard(), np.tile(numbers == number, (len(rows), 1)))

    asked = jobs.each(answers, numbers)
    total = np.zeros((judges.n_rows, asked[0].shape[1]))
    squares = np.zeros(judges.n_rows)
    for number, answer in enumerate(asked):
        total[unseen[:, number]] += answer
        squares[unseen[:, number]] += np.einsum("ij,ij->i", answer, answer)
    n_asked = unseen.sum(axis=1)
    enough = n_asked > 1
    m = np.where(enough, n_asked, 2)
    mean = total / m[:, None]
    variance = (squares - m * np.einsum("ij,ij->i", mean, mean)) / (m - 1)
    missed = mean - _truth(judges)
    loss = np.einsum("ij,ij->i", missed, missed) - variance * (1 / m - 1 / MANY_TREES)
    return np.where(enough, loss, np.nan)


def _truth(data: TrainingSet) -> FloatArray:
    if data.is_regression:
        return np.asarray(data.target[:, None])
    return np.asarray(np.eye(data.n_classes)[data.label])


def means(losses: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the mean loss of each block over the rows that all can judge; NaN without any."""
    judged = ~np.isnan(losses).any(axis=0)
    if not (weight[judged] > 0).any():
        return np.full(losses.shape[0], np.nan)
    return np.asarray(np.average(losses[:, judged], axis=1, weights=weight[judged]))


def worth_keeping(losses: FloatArray, weight: FloatArray) -> AnyArray:
    """Return which blocks stay, of which the first is what is usual.

    It is alone unless another one loses less. Then both stay, for trees of two kinds err on
    other rows; but if that is sure, by two standard errors of the paired differences, the other
    one is alone. Of several others the best one counts.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.ensemble.choice import worth_keeping
    >>> losses = np.array([[2.0, 3.0, 4.0], [1.9, 3.1, 3.8], [3.0, 4.0, 5.0]])
    >>> worth_keeping(losses, np.ones(3)).tolist()
    [0, 1]
    >>> worth_keeping(losses[[2, 1]], np.ones(3)).tolist()
    [1]
    """
    found = means(losses, weight)
    best = 0 if np.isnan(found).any() else int(found.argmin())
    if best == 0:
        return np.array([0])
    judged = ~np.isnan(losses).any(axis=0)
    share = weight[judged] / weight[judged].sum()
    gain = losses[0, judged] - losses[best, judged]
    error = np.sqrt((gain - gain @ share) ** 2 @ share**2)
    return np.array([best] if gain @ share > CLEARLY * error else [0, best])
