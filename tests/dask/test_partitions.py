"""What collections may look like, and what is said of those that may not."""

import sys

import numpy as np
import pytest

from softwood.dask import CoalescenceClassifier
from softwood.dask.partitions import partitions_of
from softwood.errors import MissingExtraError

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

X = da.from_array(np.arange(24.0).reshape(12, 2), chunks=(4, 2))
Y = da.from_array(np.arange(12) % 2, chunks=4)


def computed(part):
    return [None if column is None else np.asarray(column.compute()) for column in part]


def test_rows_stand_side_by_side():
    for number, part in enumerate(partitions_of(X, Y, 10.0 * Y)):
        rows, target, weight = computed(part)
        here = slice(4 * number, 4 * number + 4)
        np.testing.assert_array_equal(rows, X[here].compute())
        np.testing.assert_array_equal(target, Y[here].compute())
        np.testing.assert_array_equal(weight, 10.0 * target)


def test_a_target_that_is_cut_elsewhere_is_cut_again():
    parts = partitions_of(X, Y.rechunk(5))
    assert [computed(part)[1].tolist() for part in parts] == [[0, 1, 0, 1]] * 3


@pytest.mark.parametrize(
    ("X", "y", "sample_weight", "error", "message"),
    [
        (X.compute(), Y, None, TypeError, "X must be a Dask array or dataframe; got ndarray"),
        (X, Y.compute(), None, TypeError, "y must be a Dask array or series.*got ndarray"),
        (X, None, None, TypeError, "y must be a Dask array or series.*got NoneType"),
        (X, Y, [1.0] * 12, TypeError, "sample_weight must be a Dask .*got list"),
        (X[:, 0], Y, None, ValueError, r"X must be 2-D.*; got 1 dim"),
        (X, Y[:, None], None, ValueError, r"y must be 1-D; got 2 dim"),
        (X.rechunk((4, 1)), Y, None, ValueError, r"X is cut along .* into 2.*X.rechunk"),
        (X, Y[:10], None, ValueError, "y must have as many rows as X, 12; got 10"),
        (X, Y, Y[:8], ValueError, "sample_weight must have as many rows as X, 12; got 8"),
        (X, dd.from_dask_array(Y.rechunk(6)), None, ValueError, "y must be .* into 3; it has 2"),
    ],
)
def test_what_cannot_be_used(X, y, sample_weight, error, message):
    with pytest.raises(error, match=message):
        partitions_of(X, y, sample_weight)


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask.array", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'softwood\[dask\]'"):
        CoalescenceClassifier().fit(X, Y)
