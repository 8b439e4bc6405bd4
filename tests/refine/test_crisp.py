"""Crisp trees: without widths, and the same under ramps as under the hard flow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.learn.c45 import C45Learner
from softwood.learn.cart import CartLearner
from softwood.refine.crisp import for_ramps


@pytest.mark.parametrize("learner", [CartLearner(), C45Learner()])
@given(seed=st.integers(0, 10_000))
def test_ramps_without_width_are_the_hard_flow(learner, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(60, 3)).astype(float)  # rows on the cuts of C4.5
    tree = learner.grow(TrainingSet.of_classes(X, rng.integers(0, 3, 60)))
    at_cuts = np.repeat(tree.threshold[:, None], 3, axis=1)
    rows = np.vstack([X, at_cuts, rng.normal(size=(20, 3))])
    wanted = Hard().predict(tree, rows)
    for shape in ("linear", "logistic"):
        assert np.array_equal(Ramp(shape=shape).predict(for_ramps(tree), rows), wanted)
