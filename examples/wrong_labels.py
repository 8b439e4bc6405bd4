"""
Wrong labels
============

A growing share of the training labels is wrong. Boundaries that follow each row suffer first.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import RandomForestClassifier

from softwood import CARTClassifier, CoalescenceClassifier, SoftTreeClassifier
from softwood.datasets import make_concept

models = {
    "CART": CARTClassifier(),
    "CART, pruned": CARTClassifier(pruning="cv", random_state=0),
    "soft tree": SoftTreeClassifier(random_state=0),
    "random forest": RandomForestClassifier(random_state=0),
    "Coalescence": CoalescenceClassifier(random_state=0),
    "soft Coalescence": CoalescenceClassifier(smoothing="oob", random_state=0),
}
X, y = make_concept("A", 400, random_state=0)
X_test, y_test = make_concept("A", 2500, lattice=True, random_state=1)
shares = [0.0, 0.1, 0.2, 0.3, 0.4]
wrong = np.random.default_rng(0).random(400)

figure, ax = plt.subplots(figsize=(8, 4.4), layout="constrained")
for name, model in models.items():
    errors = [
        1 - model.fit(X, np.where(wrong < share, 1 - y, y)).score(X_test, y_test)
        for share in shares
    ]
    ax.plot(shares, errors, marker="o", label=name)
ax.set(xlabel="share of labels that are wrong", ylabel="error on right ones")
ax.legend()

# %%
# If you know which labels to trust less, say so: every model takes ``sample_weight``.
labels = np.where(wrong < 0.3, 1 - y, y)
doubt = np.where(wrong < 0.4, 0.2, 1.0)  # the wrong ones are among these
for name, weight in {"all alike": None, "weighted": doubt}.items():
    model = CoalescenceClassifier(random_state=0).fit(X, labels, sample_weight=weight)
    print(f"{name}: {1 - model.score(X_test, y_test):.1%} errors")
