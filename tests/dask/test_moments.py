"""A whole from its parts, against the whole itself."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from softwood.dask.moments import ColumnFacts, Moments, perturbation_of
from softwood.data.training import TrainingSet
from softwood.refine.perturbation import Perturbation


def table(seed, n_rows):
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.normal(1e3, 1.0, n_rows),
            np.full(n_rows, 0.1),  # rounding makes it deviate
            rng.integers(0, 3, n_rows),
            np.full(n_rows, np.nan),
        ]
    )
    X[rng.random(X.shape) < 0.2] = np.nan
    weight = rng.uniform(0.5, 2.0, n_rows)
    return TrainingSet.of_target(X, X[:, 0], weight=weight, n_categories=[0, 0, 3, 0])


@given(st.integers(0, 1000), st.integers(2, 40), st.data())
def test_the_perturbation_of_all_partitions(seed, n_rows, data):
    whole = table(seed, n_rows)
    cuts = sorted(data.draw(st.sets(st.integers(1, n_rows - 1), max_size=4)))
    parts = [whole.take(rows) for rows in np.split(np.arange(n_rows), cuts)]
    found = perturbation_of([ColumnFacts.of(part) for part in parts])
    expected = Perturbation.of(whole)
    np.testing.assert_allclose(found.scale, expected.scale, rtol=1e-9)
    assert [len(share) for share in found.marginals] == [len(s) for s in expected.marginals]
    for share, wanted in zip(found.marginals, expected.marginals, strict=True):
        np.testing.assert_allclose(share, wanted)


def test_numbers_whose_squares_are_none():
    X = np.array([[1e300, 1e-3], [-1e300, 2e-3], [3e299, 5e-3], [0.0, 9e-3]])
    whole = TrainingSet.of_target(X, np.zeros(4))
    parts = [whole.take(rows) for rows in np.split(np.arange(4), [1, 3])]
    found = perturbation_of([ColumnFacts.of(part) for part in parts])
    np.testing.assert_allclose(found.scale, Perturbation.of(whole).scale, rtol=1e-12)


def test_no_rows_are_no_weight():
    nothing = Moments.of(np.empty(0), np.empty(0))
    some = Moments.of(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    whole = Moments.merged([nothing, some])
    assert (whole.weight, whole.mean, whole.squares) == (2.0, 2.0, 2.0)
