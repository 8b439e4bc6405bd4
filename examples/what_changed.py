"""
What changed between two models?
================================

The tree of spring and the tree of autumn: answers, leaves and tests that differ.
"""

from sklearn.datasets import load_breast_cancer

from softwood import CARTClassifier, diff, refresh
from softwood.plot import plot_diff

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"}).rename("diagnosis")
old = CARTClassifier(max_leaf_nodes=5).fit(X[:300], y[:300])
new = CARTClassifier(max_leaf_nodes=5).fit(X, y)
found = diff(old, new, X, y)
print(found)

# %%
plot_diff(found)

# %%
# ``refresh`` keeps the tests, and estimates the leaves again from new rows.
newer = refresh(old, X[300:], y[300:])
print(diff(old, newer, X[300:], y[300:]))
