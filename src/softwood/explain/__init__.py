"""Trees and predictions in words, rules and contributions.

Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "Difference": "softwood.explain.difference",
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

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
