"""Are counterfactuals what they claim to be, and how long do they take?

    SOFTWOOD_DATA=... python benchmarks/study_counterfactual.py [--rows 1000] [--sets german crx]

Every model is asked about as many rows that it has not seen, divided among sets with categories,
whole numbers and gaps. A row counts as valid if the model's own ``predict`` answers it otherwise
than the original, it has no category that was not seen in training, whole columns have whole
numbers, no value has become missing, and a column that was to stay is what it was. Models of other
libraries do not know which columns are whole, and are told. Milliseconds are of the processor.
Minutes.
"""

import argparse
import warnings
from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CoalescenceClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    counterfactual,
)
from softwood.errors import NoCounterfactualError
from softwood.papers.setting import load_available

SETS = ("autos", "heart", "horse-colic", "crx", "german")  # the smaller ones first
MODELS = {
    "CART": CARTClassifier(),
    "C4.5": C45Classifier(),
    "oblique tree": ObliqueTreeClassifier(pruning=None, random_state=0),
    "Coalescence, 30 trees": CoalescenceClassifier(30, random_state=0),
    "bagged CART, 100 trees": BaggedTreesClassifier(100, random_state=0),
    "LightGBM, 50 trees": LGBMClassifier(n_estimators=50, verbose=-1, random_state=0, n_jobs=1),
    "soft tree, gradients": SoftTreeClassifier(random_state=0),
    "soft tree, perturbed": SoftTreeClassifier(method="perturb", random_state=0),
}


def parts(dataset: Any, n_rows: int) -> tuple[Any, Any, Any]:
    """Return rows to fit to, their target, and rows to ask about."""
    X, y = dataset.X, dataset.y
    order = np.random.default_rng(0).permutation(len(X))
    asked = order[: min(n_rows, 2 * len(X) // 3)]
    fit = np.setdiff1d(order, asked)
    return X.iloc[fit].reset_index(drop=True), np.asarray(y)[fit], X.iloc[asked]


def is_legal(before: Any, after: Any, seen: Any, fixed: str) -> bool:
    """Whether a row is one that there could be."""
    for name in before.columns:
        old, new = before[name].iloc[0], after[name].iloc[0]
        if old == new or (pd.isna(old) and pd.isna(new)):
            continue
        values = seen[name].dropna()
        if name == fixed or pd.isna(new):
            return False
        if isinstance(seen[name].dtype, pd.CategoricalDtype):
            if new not in set(values):
                return False
        elif has_whole_numbers(values) and new % 1 and not (old % 1 > 0):
            return False
    return True


def has_whole_numbers(column: Any) -> bool:
    """Whether a column has whole numbers, and no others."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    values = column.dropna()
    return bool((values == np.floor(values)).all())


def asked(model: Any, rows: Any, seen: Any) -> Iterator[dict[str, Any]]:
    """Yield what came of every row; every other one has a column that must stay."""
    columns = list(rows.columns)
    whole = (
        {}
        if hasattr(model, "whole_columns_")
        else {name: "whole" for name in columns if has_whole_numbers(seen[name])}
    )
    for k in range(len(rows)):
        x = rows.iloc[[k]]
        fixed = columns[k % len(columns)] if k % 2 else ""
        start = process_time()
        try:
            found = counterfactual(model, x, fixed=fixed or (), ranges=whole)
        except NoCounterfactualError:  # there is none if this column stays
            fixed, start = "", process_time()
            found = counterfactual(model, x, ranges=whole)
        spent = 1e3 * (process_time() - start)
        differs = model.predict(x)[0] != model.predict(found.row)[0]
        yield {
            "valid": bool(differs and is_legal(x, found.row, seen, fixed)),
            "exact": found.is_exact,
            "changes": len(found.changes),
            "ms": spent,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--sets", nargs="+", default=SETS)
    options = parser.parse_args()
    sets, missing = load_available(options.sets)
    for name, why in missing.items():
        print(f"without {name}: {why}")
    print("| model | rows | valid | none is nearer | columns changed | ms, median (95th) |")
    print("|---|---|---|---|---|---|")
    for name, learner in MODELS.items():
        answers: list[dict[str, Any]] = []
        for place, dataset in enumerate(sets.values()):
            left = options.rows - len(answers)
            X, y, rows = parts(dataset, -(-left // (len(sets) - place)))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = learner.fit(X, y)
                answers += asked(model, rows, X)
        valid = [one for one in answers if one["valid"]]
        times = [one["ms"] for one in answers]
        print(
            f"| {name} | {len(answers)} | {len(valid)} | {sum(one['exact'] for one in valid)} | "
            f"{np.mean([one['changes'] for one in valid]):.1f} | "
            f"{np.median(times):.0f} ({np.percentile(times, 95):.0f}) |",
            flush=True,
        )


if __name__ == "__main__":
    main()
