"""Grow C4.5 on a table with text, missing values and weights, and read what it learned.

Usage: python examples/read_a_tree.py
"""

import tempfile
from pathlib import Path

from softwood import C45Classifier, export_rules, load, save
from softwood.datasets import load_dataset

table = load_dataset("tic-tac-toe").table
X, y = table.drop(["class"]), table["class"].as_objects().astype(str)

model = C45Classifier(min_samples_leaf=20).fit(X, y)
print(model.export_text(), "\n")
print(export_rules(model), "\n")
print(model.explain(X.take([0])))

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "noughts.softwood"
    save(model, path)
    print(
        f"\n{path.stat().st_size} bytes on disk; the same again:", load(path).tree_ == model.tree_
    )
