"""Models of other libraries, read as forests.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "Imported": "softwood.interop.imported",
    "SklearnArrays": "softwood.interop.sklearn",
    "from_sklearn": "softwood.interop.sklearn",
    "import_model": "softwood.interop.imported",
    "to_sklearn_arrays": "softwood.interop.sklearn",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'softwood.interop' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
