"""Two sides for categories: always two, with cases on both, whatever the sums are."""

import numpy as np
import pytest

from softwood import SoftTreeRegressor
from softwood._kernels._jit import kernel
from softwood._kernels.growth.category_sets import choose_subset
from softwood._kernels.growth.choose import Cases
from softwood._kernels.growth.columns import RANK_SHIFT
from softwood._kernels.growth.policy import VarianceRules
from softwood._kernels.impurity import SQUARED_ERROR, xlog2_table
from tests.strategies import WITHOUT_JIT


@kernel
def sides(rules, line, cases, total, branch_of_level):
    return choose_subset(
        rules, line, 0, line.size, cases, total, False, branch_of_level
    )  # fmt: skip


def cases_of(target, weight):
    n = len(target)
    return Cases(
        label=np.zeros(n, dtype=np.int16),
        target=np.asarray(target, dtype=float),
        weight=np.asarray(weight, dtype=float),
        origin=np.ones(n),
        share=np.ones(n),
        xlogs=xlog2_table(n),
        scale=1.0,
    )


@pytest.mark.parametrize("weight", [1.0, 1e300, 5e-324])
def test_categories_that_tell_nothing_by_now_have_two_sides_all_the_same(weight):
    """The test was chosen by sums in another order; here no two sets are found."""
    n_levels = 24  # of a case each: there is nothing to choose from
    line = np.arange(n_levels) << RANK_SHIFT | np.arange(n_levels)
    branch = np.full(n_levels, 99)
    rules = VarianceRules(SQUARED_ERROR, 99, 2.0, 1.0, 0.0)
    cases = cases_of(np.arange(n_levels), np.full(n_levels, weight))
    assert sides(rules, line, cases, np.zeros(2), branch) == 2
    assert set(branch.tolist()) == {0, 1}


@pytest.mark.skipif(WITHOUT_JIT, reason="takes minutes as plain Python")
def test_weights_of_all_sizes_end_in_a_tree():
    rng = np.random.default_rng(0)
    kind, numbers = rng.integers(0, 24, 34), rng.normal(size=(34, 5))
    X = np.column_stack([kind, numbers])
    model = SoftTreeRegressor(max_leaf_nodes=8, categorical_features=[0], random_state=0)
    for seed in range(4):
        weight = np.random.default_rng(seed).choice([5e-324, 1e-300, 0.0, 1.0, 1e300], 34)
        assert np.isfinite(model.fit(X, np.arange(34.0), weight).predict(X)).all()
