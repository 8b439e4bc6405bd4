"""Errors of models of growing size: trees by their leaves, ensembles by their trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.folds import deal_folds
from softwood.data.table import Table
from softwood.ensemble.sampling import mask_of_bags
from softwood.interop.imported import Imported, import_model
from softwood.refine.cost_complexity import ROOT_ALONE, PruningSequence, pruning_sequence

MOST_SIZES = 60  # that are tried; more look the same
AS_GROWN = -1.0  # a price at which nothing is pruned
UNPRUNED = {"pruning": None, "ccp_alpha": 0.0}  # parameters of a tree as it was grown


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The mean loss of rows for each size, and its standard error."""

    sizes: AnyArray
    loss: FloatArray
    standard_error: FloatArray

    @classmethod
    def of(cls, sizes: AnyArray, losses: FloatArray) -> Curve:
        """Return the curve of losses, rows by sizes; rows of NaN were not asked."""
        n = (~np.isnan(losses)).sum(axis=0)
        some = n > 0  # of a small sample the first tree may have seen all
        sizes, losses, n = sizes[some], losses[:, some], n[some]
        return cls(sizes, np.nanmean(losses, axis=0), np.nanstd(losses, axis=0) / np.sqrt(n))

    @property
    def least(self) -> int:
        """Place of the least loss, and of equal ones that of the smallest size."""
        best = np.flatnonzero(self.loss <= self.loss.min() + 1e-12 * abs(self.loss).max())
        return int(best[np.argmin(self.sizes[best])])

    @property
    def within_one(self) -> int:
        """Place of the smallest size within one standard error of the least loss."""
        bar = self.loss[self.least] + self.standard_error[self.least]
        near = np.flatnonzero(self.loss <= bar + 1e-12 * abs(self.loss).max())
        return int(near[np.argmin(self.sizes[near])])


def curves_of_tree(model: Any, imported: Imported, X: Any, y: AnyArray, cv: Any) -> list[Curve]:
    """Return the errors of a tree that is pruned leaf by leaf: on rows it saw, and on others.

    With folds, trees are grown anew without pruning, one on all rows and one for each fold,
    which is judged at the same prices of a leaf (Breiman et al. 1984, section 3.4.2). Without,
    the tree is that of the model, and all rows are new to it.
    """
    if cv is None:
        prices, _, sizes = _steps(imported)
        return [Curve.of(sizes, _losses_by_price(imported, prices, X, y))]
    template = _unpruned(model)
    grown = import_model(template.fit(X, y))
    prices, middle, sizes = _steps(grown)
    seen = _losses_by_price(grown, prices, X, y)
    unseen = np.full(seen.shape, np.nan)
    for fitted, test in _fitted_to_folds(template, X, y, cv, imported.classes is not None):
        unseen[test] = _losses_by_price(fitted, middle, taken(X, test), y[test])
    return [Curve.of(sizes, seen), Curve.of(sizes, unseen)]


def curve_of_forest(
    model: Any, imported: Imported, X: Any, y: AnyArray, cv: Any
) -> tuple[str, Curve]:
    """Return by which rows an ensemble is judged, and its errors for the first trees, and more.

    ``cv=None`` says that rows are new to it. Else they are those of its training: each asks the
    trees that have not seen it, or there are folds.
    """
    forest = imported.forest
    in_turns = bool((forest.output >= 0).any())  # a tree for each class, in each round
    step = forest.n_outputs if in_turns else 1
    sizes = _counts(forest.n_trees // step)
    if cv is None:
        return "new rows", Curve.of(sizes, _losses_by_count(imported, sizes * step, X, y))
    if imported.bootstrap_indices is not None:
        unseen = _unseen(imported, y.size)
        return "out of bag", Curve.of(sizes, _losses_by_count(imported, sizes * step, X, y, unseen))
    losses = np.full((y.size, sizes.size), np.nan)
    for fitted, test in _fitted_to_folds(model, X, y, cv, imported.classes is not None):
        losses[test] = _losses_by_count(fitted, sizes * step, taken(X, test), y[test])
    return "held out by folds", Curve.of(sizes, losses)


def taken(X: Any, rows: AnyArray) -> Any:
    """Return some rows of a table of any kind."""
    if isinstance(X, Table) or (hasattr(type(X), "column_names") and hasattr(X, "take")):  # Arrow's
        return X.take(rows)
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]


