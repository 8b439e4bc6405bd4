"""The paper's methods: single trees, pruned trees and bags, crisp or smooth (d).

Trees are grown until leaves are pure, in regression until nodes have fewer than five rows.
A bag has 50 trees. Lambda is chosen by ten folds, for bags out of bag (section 3.1).
"""

from __future__ import annotations

from typing import Any

from softwood.learn.soften import Perturb

PAIRS = (("ST", "STd"), ("PST", "PSTd"), ("TB", "TBd"))
N_BAGGED = 50
MIN_SAMPLES_SPLIT = 5
LARGEST_DEFAULT = 2500  # training rows up to which softwood's default is run beside
DEFAULT = "default"
CART: dict[str, Any] = {
    "max_depth": None,
    "min_samples_leaf": 1,
    "max_leaf_nodes": None,
    "n_folds": 10,
    "n_standard_errors": 0.0,
}
NOISE = "product"  # each test has noise of its own: the paper's closed form
SMOOTH: dict[str, Any] = {"method": Perturb(NOISE), "oblique": False}


def methods(task: str, with_bagging: bool) -> dict[str, Any]:
    """Return ST, STd, PST, PSTd and, if wanted, TB and TBd.

    Parameters
    ----------
    task : {"classification", "regression"}
        What the trees are for.
    with_bagging : bool
        Whether bags are wanted, which take the longest.

    Examples
    --------
    >>> list(methods("regression", with_bagging=False))
    ['ST', 'STd', 'PST', 'PSTd']
    """
    chosen = _trees(task)
    if with_bagging:
        chosen |= _bags(task)
    return chosen


def _trees(task: str) -> dict[str, Any]:
    from softwood.estimators import CARTClassifier, CARTRegressor
    from softwood.estimators.soft import SoftTreeClassifier, SoftTreeRegressor

    full: Any
    pruned: Any
    soft: Any
    if task == "classification":
        full = CARTClassifier("entropy", **CART)
        pruned = CARTClassifier("entropy", pruning="cv", **CART)
        soft = SoftTreeClassifier
    else:
        full = CARTRegressor(min_samples_split=MIN_SAMPLES_SPLIT, **CART)
        pruned = CARTRegressor(min_samples_split=MIN_SAMPLES_SPLIT, pruning="cv", **CART)
        soft = SoftTreeRegressor
    return {
        "ST": full,
        "STd": soft(full, smoothing="cv", **SMOOTH),
        "PST": pruned,
        "PSTd": soft(pruned, smoothing="cv", **SMOOTH),
    }


def default(task: str) -> Any:
    """Return the soft tree that softwood grows when nothing is said."""
    from softwood.estimators.soft import SoftTreeClassifier, SoftTreeRegressor

    return SoftTreeClassifier() if task == "classification" else SoftTreeRegressor()


def _bags(task: str) -> dict[str, Any]:
    from sklearn.ensemble import BaggingClassifier, BaggingRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    from softwood.estimators.softened import SoftenedClassifier, SoftenedRegressor

    soft: Any
    if task == "classification":
        bag = BaggingClassifier(DecisionTreeClassifier(criterion="entropy"), N_BAGGED)
        soft = SoftenedClassifier
    else:
        tree = DecisionTreeRegressor(min_samples_split=MIN_SAMPLES_SPLIT)
        bag, soft = BaggingRegressor(tree, N_BAGGED), SoftenedRegressor
    return {"TB": bag, "TBd": soft(bag, smoothing="oob", **SMOOTH)}
