"""Coalescence beside random forests and bagging, over every data set at hand.

    SOFTWOOD_DATA=... python benchmarks/study_ensembles.py [--most-rows 20000] [--store FILE]
    SOFTWOOD_DATA=... python benchmarks/study_ensembles.py --soft [--most-rows 1000]
    SOFTWOOD_DATA=... python benchmarks/study_ensembles.py --nominal [--most-rows 3300]
    SOFTWOOD_DATA=... python benchmarks/study_ensembles.py --half odd [--most-rows 20000]
    python benchmarks/study_ensembles.py --further [--most-rows 6000]

Ten folds, 100 trees. Every classification set of the registry that can be loaded is used,
but for those with more rows, and churn, a messy table; nothing else is left out. With --soft,
Coalescence is compared with itself, smoothed by a lambda that is tuned out of bag, on numeric
sets. With --nominal, tests of one category against all others are compared with a branch for
each, on sets that have nominal columns. With --half, the sets are every other one of the registry,
by name: defaults were chosen on the even half. With --further, they are those of further_sets.py:
no default was chosen on them.
"""

import argparse

import numpy as np
from further_sets import further_sets
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier

from softwood import CoalescenceClassifier
from softwood.datasets import list_datasets, load_dataset
from softwood.errors import DatasetError
from softwood.evaluate import compare

SOFT = {
    "coalescence": CoalescenceClassifier(),
    "soft": CoalescenceClassifier(smoothing="oob"),
}
NOMINAL = {
    "coalescence": CoalescenceClassifier(),
    "branches": CoalescenceClassifier(nominal_split="multiway"),
    "forest": RandomForestClassifier(100),
}
# Coalescence before rows out of bag chose: what is taken where they are not asked.
FORMER = {
    "alpha_range": (0.25, 1.0),
    "max_features": 1 / 3,
    "min_samples_split": 4,
    "min_samples_leaf": 2,
    "curtail": 1.0,
}
METHODS = {
    "coalescence": CoalescenceClassifier(),
    "former": CoalescenceClassifier(**FORMER),
    "forest": RandomForestClassifier(100),
    "bagging": BaggingClassifier(n_estimators=100),
    "extra": ExtraTreesClassifier(100),
}


IDENTIFIERS = ("churn",)  # its names and dates are four thousand one-hot columns, to peers
HALVES = {"even": slice(0, None, 2), "odd": slice(1, None, 2)}


def names(most_rows: int, nominal: bool | None = None, half: str | None = None) -> list[str]:
    """Return the sets that can be loaded: all, or those with nominal columns, or without."""
    found = []
    cards = sorted(list_datasets(task="classification"), key=lambda card: card.name)
    for card in cards[HALVES[half]] if half else cards:
        if card.name in IDENTIFIERS:
            continue
        try:
            dataset = load_dataset(card.name)
        except DatasetError:
            continue
        has_nominal = any(column.is_nominal for column in dataset.table.columns[:-1])
        if len(dataset.y) <= most_rows and nominal in (None, has_nominal):
            found.append(card.name)
    return found


def told(result, methods) -> None:
    print(result.to_text("error"))
    print(result.ranks("error"))
    print("log loss", result.ranks("log_loss"))
    print("log loss", result.scores("log_loss").mean(axis=0).round(4))
    print(result.friedman("error"))
    print(result.holm("error", control="coalescence"))
    for other in list(methods)[1:]:
        counts = {"win": 0, "draw": 0, "loss": 0}
        for name in result.datasets:
            test = result.corrected_t("coalescence", other, name)
            better = "win" if test.difference < 0 else "loss"
            counts[better if test.pvalue < 0.05 and test.difference else "draw"] += 1
        scores = dict(zip(methods, result.scores("error").T, strict=True))
        lower = int(np.sum(scores["coalescence"] < scores[other]))
        print("coalescence against", other, counts, "lower error on", lower)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most-rows", type=int, default=20_000)
    parser.add_argument("--soft", action="store_true")
    parser.add_argument("--nominal", action="store_true")
    parser.add_argument("--further", action="store_true")
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--protocol", default="kfold:10")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--store")
    parser.add_argument("--n-jobs", type=int, default=-1)
    options = parser.parse_args()
    if options.further:
        sets = further_sets(options.most_rows)
    else:
        nominal = False if options.soft else options.nominal or None
        sets = names(options.most_rows, nominal, options.half)
    print(len(sets), "data sets")
    chosen = {name: METHODS[name] for name in options.methods}
    methods = SOFT if options.soft else NOMINAL if options.nominal else chosen
    how = {"n_jobs": options.n_jobs, "store": options.store, "resume": bool(options.store)}
    told(compare(methods, sets, options.protocol, verbose=1, **how), methods)
