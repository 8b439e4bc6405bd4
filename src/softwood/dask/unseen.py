"""What the ensemble says of rows to the trees that have not seen them.

No tree has seen a row of another partition, or of another sample. So there are such trees for
every row as soon as there are two of them, without any bootstrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.dask.exchange import joined
from softwood.dask.growing import Field, Recipe
from softwood.dask.moments import Moments
from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import seed_of_tree
from softwood.ensemble.smoothing import MOST_JUDGED
from softwood.flow import Flow
from softwood.forest import Forest
from softwood.refine.losses import mean_loss
from softwood.refine.perturbation import Perturbation
from softwood.refine.race import race_out_of_bag
from softwood.refine.smoothing import SmoothingPath


def tuned_by_unseen(
    field: Field, forest: Forest, perturbation: Perturbation, loss: str | None = None
) -> SmoothingPath | None:
    """Choose lambda by some rows of all parts, at most 2000, which are brought here.

    Parameters
    ----------
    field : Field
        Where the forest has grown.
    forest : Forest
        The trees.
    perturbation : Perturbation
        What lambda multiplies.
    loss : str, optional
        See :func:`softwood.refine.race.race_out_of_bag`.

    Returns
    -------
    SmoothingPath or None
        None if there is nothing to smooth, or no row to judge it by.
    """
    if not forest.has_tests:
        return None
    n_each = -(-MOST_JUDGED // len(field.parts))
    wanted = [
        Sample(j, numbers, forest.n_trees, n_each) for j, numbers in enumerate(field.numbers())
    ]
    drawn = field.each(draw_rows, wanted)
    in_bag = np.concatenate([seen for _, seen in drawn])
    if in_bag.all():
        return None
    rows = joined([rows for rows, _ in drawn])
    return race_out_of_bag(forest.replace(), rows, in_bag, perturbation, loss)


def score_by_unseen(field: Field, forest: Forest, flow: Flow) -> float:
    """Return the share of right classes, or R², for rows that ask only unseen trees.

    Parameters
    ----------
    field : Field
        Where the forest has grown.
    forest : Forest
        The trees.
    flow : Flow
        How rows flow through them.

    Returns
    -------
    float
        NaN if there is no row to judge by.
    """
    from dask import delayed

    sent = delayed((forest, flow), traverse=False)
    answers = field.each(loss_of_partition, [[sent, numbers] for numbers in field.numbers()])
    loss = Moments.merged([lost for lost, _ in answers])
    if loss.weight == 0.0:
        return float("nan")
    if field.recipe.reader.classes is not None:
        return float(1.0 - loss.mean)
    target = Moments.merged([found for _, found in answers])
    if target.squares == 0.0:
        return float("nan")
    return float(1.0 - loss.mean * loss.weight / target.squares)


@dataclass(frozen=True, eq=False)
class Sample:
    """Which rows a partition is to send: ``n_rows`` that some tree has not seen."""

    partition: int
    numbers: AnyArray
    n_trees: int
    n_rows: int


def draw_rows(recipe: Recipe, wanted: Sample, data: TrainingSet) -> tuple[TrainingSet, BoolArray]:
    """Return rows of a partition, and which trees have seen each."""
    data = recipe.told(data)
    in_bag = _seen(recipe, data, wanted.numbers, wanted.n_trees)
    rows = np.flatnonzero(~in_bag.all(axis=1))
    if rows.size > wanted.n_rows:
        rng = np.random.default_rng([recipe.seed, wanted.partition])
        rows = np.sort(rng.choice(rows, wanted.n_rows, replace=False))
    return data.take(rows), in_bag[rows]


def loss_of_partition(
    recipe: Recipe, asked: tuple[Any, AnyArray], data: TrainingSet
) -> tuple[Moments, Moments]:
    """Return weight and mean of the loss of a partition's rows, and moments of their target."""
    (forest, flow), numbers = asked
    data = recipe.told(data)
    use = ~_seen(recipe, data, numbers, forest.n_trees)
    rows = np.flatnonzero(use.any(axis=1))
    if rows.size == 0:
        nothing = Moments.of(np.empty(0), np.empty(0))
        return nothing, nothing
    judged = data.take(rows)
    lost = mean_loss(forest.predict(judged.X, flow, use[rows]), judged)
    weight: FloatArray = judged.weight
    target = judged.target if judged.is_regression else np.zeros(rows.size)
    return Moments(weight.sum(), np.array(lost), np.zeros(())), Moments.of(target, weight)


def _seen(recipe: Recipe, data: TrainingSet, numbers: AnyArray, n_trees: int) -> BoolArray:
    """Return which rows of a part each tree has seen; its own ones are ``numbers``."""
    seen = np.zeros((data.n_rows, n_trees), dtype=bool)
    for number in numbers.tolist():  # one at a time: their rows take much room together
        rows = recipe.sampling.rows([seed_of_tree(recipe.seed, number)], data.weight)
        seen[slice(None) if rows is None else rows[0], number] = True
    return seen
