"""
One row on its way
==================

A row near a soft test, or with a gap, goes down several branches. ``plot_flow`` draws it.
"""

from sklearn.datasets import load_wine

from softwood import SoftTreeClassifier
from softwood.plot import plot_flow

wine = load_wine(as_frame=True)
X, y = wine.data, "grower " + (wine.target + 1).astype(str)
model = SoftTreeClassifier(method="perturb", smoothing=0.3, random_state=0).fit(X, y)

row = X.iloc[70].copy()
row["flavanoids"] = None  # nobody measured it
plot_flow(model, row)

# %%
# The same in words, and as numbers: which share of the row each leaf gets.
print(model.explain(row))
print(model.flow(row.to_frame().T).toarray().round(3))
