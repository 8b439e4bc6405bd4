"""
How much does a tree depend on its sample?
==========================================

Pairs of models, each of one half of the rows, are asked about rows that neither has seen. The
less they disagree, the more can be read into any one of them.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from softwood import (
    C45Classifier,
    CARTClassifier,
    CoalescenceClassifier,
    SoftTreeClassifier,
    stability,
)

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
models = {
    "CART": CARTClassifier(),
    "C4.5": C45Classifier(),
    "CART, vicinal": CARTClassifier("vicinal"),
    "soft tree": SoftTreeClassifier(),
    "Coalescence": CoalescenceClassifier(30),
}
found = {name: stability(model, X, y, n_pairs=4, random_state=0) for name, model in models.items()}
print(found["CART"])

# %%
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.barh(list(found), [each.disagreement for each in found.values()])
ax.invert_yaxis()
ax.set_xlabel("share of rows on which two models of half samples disagree")
