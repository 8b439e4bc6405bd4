"""SoftTreeClassifier() beside plain trees and a forest: a table of docs/guide/soft-trees.md.

    SOFTWOOD_DATA=... python benchmarks/study_soft_defaults.py --store FILE [--folds 5]
        [--sets even|odd|further|check|all] [--most-rows 5000] [--methods soft CART C4.5 forest]
        [--write]

Every classification set of the registry that is at hand and has no more rows, and those of
further_sets.py. Defaults were chosen on the even half, in the order of all names of the registry,
and on no other. "check" are the other half and the further sets. A run that was stopped goes on
where the store ends. ``--write`` puts the tables into docs/guide/soft-trees.md, between their
marks.
"""

import argparse
from pathlib import Path

import numpy as np
from further_sets import further_sets
from sklearn.ensemble import RandomForestClassifier

from softwood import C45Classifier, CARTClassifier, SoftTreeClassifier
from softwood.datasets import list_datasets, load_dataset
from softwood.errors import DatasetError
from softwood.evaluate import Comparison, compare
from softwood.statistics import mean_ranks

METHODS = {
    "soft": SoftTreeClassifier(),
    "CART": CARTClassifier(pruning="cv"),
    "C4.5": C45Classifier(),
    "forest": RandomForestClassifier(100),
}
PAGE = Path(__file__).parents[1] / "docs/guide/soft-trees.md"
MARK = "<!-- made by benchmarks/study_soft_defaults.py -->\n"
NAMES = {
    "soft": "soft tree",
    "CART": "CART, pruned",
    "C4.5": "C4.5",
    "forest": "random forest of 100",
}
STARTS = {"even": 0, "odd": 1, "check": 1}
CHOICES = ("even", "odd", "further", "check", "all")


def registry(which: str, most_rows: int) -> list[str]:
    """Return the sets of a half, or of both, that can be loaded and are not too large."""
    names = sorted(card.name for card in list_datasets(task="classification"))
    if which in STARTS:
        names = names[STARTS[which] :: 2]
    found = []
    for name in names:
        try:
            n_rows = len(load_dataset(name).y)
        except DatasetError:
            continue
        if n_rows <= most_rows:
            found.append(name)
    return found


def sets(which: str, most_rows: int) -> dict[str, object]:
    """Return the data sets by name."""
    found: dict[str, object] = {}
    if which != "further":
        found.update({name: load_dataset(name) for name in registry(which, most_rows)})
    if which in ("further", "check", "all"):
        found.update(further_sets(most_rows))
    return found


def told(result: Comparison) -> None:
    """Print means, ranks, tests over the sets, and where a difference is significant."""
    methods = result.methods
    for metric in ("error", "log_loss"):
        scores = result.scores(metric)
        print(
            metric, "mean", dict(zip(methods, scores.mean(axis=0).round(4).tolist(), strict=True))
        )
        print(result.ranks(metric))
        if len(methods) > 2:
            print(result.holm(metric, control=methods[0]))
        for other in methods[1:]:
            difference = scores[:, 0] - scores[:, methods.index(other)]
            n_lower, n_higher = int((difference < 0).sum()), int((difference > 0).sum())
            p = result.wilcoxon(methods[0], other, metric).pvalue
            print(f"{metric}: lower than {other} on {n_lower}, higher on {n_higher}, p {p:.2g}")
            for name in result.datasets:
                test = result.corrected_t(methods[0], other, name, metric)
                if test.pvalue < 0.05 and test.difference > 0:
                    print(f"    significantly higher on {name}, by {test.difference:.4f}")
    for measure in ("leaves", "fit_time"):
        median = np.nanmedian(result.scores(measure), axis=0)
        print(measure, "median", dict(zip(methods, median.round(3).tolist(), strict=True)))


def counts(result: Comparison, metric: str) -> list[list[str]]:
    """Return rows of a table: on how many sets the soft tree is lower, and higher, than others."""
    scores, methods = result.scores(metric), result.methods
    lower, higher = (
        [
            str(int(np.sum(sign * (scores[:, 0] - scores[:, at]) < 0)))
            for at in range(1, len(methods))
        ]
        for sign in (1, -1)
    )
    what = metric.replace("_", " ")
    table = [
        [f"the soft tree has the lower {what} on", "", *lower],
        ["and the higher one on", "", *higher],
    ]
    if metric == "error":
        found = result.win_draw_loss(metric, alpha=0.05)
        shown = [found[methods[0], other] for other in methods[1:]]
        table.append(
            ["significant wins and losses in error", "", *(f"{w}, {lost}" for w, _, lost in shown)]
        )
    return table


def summary_table(result: Comparison) -> str:
    """Return means and mean ranks as a table."""
    methods = result.methods
    rows = []
    for metric, digits, factor in (("error", 1, 100.0), ("log_loss", 3, 1.0)):
        what = metric.replace("_", " ")
        means = factor * result.scores(metric).mean(axis=0)
        ranks = mean_ranks(result.scores(metric))
        unit = ", %" if factor > 1 else ""
        rows.append([f"mean {what}{unit}", *(f"{mean:.{digits}f}" for mean in means)])
        rows.append([f"mean rank of the {what}", *(f"{rank:.2f}" for rank in ranks)])
    for metric in ("error", "log_loss"):
        rows += counts(result, metric)
    return lines([f"{len(result.datasets)} sets", *(NAMES[name] for name in methods)], rows)


def table_by_set(result: Comparison) -> str:
    """Return errors and log losses set by set, and the leaves of the soft tree."""
    error, loss = (result.scores(metric) for metric in ("error", "log_loss"))
    leaves = result.scores("leaves")[:, 0]
    rows = [
        [name, *(f"{100 * e:.1f} / {lost:.2f}" for e, lost in zip(*both, strict=True)), f"{n:.0f}"]
        for name, *both, n in zip(result.datasets, error, loss, leaves, strict=True)
    ]
    return lines(["error, % / log loss", *(NAMES[name] for name in result.methods), "leaves"], rows)


def lines(header: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    shown = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in shown)


def put(table: str) -> None:
    """Put the table between the marks of the page."""
    before, start, rest = PAGE.read_text(encoding="utf-8").partition(MARK)
    _, end, after = rest.partition("<!-- end of it -->")
    if not (start and end):
        raise ValueError(f"{PAGE} has no marks")
    PAGE.write_text(f"{before}{start}\n{table}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--sets", choices=CHOICES, default="all")
    parser.add_argument("--most-rows", type=int, default=5000)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    chosen = {name: METHODS[name] for name in options.methods}
    data = sets(options.sets, options.most_rows)
    print(len(data), "data sets,", options.folds, "folds")
    protocol, how = f"kfold:{options.folds}", {"n_jobs": options.n_jobs, "store": options.store}
    result = compare(chosen, data, protocol, verbose=1, **how)
    print(result.to_text("error"))
    told(result)
    if options.write:
        put(f"{summary_table(result)}\n\n{table_by_set(result)}")
