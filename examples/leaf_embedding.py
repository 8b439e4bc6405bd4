"""
Leaves as columns
=================

``LeafEmbedding`` turns rows into how much of them every leaf of a forest has: rows that trees
treat alike come to lie side by side.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from softwood import CoalescenceClassifier, LeafEmbedding

X, y = load_digits(n_class=5, return_X_y=True)
embedding = LeafEmbedding(CoalescenceClassifier(30, random_state=0), random_state=0)
leaves = embedding.fit(X, y).transform(X)
print(leaves.shape)
flat = TruncatedSVD(3, random_state=0).fit_transform(leaves)

figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
for digit in range(5):
    ax.scatter(*flat[y == digit, 1:].T, s=8, label=str(digit))
ax.legend(title="digit")

# %%
# And a linear model on top of the leaves:
model = make_pipeline(embedding, LogisticRegression(max_iter=500))
print(f"{cross_val_score(model, X, y, cv=3).mean():.3f}")
