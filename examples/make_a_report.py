"""
A report to hand on
===================

One HTML file without scripts: the data, honest numbers beside the usual rivals, pictures, and the
rows worth a second look.
"""

from sklearn.datasets import load_wine

from softwood import C45Classifier, plot_tree
from softwood.view import report

wine = load_wine(as_frame=True)
X, y = wine.data, ("grower " + (wine.target + 1).astype(str)).rename("grower")
model = C45Classifier().fit(X, y)
plot_tree(model)

# %%
# ``report(model, X, y, "report.html")`` writes the file; in a notebook, as here, it shows itself.
report(model, X, y, folds=5, rivals=None, title="Three growers")
