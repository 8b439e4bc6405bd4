"""
A hard tree, and the same tree softened
=======================================

A hard tree answers by jumps. Softened, the same tests pass gradually from one branch to the
other.
"""

import matplotlib.pyplot as plt

from softwood import CARTClassifier, SoftTreeClassifier, soften
from softwood.datasets import make_gaussians
from softwood.plot import plot_surface

X, y = make_gaussians(400, random_state=0)  # two overlapping clouds
X_test, y_test = make_gaussians(10_000, random_state=1)

# %%
# One tree of sixteen leaves, the same with blurred rows, and a soft tree that chooses its own
# tests.
hard = CARTClassifier(max_leaf_nodes=16).fit(X, y)
models = {
    "hard": hard,
    "softened": soften(hard, X, y, random_state=0),
    "SoftTreeClassifier()": SoftTreeClassifier(random_state=0).fit(X, y),
}

figure, axes = plt.subplots(1, 3, figsize=(13, 4.4), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    plot_surface(model, X, y, ax=ax)
    ax.set_title(f"{name}: {1 - model.score(X_test, y_test):.1%} errors", pad=26)

# %%
# The best possible rule errs on 30.9 %. How much rows are blurred was chosen by cross-validation:
print(f"blurred by {models['softened'].smoothing_:.2f} standard deviations of each column")
