"""
Ship a model
============

As a checked file without pickle, as C, as a Python module without numpy, as JSON: the same
answers.
"""

import importlib.util
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

from softwood import (
    SoftTreeClassifier,
    export_c,
    export_json,
    export_python,
    from_json,
    load,
    save,
)

X, y = load_iris(return_X_y=True)
model = SoftTreeClassifier(max_leaf_nodes=5, random_state=0).fit(X, y)

with tempfile.TemporaryDirectory() as folder:
    place = Path(folder)
    save(model, place / "iris.softwood")
    export_c(model, place / "iris.c")
    export_python(model, place / "iris.py")
    export_json(model, place / "iris.json")
    sizes = {path.name: path.stat().st_size / 1024 for path in sorted(place.iterdir())}
    loaded = load(place / "iris.softwood")
    again = from_json((place / "iris.json").read_text())
    spec = importlib.util.spec_from_file_location("iris_model", place / "iris.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

# %%
# What each of them answers:
expected = model.predict_proba(X)
plain = np.array([module.predict_proba(row) for row in X.tolist()])
print(np.array_equal(loaded.predict_proba(X), expected))
print(np.array_equal(again.predict_proba(X), expected))
print(np.array_equal(plain, expected))

# %%
figure, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
ax.barh(list(sizes), list(sizes.values()))
ax.set_xlabel("KiB")
