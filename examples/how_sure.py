"""
Sets that hold the truth
========================

``predict_set`` gives the classes that cannot be ruled out, so that the true one is among them in
nine of ten rows. Where more than one is left, the model is not sure.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from softwood import CoalescenceClassifier

X, y = make_blobs(3000, centers=[(0, 0), (3, 0), (1.5, 2.4)], cluster_std=1.0, random_state=0)
X, X_test, y, y_test = X[:600], X[600:], y[:600], y[600:]
forest = CoalescenceClassifier(200, random_state=0).fit(X, y)
held = forest.predict_set(X_test, alpha=0.1)
print(f"the truth is in {held[np.arange(len(y_test)), y_test].mean():.1%} of the sets")
print(f"which have {held.sum(axis=1).mean():.2f} classes on average")

# %%
# Calibrated on rows out of bag: none had to be held back. Grey is where several classes are left.
grid = np.stack(np.meshgrid(np.linspace(-3, 6, 181), np.linspace(-3, 6, 181)), axis=-1)
sets = forest.predict_set(grid.reshape(-1, 2), alpha=0.1).reshape(181, 181, 3)
colours = np.array([[0.0, 0.45, 0.7], [0.84, 0.37, 0.0], [0.0, 0.62, 0.45]])
shade = sets @ colours / np.maximum(sets.sum(axis=2, keepdims=True), 1)
shade = np.where(sets.sum(axis=2, keepdims=True) == 1, 0.5 + 0.5 * shade, 0.88)
figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
ax.imshow(shade, origin="lower", extent=(-3, 6, -3, 6))
for k in range(3):
    ax.scatter(*X[y == k].T, s=8, color=colours[k])
ax.set(xlim=(-3, 6), ylim=(-3, 6), title="one class left, or several (grey)")
