"""Importing scikit-learn without pandas and scipy.stats, where this process is the command's own.

``sklearn.utils.fixes`` imports both at the top and uses neither until asked, which more than
doubles the time to the first tree. A library must not do this: another thread that imports
pandas meanwhile would get the stand-in. See docs/decisions/004-lean-import.md.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_HEAVY = ("scipy.stats", "pandas")


def import_scikit_learn() -> None:
    """Import scikit-learn's base, leanly if nobody else can notice."""
    if "sklearn" in sys.modules or threading.active_count() > 1:
        return
    with _deferred(_HEAVY):
        import_module("softwood.estimators")


@contextmanager
def _deferred(names: tuple[str, ...]) -> Iterator[None]:
    """Let ``import name`` succeed without importing; what was not used is as before."""
    # What is not installed must fail to import: scikit-learn asks whether there is a pandas.
    there = [name for name in names if name not in sys.modules and find_spec(name) is not None]
    stand_ins = {name: _stand_in(name) for name in there}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _stand_in(name: str) -> ModuleType:
    """Return a module that fetches its attributes from the real one, once it is asked."""
    module = ModuleType(name)

    def fetch(attribute: str) -> Any:
        if attribute == "__version__":  # scikit-learn 1.6 asks for that of pandas
            return version(name)
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(import_module(name), attribute)

    module.__getattr__ = fetch  # type: ignore[method-assign]
    return module
