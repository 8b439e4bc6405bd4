"""
Evolved trees of all sizes
==========================

One run of evolution breeds a front: for every size the tree of least vicinal risk, the errors on
noisy copies of the rows. ``select`` takes another of them, without a new fit.
"""

import matplotlib.pyplot as plt

from softwood import EvolvedTreeClassifier
from softwood.datasets import make_separable
from softwood.plot import plot_pareto_front, plot_surface

X, y = make_separable(40, random_state=2)
X_test, y_test = make_separable(10_000, random_state=3)
model = EvolvedTreeClassifier(n_iter=20_000, random_state=0).fit(X, y)
small = model.select(n_leaves=6)
plot_pareto_front(small)

# %%
# The chosen tree, and the best of at most six leaves. Their boundaries keep their distance from
# the rows.
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for ax, tree in zip(axes, (model, small), strict=True):
    plot_surface(tree, X, y, ax=ax)
    error = 1 - tree.score(X_test, y_test)
    ax.set_title(f"{tree.get_n_leaves()} leaves, {error:.1%} errors", pad=26)
