"""Flows: how the unit mass of a row spreads over the leaves of a tree.

A flow is a small value that holds no data. Every flow takes every tree, and sends a
missing value to all children in proportion to their training weight.

Examples
--------
A tree of one test, ``x <= 0.5``, softened in every way:

>>> from softwood.flow import Gaussian, Hard, Ramp, Sampled, leaf_of
>>> from softwood.tree import Tree
>>> tree = Tree.from_nodes(
...     n_features=1,
...     first_child=[1, -1, -1],
...     n_children=[2, 0, 0],
...     kind=[1, 0, 0],
...     feature=[0, -1, -1],
...     threshold=[0.5, 0.0, 0.0],
...     below=[0.2, 0.0, 0.0],
...     above=[0.4, 0.0, 0.0],
...     weight=[4.0, 1.0, 3.0],
...     response=[[0.25, 0.75], [1.0, 0.0], [0.0, 1.0]],
... )
>>> X = [[0.4], [0.5], [float("nan")]]
>>> for flow in Hard(), Ramp(), Gaussian(scale=0.1), Sampled(scale=0.1, n=10_000):
...     print(type(flow).__name__, flow.spread(tree, X).toarray().round(2).tolist())
Hard [[1.0, 0.0], [1.0, 0.0], [0.25, 0.75]]
Ramp [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]
Gaussian [[0.84, 0.16], [0.5, 0.5], [0.25, 0.75]]
Sampled [[0.84, 0.16], [0.5, 0.5], [0.25, 0.75]]
>>> leaf_of(tree, X)
array([1, 1, 2], dtype=int32)
"""

from softwood.flow.base import Flow
from softwood.flow.gaussian import Gaussian
from softwood.flow.hard import Hard, leaf_of
from softwood.flow.ramp import SHAPES, Ramp
from softwood.flow.sampled import Sampled

__all__ = ["SHAPES", "Flow", "Gaussian", "Hard", "Ramp", "Sampled", "leaf_of"]
