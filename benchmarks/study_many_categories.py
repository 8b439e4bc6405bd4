"""What columns of many categories do: to errors, where they tell nothing or much, and to time.

    SOFTWOOD_DATA=... python benchmarks/study_many_categories.py [--large]

First the errors of 2000 rows after fits to 300, without a text column, with one that is unique
to each row, and with 100 and 30 random categories; means of six tables. Then five folds of
ordinary sets whose nominal columns have more than eight categories, and of tables whose
categories matter. With --large, seconds of fits to 500 000 rows.
"""

import argparse
import time

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from softwood import (
    BaggedTreesClassifier,
    CARTClassifier,
    CoalescenceClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    VRTreeClassifier,
)
from softwood.datasets import load_dataset

METHODS = {
    "CART, pruned": CARTClassifier(pruning="cv"),
    "CART, vicinal": CARTClassifier(criterion="vicinal", pruning="cv"),
    "oblique": ObliqueTreeClassifier(n_restarts=5),
    "soft tree": SoftTreeClassifier(),
    "bagged CART": BaggedTreesClassifier(30),
    "VR tree": VRTreeClassifier(),
    "VR forest": VRForestClassifier(50),
    "Coalescence": CoalescenceClassifier(50),
}
FOLDED = ("CART, pruned", "bagged CART", "VR forest", "Coalescence")
SETS = ("adult-20pc", "australian", "autos", "breast-y", "crx", "german")
TELLING = ((300, 30), (2000, 100), (1000, 300))  # rows and categories


def of_age(n_rows, text, seed):
    """A class that depends on age and hours, and a text that has nothing to do with it.

    The text is drawn apart: with it or without, all else is the same.
    """
    rng, of_text = (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(2))
    age, hours = rng.uniform(18, 80, n_rows), rng.uniform(0, 60, n_rows)
    clean = (age > 45) ^ ((hours > 40) & (age < 60))
    X = pd.DataFrame({"age": age, "hours": hours})
    if text == "unique":
        X["text"] = [f"{i}" for i in of_text.permutation(n_rows)]
    elif text:
        X["text"] = [f"c{i}" for i in of_text.integers(0, text, n_rows)]
    return X, clean ^ (rng.random(n_rows) < 0.08)


def telling(n_rows, n_categories, seed=0):
    """A class that depends on age, and as much on which of many categories a row is of."""
    rng = np.random.default_rng(seed)
    age, code = rng.uniform(18, 80, n_rows), rng.integers(0, n_categories, n_rows)
    effect = rng.normal(0, 1.5, n_categories)[code]
    y = (age - 50) / 15 + effect + rng.logistic(0, 0.5, n_rows) > 0
    return pd.DataFrame({"age": age, "text": [f"c{i}" for i in code]}), y


def error(model, text, seed):
    X, y = of_age(2300, text, seed)
    model = type(model)(**model.get_params() | {"random_state": seed}).fit(X[:300], y[:300])
    return np.mean(model.predict(X[300:]) != y[300:])


def errors_of_noise() -> None:
    print("| method | no text | unique | 100 categories | 30 categories |\n|---|---|---|---|---|")
    for name, model in METHODS.items():
        means = [np.mean([error(model, k, s) for s in range(6)]) for k in (0, "unique", 100, 30)]
        print(f"| {name} |", " | ".join(f"{100 * mean:.1f}" for mean in means), "|", flush=True)


def errors_of_folds() -> None:
    print(f"\n| table | {' | '.join(FOLDED)} |\n|---|{'---|' * len(FOLDED)}")
    tables = {name: load_dataset(name) for name in SETS}
    tables = {name: (found.X, found.y) for name, found in tables.items()}
    tables |= {f"{k} categories, {n} rows": telling(n, k) for n, k in TELLING}
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)
    for name, (X, y) in tables.items():
        models = [METHODS[method].set_params(random_state=0) for method in FOLDED]
        found = [100 - 100 * cross_val_score(model, X, y, cv=folds).mean() for model in models]
        print(f"| {name} |", " | ".join(f"{e:.1f}" for e in found), "|", flush=True)


def seconds(n_rows=500_000) -> None:
    print("\n| column beside nine of numbers | CART, depth 12 | Coalescence, 10 | VR forest, 10 |")
    print("|---|---|---|---|")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n_rows, 9)), columns=list("abcdefghi"))
    y = X["a"] + X["b"] * X["c"] + rng.normal(size=n_rows) > 0
    models = [CARTClassifier(max_depth=12), CoalescenceClassifier(10), VRForestClassifier(10)]
    for k in (0, 20 * n_rows, n_rows // 4, 1000):
        codes = rng.integers(0, max(k, 1), n_rows)
        table = X.assign(text=pd.Categorical([f"n{i}" for i in codes])) if k else X
        for model in models:
            model.fit(table[:2000], y[:2000])
        taken = []
        for model in models:
            start = time.perf_counter()
            model.fit(table, y)
            taken.append(time.perf_counter() - start)
        about = f"{table['text'].nunique()} categories" if k else "none"
        print(f"| {about} |", " | ".join(f"{s:.1f}" for s in taken), "|", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    if parser.parse_args().large:
        seconds()
    else:
        errors_of_noise()
        errors_of_folds()
