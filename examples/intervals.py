"""
Intervals for numbers
=====================

``predict_interval`` of a regressor holds the truth in a share of rows that is asked for, and is
wide where trees disagree.
"""

import matplotlib.pyplot as plt
import numpy as np

from softwood import CoalescenceRegressor

rng = np.random.default_rng(0)
x = rng.uniform(0, 10, 2600)
t = np.sin(x) + rng.normal(0, 0.1 + 0.06 * x)
X, X_test, t, t_test = x[:600, None], x[600:, None], t[:600], t[600:]

model = CoalescenceRegressor(200, min_samples_split=15, random_state=0).fit(X, t)
low, high = model.predict_interval(X_test, alpha=0.1).T
print(f"{((low <= t_test) & (t_test <= high)).mean():.1%} of new numbers are inside")

# %%
line = np.linspace(0, 10, 400)[:, None]
low, high = model.predict_interval(line, alpha=0.1).T
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.fill_between(line[:, 0], low, high, alpha=0.25, linewidth=0)
ax.plot(line, model.predict(line))
ax.scatter(X, t, s=5, color="0.3")
ax.set_title("intervals that hold nine of ten")
