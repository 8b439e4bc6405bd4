"""
Are the probabilities right?
============================

If a tree says 80 % of many rows, four of five should be so. Leaves of a crisp tree claim more
than they can know.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict

from softwood import C45Classifier, CoalescenceClassifier, SoftTreeClassifier
from softwood.plot import plot_calibration, plot_roc

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
models = {
    "C4.5": C45Classifier(),
    "soft tree": SoftTreeClassifier(method="perturb", random_state=0),
    "Coalescence": CoalescenceClassifier(random_state=0),
}
proba = {
    name: cross_val_predict(model, X, y, cv=5, method="predict_proba")
    for name, model in models.items()
}

ax = None
for name, found in proba.items():
    ax = plot_calibration(None, None, y, proba=found, label=name, n_bins=6, ax=ax)

# %%
# Which rows are more probable than others is another question, and has another picture:
scores = {name: (y == "malignant", found[:, 1]) for name, found in proba.items()}
plot_roc(scores)
