import csv
import math
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from softwood.evaluate.progress import Progress
from softwood.evaluate.schedule import Schedule, expected

RECORDED = Path(__file__).parent / "recorded_cells.csv"


def task(dataset, method, size):
    problem = SimpleNamespace(name=dataset, size=size)
    return SimpleNamespace(problem=problem, pair=(dataset, method))


TASKS = [task("small", m, 10) for m in "ab"] * 2 + [task("large", m, 1000) for m in "ab"] * 2


def test_large_data_first_where_nothing_is_known():
    assert [t.pair[0] for t in Schedule(TASKS)] == ["large"] * 4 + ["small"] * 4


def test_costs_of_earlier_runs_decide():
    known = {("small", "a"): 9.0, ("small", "b"): 1.0, ("large", "b"): 5.0, ("gone", "a"): 99.0}
    order = [t.pair for t in Schedule(TASKS, known)]
    # Of a large cell of method a, the small one tells: it has 100 times the values.
    assert order[::2] == [("large", "a"), ("small", "a"), ("large", "b"), ("small", "b")]
    assert sorted(order) == sorted(t.pair for t in TASKS)


def test_the_order_follows_what_is_measured_on_the_way():
    schedule = Schedule([task("one", "a", 100), task("two", "a", 90), task("three", "b", 80)] * 2)
    source = iter(schedule)
    first = next(source)
    assert first.pair == ("one", "a")
    schedule.done(first, 0.001)
    second = next(source)
    assert second.pair == ("three", "b")  # a method that was never tried comes first
    schedule.done(task("three", "b", 80), 50.0)
    assert next(source).pair == ("three", "b")


