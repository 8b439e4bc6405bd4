"""Trees and predictions in words, rules and contributions.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "EnsembleExplanation": "softwood.explain.ensemble_explanation",
    "Explanation": "softwood.explain.explanation",
    "Rule": "softwood.explain.rule",
    "ShapValues": "softwood.explain.shapley",
    "TypicalRule": "softwood.explain.rule",
    "explain_row": "softwood.explain.explanation",
    "export_rules": "softwood.explain.rules",
    "export_text": "softwood.explain.text",
    "rules_frame": "softwood.explain.rules",
    "rules_table": "softwood.explain.rules",
    "shap_values": "softwood.explain.shapley",
    "typical_tree": "softwood.explain.typical",
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
