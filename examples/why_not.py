"""
What would have to change?
==========================

The nearest row with another answer, in words and as a row; columns may be fixed, or bounded.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from softwood import CARTClassifier, SoftTreeClassifier, counterfactual
from softwood.plot import plot_surface

rng = np.random.default_rng(0)
loans = pd.DataFrame({"income": rng.uniform(1, 6, 500), "debts": rng.uniform(0, 12, 500)})
points = 2 * loans["income"] - 0.5 * loans["debts"] + rng.normal(0, 1, 500)
repaid = np.where(points > 4, "yes", "no")
x = {"income": 2.6, "debts": 9.0}

models = {
    "one hard tree": CARTClassifier(max_leaf_nodes=10),
    "a soft tree": SoftTreeClassifier(random_state=0),
}
figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    found = counterfactual(model.fit(loans, repaid), x)
    print(f"{name}: {found}\n")
    plot_surface(model, loans, repaid, ax=ax)
    ends = zip(x.values(), [found.row[column] for column in loans], strict=True)
    ax.plot(*ends, color="black", marker="o")
    ax.set_title(name, pad=26)

# %%
# Income cannot be changed by wishing:
print(counterfactual(models["one hard tree"], x, fixed="income"))
