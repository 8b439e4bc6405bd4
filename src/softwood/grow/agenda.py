"""A list of tasks that several workers share, and to which tasks may add more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Condition
from typing import Any


class Agenda:
    """Tasks to be done in any order; the last added goes first.

    Examples
    --------
    >>> agenda = Agenda()
    >>> agenda.add([3])
    >>> for task in agenda.tasks():
    ...     print(task)
    ...     if task:
    ...         agenda.add([task - 1])
    3
    2
    1
    0
    """

    def __init__(self) -> None:
        self.lock = Condition()
        self._tasks: list[Any] = []
        self._n_busy = 0
        self.n_idle = 0  # workers that wait for a task
        self._is_broken = False

    def add(self, tasks: Sequence[Any]) -> None:
        """Add tasks."""
        if tasks:
            with self.lock:
                self._tasks += tasks
                self.lock.notify_all()

    def tasks(self) -> Iterator[Any]:
        """Yield tasks until none is left and no worker can add any.

        If a worker fails, the others stop after what they are doing.
        """
        while True:
            with self.lock:
                while not self._tasks and self._n_busy and not self._is_broken:
                    self.n_idle += 1
                    self.lock.wait()
                    self.n_idle -= 1
                if not self._tasks or self._is_broken:
                    return
                task = self._tasks.pop()
                self._n_busy += 1
            finished = False
            try:
                yield task
                finished = True
            finally:
                with self.lock:
                    self._n_busy -= 1
                    self._is_broken |= not finished
                    self.lock.notify_all()
