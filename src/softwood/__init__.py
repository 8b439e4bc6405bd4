"""Decision trees with soft splits, wide margins and just the right amount of randomness.

Names are imported when they are first used, so that ``import softwood`` costs nothing.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0.dev0"

_HOME = {
    "Tree": "softwood.tree",
    "Hard": "softwood.flow",
    "Ramp": "softwood.flow",
    "Gaussian": "softwood.flow",
    "Sampled": "softwood.flow",
    "CARTClassifier": "softwood.estimators",
    "CARTRegressor": "softwood.estimators",
    "C45Classifier": "softwood.estimators",
    "SoftTreeClassifier": "softwood.estimators.soft",
    "SoftTreeRegressor": "softwood.estimators.soft",
    "SoftenedClassifier": "softwood.estimators.softened",
    "SoftenedRegressor": "softwood.estimators.softened",
    "ObliqueTreeClassifier": "softwood.estimators.oblique",
    "EvolvedTreeClassifier": "softwood.estimators.evolved",
    "VRTreeClassifier": "softwood.estimators.vr_tree",
    "VRTreeRegressor": "softwood.estimators.vr_tree",
    "VRForestClassifier": "softwood.estimators.vr_forest",
    "VRForestRegressor": "softwood.estimators.vr_forest",
    "CoalescenceClassifier": "softwood.estimators.coalescence",
    "CoalescenceRegressor": "softwood.estimators.coalescence",
    "BaggedTreesClassifier": "softwood.estimators.bagged",
    "BaggedTreesRegressor": "softwood.estimators.bagged",
    "Gradient": "softwood.learn.soften",
    "Anneal": "softwood.learn.soften",
    "Perturb": "softwood.learn.soften",
    "Confidence": "softwood.learn.soften",
    "LeafEmbedding": "softwood.estimators.embedding",
    "TableCleaner": "softwood.estimators.cleaner",
    "soften": "softwood.estimators.soften",
    "harden": "softwood.estimators.soften",
    "distil": "softwood.estimators.distil",
    "diff": "softwood.estimators.diff",
    "prune": "softwood.estimators.prune",
    "refresh": "softwood.estimators.refresh",
    "stability": "softwood.evaluate.tree_stability",
    "widen_margins": "softwood.estimators.widen",
    "counterfactual": "softwood.estimators.counterfactual",
    "column_scales": "softwood.estimators.counterfactual",
    "shap_values": "softwood.explain.shapley",
    "save": "softwood.persist",
    "load": "softwood.persist",
    "skops_types": "softwood.persist.trusted",
    "export_c": "softwood.export.c",
    "export_json": "softwood.export.as_json",
    "export_python": "softwood.export.python",
    "export_sql": "softwood.export.sql",
    "from_json": "softwood.export.as_json",
    "to_onnx": "softwood.export.as_onnx",
    "to_sklearn": "softwood.export.as_sklearn",
    "export_text": "softwood.explain.text",
    "export_rules": "softwood.explain.rules",
    "plot_tree": "softwood.plot.tree",
}
_MODULES = (
    "dask",
    "data",
    "datasets",
    "evaluate",
    "explain",
    "export",
    "interop",
    "plot",
    "statistics",
    "view",
)

__all__ = ["__version__", *_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"softwood.{name}")
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'softwood' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
