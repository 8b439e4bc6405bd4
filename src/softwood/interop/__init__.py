"""Trees from and to elsewhere: other libraries, text, rules, explanations.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "Explanation": "softwood.interop.explanation",
    "Imported": "softwood.interop.imported",
    "Rule": "softwood.interop.rules",
    "SklearnArrays": "softwood.interop.sklearn",
    "explain_row": "softwood.interop.explanation",
    "export_rules": "softwood.interop.rules",
    "export_text": "softwood.interop.text",
    "from_sklearn": "softwood.interop.sklearn",
    "import_model": "softwood.interop.imported",
    "rules_frame": "softwood.interop.rules",
    "rules_table": "softwood.interop.rules",
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
