"""
Coalescence in the place of a random forest
===========================================

A hundred trees, each a little more random than the next: every node takes C4.5's best test with
probability alpha, else a random one, and alpha runs from 0 to 0.5.
"""

import matplotlib.pyplot as plt
from sklearn.ensemble import RandomForestClassifier

from softwood import CoalescenceClassifier
from softwood.evaluate import compare

methods = {
    "random forest": RandomForestClassifier(50),
    "Coalescence": CoalescenceClassifier(50),
    "soft Coalescence": CoalescenceClassifier(50, smoothing="oob"),
}
result = compare(methods, ["iris", "wine", "tic-tac-toe", "balance"], "kfold:5")
print(result.to_text("error"))

# %%
# Smoothing costs nothing in accuracy here, and makes better probabilities:
print(result.to_text("log_loss"))

# %%
# The trees of one ensemble, from the most random to the least: deterministic trees are smaller.
tictactoe = ["tic-tac-toe"]
model = result.table("error")
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
model.T.plot.bar(ax=ax, rot=0)
ax.set_ylabel("error")
