"""The second pass: every partition grows its share of the trees, where it lies."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.dask.moments import ColumnFacts
from softwood.dask.partitions import Part
from softwood.dask.reading import Reader
from softwood.data.training import TrainingSet
from softwood.ensemble.alphas import progressive_loss
from softwood.ensemble.sampling import Sampling
from softwood.ensemble.shared_data import SampleGrower, SharedTrainingData, assembled
from softwood.forest.one_hot import OneHotColumns
from softwood.learn.oblique import fill_by_totals, filled, totals_of_columns
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.packing.packed import Packed

Numbered = list[tuple[int, SampleGrower]]


@dataclass(frozen=True, eq=False)
class Recipe:
    """What every worker is told.

    Attributes
    ----------
    reader : Reader
        How to read a partition.
    sampling : Sampling
        What a tree sees of it.
    seed : int
        From whose children all trees get their random numbers, by their own number: who
        grows a tree, when, and how often somebody has tried before, makes no difference.
    one_vs_rest : bool
        Whether trees test one category against all others.
    fill : ndarray of shape (n_features,), optional
        What missing values count as; by default they are missing.
    """

    reader: Reader
    sampling: Sampling
    seed: int
    one_vs_rest: bool
    fill: FloatArray | None = None

    def read(self, X: Any, y: Any, sample_weight: Any) -> TrainingSet:
        """Return the rows of a partition."""
        data = self.reader.read(X, y, sample_weight)
        return data if self.fill is None else replace(data, X=filled(data.X, self.fill))

    def shared(self, X: Any, y: Any, sample_weight: Any) -> SharedTrainingData:
        """Return what the trees of a partition grow on."""
        data = self.read(X, y, sample_weight)
        return SharedTrainingData.of(data, self.sampling, self.seed, one_vs_rest=self.one_vs_rest)

    @property
    def one_hot(self) -> OneHotColumns | None:
        """What the columns stand for on which the trees of all partitions grow."""
        schema = self.reader.estimator.schema_
        if schema.all_numeric or not self.one_vs_rest:
            return None
        return OneHotColumns.of(schema.n_categories)


Task = Callable[[Recipe, Any, Any, Any, Any], Any]


@dataclass(frozen=True, eq=False)
class Field:
    """The partitions that grow trees.

    Attributes
    ----------
    parts : sequence of Part
        The partitions.
    recipe : Recipe
        What they are told.
    owner : ndarray of shape (n_trees,)
        Which of them grows each tree.
    """

    parts: Sequence[Part]
    recipe: Recipe
    owner: AnyArray

    def numbers(self) -> list[AnyArray]:
        """Return the numbers of the trees of each partition."""
        return [np.flatnonzero(self.owner == j) for j in range(len(self.parts))]

    def each(self, task: Task, arguments: Sequence[Any]) -> list[Any]:
        """Return what a task answers for each partition, computed where the partition lies.

        Parameters
        ----------
        task : callable
            Takes the recipe, an argument, and X, y and the weights of a partition.
        arguments : sequence
            One for each partition.
        """
        from dask import compute, delayed

        recipe, run = delayed(self.recipe, traverse=False), delayed(task)
        pairs = zip(arguments, self.parts, strict=True)
        tasks = [run(recipe, argument, *part) for argument, part in pairs]
        with warnings.catch_warnings():
            # A forest that is to be judged has to travel, and it does so once.
            warnings.filterwarnings("ignore", "Sending large graph")
            return list(compute(*tasks))

    def grow(self, growers: Sequence[SampleGrower], with_facts: bool) -> Harvest:
        """Return the tree of each grower.

        Parameters
        ----------
        growers : sequence
            One for each tree.
        with_facts : bool
            Whether to find out about the columns on the way.
        """
        numbers = self.numbers()
        wanted = [(_numbered(growers, mine), with_facts) for mine in numbers]
        trees: dict[int, Packed | Tree] = {}
        facts = []
        for mine, (grown, found) in zip(numbers, self.each(grow_share, wanted), strict=True):
            trees.update(zip(mine.tolist(), grown, strict=True))
            facts.append(found)
        return Harvest(self._assembled([trees[i] for i in range(len(growers))]), facts)

    def _assembled(self, grown: list[Any]) -> Sequence[Tree]:
        reader, one_hot = self.recipe.reader, self.recipe.one_hot
        n_columns = reader.estimator.n_features_in_ if one_hot is None else one_hot.n_columns
        return assembled(grown, n_columns, reader.classes is None, len(grown), one_hot)

    def filled(self) -> Field:
        """Return the field whose recipe knows what a missing value counts as, in all partitions."""
        parts = self.each(totals_of_partition, [None] * len(self.parts))
        totals = [np.sum(column, axis=0) for column in zip(*parts, strict=True)]
        fill = fill_by_totals(totals, self.recipe.reader.estimator.schema_.n_categories)
        return replace(self, recipe=replace(self.recipe, fill=fill))

    def losses(self, ensembles: Sequence[Sequence[SampleGrower]]) -> FloatArray:
        """Return the progressive training loss of several ensembles.

        Every partition judges the trees that it grows, on its own rows; the mean goes by
        the weight of the rows.
        """
        numbers = self.numbers()
        wanted = [[_numbered(growers, mine) for growers in ensembles] for mine in numbers]
        answers = self.each(losses_of_shares, wanted)
        weights = [weight for weight, _ in answers]
        return np.average([losses for _, losses in answers], axis=0, weights=weights)


@dataclass(frozen=True, eq=False)
class Harvest:
    """The trees by their numbers, and what each partition says of its columns."""

    trees: Sequence[Tree]
    facts: list[ColumnFacts]


def grow_share(
    recipe: Recipe, wanted: tuple[Numbered, bool], X: Any, y: Any, sample_weight: Any
) -> tuple[list[Packed | Tree], ColumnFacts | None]:
    """Return the trees of a partition, as small as can be, and what it says of its columns."""
    shared = recipe.shared(X, y, sample_weight)
    numbered, with_facts = wanted
    trees = shared.grow_batch(numbered)
    return trees, ColumnFacts.of(shared.data) if with_facts else None


def totals_of_partition(
    recipe: Recipe, _: None, X: Any, y: Any, sample_weight: Any
) -> list[FloatArray]:
    """Return the weights and sums of the columns of a partition."""
    return totals_of_columns(recipe.read(X, y, sample_weight))


def losses_of_shares(
    recipe: Recipe, wanted: list[Numbered], X: Any, y: Any, sample_weight: Any
) -> tuple[float, list[float]]:
    """Return the weight of a partition, and the losses of its shares of some ensembles."""
    shared = recipe.shared(X, y, sample_weight)
    data = shared.data
    ensembles = (shared.assembled(shared.grow_batch(share), len(share)) for share in wanted)
    return float(data.weight.sum()), [progressive_loss(trees, data) for trees in ensembles]


def _numbered(growers: Sequence[SampleGrower], numbers: AnyArray) -> Numbered:
    return [(number, growers[number]) for number in numbers.tolist()]
