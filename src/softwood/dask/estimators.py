"""The ensembles that are fitted to Dask collections."""

from __future__ import annotations

from softwood.dask._answering import LazyClassifier, LazyRegressor
from softwood.dask._forest import DistributedForest
from softwood.estimators import bagged, coalescence, vr_forest


class CoalescenceClassifier(LazyClassifier, DistributedForest, coalescence.CoalescenceClassifier):
    """Coalescence on Dask collections.

    Every tree grows on a sample that is drawn over all partitions, as large as a worker holds.
    If all rows fit into one sample, the model is that of :class:`softwood.CoalescenceClassifier`,
    to the last bit, unless rows out of bag choose there what is "auto". Larger tables make
    several samples, of which no two share a row. The scheduler, the number of workers, and
    workers that die on the way make no difference.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees; with ``exchange=None`` at least one for each partition that holds rows.
    exchange : "auto", int or None, default="auto"
        Bytes of a sample, in memory; growing on it takes about six times as many. A row has 8
        for each feature and 10, or 16 for numbers. "auto" is as much as the largest
        partition has, and at least 256 MiB. There are at most 16 samples: of larger tables some
        rows are not used. With None no row leaves the machine where it lies: every tree grows
        on one partition. Partitions get trees in proportion to their weight, at least one,
        and of all alphas; the votes of a partition's trees together count as its weight does.
    smoothing : "oob", float or None, default=None
        As in :class:`softwood.VRForestClassifier`; "oob" asks the trees of other samples, or
        partitions, too. At most about 2000 rows are brought together to judge.
    oob_score : bool, default=False
        As in :class:`softwood.VRForestClassifier`; rows ask the trees of other samples, or
        partitions, too. Rows of no sample are not asked about.
    warm_start : False
        Not to be had with Dask.
    n_jobs : int, optional
        Parts of a table in memory that are predicted at once. Dask decides how many
        partitions are worked on.
    verbose : int, default=0
        No effect; nor are callbacks called. Look at Dask's dashboard.
    **others
        As in :class:`softwood.CoalescenceClassifier`.

    Attributes
    ----------
    exchange_ : Exchange or None
        How many samples there were, their rows, and the bytes that were sent.
    partition_of_tree_ : ndarray of shape (n_estimators,)
        Number of the partition that each tree grew from, if rows stayed where they are.
    oob_score_ : float
        Share of right classes among rows that ask only trees that have not seen them.
    trees_, forest_, flow_, alphas_, smoothing_, smoothing_path_, seed_
        As in :class:`softwood.CoalescenceClassifier`.
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`softwood.CoalescenceClassifier`.

    Notes
    -----
    With ``exchange=None`` a tree knows its partition only: few large partitions are more accurate
    than many small ones, and rows must be shuffled. See the guide for what either costs.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> import numpy as np
    >>> from softwood.dask import CoalescenceClassifier
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.normal(size=(900, 4))
    >>> X = da.from_array(rows, chunks=(300, 4))
    >>> y = da.from_array((rows[:, 0] + rows[:, 1] > 0).astype(int), chunks=300)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = CoalescenceClassifier(12, oob_score=True, random_state=0).fit(X, y)
    ...     answers = model.predict(X)
    ...     print(answers.chunks, answers.compute().shape)
    ((300, 300, 300),) (900,)
    >>> model.exchange_
    Exchange(n_samples=1, n_rows=900, n_bytes=37800, is_all=True)
    >>> model.oob_score_ > 0.85
    True
    >>> model.to_local()
    CoalescenceClassifier(n_estimators=12, oob_score=True, random_state=0)
    """

    _local = coalescence.CoalescenceClassifier


class CoalescenceRegressor(LazyRegressor, DistributedForest, coalescence.CoalescenceRegressor):
    """Coalescence for a number, on Dask collections.

    Parameters
    ----------
    n_estimators, exchange, smoothing, oob_score, warm_start, n_jobs, verbose
        As in :class:`softwood.dask.CoalescenceClassifier`.
    **others
        As in :class:`softwood.CoalescenceRegressor`.

    Attributes
    ----------
    exchange_, partition_of_tree_
        As in :class:`softwood.dask.CoalescenceClassifier`.
    oob_score_ : float
        R², for rows that ask only trees that have not seen them.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> from softwood.dask import CoalescenceRegressor
    >>> from softwood.datasets import make_friedman1
    >>> rows, numbers = make_friedman1(600, random_state=0)
    >>> X, y = da.from_array(rows, chunks=(200, -1)), da.from_array(numbers, chunks=200)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = CoalescenceRegressor(30, oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ > 0.6
    True
    """

    _local = coalescence.CoalescenceRegressor


