"""
Soften a model you have already
===============================

A tree, forest or boosted model of scikit-learn, LightGBM or XGBoost, blurred by as much as helps.
"""

import matplotlib.pyplot as plt
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

from softwood import soften
from softwood.datasets import make_gaussians
from softwood.plot import plot_smoothing, plot_surface

X, y = make_gaussians(400, random_state=0)
X_test, y_test = make_gaussians(4000, random_state=1)
yours = {
    "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    "forest": RandomForestClassifier(30, random_state=0),
    "boosting": GradientBoostingClassifier(n_estimators=30, random_state=0),
}

figure, axes = plt.subplots(2, 3, figsize=(13, 8.6), layout="constrained")
for (above, below), (name, model) in zip(axes.T, yours.items(), strict=True):
    soft = soften(model.fit(X, y), X, y, random_state=0)
    for ax, label, each in ((above, name, model), (below, f"softened {name}", soft)):
        loss = log_loss(y_test, each.predict_proba(X_test))
        plot_surface(each, X, y, ax=ax, grid=120)
        ax.set_title(f"{label}: log loss {loss:.2f}", pad=26)

# %%
# How much was chosen along this path; 0 is the model itself, bit for bit.
plot_smoothing(soft)
