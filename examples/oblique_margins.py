"""
Oblique tests and wide margins
==============================

OC1 tests several columns at once. ``widen_margins`` then puts the widest hyperplane in place of
each test, and leaves every training row in its leaf.
"""

import numpy as np
from sklearn.datasets import make_blobs

from softwood import ObliqueTreeClassifier, widen_margins
from softwood.evaluate import margins
from softwood.plot import plot_margins

X, y = make_blobs(40, centers=[(0, 0), (3, 2.2), (0.5, 3.4)], cluster_std=0.75, random_state=5)
narrow = ObliqueTreeClassifier(pruning=None, random_state=0).fit(X, y)
wide = widen_margins(narrow, X, y)
plot_margins({"as OC1 has grown it": narrow, "with the widest margins": wide}, X, y)

# %%
# No row has changed its leaf; the margins have.
print(np.array_equal(narrow.apply(X), wide.apply(X)))
print(margins(narrow, X), margins(wide, X), sep="\n\n")
