"""Threads that can be asked to stop, and the thread that waits for them."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

from softwood._stopping import N_SLOTS, WORDS, Stopped, ask_to_stop, should_stop, take_back
from softwood._threads import run_aside, side_by_side


@contextmanager
def interrupted_after(seconds):
    """Have Ctrl-C pressed in so many seconds, and the block ended by that."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals go to the main thread")
    # A process that was started in the background ignores the signal.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGINT, former)


def work_until_stopped(log):
    deadline = time.monotonic() + 20
    while not should_stop() and time.monotonic() < deadline:
        time.sleep(0.001)
    log.append("stopped" if should_stop() else "not stopped")


def test_a_call_aside_answers_and_fails_as_in_its_own_thread():
    assert run_aside(divmod, (7, 2)) == (3, 1)
    assert run_aside(threading.get_ident, ()) != threading.get_ident()
    with pytest.raises(ZeroDivisionError, match="by zero"):
        run_aside(divmod, (7, 0))
    assert run_aside(divmod, (8, 2)) == (4, 0)


def test_an_interrupt_stops_the_call_that_is_waited_for():
    log = []
    with interrupted_after(0.05):
        run_aside(work_until_stopped, (log,))
    assert log == ["stopped"]
    assert WORDS[0] == 0  # the thread serves others now
    assert run_aside(should_stop, ()) is False


def test_an_exception_of_any_signal_stops_the_call():
    def too_late(number, frame):
        raise TimeoutError("too late")

    log, former = [], signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError, match="too late"):
            run_aside(work_until_stopped, (log,))
    finally:
        signal.signal(signal.SIGALRM, former)
    assert log == ["stopped"]


def test_a_call_that_does_not_look_is_left_alone():
    finish, begun = threading.Event(), time.monotonic()
    with interrupted_after(0.05):
        run_aside(finish.wait, (30,))
    assert time.monotonic() - begun < 5
    assert WORDS[0] == 1
    finish.set()
    wait_for(lambda: WORDS[0] == 0)


def wait_for(condition):
    deadline = time.monotonic() + 10
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def test_an_interrupt_stops_threads_side_by_side_and_no_others():
    log, other, leave = [], [], threading.Event()
    apart = threading.Thread(target=lambda: (leave.wait(20), other.append(should_stop())))
    apart.start()
    with interrupted_after(0.1):
        list(side_by_side(lambda _: work_until_stopped(log), range(50), 3))
    assert log == ["stopped"] * 3  # the other 47 never began
    leave.set()
    apart.join()
    assert other == [False]
    wait_for(lambda: WORDS[0] == 0)


def test_threads_of_threads_stop_too():
    log = []

    def outer(_):
        list(side_by_side(lambda _: work_until_stopped(log), range(2), 2))

    with interrupted_after(0.1):
        list(side_by_side(outer, range(2), 2))
    wait_for(lambda: len(log) == 4)
    assert log == ["stopped"] * 4


def test_a_failed_task_ends_the_others():
    def fail_first(number):
        if number == 0:
            raise ValueError("no such number")
        work_until_stopped([])

    begun = time.monotonic()
    with pytest.raises(ValueError, match="no such number"):
        list(side_by_side(fail_first, range(9), 2))
    assert time.monotonic() - begun < 5


def test_answers_are_given_up_as_they_are_read():
    answers = side_by_side(np.zeros, [3, 2, 1], 2)
    assert [answer.size for answer in answers] == [3, 2, 1]


def test_there_may_be_more_threads_than_slots():
    idents = range(1, N_SLOTS + 10)
    for ident in idents:
        ask_to_stop(ident)
    assert WORDS[0] == N_SLOTS
    for ident in idents:
        take_back(ident)
    assert WORDS[0] == 0
    assert not any(WORDS)


def test_who_is_asked_before_it_begins_does_not_begin():
    begun = []

    def asked(_):
        ask_to_stop(threading.get_ident())
        return run_nothing()

    def run_nothing():
        from softwood._stopping import stop_if_asked

        stop_if_asked()
        begun.append(1)

    with pytest.raises(Stopped):
        list(side_by_side(asked, [0], 2))
    assert begun == []
    wait_for(lambda: WORDS[0] == 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own():
    code = """
import os
from softwood._threads import run_aside
assert run_aside(divmod, (7, 2)) == (3, 1)
child = os.fork()
if child == 0:
    os._exit(0 if run_aside(divmod, (9, 2)) == (4, 1) else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
