"""Vicinal risk without evolution: the table of docs/guide/trees-that-keep-their-distance.md.

    SOFTWOOD_DATA=... python benchmarks/study_vicinal.py [--evolve ITERATIONS] [--store FILE]

Three synthetic problems, twenty draws of each (five of the large one), and ten half splits
of every data set of Cao and Rockett's Table 4 that is at hand, categories numbered as
there. With --evolve also one run of evolution for each cell, and how long it takes.
Minutes; with evolution, hours.
"""

import argparse
from time import process_time

import numpy as np

from softwood import C45Classifier, CARTClassifier, EvolvedTreeClassifier
from softwood.evaluate import compare
from softwood.papers.printed import printed
from softwood.papers.setting import load_available
from softwood.papers.vicinal.table3 import SIZES, FirstRows, draw
from softwood.papers.vicinal.table4 import as_numbers
from softwood.statistics import holm, iman_davenport_test

DRAWS = {"Separable": 20, "2-D Gaussian": 20, "10-D Gaussian": 5}
ROUNDS = 5


def methods(n_iter: int) -> dict:
    made = {
        "C4.5": C45Classifier(),
        "CART cv": CARTClassifier(pruning="cv", random_state=0),
        "vicinal": CARTClassifier("vicinal"),
        "vicinal cv": CARTClassifier("vicinal", pruning="cv", random_state=0),
    }
    if n_iter:
        made["evolved"] = EvolvedTreeClassifier(n_iter=n_iter, random_state=0)
    return made


def synthetic(models: dict, store: str | None) -> None:
    for problem, (n_train, n_test) in SIZES.items():
        draws = {f"{problem} {k}": draw(problem, n_train, n_test, k) for k in range(DRAWS[problem])}
        result = compare(
            models, draws, FirstRows(n_train), ["error", "leaves"], store=store, verbose=1
        )
        errors, leaves = result.scores("error"), result.scores("leaves")
        print(problem, len(draws), "draws: mean error, its standard error, median leaves")
        for j, name in enumerate(models):
            mean, spread = errors[:, j].mean(), errors[:, j].std(ddof=1) / np.sqrt(len(draws))
            print(f"  {name:12}{mean:8.4f}{spread:8.4f}{np.median(leaves[:, j]):6.0f}")


def half_splits(models: dict, store: str | None) -> None:
    theirs = printed("vicinal", "table4", text=("set",))
    sets, _ = load_available(theirs.text["set"])
    problems = {name: as_numbers(dataset) for name, dataset in sets.items()}
    result = compare(
        models, problems, "half_splits", ["error", "leaves"], store=store, n_jobs=2, verbose=1
    )
    print(result.to_text("error"))
    print(result.ranks("error"))
    print("leaves", dict(zip(models, result.scores("leaves").mean(axis=0).round(1), strict=True)))
    there = [theirs.text["set"].index(name) for name in problems]
    print("printed", dict(zip(theirs.columns, theirs.values[there].mean(axis=0), strict=True)))
    scores = result.scores("error")
    best = scores.mean(axis=0).argmin()
    print("Iman-Davenport", iman_davenport_test(scores).pvalue)
    print("Holm, against", list(models)[best], holm(scores, control=int(best)).adjusted)
    print("mean", dict(zip(models, scores.mean(axis=0).round(4), strict=True)))


def cost(models: dict) -> None:
    sets, _ = load_available(["pima", "sonar"])
    for name, dataset in sets.items():
        table, y = as_numbers(dataset)
        X = np.column_stack([column.values for column in table.columns])[::2]
        for method, model in models.items():
            rounds = 1 if method == "evolved" else ROUNDS
            print(name, method, f"{fit_seconds(model, X, y[::2], rounds):.4f} s")


def fit_seconds(model, X, y, rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        start = process_time()
        model.fit(X, y)
        seconds.append(process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evolve", type=int, default=0)
    parser.add_argument("--store")
    options = parser.parse_args()
    compared = methods(options.evolve)
    synthetic(compared, options.store)
    half_splits(compared, options.store)
    cost(compared)
