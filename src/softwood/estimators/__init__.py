"""The scikit-learn classes: they validate, call, and store."""

from importlib import import_module
from typing import Any

from softwood.estimators.c45 import C45Classifier
from softwood.estimators.cart import CARTClassifier, CARTRegressor

# Imported when asked for: the classical trees start faster without them.
_LATER = {
    "SoftTreeClassifier": "soft",
    "SoftTreeRegressor": "soft",
    "SoftenedClassifier": "softened",
    "SoftenedRegressor": "softened",
    "ObliqueTreeClassifier": "oblique",
    "EvolvedTreeClassifier": "evolved",
    "VRTreeClassifier": "vr_tree",
    "VRTreeRegressor": "vr_tree",
    "VRForestClassifier": "vr_forest",
    "VRForestRegressor": "vr_forest",
    "CoalescenceClassifier": "coalescence",
    "CoalescenceRegressor": "coalescence",
    "BaggedTreesClassifier": "bagged",
    "BaggedTreesRegressor": "bagged",
}

__all__ = ["C45Classifier", "CARTClassifier", "CARTRegressor", *_LATER]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'softwood.estimators' has no attribute {name!r}")
    return getattr(import_module(f"softwood.estimators.{_LATER[name]}"), name)
