"""The soft trees that are fitted to Dask collections."""

from __future__ import annotations

from softwood.dask._answering import LazyClassifier, LazyRegressor
from softwood.dask._soft import DistributedSoftTree
from softwood.estimators import soft


class SoftTreeClassifier(LazyClassifier, DistributedSoftTree, soft.SoftTreeClassifier):
    """One soft tree that can be read, of Dask collections.

    Some rows are drawn over all partitions and set apart. Bagged trees and Coalescence grow on the
    others, on samples as those of :class:`softwood.dask.CoalescenceClassifier`, and answer for the
    rows that they have not seen. On the answers of those who know these best, and the labels, one
    worker trains the tree as :class:`softwood.SoftTreeClassifier` does. Its leaves are then set
    by three passes over all rows (for numbers, one).

    Parameters
    ----------
    n_taught : int, default=100000
        Rows that the tree is trained on: at most half of all. A table that has no more rows
        goes to one worker, and the tree is that of :class:`softwood.SoftTreeClassifier`, to
        the last bit.
    exchange : "auto", int or None, default="auto"
        As in :class:`softwood.dask.CoalescenceClassifier`, of the ensembles.
    estimator : None
        Not to be had with Dask.
    method : "gradient" or Gradient, default="gradient"
        As in :class:`softwood.SoftTreeClassifier`, with ``teacher="auto"``.
    n_jobs : int, optional
        No effect while fitting: Dask decides how much runs at once.
    **others
        As in :class:`softwood.SoftTreeClassifier`.

    Attributes
    ----------
    exchange_ : Exchange or None
        As in :class:`softwood.dask.CoalescenceClassifier`.
    tree_, flow_, size_path_, deviations_, ranges_
        As in :class:`softwood.SoftTreeClassifier`; weights are those of the rows
        that it was trained on, and answers those of all.
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`softwood.SoftTreeClassifier`.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> import numpy as np
    >>> from softwood.dask import SoftTreeClassifier
    >>> rows = np.random.default_rng(0).normal(size=(900, 4))
    >>> X = da.from_array(rows, chunks=(300, 4))
    >>> y = da.from_array((rows[:, 0] + rows[:, 1] > 0).astype(int), chunks=300)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = SoftTreeClassifier(n_taught=300, random_state=0).fit(X, y)
    ...     print(model.score(X, y) > 0.93)
    True
    """

    _local = soft.SoftTreeClassifier


class SoftTreeRegressor(LazyRegressor, DistributedSoftTree, soft.SoftTreeRegressor):
    """One soft tree for a number, of Dask collections.

    Parameters
    ----------
    n_taught, exchange, estimator, method, n_jobs
        As in :class:`softwood.dask.SoftTreeClassifier`.
    **others
        As in :class:`softwood.SoftTreeRegressor`.

    Attributes
    ----------
    exchange_, tree_, flow_, size_path_, deviations_, ranges_
        As in :class:`softwood.dask.SoftTreeClassifier`.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> from softwood.dask import SoftTreeRegressor
    >>> from softwood.datasets import make_friedman1
    >>> rows, numbers = make_friedman1(600, random_state=0)
    >>> X, y = da.from_array(rows, chunks=(200, -1)), da.from_array(numbers, chunks=200)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = SoftTreeRegressor(n_taught=300, random_state=0).fit(X, y)
    ...     print(model.score(X, y) > 0.7)
    True
    """

    _local = soft.SoftTreeRegressor