def _unpruned(model: Any) -> Any:
    from sklearn.base import clone

    own = model.get_params(deep=False)
    changes = {name: value for name, value in UNPRUNED.items() if name in own}
    return clone(model).set_params(**changes)


def _sequence(imported: Imported) -> PruningSequence:
    return pruning_sequence(imported.forest.trees[0], imported.classes is None)


def _steps(imported: Imported) -> tuple[FloatArray, FloatArray, AnyArray]:
    """Return prices of a leaf, those half way to the next, and the leaves at each price."""
    sequence = _sequence(imported)
    prices, sizes = sequence.alphas, sequence.n_leaves()
    middle = np.append(np.sqrt(prices[:-1]) * np.sqrt(prices[1:]), ROOT_ALONE)
    if sequence.tree.n_leaves > sizes[0]:  # some tests cost nothing to drop; yet they are there
        prices, middle = np.insert(prices, 0, AS_GROWN), np.insert(middle, 0, AS_GROWN)
        sizes = np.insert(sizes, 0, sequence.tree.n_leaves)
    some = _some(sizes)
    return prices[some], middle[some], sizes[some]


def _losses_by_price(imported: Imported, prices: FloatArray, X: Any, y: AnyArray) -> FloatArray:
    """Return what each row loses by the tree for each price of a leaf, rows by prices."""
    sequence, rows = _sequence(imported), imported.encode(X)
    losses = []
    for price in prices:
        forest = imported.forest.replace(trees=(sequence.at(price),))
        losses.append(_loss(imported, forest.raw(rows, imported.flow), y))
    return np.stack(losses, axis=1)


def _some(sizes: AnyArray) -> AnyArray:
    """Return places of sizes, few enough to be tried, about evenly on a log scale."""
    if sizes.size <= MOST_SIZES:
        return np.arange(sizes.size)
    wanted = np.geomspace(sizes.max(), 1.0, MOST_SIZES)
    return np.unique(np.abs(sizes[:, None] - wanted).argmin(axis=0))


def _counts(n_trees: int) -> AnyArray:
    counts = np.unique(np.geomspace(1.0, n_trees, min(MOST_SIZES, n_trees)).round().astype(int))
    return np.asarray(counts)


def _fitted_to_folds(
    template: Any, X: Any, y: AnyArray, cv: Any, is_classifier: bool
) -> Iterator[tuple[Imported, AnyArray]]:
    from sklearn.base import clone
    from sklearn.model_selection import check_cv

    if isinstance(cv, int | np.integer):
        n_folds = min(int(cv), y.size)
        if n_folds < 2:
            raise ValueError(f"cv must be at least 2 folds, of as many rows; got {cv} of {y.size}")
        codes = np.unique(y, return_inverse=True)[1] if is_classifier else np.zeros(y.size, int)
        folds = iter(deal_folds(codes, n_folds, np.random.default_rng(0)))
    else:
        folds = check_cv(cv, y, classifier=is_classifier).split(X, y)
    for train, test in folds:
        yield import_model(clone(template).fit(taken(X, train), y[train])), test


def _losses_by_count(
    imported: Imported, counts: AnyArray, X: Any, y: AnyArray, unseen: BoolArray | None = None
) -> FloatArray:
    """Return what each row loses by the first trees, rows by counts; NaN if it can ask none."""
    rows, forest = imported.encode(X), imported.forest
    losses = np.full((y.size, counts.size), np.nan)
    for place, count in enumerate(counts):
        use = np.ones((y.size, forest.n_trees), dtype=bool) if unseen is None else unseen.copy()
        use[:, count:] = False
        asked = use.any(axis=1)
        raw = forest.raw(rows[asked], imported.flow, use[asked])
        losses[asked, place] = _loss(imported, raw, y[asked])
    return losses


def _unseen(imported: Imported, n_rows: int) -> BoolArray:
    """Return which trees have not seen which rows."""
    bags = imported.bootstrap_indices
    assert bags is not None
    if max(int(bag.max(initial=0)) for bag in bags) >= n_rows:
        raise ValueError(
            f"X and y must be the rows that {imported.kind} was fitted to, to be asked out of "
            f"bag; got {n_rows}, which are too few. For new rows set cv=None"
        )
    return ~mask_of_bags(bags, n_rows)


def _loss(imported: Imported, raw: FloatArray, y: AnyArray) -> FloatArray:
    if imported.classes is None:
        return np.asarray((imported.forest.answer(raw)[:, 0] - y) ** 2)
    return np.asarray(imported.label_of(raw) != y, dtype=np.float64)
