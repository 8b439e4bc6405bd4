"""Packages whose names are imported when they are first used: importing them costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, home: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package : str
        Its name.
    home : mapping of str to str
        The module of each name.

    Examples
    --------
    >>> from softwood._lazy import lazy_names
    >>> fetch, _, names = lazy_names("softwood", {"Tree": "softwood.tree"})
    >>> names, fetch("Tree").__name__
    (['Tree'], 'Tree')
    """

    def fetch(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    names = sorted(home)
    return fetch, lambda: names, names
