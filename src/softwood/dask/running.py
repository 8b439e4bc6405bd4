"""Letting Dask compute tasks, and telling who watches how far it is."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from softwood._progress import is_watched, tell_progress


def computed(tasks: Sequence[Any], what: str) -> list[Any]:
    """Return what tasks answer, in their order.

    Parameters
    ----------
    tasks : sequence of Delayed
        What is to be done.
    what : str
        What the tasks are, for who watches.

    Examples
    --------
    >>> from dask import delayed
    >>> from softwood.dask.running import computed
    >>> computed([delayed(abs)(-1), delayed(abs)(2)], "numbers")
    [1, 2]
    """
    from dask import compute

    with warnings.catch_warnings():
        # A forest that is to be judged has to travel, and it does so once.
        warnings.filterwarnings("ignore", "Sending large graph")
        client = _client() if is_watched() else None
        return list(compute(*tasks)) if client is None else _told(client, tasks, what)


def kept_on_workers(tasks: Sequence[Any]) -> list[Any]:
    """Return tasks whose answers are kept, where they are, as long as anybody needs them."""
    from dask import persist

    return list(persist(*tasks))


def _client() -> Any:
    """Return the client that would compute; None if that is this process."""
    try:
        from distributed import default_client
    except ImportError:
        return None
    try:
        client = default_client()
    except ValueError:
        return None
    from dask.base import get_scheduler

    return client if get_scheduler() == client.get else None


def _told(client: Any, tasks: Sequence[Any], what: str) -> list[Any]:
    from distributed import as_completed

    futures = client.compute(list(tasks))
    tell_progress(what, 0, len(futures))
    for done, _ in enumerate(as_completed(futures, raise_errors=False), 1):
        tell_progress(what, done, len(futures))
    return list(client.gather(futures))
