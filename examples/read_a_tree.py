"""
Reading a tree
==============

C4.5 on the chemistry of wines: as text, as a picture, as rules, and along the way of one wine.
"""

from sklearn.datasets import load_wine

from softwood import C45Classifier, export_rules, plot_tree

wine = load_wine(as_frame=True)
X, y = wine.data, "grower " + (wine.target + 1).astype(str)
model = C45Classifier().fit(X, y)
print(model.export_text())

# %%
# Edges are as thick as the training weight that takes them; with ``X`` given, tests show their
# margins.
plot_tree(model, X=X)

# %%
# As rules, and the way of one wine in words:
print(export_rules(model))
print()
print(model.explain(X.iloc[70]))
