"""
Coalescence in the place of a random forest
===========================================

A hundred trees, each a little more random than the next: every node takes C4.5's best test with
probability alpha, else a random one, and alpha runs from 0 to 0.5.
"""

import matplotlib.pyplot as plt
from sklearn.ensemble import RandomForestClassifier

from softwood import CoalescenceClassifier
from softwood.datasets import make_waveform
from softwood.evaluate import compare

methods = {
    "random forest": RandomForestClassifier(30),
    "Coalescence": CoalescenceClassifier(30),
    "soft Coalescence": CoalescenceClassifier(30, smoothing="oob"),
}
result = compare(methods, ["iris", "wine", "tic-tac-toe", "balance"], "kfold:5")
print(result.to_text("error"))

# %%
# Smoothing costs nothing in accuracy here, and makes better probabilities:
print(result.to_text("log_loss"))

# %%
# One ensemble, tree by tree: those that are more random are larger, and each of them errs more.
X, y = make_waveform(300, random_state=0)
X_test, y_test = make_waveform(1000, random_state=1)
model = CoalescenceClassifier(50, random_state=0).fit(X, y)
leaves = [tree.n_leaves for tree in model.trees_]
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.scatter(model.alphas_, leaves)
ax.set(xlabel="alpha: how often a node takes the best test", ylabel="leaves of the tree")
print(f"all of them together: {1 - model.score(X_test, y_test):.1%} errors")
