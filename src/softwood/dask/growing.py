"""The second pass: trees grow on partitions, or on samples of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.dask.moments import ColumnFacts
from softwood.dask.reading import Reader
from softwood.dask.running import computed
from softwood.data.training import TrainingSet
from softwood.ensemble.alphas import progressive_loss
from softwood.ensemble.sampling import Sampling
from softwood.ensemble.shared_data import SampleGrower, SharedTrainingData, assembled
from softwood.forest.one_hot import OneHotColumns
from softwood.grow.distrusted import trusted_features
from softwood.grow.one_hot import with_one_hot
from softwood.learn.oblique import fill_by_totals, filled, totals_of_columns
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.packing.packed import Packed

Numbered = list[tuple[int, SampleGrower]]

IN_TASK = 4  # trees


@dataclass(frozen=True, eq=False)
class Recipe:
    """What every worker is told.

    Attributes
    ----------
    reader : Reader
        How partitions are read.
    sampling : Sampling
        What a tree sees of the rows it grows on.
    seed : int
        From whose children all trees get their random numbers, by their own number: who
        grows a tree, when, and how often somebody has tried before, makes no difference.
    one_vs_rest : bool
        Whether trees test one category against all others.
    fill : ndarray of shape (n_features,), optional
        What missing values count as; by default they are missing.
    kept : ndarray of bool of shape (n_features,), optional
        Which features are tested; by default all.
    """

    reader: Reader
    sampling: Sampling
    seed: int
    one_vs_rest: bool
    fill: FloatArray | None = None
    kept: BoolArray | None = None

    def told(self, data: TrainingSet) -> TrainingSet:
        """Return rows as the trees see them, nothing missing if that counts as something."""
        return data if self.fill is None else replace(data, X=filled(data.X, self.fill))

    def shared(self, data: TrainingSet) -> SharedTrainingData:
        """Return what trees grow on that share these rows."""
        data, one_hot = self.told(data), self.one_hot
        shared = SharedTrainingData.of(data, self.sampling, self.seed)
        if one_hot is None:
            return shared
        weighed, ranks, one_hot = with_one_hot(shared.weighed, shared.ranks, one_hot)
        return replace(
            shared,
            weighed=weighed,
            ranks=ranks,
            one_hot=one_hot,
            one_vs_rest=self.one_vs_rest,
            distrusts=self.kept is not None,
        )

    @property
    def one_hot(self) -> OneHotColumns | None:
        """What the columns stand for on which all trees grow."""
        schema = self.reader.estimator.schema_
        all_kept = self.kept is None or bool(self.kept.all())
        if schema.all_numeric or (all_kept and not self.one_vs_rest):
            return None
        return OneHotColumns.of(schema.n_categories, self.kept, self.one_vs_rest)


Task = Callable[[Recipe, Any, TrainingSet], Any]


@dataclass(frozen=True, eq=False)
class Field:
    """The sets of rows that trees grow on: partitions, or samples of all of them.

    Attributes
    ----------
    parts : sequence of Delayed
        A training set each.
    recipe : Recipe
        What is told to who works on them.
    owner : ndarray of shape (n_trees,)
        On which of them each tree grows.
    """

    parts: Sequence[Any]
    recipe: Recipe
    owner: AnyArray

    def numbers(self) -> list[AnyArray]:
        """Return the numbers of the trees of each part."""
        return [np.flatnonzero(self.owner == j) for j in range(len(self.parts))]

    def each(self, task: Task, arguments: Sequence[Any]) -> list[Any]:
        """Return what a task answers for each part, computed where the part lies.

        Parameters
        ----------
        task : callable
            Takes the recipe, an argument, and the rows of a part.
        arguments : sequence
            One for each part.
        """
        from dask import delayed

        recipe, run = delayed(self.recipe, traverse=False), delayed(task)
        pairs = zip(arguments, self.parts, strict=True)
        return computed([run(recipe, argument, part) for argument, part in pairs], "parts")

    def grow(self, growers: Sequence[SampleGrower], with_facts: bool) -> Harvest:
        """Return the tree of each grower.

        Few trees grow in one task: several workers share those of one part, whose rows
        are copied to them, and a worker that dies takes little work with it.

        Parameters
        ----------
        growers : sequence
            One for each tree.
        with_facts : bool
            Whether to find out about the columns on the way.
        """
        from dask import delayed

        recipe, share, grow = delayed(self.recipe, traverse=False), delayed(shared), delayed(grown)
        batches: list[Numbered] = []
        tasks, facts = [], []
        for part, numbers in zip(self.parts, self.numbers(), strict=True):
            on = share(recipe, part)
            of_part = _batches(growers, numbers)
            tasks += [grow(on, batch) for batch in of_part]
            batches += of_part
            facts += [delayed(facts_of)(on)] if with_facts else []
        found = computed([*tasks, *facts], "batches of trees")
        trees: dict[int, Packed | Tree] = {}
        for batch, of_batch in zip(batches, found, strict=False):
            trees.update(zip((number for number, _ in batch), of_batch, strict=True))
        return Harvest(
            self._assembled([trees[i] for i in range(len(growers))]), found[len(tasks) :]
        )

    def _assembled(self, grown: list[Any]) -> Sequence[Tree]:
        reader, one_hot = self.recipe.reader, self.recipe.one_hot
        n_columns = reader.estimator.n_features_in_ if one_hot is None else one_hot.n_columns
        return assembled(grown, n_columns, reader.classes is None, len(grown), one_hot)

    def trusting(self) -> Field:
        """Return the field whose recipe leaves out features that tell the first part nothing.

        Of samples, which are drawn alike, one is as good as another.
        """
        from dask import delayed

        if self.recipe.reader.estimator.schema_.all_numeric:
            return self
        recipe = delayed(self.recipe, traverse=False)
        (kept,) = computed([delayed(trusted)(recipe, self.parts[0])], "columns")
        return replace(self, recipe=replace(self.recipe, kept=kept))

    def filled(self) -> Field:
        """Return the field whose recipe knows what a missing value counts as, in all parts."""
        parts = self.each(totals_of_part, [None] * len(self.parts))
        totals = [np.sum(column, axis=0) for column in zip(*parts, strict=True)]
        fill = fill_by_totals(totals, self.recipe.reader.estimator.schema_.n_categories)
        return replace(self, recipe=replace(self.recipe, fill=fill))

    def losses(self, ensembles: Sequence[Sequence[SampleGrower]]) -> FloatArray:
        """Return the progressive training loss of several ensembles.

        Every part judges the trees that grow on it, on its own rows; the mean goes by the
        weight of the rows.
        """
        numbers = self.numbers()
        wanted = [[_numbered(growers, mine) for growers in ensembles] for mine in numbers]
        answers = self.each(losses_of_shares, wanted)
        weights = [weight for weight, _ in answers]
        return np.average([losses for _, losses in answers], axis=0, weights=weights)


@dataclass(frozen=True, eq=False)
class Harvest:
    """The trees by their numbers, and what each part says of its columns."""

    trees: Sequence[Tree]
    facts: list[ColumnFacts]


def trusted(recipe: Recipe, data: TrainingSet) -> BoolArray:
    """Return which features tell more than chance would, if they have many categories."""
    return trusted_features(recipe.sampling.weighed(recipe.told(data)))


def shared(recipe: Recipe, data: TrainingSet) -> SharedTrainingData:
    """Return what the trees of a part grow on."""
    return recipe.shared(data)


def grown(on: SharedTrainingData, batch: Numbered) -> list[Packed | Tree]:
    """Return the trees of a batch, as small as can be."""
    return on.grow_batch(batch)


def facts_of(on: SharedTrainingData) -> ColumnFacts:
    """Return what a part says of its columns."""
    return ColumnFacts.of(on.data)


def totals_of_part(recipe: Recipe, _: None, data: TrainingSet) -> list[FloatArray]:
    """Return the weights and sums of the columns of a part."""
    return totals_of_columns(recipe.told(data))


def losses_of_shares(
    recipe: Recipe, wanted: list[Numbered], data: TrainingSet
) -> tuple[float, list[float]]:
    """Return the weight of a part, and the losses of its shares of some ensembles."""
    on = recipe.shared(data)
    ensembles = (on.assembled(on.grow_batch(share), len(share)) for share in wanted)
    weight = float(on.data.weight.sum())
    return weight, [progressive_loss(trees, on.data) for trees in ensembles]


def _batches(growers: Sequence[SampleGrower], numbers: AnyArray) -> list[Numbered]:
    parts = (numbers[start : start + IN_TASK] for start in range(0, numbers.size, IN_TASK))
    return [_numbered(growers, part) for part in parts]


def _numbered(growers: Sequence[SampleGrower], numbers: AnyArray) -> Numbered:
    return [(number, growers[number]) for number in numbers.tolist()]