def test_time_left_is_what_remains_at_the_pace_so_far(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("softwood.evaluate.schedule.perf_counter", lambda: now[0])
    work = [task("d", "a", 10)] * 10
    schedule = Schedule(work)
    assert schedule.seconds_left() != schedule.seconds_left()  # nothing is known yet
    for _ in range(4):
        now[0] += 1.0  # two cells of two seconds run side by side
        schedule.done(work[0], 2.0)
    assert schedule.seconds_left() == pytest.approx(6.0)


def test_what_lies_between_cells_counts(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("softwood.evaluate.schedule.perf_counter", lambda: now[0])
    schedule = Schedule([task("large", "a", 1000)] * 4 + [task("small", "a", 10)] * 100)
    for _ in range(4):
        now[0] += 10.5  # half a second goes by between two cells
        schedule.done(task("large", "a", 1000), 10.0)
    schedule.done(task("small", "a", 10), 0.1)
    now[0] += 0.6
    assert schedule.seconds_left() == pytest.approx(99 * 0.6, rel=0.1)


def test_no_time_is_told_while_a_method_has_not_ended_a_cell():
    schedule = Schedule([task("d", "cheap", 10)] * 9 + [task("d", "dear", 10)])
    for _ in range(5):
        schedule.done(task("d", "cheap", 10), 1.0)
    assert math.isnan(schedule.seconds_left())
    schedule.done(task("d", "dear", 10), 500.0)
    assert not math.isnan(schedule.seconds_left())


def test_small_sets_are_not_taken_to_be_free(monkeypatch):
    """Cost with a part that does not depend on the data: the estimate is near, not far below."""
    now = [0.0]
    monkeypatch.setattr("softwood.evaluate.schedule.perf_counter", lambda: now[0])
    sizes = [9000 * 14, 1000 * 20, 690 * 14, 351 * 34, 345 * 6, 306 * 3, 208 * 60, 163 * 9]
    seconds = {f"set {k}": 5.0 + size / 20_000 for k, size in enumerate(sizes)}
    work = [task(f"set {k}", "a", size) for k, size in enumerate(sizes)] * 10
    schedule = Schedule(work)
    total, told = 10 * sum(seconds.values()), []
    for done in schedule:
        now[0] += seconds[done.pair[0]]
        schedule.done(done, seconds[done.pair[0]])
        told.append((total - now[0], schedule.seconds_left()))
    honest = [said / left for left, said in told[2:-1]]
    assert min(honest) > 0.4  # 0.1 if cost were taken to be in proportion
    assert max(honest) < 2.0


def replayed(n_workers, monkeypatch):
    """Run recorded cells again by a clock of our own; return time left as it was and as told.

    They are of a soft tree and of C4.5 on 18 sets; the first cell of either method, on the largest
    set, compiled its kernels. Workers take what was drawn first, and twice as many are drawn.
    """
    now = [0.0]
    monkeypatch.setattr("softwood.evaluate.schedule.perf_counter", lambda: now[0])
    with RECORDED.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    seconds = {
        (line["data set"], line["method"]): [float(line[f"split {k}"]) for k in range(10)]
        for line in lines
    }
    sizes = {line["data set"]: float(line["size"]) for line in lines}
    work = [task(*pair, sizes[pair[0]]) for pair, cells in seconds.items() for _ in cells]
    schedule = Schedule(work, n_workers=n_workers)
    source, drawn, running, told = iter(schedule), [], [], []
    while True:
        drawn += islice(source, 2 * n_workers - len(drawn) - len(running))
        while drawn and len(running) < n_workers:
            next_one = drawn.pop(0)
            took = seconds[next_one.pair].pop(0)
            running.append((now[0] + took, took, next_one))
        if not running:
            return np.array([(now[0] - at, said) for at, said in told])
        ended = min(running, key=lambda cell: cell[0])
        running.remove(ended)
        now[0] = ended[0]
        schedule.done(ended[2], ended[1])
        told.append((now[0], schedule.seconds_left()))


@pytest.mark.parametrize("n_workers", [1, 2, 4])
def test_time_left_is_honest_on_recorded_cells(n_workers, monkeypatch):
    left, said = replayed(n_workers, monkeypatch).T
    known = ~np.isnan(said)
    assert known.sum() > 100
    # The last cells that end are small: what counts is what is told while there is time to spend.
    counted = known & (left > 0.05 * left[0])
    ratio = said[counted] / left[counted]
    assert np.median(ratio) > 0.5
    assert np.median(ratio) < 3.0
    assert np.mean(ratio < 0.3) < 0.2  # a cell of 112 s, while no other took 5


def test_a_long_cell_under_way_is_not_forgotten(monkeypatch):
    """Two workers: the one has nothing to do any more, the other is late."""
    now = [0.0]
    monkeypatch.setattr("softwood.evaluate.schedule.perf_counter", lambda: now[0])
    late, *others = [task("large", "a", 1000)] + [task("small", "a", 10) for _ in range(9)]
    schedule = Schedule([late, *others], n_workers=2)
    source = iter(schedule)
    assert next(source) is late
    for _ in others:
        one = next(source)
        now[0] += 1.0
        schedule.done(one, 1.0)
    assert schedule.seconds_left() == pytest.approx(91.0)  # a hundred times the size of the others
    now[0] = 300.0
    assert schedule.seconds_left() == pytest.approx(200.0)  # as late again as it is


def test_growth_is_learned_from_two_sizes():
    assert expected(1000.0, [(10.0, 1.0), (100.0, 10.0)]) == pytest.approx(100.0)
    assert expected(1.0, [(10.0, 2.0), (100.0, 2.0)]) == pytest.approx(2.0)
    assert expected(1000.0, [(10.0, 3.0), (100.0, 1.0)]) == pytest.approx(2.0)  # no fall


def test_lines_now_and_then(monkeypatch, capfd):
    now = [0.0]
    monkeypatch.setattr("softwood.evaluate.progress.monotonic", lambda: now[0])
    with Progress(10, 2, True, lambda: 70.0) as progress:
        for failed in (False, True, False):
            now[0] += 8.0
            progress.advance(failed)
    lines = capfd.readouterr().err.splitlines()
    assert lines == [
        "4 of 10 cells done, 1 failed, 1 min 10 s left",
        "5 of 10 cells done, 1 failed, 1 min 10 s left",
    ]


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress(4, 0, True, lambda: 75.0) as progress:
        for _ in range(3):
            progress.advance(True)
        progress._bar.refresh()
        waiting = capsys.readouterr().err
        progress.advance(True)
    written = waiting + capsys.readouterr().err
    assert "1 min 15 s left" in waiting  # asked again, while nothing ends
    assert "4/4" in written
    assert "4 failed" in written
