"""Soft trees beside hard ones: the tables of docs/guide/soft-trees.md.

    SOFTWOOD_DATA=... python benchmarks/study_soft_trees.py [--magic] [--store FILE]

Without --magic: every numeric classification set of the registry that is at hand and has
at most 6500 rows, ten folds. With it: MAGIC, splits 2:1, seeds 0 to 6. Minutes.
"""

import argparse

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from softwood import CARTClassifier, SoftTreeClassifier
from softwood.datasets import list_datasets, load_dataset
from softwood.errors import DatasetError
from softwood.evaluate import compare

MOST_ROWS = 6500
PAIRS = (("perturb", "tree"), ("soft", "pruned"), ("soft", "perturb"))


def numeric_sets() -> list[str]:
    names = []
    for card in list_datasets(task="classification"):
        try:
            dataset = load_dataset(card.name) if card.n_rows <= MOST_ROWS else None
        except DatasetError:
            continue
        if dataset is not None and not any(c.is_nominal for c in dataset.table.columns[:-1]):
            names.append(card.name)
    return names


def registry(store: str | None) -> None:
    methods = {
        "tree": CARTClassifier(),
        "perturb": SoftTreeClassifier(CARTClassifier(), "perturb"),
        "pruned": CARTClassifier(pruning="cv"),
        "soft": SoftTreeClassifier(),
    }
    names = numeric_sets()
    result = compare(methods, names, "kfold:10", n_jobs=-1, store=store, verbose=1)
    print(result.to_text("error"))
    print(result.ranks("error"))
    loss = dict(zip(methods, result.scores("log_loss").T, strict=True))
    for a, b in PAIRS:
        counts = {"win": 0, "draw": 0, "loss": 0}
        for name in names:
            test = result.corrected_t(a, b, name)
            better = "win" if test.difference < 0 else "loss"
            counts[better if test.pvalue < 0.05 and test.difference else "draw"] += 1
        print(a, "against", b, counts, "log loss lower on", int((loss[a] < loss[b]).sum()))


def magic() -> None:
    X, y = load_dataset("magic", return_X_y=True)
    X, y = X.to_numpy(float), y.to_numpy(str)
    methods = {
        "pruned": CARTClassifier(pruning="cv", random_state=0),
        "anneal": SoftTreeClassifier(method="anneal", random_state=0),
        "soft": SoftTreeClassifier(random_state=0),
        "forest": RandomForestClassifier(100, random_state=0),
    }
    errors = []
    for seed in range(7):
        A, B, a, b = train_test_split(X, y, test_size=1 / 3, random_state=seed)
        errors.append([1 - model.fit(A, a).score(B, b) for model in methods.values()])
        print(seed, dict(zip(methods, np.round(errors[-1], 4).tolist(), strict=True)), flush=True)
    print("mean", dict(zip(methods, np.mean(errors, axis=0).round(4).tolist(), strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magic", action="store_true")
    parser.add_argument("--store")
    options = parser.parse_args()
    magic() if options.magic else registry(options.store)