class VRForestClassifier(LazyClassifier, DistributedForest, vr_forest.VRForestClassifier):
    """Many variable-random trees, on Dask collections.

    Parameters
    ----------
    n_estimators, exchange, smoothing, oob_score, warm_start, n_jobs, verbose
        As in :class:`softwood.dask.CoalescenceClassifier`.
    alpha : float or "search", default=0.5
        As in :class:`softwood.VRForestClassifier`. In a search every sample tries the
        trees that would grow on its rows, and the mean goes by weight.
    **others
        As in :class:`softwood.VRForestClassifier`.

    Attributes
    ----------
    exchange_, partition_of_tree_, oob_score_
        As in :class:`softwood.dask.CoalescenceClassifier`.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> import numpy as np
    >>> from softwood.dask import VRForestClassifier
    >>> rows = np.random.default_rng(0).normal(size=(600, 4))
    >>> X = da.from_array(rows, chunks=(200, 4))
    >>> y = da.from_array(np.where(rows[:, 0] > 0, "up", "down"), chunks=200)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = VRForestClassifier(9, alpha="search", random_state=0).fit(X, y)
    ...     print(model.score(X, y) > 0.95)
    True
    """

    _local = vr_forest.VRForestClassifier


class VRForestRegressor(LazyRegressor, DistributedForest, vr_forest.VRForestRegressor):
    """Many variable-random trees for a number, on Dask collections.

    Parameters
    ----------
    n_estimators, exchange, smoothing, oob_score, warm_start, n_jobs, verbose
        As in :class:`softwood.dask.CoalescenceClassifier`.
    alpha : float or "search", default=0.5
        As in :class:`softwood.dask.VRForestClassifier`.
    **others
        As in :class:`softwood.VRForestRegressor`.

    Attributes
    ----------
    exchange_, partition_of_tree_, oob_score_
        As in :class:`softwood.dask.CoalescenceRegressor`.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> from softwood.dask import VRForestRegressor
    >>> from softwood.datasets import make_friedman1
    >>> rows, numbers = make_friedman1(600, random_state=0)
    >>> X, y = da.from_array(rows, chunks=(300, -1)), da.from_array(numbers, chunks=300)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = VRForestRegressor(20, random_state=0).fit(X, y)
    ...     print(model.score(X, y) > 0.8)
    True
    """

    _local = vr_forest.VRForestRegressor


class BaggedTreesClassifier(LazyClassifier, DistributedForest, bagged.BaggedTreesClassifier):
    """Bagged trees, on Dask collections; each from a bootstrap of its sample.

    Parameters
    ----------
    n_estimators, exchange, smoothing, oob_score, warm_start, n_jobs, verbose
        As in :class:`softwood.dask.CoalescenceClassifier`.
    **others
        As in :class:`softwood.BaggedTreesClassifier`.

    Attributes
    ----------
    exchange_, partition_of_tree_, oob_score_
        As in :class:`softwood.dask.CoalescenceClassifier`.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> import numpy as np
    >>> from softwood.dask import BaggedTreesClassifier
    >>> rows = np.random.default_rng(0).normal(size=(600, 4))
    >>> X = da.from_array(rows, chunks=(200, 4))
    >>> y = da.from_array((rows[:, 0] > 0).astype(int), chunks=200)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = BaggedTreesClassifier(9, random_state=0).fit(X, y)
    ...     print(model.score(X, y) > 0.95)
    True
    """

    _local = bagged.BaggedTreesClassifier


class BaggedTreesRegressor(LazyRegressor, DistributedForest, bagged.BaggedTreesRegressor):
    """Bagged trees for a number, on Dask collections.

    Parameters
    ----------
    n_estimators, exchange, smoothing, oob_score, warm_start, n_jobs, verbose
        As in :class:`softwood.dask.CoalescenceClassifier`.
    **others
        As in :class:`softwood.BaggedTreesRegressor`.

    Attributes
    ----------
    exchange_, partition_of_tree_, oob_score_
        As in :class:`softwood.dask.CoalescenceRegressor`.

    Examples
    --------
    >>> import dask
    >>> import dask.array as da
    >>> from softwood.dask import BaggedTreesRegressor
    >>> from softwood.datasets import make_friedman1
    >>> rows, numbers = make_friedman1(600, random_state=0)
    >>> X, y = da.from_array(rows, chunks=(300, -1)), da.from_array(numbers, chunks=300)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     model = BaggedTreesRegressor(20, random_state=0).fit(X, y)
    ...     print(model.score(X, y) > 0.8)
    True
    """

    _local = bagged.BaggedTreesRegressor
