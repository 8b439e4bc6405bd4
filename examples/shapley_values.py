"""
Exact Shapley values
====================

What each column adds to an answer, for hard and soft trees alike: exact, no sampling.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from softwood import SoftTreeClassifier, shap_values

wine = load_wine(as_frame=True)
X, y = wine.data, "grower " + (wine.target + 1).astype(str)
model = SoftTreeClassifier(max_leaf_nodes=8, random_state=0).fit(X, y)
found = shap_values(model, X, X.iloc[::4])
values = np.asarray(found.values)[:, :, 0]  # of grower 1
print(values.shape)

# %%
# They add up to the answer, up to rounding:
total = values.sum(axis=1) + np.asarray(found.base_values)[:, 0]
print(np.abs(total - model.predict_proba(X)[:, 0]).max() < 1e-12)

# %%
# A point for each wine: to the right, the column speaks for grower 1.
order = np.abs(values).mean(axis=0).argsort()[-6:]
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
rng = np.random.default_rng(0)
for k, j in enumerate(order):
    height = k + rng.uniform(-0.25, 0.25, len(X))
    points = ax.scatter(values[:, j], height, s=10, c=X.iloc[:, j].rank(), cmap="coolwarm")
ax.set_yticks(range(6), X.columns[order])
ax.set_xlabel("what the column adds to the probability of grower 1")
figure.colorbar(points, label="rank of the value")
