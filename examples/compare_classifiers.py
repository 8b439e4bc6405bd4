"""
Comparing classifiers without fooling yourself
==============================================

Every method on the same splits of many data sets; ranks, tests, and a diagram of what may be
chance.
"""

from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, CARTClassifier, CoalescenceClassifier
from softwood.evaluate import compare

methods = {
    "C4.5": C45Classifier(),
    "CART, pruned": CARTClassifier(pruning="cv"),
    "scikit-learn tree": DecisionTreeClassifier(),
    "random forest": RandomForestClassifier(20),
    "Coalescence": CoalescenceClassifier(20),
}
names = ["iris", "wine", "tic-tac-toe", "monks-1", "monks-2", "monks-3", "balance"]
result = compare(methods, names, "kfold:3")
print(result.summary())

# %%
# Methods under one bar cannot be told apart by these data sets.
result.plot_critical_difference()

# %%
# With ``store="results.sqlite"`` every cell is kept as it ends, and a run that was stopped goes
# on. Tables come as text, Markdown and LaTeX:
print(result.to_markdown("log_loss", spread=True))
