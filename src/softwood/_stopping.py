"""Asking threads to stop: what compiled kernels look at every few milliseconds.

Python raises KeyboardInterrupt in the main thread only, between two steps of Python. A kernel
takes no such steps, so whoever waits for one asks its thread to stop here. The words lie
where compiled code can read them without the GIL.
"""

from __future__ import annotations

import ctypes
import os
import threading

N_SLOTS = 255

# How many threads are asked to stop, then their identifiers, 0 for an empty slot.
WORDS = (ctypes.c_uint64 * (1 + N_SLOTS))()

_lock = threading.Lock()


class Stopped(BaseException):
    """Ends the work of a thread that was asked to stop; whoever asked expects it."""


def ask_to_stop(ident: int) -> None:
    """Ask the thread of this identifier to stop; it goes on if all slots are taken."""
    with _lock:
        slots = WORDS[1:]
        if ident not in slots and 0 in slots:
            WORDS[1 + slots.index(0)] = ident
            WORDS[0] += 1


def take_back(ident: int) -> None:
    """Let the thread of this identifier go on, or another that will have its identifier."""
    with _lock:
        if WORDS[0] and ident in (slots := WORDS[1:]):
            WORDS[1 + slots.index(ident)] = 0
            WORDS[0] -= 1


def should_stop() -> bool:
    """Whether the thread that calls this was asked to stop."""
    return WORDS[0] > 0 and threading.get_ident() in WORDS[1:]


def stop_if_asked() -> None:
    """Raise :class:`Stopped` if the thread that calls this was asked to stop."""
    if WORDS[0] and should_stop():
        raise Stopped


def _start_anew() -> None:
    """Forget all threads: a forked process has only the one that forked it."""
    global _lock
    _lock = threading.Lock()
    for slot in range(1 + N_SLOTS):
        WORDS[slot] = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
