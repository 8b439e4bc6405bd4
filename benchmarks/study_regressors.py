"""Regressors beside scikit-learn's forests and LightGBM, over the sets of regression_sets.py.

    SOFTWOOD_DATA=... python benchmarks/study_regressors.py [--half odd] [--methods NAME ...]

Five folds; of sets with more than 3000 rows as many are drawn. Squared errors are shares of the
variance. Categories are one-hot columns for peers. Defaults were chosen on the even half of the
sets.
"""

import argparse
import warnings

import numpy as np
from regression_sets import HALVES, regression_sets
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

from softwood import (
    BaggedTreesRegressor,
    CARTRegressor,
    CoalescenceRegressor,
    Gradient,
    SoftTreeRegressor,
)
from softwood.evaluate import compare

# Coalescence before rows out of bag chose: what is taken where they are not asked.
FORMER_FOREST = {
    "alpha_range": (0.0, 1.0),
    "max_features": 2 / 3,
    "min_samples_split": 4,
    "min_samples_leaf": 2,
    "curtail": 0.0,
}
FORMER_TREE = {
    "method": Gradient(teacher=50, test_price=0),
    "max_leaf_nodes": 128,
    "oblique": False,
}
METHODS = {
    "coalescence": CoalescenceRegressor(),
    "former": CoalescenceRegressor(**FORMER_FOREST),
    "forest": RandomForestRegressor(100),
    "extra": ExtraTreesRegressor(100),
    "bagged": BaggedTreesRegressor(100),
    "soft": SoftTreeRegressor(),
    "soft former": SoftTreeRegressor(**FORMER_TREE),
    "pruned": CARTRegressor(pruning="cv"),
}


def with_lightgbm(methods):
    try:
        from lightgbm import LGBMRegressor
    except ImportError:
        return methods
    return {**methods, "lightgbm": LGBMRegressor(verbose=-1, n_jobs=1)}


def told(result, control: str) -> None:
    """Print the shares of the variance, the ranks, and the first method against each other one."""
    print(result.to_text("squared_error"))
    scores = dict(zip(result.methods, result.scores("squared_error").T, strict=True))
    seconds = dict(zip(result.methods, np.median(result.scores("fit_time"), axis=0), strict=True))
    ranks = result.ranks("squared_error")
    for name in result.methods:
        print(
            f"{name:12} mean {scores[name].mean():.4f}, rank {ranks[name]:.2f}, fit "
            f"{seconds[name]:.2f} s, higher than {control} on "
            f"{int(np.sum(scores[control] < scores[name]))}, {against(result, control, name)}"
        )
    if len(result.methods) > 1:
        print(result.holm("squared_error", control=control))


def against(result, control: str, other: str) -> str:
    """Return how often the control is better and worse by the corrected t test."""
    if other == control:
        return ""
    tests = [result.corrected_t(control, other, name) for name in result.datasets]
    sure = [test.difference for test in tests if test.pvalue < 0.05 and test.difference]
    return f"by corrected t {sum(d < 0 for d in sure)}, lower {sum(d > 0 for d in sure)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=HALVES, default="all")
    parser.add_argument("--most-rows", type=int, default=3000)
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--store")
    parser.add_argument("--n-jobs", type=int, default=-1)
    options = parser.parse_args()
    warnings.filterwarnings("ignore", "X does not have valid feature names")
    everything = with_lightgbm(METHODS)
    methods = {name: everything[name] for name in options.methods or everything}
    sets = regression_sets(options.most_rows, options.half)
    print(len(sets), "data sets")
    how = {"n_jobs": options.n_jobs, "store": options.store, "resume": bool(options.store)}
    told(compare(methods, sets, "kfold:5", verbose=1, **how), next(iter(methods)))
