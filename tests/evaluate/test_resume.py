"""A comparison may be killed at any moment: nothing is lost, nothing is done twice."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from softwood.errors import StoreError
from softwood.evaluate import Comparison
from softwood.evaluate._locks import held
from softwood.evaluate.metrics import TIMES
from softwood.evaluate.store import Store
from tests.evaluate.small_study import study

ROOT = Path(__file__).parents[2]
RUN = "import sys; from tests.evaluate.small_study import study; "
N_CELLS = 3 * 3 * 10
SECONDS = 0.05


def without_times(comparison):
    """Return everything a comparison holds, except for times, as text: bit for bit."""
    return [
        (
            record.cell.key,
            record.outcome.status,
            {n: float(v).hex() for n, v in record.outcome.metrics.items() if n not in TIMES},
        )
        for record in comparison.records
    ]


def started(store, seconds=SECONDS, n_jobs=1):
    return subprocess.Popen(
        [sys.executable, "-c", f"{RUN}study({str(store)!r}, {seconds}, n_jobs={n_jobs})"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def n_stored(store):
    if not store.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM cells").fetchone()[0]
    except sqlite3.Error:  # made this very moment
        return 0


def killed_after(process, store, n_more, delay):
    """Kill the process once the store has ``n_more`` cells more, and a little later."""
    goal = n_stored(store) + n_more
    while n_stored(store) < goal and process.poll() is None:
        time.sleep(0.002)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process.stderr.close()


@pytest.mark.parametrize(
    ("n_jobs", "n_kills"),
    [
        (1, 2),
        (2, 1),
        pytest.param(1, 10, marks=pytest.mark.slow),
        pytest.param(2, 10, marks=pytest.mark.slow),
    ],
)
def test_killed_at_random_moments(tmp_path, n_jobs, n_kills):
    random.seed(n_jobs)
    store = tmp_path / "results.sqlite"
    for _ in range(n_kills):
        before = n_stored(store)
        process = started(store, n_jobs=n_jobs)
        n_more = random.randint(0 if before else 1, 4)  # 0: while it starts
        killed_after(process, store, n_more, random.uniform(0, 0.05 if n_more else 1.0))
        assert process.returncode == -signal.SIGKILL
        assert n_stored(store) >= before + n_more
    partial = Comparison.from_store(store)
    assert len(partial.records) < N_CELLS
    first = {record.cell.key: repr(record.outcome) for record in partial.records}

    resumed = study(store, SECONDS, n_jobs=n_jobs)
    assert len(resumed.records) == n_stored(store) == N_CELLS
    # Times too are those of the first run, for cells that were done.
    kept = {r.cell.key: repr(r.outcome) for r in resumed.records if r.cell.key in first}
    assert kept == first
    assert without_times(resumed) == without_times(study(seconds=SECONDS))
    assert without_times(Comparison.from_store(store)) == without_times(resumed)


def test_a_second_process_is_refused_and_then_not(tmp_path):
    store = tmp_path / "results.sqlite"
    process = started(store, seconds=0.5)
    while n_stored(store) < 1:
        time.sleep(0.01)
    with pytest.raises(StoreError, match=rf"another process \(pid {process.pid} on .*\); wait"):
        study(store, 0.5)
    other = study(store, experiment="another")  # of the same store, at the same time
    assert len(other.records) == N_CELLS
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()
    with Store(store) as file, held(store, file.experiments()[0]) as is_ours:
        assert is_ours  # death has released it
    assert not list(tmp_path.glob("*.lock*"))


def test_cells_are_run_again_when_asked(tmp_path):
    store = tmp_path / "results.sqlite"
    first = study(store)
    assert repr(study(store).records) == repr(first.records)
    with pytest.raises(StoreError, match=f"already has {N_CELLS} of the {N_CELLS} cells"):
        study(store, resume="refuse")
    again = study(store, resume=False)
    assert without_times(again) == without_times(first)
    assert repr(again.records) != repr(first.records)
    assert n_stored(store) == N_CELLS


def test_what_changes_makes_new_cells(tmp_path):
    store = tmp_path / "results.sqlite"
    study(store)
    study(store, seconds=1e-9)  # a parameter of one method of three
    assert n_stored(store) == N_CELLS + N_CELLS // 3
    latest = Comparison.from_store(store)
    assert len(latest.records) == N_CELLS
    assert "seconds=1e-09" in latest.definition["methods"]["coin"]["parameters"]
    study(store, random_state=1)
    assert n_stored(store) == 2 * N_CELLS + N_CELLS // 3
