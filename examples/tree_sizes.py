"""
How large should a tree be?
===========================

A tree is pruned leaf by leaf, and trees of the same sizes are judged on rows they have not seen.
"""

from sklearn.datasets import load_breast_cancer

from softwood import CARTClassifier, plot_tree, prune
from softwood.plot import plot_size_path

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
model = CARTClassifier().fit(X, y)
plot_size_path(model, X, y, cv=10)

# %%
# All trees below the dotted line are about as good: the smallest of them is what the one-
# standard-error rule takes.
small = prune(model, X, y, n_standard_errors=1, random_state=0)
print(f"{model.get_n_leaves()} leaves, pruned to {small.get_n_leaves()}")
plot_tree(small)
