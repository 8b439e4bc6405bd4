"""A real cluster of two processes: the same bits as without, even if one of them dies."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config

import softwood
from tests.clusters import cluster_of_two, wait_for_both

pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")

N_PARTITIONS, N_ROWS = 6, 40


@pytest.fixture(scope="module")
def client():
    with cluster_of_two() as client:
        yield client


def rows_of(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


# -- ordinary estimators, spread by joblib ----------------------------------------


@pytest.fixture(scope="module")
def alone():
    return softwood.CoalescenceClassifier(12, n_jobs=1, random_state=0).fit(*rows_of(200))


def test_joblib_on_dask(client, alone):
    from distributed import get_task_stream

    with get_task_stream(client) as stream, parallel_config("dask"):
        model = softwood.CoalescenceClassifier(12, n_jobs=2, random_state=0).fit(*rows_of(200))
    assert model.forest_ == alone.forest_
    assert len(stream.data) > 0  # it was not done here


def test_joblib_on_processes(alone):
    with parallel_config("loky"):
        model = softwood.CoalescenceClassifier(12, n_jobs=2, random_state=0).fit(*rows_of(200))
    assert model.forest_ == alone.forest_


# -- collections -------------------------------------------------------------------


def load(number, log, seconds):
    """Return a partition that only workers can have, and note who has loaded it."""
    Path(log, f"{time.time_ns()}-{number}-{os.getpid()}").touch()
    time.sleep(seconds)
    return rows_of(N_ROWS, seed=number)[0]


def loaded(log, seconds=0.0):
    parts = [
        da.from_delayed(dask.delayed(load)(j, str(log), seconds), (N_ROWS, 4), dtype=float)
        for j in range(N_PARTITIONS)
    ]
    return da.concatenate(parts)


def in_memory():
    parts = [rows_of(N_ROWS, seed=j) for j in range(N_PARTITIONS)]
    X, y = (np.concatenate(column) for column in zip(*parts, strict=True))
    return da.from_array(X, chunks=(N_ROWS, 4)), da.from_array(y, chunks=N_ROWS)


@pytest.fixture(scope="module")
def expected():
    """The model of the default scheduler, which is threads."""
    from softwood.dask import CoalescenceClassifier

    options = {"sampling": "bootstrap", "smoothing": 0.2, "random_state": 0}
    model = CoalescenceClassifier(13, exchange=None, **options)
    return model.fit(*in_memory())


def processes(log):
    return [int(path.name.split("-")[2]) for path in sorted(Path(log).iterdir())]


def test_partitions_stay_on_the_workers(client, expected, tmp_path):
    from sklearn.base import clone

    X, y = loaded(tmp_path), in_memory()[1]
    model = clone(expected).fit(X, y)
    assert model.forest_ == expected.forest_
    assert model.flow_ == expected.flow_
    workers = set(client.run(os.getpid).values())
    assert len(processes(tmp_path)) == 2 * N_PARTITIONS  # to compare, and to grow
    assert set(processes(tmp_path)) <= workers
    answers = model.predict_proba(X)
    assert len(processes(tmp_path)) == 2 * N_PARTITIONS
    np.testing.assert_array_equal(answers.compute(), expected.predict_proba(in_memory()[0]))
    assert os.getpid() not in processes(tmp_path)


def kill_a_worker_that_loads(log, n_before, killed):
    """Wait until more than ``n_before`` partitions were asked for; kill who has the last."""
    while len(processes(log)) <= n_before:
        time.sleep(0.01)
    killed.append(processes(log)[-1])
    os.kill(killed[0], signal.SIGKILL)


@pytest.mark.parametrize("n_before", [1, N_PARTITIONS + 1], ids=["comparing", "growing"])
def test_a_worker_that_is_killed(client, expected, tmp_path, n_before):
    from sklearn.base import clone

    wait_for_both(client)
    killed = []
    killer = threading.Thread(
        target=kill_a_worker_that_loads, args=(tmp_path, n_before, killed), daemon=True
    )
    killer.start()
    model = clone(expected).fit(loaded(tmp_path, seconds=0.2), in_memory()[1])
    killer.join(timeout=10)
    assert killed[0] not in client.run(os.getpid).values()
    assert len(processes(tmp_path)) > 2 * N_PARTITIONS  # somebody had to do it again
    assert model.forest_ == expected.forest_
    assert model.partition_of_tree_.tolist() == expected.partition_of_tree_.tolist()


# -- samples of all partitions ---------------------------------------------------------


@pytest.fixture(scope="module")
def dealt():
    """The model of the default scheduler, trees on four samples."""
    from softwood.dask import CoalescenceClassifier

    options = {"exchange": 42 * 60, "smoothing": "oob", "oob_score": True, "random_state": 0}
    return CoalescenceClassifier(12, **options).fit(*in_memory())


def kill_after(seconds, client, killed):
    time.sleep(seconds)
    pids = sorted(client.run(os.getpid).values())
    killed.append(pids[int(1e3 * seconds) % len(pids)])
    os.kill(killed[0], signal.SIGKILL)


@pytest.mark.parametrize("n_before", [0, N_PARTITIONS + 2], ids=["comparing", "dealing"])
def test_a_worker_that_is_killed_while_rows_are_dealt(client, dealt, tmp_path, n_before):
    from sklearn.base import clone

    wait_for_both(client)
    assert dealt.exchange_.n_samples == 4
    killed = []
    killer = threading.Thread(
        target=kill_a_worker_that_loads, args=(tmp_path, n_before, killed), daemon=True
    )
    killer.start()
    model = clone(dealt).fit(loaded(tmp_path, seconds=0.2), in_memory()[1])
    killer.join(timeout=10)
    assert killed
    assert model.forest_ == dealt.forest_
    assert model.smoothing_ == dealt.smoothing_
    assert model.oob_score_ == dealt.oob_score_
    # What was lost is loaded again, and nothing else: no partition more than once for each pass
    # that a worker had begun to read it for.
    assert len(processes(tmp_path)) <= 4 * N_PARTITIONS


@pytest.mark.parametrize("seconds", [0.3, 0.9])
def test_a_worker_that_is_killed_at_any_moment(client, dealt, tmp_path, seconds):
    from sklearn.base import clone

    wait_for_both(client)
    killed = []
    killer = threading.Thread(target=kill_after, args=(seconds, client, killed), daemon=True)
    killer.start()
    for _ in range(20):  # until it has been killed in the middle of one of them
        model = clone(dealt).fit(loaded(tmp_path, seconds=0.02), in_memory()[1])
        assert model.forest_ == dealt.forest_
        if killed:
            break
    killer.join(timeout=10)
    assert killed


def test_a_soft_tree_by_processes(client, tmp_path):
    from softwood.dask import SoftTreeClassifier

    options = {"n_taught": 100, "max_leaf_nodes": 4, "oblique": False, "random_state": 0}
    with dask.config.set(scheduler="synchronous"):
        alone = SoftTreeClassifier(**options).fit(*in_memory())
    model = SoftTreeClassifier(**options).fit(loaded(tmp_path), in_memory()[1])
    assert model.tree_ == alone.tree_
