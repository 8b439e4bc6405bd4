"""How long a reproduction will still take: by what its parts were measured to cost.

``costs.csv`` has about the CPU seconds of every part. Another machine is faster or slower:
parts that are done tell by how much. Where a part that waits was never measured, no time is
told, rather than one that is far too short.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from time import perf_counter

from softwood.evaluate.progress import duration
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
    """

    def __init__(self, parts: Iterable[Key], length: str) -> None:
        table = printed("", "costs")
        known = dict(zip(table.rows, table.column(length).tolist(), strict=True))
        self._waiting = {key: known.get("/".join(key), nan) for key in parts}
        self._cost = 0.0  # of those done in this run
        self._spent = 0.0
        self._start = perf_counter()

    def begin(self) -> None:
        """Take note that a part begins."""
        self._start = perf_counter()

    def done(self, part: Key, was_run: bool = True) -> None:
        """Take note that a part is done, now or by an earlier run."""
        cost = self._waiting.pop(part, nan)
        if was_run and cost == cost:
            self._cost += cost
            self._spent += perf_counter() - self._start

    def told(self) -> str:
        """Return the parts and the time that are left, in words."""
        if not self._waiting:
            return "nothing is left"
        n = len(self._waiting)
        parts = f"{n} part{'s' if n > 1 else ''} left"
        left = sum(self._waiting.values())
        if self._cost < LEAST or left != left:
            return parts
        return f"{parts}, about {duration(left * self._spent / self._cost)}"
