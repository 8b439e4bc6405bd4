"""Who works long tells how far it is; who shows that to users listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watcher = Callable[[str, int, int | None], None]

_watchers: list[Watcher] = []


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Let a function know of all work within the block, of any thread of this process.

    Parameters
    ----------
    watcher : callable
        Takes what is counted, how many are done, and how many there are; None if not known.

    Examples
    --------
    >>> from softwood._progress import tell_progress, watched
    >>> with watched(lambda *told: print(told)):
    ...     tell_progress("trees", 3, 10)
    ('trees', 3, 10)
    """
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def is_watched() -> bool:
    """Whether anybody listens."""
    return bool(_watchers)


def tell_progress(what: str, done: int, total: int | None) -> None:
    """Tell whoever listens how far some work is."""
    for watcher in _watchers:
        watcher(what, done, total)
