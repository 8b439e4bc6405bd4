"""
In pipelines and grids
======================

Models are scikit-learn's estimators: they are searched, cloned, scored and inspected like all
others.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.inspection import PartialDependenceDisplay
from sklearn.model_selection import GridSearchCV

from softwood import CARTClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
search = GridSearchCV(
    CARTClassifier(random_state=0),
    {"criterion": ["gini", "entropy", "twoing"], "max_leaf_nodes": [4, 8, 16, 32]},
    cv=5,
).fit(X, y)
print(search.best_params_, f"{search.best_score_:.3f}")

# %%
# What the chosen tree makes of two columns:
figure, ax = plt.subplots(figsize=(9, 3.6), layout="constrained")
columns = ["worst concave points", "worst radius"]
PartialDependenceDisplay.from_estimator(search.best_estimator_, X, columns, ax=ax)
