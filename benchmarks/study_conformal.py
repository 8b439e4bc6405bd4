"""Do sets and intervals hold the truth as often as they promise, and how large are they?

    SOFTWOOD_DATA=... python benchmarks/study_conformal.py [--splits 20] [--sets pima housing]
        [--first 0] [--methods "ours, out of bag"]

Six tables of classes and four of numbers, alpha 0.1. A split draws rows to fit, rows to calibrate
and rows to test by one permutation, and permutations are drawn independently. So coverages of
splits are independent draws, given the table, in which training, calibration and test are random
alike; rows of one permutation are exchangeable, so that calibration on rows held out promises
their mean; and the standard deviation of coverages over the root of their number is its standard
error. (That of a single split's test rows would leave out the calibration.) Beside ours are those
of MAPIE on a random forest, where it is installed. Minutes.
"""

import argparse
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from softwood import CARTClassifier, CARTRegressor, CoalescenceClassifier, CoalescenceRegressor
from softwood.datasets import load_dataset

try:
    from mapie.classification import CrossConformalClassifier, SplitConformalClassifier
    from mapie.regression import CrossConformalRegressor, SplitConformalRegressor

    HAS_MAPIE = True
except ImportError:
    HAS_MAPIE = False

ALPHA = 0.1
CLASSES = ("german-numeric", "pima", "segment", "vehicle", "vowel", "waveform21")
NUMBERS = ("abalone", "elevators", "friedman1", "housing")
MOST_ROWS = 2000  # of which a table gives a draw to each split
Answer = Callable[..., Any]


def by_ours(model: Any, spare: bool) -> Answer:
    """Fit to rows and calibrate on others; or fit to both, and let the model calibrate itself."""

    def answer(fit: Any, other: Any, both: Any, X: Any) -> Any:
        if spare:
            model.fit(*fit).calibrate(*other)
        else:
            model.fit(*both)
        ask = getattr(model, "predict_set", None) or model.predict_interval
        return ask(X, ALPHA)

    return answer


def by_mapie(model: Any, kind: Any, spare: bool, options: dict[str, Any]) -> Answer:
    """Answer likewise with MAPIE; it calibrates by five folds, unless told otherwise."""

    def answer(fit: Any, other: Any, both: Any, X: Any) -> Any:
        level = 1.0 - ALPHA
        if spare:
            made = kind(model.fit(*fit), confidence_level=level, prefit=True, **options)
            made.conformalize(*other)
        else:
            made = kind(model, confidence_level=level, cv=5, **options)
            made.fit_conformalize(*both)
        ask = getattr(made, "predict_set", None) or made.predict_interval
        return ask(X)[1][..., 0]

    return answer


def methods(has_classes: bool) -> dict[str, Answer]:
    """Return what is compared, by name."""
    forest = CoalescenceClassifier if has_classes else CoalescenceRegressor
    tree = CARTClassifier if has_classes else CARTRegressor
    found = {
        "ours, held out": by_ours(forest(100, random_state=0), spare=True),
        "ours, out of bag": by_ours(forest(100, random_state=0), spare=False),
        "400 trees": by_ours(forest(400, random_state=0), spare=False),
        "CART, held out": by_ours(tree(pruning="cv", random_state=0), spare=True),
        "CART, folds": by_ours(tree(pruning="cv", random_state=0), spare=False),
    }
    if HAS_MAPIE:
        peer = RandomForestClassifier if has_classes else RandomForestRegressor
        kinds: Any = (SplitConformalRegressor, CrossConformalRegressor)
        options: dict[str, Any] = {}
        if has_classes:
            kinds = (SplitConformalClassifier, CrossConformalClassifier)
            options = {"conformity_score": "lac"}
        found["MAPIE, held out"] = by_mapie(peer(100, random_state=0), kinds[0], True, options)
        found["MAPIE, folds"] = by_mapie(peer(100, random_state=0), kinds[1], False, options)
    return found


def table(name: str, has_classes: bool) -> tuple[Any, Any]:
    """Return numbers that any library takes, and codes or numbers to predict."""
    import pandas as pd

    X, y = load_dataset(name, return_X_y=True)
    X = pd.get_dummies(X).to_numpy(float)
    if has_classes:
        return X, np.unique(np.asarray(y), return_inverse=True)[1]
    y = np.asarray(y, dtype=float)
    return X, y / y.std()  # widths in deviations of the target


def splits(X: Any, y: Any, seeds: range) -> Iterator[tuple[Any, ...]]:
    """Yield rows to fit to, others to calibrate on, both, and rows to test: 2 : 1 : 3.

    The rows to calibrate on are one less than a multiple of ten: then 0.9 can be met exactly.
    """
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(y.size)[:MOST_ROWS]
        first = order.size // 3
        second = first + order.size // 60 * 10 - 1
        parts = (order[:first], order[first:second], order[:second], order[second:])
        yield tuple((X[part], y[part]) for part in parts)


def held_and_size(answer: Any, y: Any, has_classes: bool) -> tuple[float, float]:
    """Return the share of rows whose truth is held, and the mean size of sets or intervals."""
    if has_classes:
        return answer[np.arange(y.size), y].mean(), answer.sum(axis=1).mean()
    low, high = answer.T
    return ((low <= y) & (y <= high)).mean(), (high - low).mean()


def study(
    names: Any, has_classes: bool, seeds: range, wanted: Any = None
) -> dict[str, list[float]]:
    """Print coverages with their standard errors, and sizes; return deviations in errors."""
    compared = methods(has_classes)
    compared = {name: compared[name] for name in wanted or compared}
    deviations: dict[str, list[float]] = {name: [] for name in compared}
    seconds = dict.fromkeys(compared, 0.0)
    print("| table | " + " | ".join(compared) + " |\n|---" + "|---" * len(compared) + "|")
    for name in names:
        X, y = table(name, has_classes)
        cells = []
        found: dict[str, list[tuple[float, float]]] = {method: [] for method in compared}
        for fit, other, both, (X_new, y_new) in splits(X, y, seeds):
            for method, answer in compared.items():
                start = process_time()
                answers = answer(fit, other, both, X_new)
                seconds[method] += process_time() - start
                found[method].append(held_and_size(answers, y_new, has_classes))
        for method, pairs in found.items():
            held, size = np.transpose(pairs)
            error = held.std(ddof=1) / np.sqrt(len(seeds))
            deviations[method].append((held.mean() - (1.0 - ALPHA)) / error)
            cells.append(f"{100 * held.mean():.1f} ± {100 * error:.1f}, {size.mean():.2f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    n_fits = len(seeds) * len(names)
    print("| seconds | " + " | ".join(f"{s / n_fits:.2f}" for s in seconds.values()) + " |\n")
    return deviations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--sets", nargs="+", default=(*CLASSES, *NUMBERS))
    parser.add_argument("--first", type=int, default=0, help="number of the first split")
    parser.add_argument("--methods", nargs="+", help="some of the columns")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.splits)
    total: dict[str, list[float]] = {}
    for known, has_classes in ((CLASSES, True), (NUMBERS, False)):
        names = [name for name in options.sets if name in known]
        if names:
            for method, found in study(names, has_classes, seeds, options.methods).items():
                total[method] = total.get(method, []) + found
    for method, found in total.items():
        near = sum(abs(one) <= 2.0 for one in found)
        few = sum(one < -2.0 for one in found)
        print(f"{method}: {near} of {len(found)} within two standard errors, {few} below")


if __name__ == "__main__":
    main()
