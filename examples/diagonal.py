"""
Stairs or a line
================

Where classes part along a diagonal, tests of one column make stairs. An oblique test needs one
step.
"""

import matplotlib.pyplot as plt

from softwood import C45Classifier, ObliqueTreeClassifier, SoftTreeClassifier
from softwood.datasets import make_concept
from softwood.plot import plot_surface

X, y = make_concept("A", 300, random_state=0)  # class 1 where x0 > x1
X_test, y_test = make_concept("A", 10_000, lattice=True, random_state=1)
models = {
    "C4.5": C45Classifier(),
    "OC1": ObliqueTreeClassifier(random_state=0),
    "soft, oblique": SoftTreeClassifier(oblique=True, max_leaf_nodes=4, random_state=0),
}

figure, axes = plt.subplots(1, 3, figsize=(13, 4.4), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(X, y)
    plot_surface(model, X, y, ax=ax)
    error = 1 - model.score(X_test, y_test)
    ax.set_title(f"{name}: {model.get_n_leaves()} leaves, {error:.1%} errors", pad=26)

# %%
print(models["OC1"].export_text(decimals=2))
