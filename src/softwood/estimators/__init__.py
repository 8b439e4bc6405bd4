"""The scikit-learn classes: they validate, call, and store.

All of them are names of :mod:`softwood`. Here are the classical trees; the others have modules of
their own, so that these start faster without them.
"""

from softwood.estimators.c45 import C45Classifier
from softwood.estimators.cart import CARTClassifier, CARTRegressor

__all__ = ["C45Classifier", "CARTClassifier", "CARTRegressor"]
