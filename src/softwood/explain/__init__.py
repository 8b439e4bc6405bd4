"""What each feature contributes to a prediction.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "ShapValues": "softwood.explain.shapley",
    "shap_values": "softwood.explain.shapley",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'softwood.explain' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
