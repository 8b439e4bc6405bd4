"""Tables: files and frames in, arrays of features out. Names are imported when first used."""

from importlib import import_module
from typing import Any

_HOME = {
    "describe": "softwood.data.columns.describe",
    "TableDescription": "softwood.data.columns.describe",
    "read_table": "softwood.data.readers",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'softwood.data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
