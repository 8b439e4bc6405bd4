"""Ensembles on Dask collections.

A first pass over the partitions finds what all of them must agree on: columns, categories,
classes, weights. Then trees grow on samples that are drawn over all partitions, as large as a
worker holds; or, if no row is to travel, each partition grows its share where it lies.
Predictions of Dask collections are lazy. See :class:`CoalescenceClassifier`.
"""

from softwood.dask.estimators import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CoalescenceClassifier,
    CoalescenceRegressor,
    VRForestClassifier,
    VRForestRegressor,
)
from softwood.dask.soft_trees import SoftTreeClassifier, SoftTreeRegressor

__all__ = [
    "BaggedTreesClassifier",
    "BaggedTreesRegressor",
    "CoalescenceClassifier",
    "CoalescenceRegressor",
    "SoftTreeClassifier",
    "SoftTreeRegressor",
    "VRForestClassifier",
    "VRForestRegressor",
]
