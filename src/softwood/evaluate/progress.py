"""Progress of a long run: cells done, failures, and the time that is left."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic
from types import TracebackType
from typing import Any, Self

SECONDS_BETWEEN_LINES = 10.0
# Told after the time that is left, where a comparison is one of several: what is left of all.
whole: ContextVar[Callable[[], str] | None] = ContextVar("whole", default=None)


def unknown() -> float:
    """Return that nothing is known of the time that is left."""
    return math.nan


class Progress:
    """A bar on a terminal, a line now and then elsewhere, nothing if not wanted.

    Parameters
    ----------
    n_cells : int
        All cells.
    n_done : int
        Those that need not be run.
    wanted : bool
        Whether to show anything.
    seconds_left : callable, optional
        Returns an estimate of the seconds until all is done; NaN while there is none. A bar
        asks again and again: while one long cell is under way, nothing else is news.
    """

    def __init__(
        self,
        n_cells: int,
        n_done: int,
        wanted: bool,
        seconds_left: Callable[[], float] = unknown,
    ) -> None:
        self.n_cells = n_cells
        self.n_done = n_done
        self.n_failed = 0
        self._wanted = wanted
        self._seconds_left = seconds_left
        self._whole = whole.get()  # now: a bar is drawn by a thread, which has no context
        self._bar: Any = None
        self._last_line = monotonic()

    def __enter__(self) -> Self:
        if self._wanted and sys.stderr.isatty():
            self._bar = _bar(self._note)
            self._task = self._bar.add_task("", total=self.n_cells, completed=self.n_done)
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._wanted:
            sys.stderr.write(f"{self._line()}\n")

    def advance(self, failed: bool) -> None:
        """Count a cell that has ended."""
        self.n_done += 1
        self.n_failed += failed
        if self._bar is not None:
            self._bar.update(self._task, completed=self.n_done)
        elif self._wanted and monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._last_line = monotonic()
            sys.stderr.write(f"{self._line()}\n")

    def _line(self) -> str:
        return f"{self.n_done} of {self.n_cells} cells done{self._note()}"

    def _note(self) -> str:
        parts = [f"{self.n_failed} failed"] if self.n_failed else []
        if self.n_done < self.n_cells:
            seconds = self._seconds_left()
            parts += [] if math.isnan(seconds) else [f"{duration(seconds)} left"]
        rest = f"; {self._whole()}" if self._whole else ""
        return "".join(f", {part}" for part in parts) + rest


def duration(seconds: float) -> str:
    """Return a time in words.

    Examples
    --------
    >>> from softwood.evaluate.progress import duration
    >>> [duration(seconds) for seconds in (0.3, 75, 4000)]
    ['1 s', '1 min 15 s', '1 h 6 min']
    """
    whole = max(math.ceil(seconds), 1)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _bar(note: Callable[[], str]) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    class Note(ProgressColumn):
        """What is told beside the bar, asked again every second."""

        max_refresh = 1.0

        def render(self, task: Any) -> Text:
            return Text(f"cells{note()}")

    columns = (BarColumn(), MofNCompleteColumn(), Note())
    return RichProgress(*columns, console=Console(stderr=True))
