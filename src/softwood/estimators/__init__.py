"""The scikit-learn classes: they validate, call, and store."""

from softwood.estimators.c45 import C45Classifier
from softwood.estimators.cart import CARTClassifier, CARTRegressor

__all__ = ["C45Classifier", "CARTClassifier", "CARTRegressor"]
