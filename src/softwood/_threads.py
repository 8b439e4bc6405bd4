"""Work done by other threads, while the thread that waits for it can be interrupted.

A pending KeyboardInterrupt must not meet compiled code in the main thread: numba builds what a
kernel returns by steps of Python, and ends the process if one of them fails. So kernels
run aside, and the main thread only waits. Whatever ends its waiting (Ctrl-C, the exception of
another signal's handler) also asks the threads it waits for to stop.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any

from softwood._stopping import Stopped, ask_to_stop, stop_if_asked, take_back

PATIENCE = 0.5  # seconds that a thread asked to stop is waited for; compilation takes longer


class Call:
    """One call of a function, and what came of it."""

    __slots__ = ("_arguments", "_done", "_error", "_function", "_result")

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function, self._arguments = function, arguments
        self._result: Any = None
        self._error: BaseException | None = None
        self._done = threading.Lock()
        self._done.acquire()

    def run(self) -> None:
        """Call the function, in the thread that runs this."""
        try:
            stop_if_asked()
            self._result = self._function(*self._arguments)
        except BaseException as error:
            self._error = error
        finally:
            self._done.release()

    def wait(self) -> None:
        """Wait until the call is done; a thread that is asked to stop waits no longer."""
        # The main thread is never asked, but interrupted: on some systems between two waits only.
        seconds = 1.0 if in_main_thread() else 0.1
        while not self._done.acquire(timeout=seconds):
            stop_if_asked()

    def is_done_within(self, seconds: float) -> bool:
        """Whether the call is done, or will be in so many seconds, whatever comes in between."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self._done.acquire(timeout=max(0.0, deadline - time.monotonic()))
            except KeyboardInterrupt:  # again: the first one is on its way already
                continue

    def answer(self) -> Any:
        """Return what the function returned, or raise what it raised."""
        if self._error is None:
            return self._result
        try:
            raise self._error
        finally:
            self._error = None  # it holds this frame, which holds it


class Helper:
    """A thread that runs calls from a desk, until it finds None there."""

    def __init__(self, desk: SimpleQueue[Call | None] | None = None) -> None:
        self.desk = SimpleQueue() if desk is None else desk
        self._leaving, self._has_left = threading.Lock(), False
        self._thread = threading.Thread(target=self._serve, name="softwood", daemon=True)
        self._thread.start()
        assert self._thread.ident is not None
        self.ident = self._thread.ident

    def _serve(self) -> None:
        while (call := self.desk.get()) is not None:
            call.run()
            del call  # and what it holds, while this waits
        with self._leaving:
            self._has_left = True
            take_back(threading.get_ident())  # the next thread may have the same
            _busy.discard(self)

    def dismiss(self) -> None:
        """Ask the thread to stop, and to end when it can."""
        with self._leaving:
            if not self._has_left:
                ask_to_stop(self.ident)
                _busy.add(self)
                self.desk.put(None)

    def hurry(self) -> None:
        """Raise Stopped in the thread at its next step of Python."""
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(self.ident), ctypes.py_object(Stopped)
        )


_idle: list[Helper] = []
_busy: set[Helper] = set()  # threads that were dismissed and have not ended


def run_aside(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return ``function(*arguments)``, called in another thread.

    If the wait for it is interrupted, the thread is asked to stop; what it does not look up
    from soon (compilation) it finishes alone.
    """
    call = Call(function, arguments)
    helper = _idle.pop() if _idle else Helper()
    try:
        helper.desk.put(call)
        call.wait()
    except BaseException:
        ask_to_stop(helper.ident)
        if call.is_done_within(PATIENCE):
            take_back(helper.ident)
            _idle.append(helper)
        else:
            helper.dismiss()
        raise
    _idle.append(helper)
    return call.answer()


def import_aside(name: str) -> None:
    """Import a large module in another thread: half imported, it could not be imported again."""
    if name not in sys.modules and in_main_thread():
        run_aside(import_module, (name,))


def in_main_thread() -> bool:
    """Whether this is the thread in which Python raises KeyboardInterrupt."""
    return threading.get_ident() == threading.main_thread().ident


def side_by_side(
    task: Callable[[Any], Any], arguments: Iterable[Any], n_threads: int
) -> Iterator[Any]:
    """Yield what the task answers for each argument, in their order, from several threads."""
    calls = deque(Call(task, (argument,)) for argument in arguments)
    desk: SimpleQueue[Call | None] = SimpleQueue()
    for call in calls:
        desk.put(call)
    helpers: list[Helper] = []
    try:
        for _ in range(min(n_threads, len(calls))):
            helpers.append(Helper(desk))
            desk.put(None)
        while calls:
            calls[0].wait()
            yield calls.popleft().answer()
    except BaseException:
        _dismiss(helpers, desk)
        raise


def _dismiss(helpers: list[Helper], desk: SimpleQueue[Call | None]) -> None:
    """Take all calls off the desk, and ask the threads to stop that run others."""
    try:
        while True:
            desk.get_nowait()
    except Empty:
        pass
    for helper in helpers:
        helper.dismiss()
    deadline = time.monotonic() + PATIENCE
    while _busy.intersection(helpers) and time.monotonic() < deadline:
        time.sleep(0.001)


@contextmanager
def stoppable(task: Callable[[Any], Any]) -> Iterator[Callable[[Any], Any]]:
    """Make a task for threads of others, who are asked to stop if the block fails."""
    running: set[int] = set()

    def run(argument: Any) -> Any:
        ident = threading.get_ident()
        running.add(ident)
        try:
            return task(argument)
        finally:
            running.discard(ident)
            take_back(ident)

    try:
        yield run
    except BaseException:
        for ident in tuple(running):
            ask_to_stop(ident)
        raise


@atexit.register
def _end_compilation() -> None:
    """Hurry threads that still compile: the interpreter must not go away beneath them."""
    deadline = time.monotonic() + 20.0
    while _busy and time.monotonic() < deadline:
        for helper in tuple(_busy):
            helper.hurry()
        time.sleep(0.05)


def _start_anew() -> None:
    """Forget all threads: a forked process has only the one that forked it."""
    _idle.clear()
    _busy.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
