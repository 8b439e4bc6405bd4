"""
A messy table
=============

Money, per cent signs, dates, ``n/a``, customer numbers: ``describe`` says what each column is
taken for.
"""

import matplotlib.pyplot as plt

from softwood import C45Classifier, TableCleaner
from softwood.data import describe
from softwood.datasets import load_dataset

table = load_dataset("churn").table.to_pandas().astype(object)  # text, as in a CSV file
X, y = table.drop(columns="churned"), table["churned"]
print(describe(X))

# %%
# ``TableCleaner`` does that as a step of a pipeline. C4.5 then takes categories as they are, and
# sends rows with a gap down all branches, in parts.
cleaner = TableCleaner().fit(X)
clean = cleaner.transform(X)
model = C45Classifier(min_samples_leaf=40).fit(clean, y)
print(model.export_text())

# %%
# Which columns matter to the tree:
names = list(model.feature_names_in_)
order = model.feature_importances_.argsort()
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.barh([names[j] for j in order], model.feature_importances_[order])
ax.set_xlabel("importance")
