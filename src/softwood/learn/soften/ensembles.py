"""The ensembles that teach by default: sharp ones, a spectrum, and cautious ones."""

from __future__ import annotations

from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import Sampling
from softwood.grow.random import VariableRandom
from softwood.learn.cart import CartLearner
from softwood.learn.random_forest import CoalescenceForest, OneAlphaForest
from softwood.learn.soften.wide import MANY_COLUMNS

N_BAGGED = 50
# Of so many rows the labels say more than who smoothes them: CART's own trees, which no length of
# description keeps small, teach better (MAGIC: 0.1185 in place of 0.1235), and take longer to grow.
MANY = 5000
CAUTION = 0.05  # share of the rows that a leaf of a cautious tree holds at least
LOOKED_AT = 1000  # columns, of many more


def spectrum(data: TrainingSet) -> CoalescenceForest:
    """Return Coalescence as its classifier has it by default, or its regressor."""
    if data.is_regression:
        share = _share_looked_at(2 / 3, data)
        policy = VariableRandom(max_features=share, n_random_tests=12, curtail=0.0)
    else:
        policy = VariableRandom(max_features=_share_looked_at(1 / 3, data), n_random_tests=6)
    return CoalescenceForest(
        sampling=Sampling("subsample", max_samples=(0.6, 1.0)),
        policy=policy,
        nominal_split="one_vs_rest",
        alpha_range=(0.0, 1.0) if data.is_regression else (0.25, 1.0),
    )


def bagged(data: TrainingSet, min_leaf: int = 1) -> OneAlphaForest:
    """Return bagged trees of the best tests, as forests grow them: quicker than CART does."""
    least = 5.0 if data.is_regression else 2.0
    policy = VariableRandom(
        min_split=max(least, 2.0 * min_leaf),
        min_leaf=float(min_leaf),
        curtail=0.0,
        max_features=_share_looked_at(1.0, data),
    )
    return OneAlphaForest(
        n_trees=N_BAGGED,
        sampling=Sampling("bootstrap"),
        policy=policy,
        nominal_split="one_vs_rest",
        alpha=1.0,
    )


def cautious(data: TrainingSet) -> OneAlphaForest:
    """Return bagged trees of a few large leaves: they know best where there is little to know."""
    return bagged(data, max(5, round(CAUTION * data.n_rows)))


def _share_looked_at(share: float, data: TrainingSet) -> float | None:
    """Return the share of the columns that a node looks at; of thousands, a thousand."""
    n_columns = data.X.shape[1]
    if n_columns > MANY_COLUMNS:
        share = min(share, LOOKED_AT / n_columns)
    return None if share == 1.0 else share


def fully_grown(data: TrainingSet) -> CartLearner:
    """Return what grows until leaves are pure, or have fewer than five numbers."""
    if data.is_regression:
        return CartLearner("squared_error", min_samples_split=5)
    return CartLearner("gini")
