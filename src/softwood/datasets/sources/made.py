"""Data sets we make: complete universes, and samples from known laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.objects import column_of_objects
from softwood.data.table import Column, Table
from softwood.datasets import generators
from softwood.datasets.generators.games import BALANCE_SCALE, THREE_OF_NINE, TIC_TAC_TOE, monks
from softwood.datasets.generators.grades import CAR, NURSERY
from softwood.datasets.generators.universe import Universe
from softwood.datasets.registry import Entry, Recipe
from softwood.datasets.shaping import finished, shaped
from softwood.datasets.sources.offer import Offer

_SEED = 0
_UNIVERSES: Mapping[str, Universe] = MappingProxyType(
    {
        "balance": BALANCE_SCALE,
        "car": CAR,
        "nursery": NURSERY,
        "three-of-nine": THREE_OF_NINE,
        "tic-tac-toe": TIC_TAC_TOE,
        **{f"monks-{problem}": monks(problem) for problem in (1, 2, 3)},
    }
)


def made_offer(entry: Entry) -> Offer | None:
    """Return the offer to make the data set, if we know how to."""
    recipe = entry.recipes.get("generator")
    if recipe is None:
        return None
    if recipe.universe:
        where = "softwood, complete"
        build = partial(table_of, _UNIVERSES[recipe.universe])
    else:
        where = f"softwood.datasets.make_{recipe.make}, seed {_SEED}"
        build = partial(_sample, recipe)
    return Offer(
        "generator", where, lambda: finished(shaped(build(), entry, recipe, where), entry, where)
    )


def table_of(universe: Universe) -> Table:
    """Return a universe as a table of nominal columns, the class last."""
    rows, labels = zip(*universe.rows(), strict=True)
    columns = [*zip(*rows, strict=True), labels]
    domains = {**universe.levels, "class": universe.classes}
    return Table(
        tuple(
            _nominal(name, texts, categories)
            for (name, categories), texts in zip(domains.items(), columns, strict=True)
        )
    )


def table_from(X: AnyArray, y: AnyArray) -> Table:
    """Return a table of numbers, the target last."""
    features = [Column(f"x{i}", x) for i, x in enumerate(X.T.astype(np.float64), start=1)]
    return Table((*features, Column("target", y.astype(np.float64))))


def table_of_texts(X: AnyArray, y: AnyArray) -> Table:
    """Return a table of texts as people write them, the target last."""
    features = [column_of_objects(f"x{i}", x) for i, x in enumerate(X.T, start=1)]
    return Table((*features, column_of_objects("target", y.astype(object))))


def _nominal(name: str, texts: tuple[str, ...], categories: tuple[str, ...]) -> Column:
    code_of = {category: code for code, category in enumerate(categories)}
    return Column(name, np.array([code_of[text] for text in texts], dtype=np.int32), categories)


def _sample(recipe: Recipe) -> Table:
    """Draw the parts one after the other from one stream of random numbers."""
    make: Callable[..., tuple[Any, Any]] = getattr(generators, f"make_{recipe.make}")
    rng = np.random.default_rng(_SEED)
    parts = [make(n_samples=size, random_state=rng, **recipe.options) for size in recipe.parts]
    X, y = np.vstack([X for X, _ in parts]), np.concatenate([y for _, y in parts])
    return table_of_texts(X, y) if X.dtype == object else table_from(X, y)
