"""Ensembles on Dask collections: every partition grows trees where it lies.

A first pass over the partitions finds what all of them must agree on: columns, categories,
classes, weights. Then each partition grows its share of the trees, and only the trees travel.
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

__all__ = [
    "BaggedTreesClassifier",
    "BaggedTreesRegressor",
    "CoalescenceClassifier",
    "CoalescenceRegressor",
    "VRForestClassifier",
    "VRForestRegressor",
]
