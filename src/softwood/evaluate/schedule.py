"""The order of the cells: the costliest first, so that no core is idle at the end.

What a cell costs is learned from those that are done, of this run or of an earlier one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from time import perf_counter

from softwood.evaluate.plan import Task

Pair = tuple[str, str]
FEW = 3  # cells tell nothing yet about the time that is left


class Schedule:
    """The tasks of a run, in an order that is decided as it goes.

    Tasks are drawn by threads of joblib's while others are reported done: what both
    sides touch changes by single assignments only.

    Parameters
    ----------
    tasks : iterable of Task
        What is to be done.
    known : mapping of (data set, method) to float, optional
        Seconds that a cell took in earlier runs.
    """

    def __init__(self, tasks: Iterable[Task], known: Mapping[Pair, float] | None = None) -> None:
        self._waiting: dict[Pair, list[Task]] = defaultdict(list)
        for task in tasks:
            self._waiting[task.pair].append(task)
        self._size = {pair: tasks[0].problem.size for pair, tasks in self._waiting.items()}
        self._left = {pair: len(tasks) for pair, tasks in self._waiting.items()}
        self._seconds: dict[Pair, list[float]] = {pair: [] for pair in self._size}
        self._measured: dict[Pair, float] = {}  # seconds of a cell
        self._rate: dict[str, float] = {}  # seconds per value of the data, by method
        self._highest_rate = 1.0
        self._start = perf_counter()
        self._spent = 0.0
        self._n_done = 0
        for pair, seconds in (known or {}).items():
            if pair in self._size:
                self._learn(pair, seconds)

    def __iter__(self) -> Iterator[Task]:
        """Yield the tasks; each is chosen by what is known at that moment."""
        while self._waiting:
            pair = max(self._waiting, key=self._cost)
            tasks = self._waiting[pair]
            task = tasks.pop(0)
            if not tasks:
                del self._waiting[pair]
            yield task

    def done(self, task: Task, seconds: float) -> None:
        """Take note that a task is done, and what it cost."""
        self._left[task.pair] -= 1
        self._spent += seconds
        self._n_done += 1
        self._learn(task.pair, seconds)

    def seconds_left(self) -> float:
        """Return an estimate of the time until all is done; NaN while there is none."""
        if self._n_done < FEW or not self._spent:
            return float("nan")
        # Cells run side by side: time passes more slowly than the cells count it.
        pace = (perf_counter() - self._start) / self._spent
        return pace * sum(self._cost(pair) * n for pair, n in self._left.items() if n)

    def _cost(self, pair: Pair) -> float:
        """Return what a cell costs: as measured, or in proportion to the size of its data."""
        measured = self._measured.get(pair)
        if measured is not None:
            return measured
        return self._rate.get(pair[1], self._highest_rate) * self._size[pair]

    def _learn(self, pair: Pair, seconds: float) -> None:
        # Medians: the first cell of a worker pays for imports and compilation.
        self._seconds[pair].append(seconds)
        self._measured[pair] = median(self._seconds[pair])
        method = pair[1]
        rates = [cost / self._size[p] for p, cost in self._measured.items() if p[1] == method]
        self._rate[method] = median(rates)
        self._highest_rate = max(self._rate.values())
