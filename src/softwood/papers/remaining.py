"""How long a reproduction will still take: by what its parts were measured to cost.

``costs.csv`` has about the CPU seconds of every part. Another machine is faster or slower:
parts that are done tell by how much. Where a part that waits was never measured, no time is
told, rather than one that is far too short. Of a part that is under way what is left is its cost
less what it took so far, and more where it took longer than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import nan
from time import perf_counter

from softwood.evaluate.progress import duration, whole
from softwood.evaluate.schedule import rest_of
from softwood.papers.printed import printed

Key = tuple[str, str]  # paper and part

LEAST = 1.0  # seconds: less tells nothing about the pace


class Remaining:
    """The parts of a run that are still to be done.

    Parameters
    ----------
    parts : iterable of (str, str)
        Papers and parts, all of this run.
    length : {"quick", "full"}
        How they are run.
    n_workers : int, default=1
        How many cells run side by side.
    """

    def __init__(self, parts: Iterable[Key], length: str, n_workers: int = 1) -> None:
        table = printed("", "costs")
        known = dict(zip(table.rows, table.column(length).tolist(), strict=True))
        self._waiting = {key: known.get("/".join(key), nan) for key in parts}
        self._cost = 0.0  # of those done in this run
        self._spent = 0.0
        self._n_workers = n_workers
        self._start = perf_counter()
        self._now: Key | None = None

    @contextmanager
    def during(self, part: Key) -> Iterator[None]:
        """Take note that a part is under way; comparisons in it tell what is left of all."""
        self._start, self._now = perf_counter(), part
        token = whole.set(self.told)
        try:
            yield
        finally:
            whole.reset(token)
            self._now = None

    def done(self, part: Key, seconds: float | None = None) -> None:
        """Take note that a part is done: now, in so many seconds of one core, or by an earlier run.

        Cells that a store had take no time now: then the seconds tell the pace, not the clock.
        """
        cost = self._waiting.pop(part, nan)
        if seconds is not None and cost == cost:
            self._cost += cost
            self._spent += max(perf_counter() - self._start, seconds / self._n_workers)

    def told(self) -> str:
        """Return the parts and the time that are left, in words."""
        if not self._waiting:
            return "nothing is left"
        n = len(self._waiting)
        parts = f"{n} part{'s' if n > 1 else ''} left"
        if self._cost < LEAST:
            return parts
        pace = self._spent / self._cost
        seconds = {part: pace * cost for part, cost in self._waiting.items()}
        if self._now in seconds:
            seconds[self._now] = rest_of(seconds[self._now], perf_counter() - self._start)
        left = sum(seconds.values())
        return parts if left != left else f"{parts}, about {duration(left)}"
