"""
Threads, processes, clusters: the same bits
===========================================

All that is random about a tree comes from its own seed. So it does not matter who grows it.
"""

import matplotlib.pyplot as plt
import numpy as np
from joblib import parallel_config

from softwood import CoalescenceClassifier
from softwood.datasets import make_waveform

X, y = make_waveform(500, random_state=0)
X_test, y_test = make_waveform(2000, random_state=1)
alone = CoalescenceClassifier(60, oob_score=True, random_state=0).fit(X, y)
with parallel_config("threading"):
    together = CoalescenceClassifier(60, n_jobs=2, random_state=0).fit(X, y)
print(np.array_equal(alone.predict_proba(X_test), together.predict_proba(X_test)))

# %%
# ``parallel_config("dask")`` sends trees to a Dask cluster, and ``softwood.dask`` grows them
# where the data lie. How many are enough?
grown = CoalescenceClassifier(warm_start=True, random_state=0)
sizes, errors = [5, 10, 20, 40, 80], []
for n in sizes:
    grown.set_params(n_estimators=n).fit(X, y)  # warm_start: only the new ones are grown
    errors.append(1 - grown.score(X_test, y_test))
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.plot(sizes, errors, marker="o")
ax.set(xlabel="trees", ylabel="error")
