"""Warnings about users' tables: said once, where the user called us, and not by inner work.

Cross-validation inside an estimator reads parts of a table again and again. What is to be said
about the table was said when it came in; :func:`untold` keeps the parts quiet.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from softwood.errors import TableWarning

_is_inner = ContextVar("_is_inner", default=False)
_OURS = ("softwood", "sklearn")  # the call of interest is outside of these packages


@contextmanager
def untold() -> Iterator[None]:
    """Do not warn about tables within the block, in this thread alone."""
    token = _is_inner.set(True)
    try:
        yield
    finally:
        _is_inner.reset(token)


def tell(warning: TableWarning) -> None:
    """Warn about a table, unless the block is :func:`untold`.

    Examples
    --------
    >>> import warnings
    >>> from softwood.data.telling import tell, untold
    >>> from softwood.errors import DateWarning
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     with untold():
    ...         tell(DateWarning("inner work"))
    ...     tell(DateWarning("column 'day' holds dates"))
    >>> [str(each.message) for each in said]
    ["column 'day' holds dates"]
    """
    if not _is_inner.get():
        warnings.warn(warning, stacklevel=_level_of_user())


def _level_of_user() -> int:
    """Return how many calls up the first one is that is not in a package of ours."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and _package(frame.f_globals.get("__name__", "")) in _OURS:
        level, frame = level + 1, frame.f_back
    return level


def _package(module: str) -> str:
    return module.partition(".")[0]
