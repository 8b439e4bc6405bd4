"""The order of the cells: the costliest first, so that no core is idle at the end.

What a cell costs is learned from those that are done, of this run or of an earlier one. Of
data sets where a method was not yet run, the others tell: what it costs grows with some power
of rows times columns, often less than the first, since all methods also do what does not
depend on the data. A cost that is taken to grow with the data alone would make small sets
look free, and the time that is left far too short.

A run ends when its last cell ends: what is left is never less than the longest cell that waits
or is under way, and one that has taken longer than was thought is expected to take longer still.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from time import perf_counter

from softwood.evaluate.plan import Task

Pair = tuple[str, str]
FEW = 3  # cells tell nothing yet about the time that is left
# How cost grows with rows times columns, where a single data set tells: of smaller sets it
# is taken to fall slowly, of larger ones to rise in proportion, so that neither is free.
DOWN, UP = 0.5, 1.0
STEEPEST = 1.5
APART = 2.0  # sizes that differ by less tell nothing about the growth
LATE = 0.2  # while a cell runs, at least this share of what it took is thought to be still to come


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
    n_workers : int, default=1
        How many cells run side by side.
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        known: Mapping[Pair, float] | None = None,
        n_workers: int = 1,
    ) -> None:
        self._waiting: dict[Pair, list[Task]] = defaultdict(list)
        for task in tasks:
            self._waiting[task.pair].append(task)
        self._size = {pair: tasks[0].problem.size for pair, tasks in self._waiting.items()}
        self._left = {pair: len(tasks) for pair, tasks in self._waiting.items()}
        self._seconds: dict[Pair, list[float]] = {pair: [] for pair in self._size}
        self._measured: dict[Pair, float] = {}  # seconds of a cell
        self._tried: set[str] = set()  # methods of which a cell was begun
        # Drawn and not yet done, by identity: the first ones of them run, others are on their way.
        self._under_way: dict[int, Pair] = {}
        self._began: dict[int, float] = {}
        self._n_workers = max(n_workers, 1)
        self._of_method: dict[str, list[tuple[float, float]]] = {}  # sizes and seconds
        self._start = perf_counter()
        self._spent = 0.0
        self._n_done = 0
        for pair, seconds in (known or {}).items():
            if pair in self._size:
                self._learn(pair, seconds)

    def __iter__(self) -> Iterator[Task]:
        """Yield the tasks; each is chosen by what is known at that moment."""
        while self._waiting:
            pair = max(self._waiting, key=self._urgency)
            self._tried.add(pair[1])
            tasks = self._waiting[pair]
            task = tasks.pop(0)
            if not tasks:
                del self._waiting[pair]
            self._under_way[id(task)] = pair
            self._note_begun()
            yield task

    def done(self, task: Task, seconds: float) -> None:
        """Take note that a task is done, and what it cost."""
        self._left[task.pair] -= 1
        self._under_way.pop(id(task), None)
        self._began.pop(id(task), None)
        self._note_begun()
        self._spent += seconds
        self._n_done += 1
        self._learn(task.pair, seconds)

    def seconds_left(self) -> float:
        """Return an estimate of the time until all is done; NaN while there is none.

        There is none before every method has ended a cell: one that is still at its first
        may cost more than all others.
        """
        waiting = {pair[1] for pair, n in self._left.items() if n}
        if self._n_done < FEW or not self._spent or not waiting <= set(self._of_method):
            return float("nan")
        now = perf_counter()
        elapsed = now - self._start
        begun = [(self._cost(pair), now - start, pair) for pair, start in self._running()]
        spent = self._spent + sum(lasted for _, lasted, _ in begun)
        # Cells run side by side: time passes more slowly than the cells count it.
        pace = min(1.0, elapsed / spent)
        # One after the other, what lies between them (the store, sending data) counts, too: a
        # run ends with many cells that are quickly done.
        between = max(0.0, elapsed - spent) / self._n_done
        others = Counter(self._left)
        others.subtract(pair for _, _, pair in begun)
        rests = [(rest_of(cost, lasted), 1) for cost, lasted, _ in begun]
        rests += [(self._cost(pair), n) for pair, n in others.items() if n > 0]
        in_all = sum((pace * cost + between) * n for cost, n in rests)
        return max([in_all, *(cost for cost, _ in rests)])

    def _note_begun(self) -> None:
        """Take note which of the cells under way have begun: tasks are taken as they were drawn."""
        for key in list(self._under_way)[: self._n_workers]:
            self._began.setdefault(key, perf_counter())

    def _running(self) -> list[tuple[Pair, float]]:
        """Return the cells that run, and when they began."""
        drawn = dict(self._under_way)
        return [(drawn[key], start) for key, start in dict(self._began).items() if key in drawn]

    def _urgency(self, pair: Pair) -> tuple[bool, float]:
        # A method that was never tried comes first, with its largest data: it may be the slowest.
        unknown = pair[1] not in self._tried and pair[1] not in self._of_method
        return unknown, self._cost(pair)

    def _cost(self, pair: Pair) -> float:
        measured = self._measured.get(pair)
        if measured is not None:
            return measured
        size, method = self._size[pair], pair[1]
        known = self._of_method.get(method)
        if known is not None:
            return expected(size, known)
        # Nothing is known of the method: it may be as costly as the costliest.
        others = (expected(size, of_other) for of_other in self._of_method.values())
        return max(others, default=float(size))

    def _learn(self, pair: Pair, seconds: float) -> None:
        # Medians: the first cell of a worker pays for imports and compilation.
        self._seconds[pair].append(seconds)
        self._measured[pair] = median(self._seconds[pair])
        method = pair[1]
        self._of_method[method] = [
            (float(self._size[p]), cost) for p, cost in self._measured.items() if p[1] == method
        ]


def rest_of(cost: float, lasted: float) -> float:
    """Return the seconds that something still takes that was thought to take ``cost``.

    What is late is thought to be as late again: nobody knows how far off the thought was.

    Examples
    --------
    >>> rest_of(10.0, 4.0), rest_of(10.0, 10.0), rest_of(10.0, 100.0)
    (6.0, 2.0, 90.0)
    """
    return max(abs(cost - lasted), LATE * lasted)


def expected(size: float, known: list[tuple[float, float]]) -> float:
    """Return the seconds that a method takes for data of a size, from those of other sizes.

    Examples
    --------
    >>> expected(1000, [(10, 1.0), (100, 2.0)])
    4.0
    >>> expected(25, [(100, 2.0)]), expected(400, [(100, 2.0)])
    (1.0, 8.0)
    """
    sizes, seconds = ([max(v, 1e-9) for v in values] for values in zip(*known, strict=True))
    middle, cost = _middle(sizes), _middle(seconds)
    growth = UP if size > middle else DOWN
    if max(sizes) >= APART * min(sizes):
        growth = min(max(_slope(sizes, seconds), 0.0), STEEPEST)
    fits = [cost * (at / middle) ** growth for at in sizes]
    # The line goes through logarithms; of data that differ in more than their size the mean is
    # above it, and means are what adds up.
    above = sum(took / fit for took, fit in zip(seconds, fits, strict=True)) / len(fits)
    return float(round(above * cost * (size / middle) ** growth, 12))


def _middle(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def _slope(sizes: list[float], seconds: list[float]) -> float:
    """Return the power of the size that fits best, by least squares of logarithms."""
    x = [math.log(size / _middle(sizes)) for size in sizes]
    y = [math.log(cost / _middle(seconds)) for cost in seconds]
    return sum(a * b for a, b in zip(x, y, strict=True)) / sum(a * a for a in x)
