"""What others are shown of a model: a report in one HTML file.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "Report": "softwood.view.reporting",
    "report": "softwood.view.reporting",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'softwood.view' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
