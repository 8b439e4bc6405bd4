"""
Soft trees for numbers
======================

A hard regression tree is a staircase. A soft one of as many leaves is a curve.
"""

import matplotlib.pyplot as plt
import numpy as np

from softwood import CARTRegressor, SoftTreeRegressor, soften

rng = np.random.default_rng(0)
x = np.sort(rng.uniform(0, 10, 300))
t = np.sin(x) + 0.1 * x + rng.normal(0, 0.2, 300)
line = np.linspace(0, 10, 600)[:, None]
truth = np.sin(line[:, 0]) + 0.1 * line[:, 0]

hard = CARTRegressor(max_leaf_nodes=8).fit(x[:, None], t)
models = {
    "hard": hard,
    "softened": soften(hard, x[:, None], t, random_state=0),
    "SoftTreeRegressor": SoftTreeRegressor(max_leaf_nodes=8, random_state=0).fit(x[:, None], t),
}
figure, axes = plt.subplots(1, 3, figsize=(13, 3.8), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    answer = model.predict(line)
    ax.scatter(x, t, s=5, color="0.7")
    ax.plot(line, answer)
    ax.set_title(f"{name}: off by {np.sqrt(np.mean((answer - truth) ** 2)):.2f}")
