"""
Move a row through a tree
=========================

``explore`` makes one HTML page that runs the model: move a row and see it flow, make it harder or
softer, ask why not. It needs no network.
"""

from sklearn.datasets import load_iris

from softwood import SoftTreeClassifier, plot_tree
from softwood.view import explore

iris = load_iris(as_frame=True)
X, y = iris.data, iris.target.map(dict(enumerate(iris.target_names))).rename("species")
model = SoftTreeClassifier(max_leaf_nodes=5, random_state=0).fit(X, y)
plot_tree(model)

# %%
# ``explore(model, X, y, "tree.html")`` writes the page; in a notebook, as here, it shows itself.
explore(model, X, y, title="Irises")
