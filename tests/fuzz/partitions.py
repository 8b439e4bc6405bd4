"""Ensembles on Dask collections in odd partitions, by workers that die: the same bits, or words."""

import os
import signal
import threading
import time

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier

import softwood as sw
from tests.clusters import KEEPS_ALL, wait_for_both
from tests.fuzz.answers import check_answers, expect, same
from tests.fuzz.hostile import choose, draw_classes, draw_shape, draw_target, draw_weights
from tests.fuzz.learners import draw_learner

ENSEMBLES = [
    kind
    for name in ("Coalescence", "VRForest", "BaggedTrees")
    for kind in (getattr(sw, f"{name}Classifier"), getattr(sw, f"{name}Regressor"))
]
KILLS = 0.15  # share of the cases in which a worker dies


def prepare():
    """Return a cluster of two processes."""
    import dask
    from distributed import Client, LocalCluster

    dask.config.set(KEEPS_ALL)
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    return Client(cluster, set_as_default=False)


def case(rng, client):
    """Fit an ensemble to partitions in threads; again otherwise, and compare."""
    import dask

    model, n = _far(draw_learner(rng, ENSEMBLES)), choose(rng, 1, 5, 20, 60, 200)
    shape = draw_shape(rng)
    sizes = _sizes(rng, n)
    if rng.random() < 0.8:
        model.set_params(n_estimators=max(model.n_estimators, len(sizes)))
    if model.smoothing == "holdout" and rng.random() < 0.8:
        model.set_params(smoothing=0.2)
    y = draw_classes(rng, n) if is_classifier(model) else draw_target(rng, n)
    y = np.sort(y) if rng.random() < 0.3 else y
    table = shape.rows(rng, n)
    weight = draw_weights(rng, n)
    told = f"{' '.join(repr(model).split())}\n{shape}\npartitions of {sizes}, y {y!r}, {weight=}"
    try:
        given = [_parted(column, sizes) for column in (table, y, weight)]
        try:
            with dask.config.set(scheduler="threads"):
                model.fit(*given)
        except (ValueError, TypeError) as error:
            expect(str(error).strip(), "refused without a word")
            expect(not hasattr(model, "forest_"), "half fitted")
            return "refused"
        return _asked(rng, model, given, table, n, client)
    except Exception as error:
        error.add_note(told)
        raise


def _asked(rng, model, given, table, n, client):
    import dask

    with dask.config.set(scheduler="threads"):
        here = check_answers(model, _in_memory(table), n)
        ask = model.predict_proba if is_classifier(model) else model.predict
        there = np.asarray(ask(given[0]).compute())
    expect(same(here, there), "rows in partitions are answered otherwise")
    local = check_answers(model.to_local(), _in_memory(table), n)
    expect(np.allclose(here, local, rtol=1e-9, atol=1e-12), "the local model answers otherwise")
    is_killed = rng.random() < KILLS
    again = _again(model, given, client, rng.random() * 0.5 if is_killed else None)
    expect(again.forest_ == model.forest_, "other trees on a cluster")
    return "a worker killed" if is_killed else "same on a cluster"


def _again(model, given, client, delay):
    """Fit on the cluster, of which a worker may die meanwhile."""
    wait_for_both(client)
    if delay is not None:
        pid = next(iter(client.run(os.getpid).values()))
        killer = threading.Thread(target=_kill, args=(pid, delay))
        killer.start()
    try:
        with client.as_current():
            return clone(model).fit(*given)
    finally:
        if delay is not None:
            killer.join()


def _kill(pid, delay):
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)


def _far(model):
    import softwood.dask as far

    return getattr(far, type(model).__name__)(**model.get_params(deep=False))


def _sizes(rng, n):
    """Cut a number of rows into parts, of which some may be empty."""
    cuts = np.sort(rng.integers(0, n + 1, choose(rng, 0, 1, 3, 7)))
    return tuple(np.diff([0, *cuts.tolist(), n]).tolist())


def _in_memory(table):
    return table.to_pandas() if hasattr(table, "to_pandas") else table


def _parted(column, sizes):
    """Return a Dask collection of parts of these sizes; frames for frames."""
    import dask.array as da
    import dask.dataframe as dd
    from dask import delayed

    if column is None:
        return None
    column = _in_memory(column)
    if not isinstance(column, pd.DataFrame):
        column = np.asarray(column)
        return da.from_array(column, chunks=(sizes, *((n,) for n in column.shape[1:])))
    ends = np.cumsum(sizes)
    parts = [delayed(column.iloc[end - size : end]) for size, end in zip(sizes, ends, strict=True)]
    return dd.from_delayed(parts, meta=column.iloc[:0])
