"""Families of trees beside each other: the tables of README.md and docs/which-model.md.

    python benchmarks/bench_families.py [--store FILE] [--jobs 1] [--write]

Twenty data sets that come with softwood, scikit-learn and the extra ``data``, three times: five
folds; the same with a fifth of the training labels replaced by other classes; and sixty training
rows, ten times. ``--write`` puts the tables into the pages, between their marks. A run that was
stopped goes on from FILE. About a quarter of an hour of one core.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from softwood import (
    C45Classifier,
    CARTClassifier,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
)
from softwood.evaluate import compare

ROOT = Path(__file__).parent.parent
SETS = (
    "breast-y-277",
    "bupa",
    "cleveland-297",
    "german",
    "glass",
    "haberman",
    "heart-297",
    "hepatitis",
    "ionosphere-rounded",
    "lymph",
    "mammographic",
    "pima",
    "segment",
    "sonar-rounded",
    "spectf",
    "vehicle",
    "vote-232",
    "wdbc",
    "wine",
    "wisconsin",
)
TREES = {
    "scikit-learn's tree": DecisionTreeClassifier(),
    '`CARTClassifier(pruning="cv")`': CARTClassifier(pruning="cv"),
    "`C45Classifier()`": C45Classifier(),
    "`EvolvedTreeClassifier(n_iter=20_000)`": EvolvedTreeClassifier(n_iter=20_000),
    "`ObliqueTreeClassifier(widen=True)`": ObliqueTreeClassifier(widen=True),
    "`SoftTreeClassifier()`": SoftTreeClassifier(),
    "`SoftTreeClassifier(oblique=True, max_leaf_nodes=32)`": SoftTreeClassifier(
        oblique=True, max_leaf_nodes=32
    ),
}
ENSEMBLES = {
    "scikit-learn's random forest": RandomForestClassifier(),
    "scikit-learn's gradient boosting": HistGradientBoostingClassifier(),
    "`VRForestClassifier()`": VRForestClassifier(),
    "`CoalescenceClassifier()`": CoalescenceClassifier(),
    '`CoalescenceClassifier(smoothing="oob")`': CoalescenceClassifier(smoothing="oob"),
}
METHODS = TREES | ENSEMBLES
SHORT = (
    "scikit-learn's tree",
    "`C45Classifier()`",
    "`SoftTreeClassifier()`",
    "scikit-learn's random forest",
    "scikit-learn's gradient boosting",
    "`CoalescenceClassifier()`",
)
FOREST = "scikit-learn's random forest"
NOISE = 0.2


class Mislabelled(ClassifierMixin, BaseEstimator):
    """Another estimator, some of whose training labels are replaced by those of other classes."""

    def __init__(self, estimator, share=NOISE, random_state=None):
        self.estimator = estimator
        self.share = share
        self.random_state = random_state

    def fit(self, X, y):
        rng = np.random.default_rng(self.random_state)
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        wrong = rng.random(len(codes)) < self.share
        codes[wrong] += rng.integers(1, len(classes), wrong.sum())
        self.estimator_ = clone(self.estimator)
        if "random_state" in self.estimator_.get_params():
            self.estimator_.set_params(random_state=self.random_state)
        self.estimator_.fit(X, classes[codes % len(classes)])
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X):
        return self.estimator_.predict(X)

    def predict_proba(self, X):
        return self.estimator_.predict_proba(X)

    def __sklearn_tags__(self):
        return get_tags(self.estimator)


def measured(store: Path, jobs: int) -> dict[str, dict[str, float]]:
    """Return what is measured of each method, as means over data sets."""
    noisy = {name: Mislabelled(method) for name, method in METHODS.items()}
    options = {"store": store, "n_jobs": jobs, "verbose": 1}
    runs = {
        "folds": compare(METHODS, SETS, "kfold:5", **options),
        "noisy": compare(noisy, SETS, "kfold:5", experiment="wrong labels", **options),
        "few": compare(METHODS, SETS, "random_splits:10x60", **options),
    }
    seconds = runs["folds"].table("fit_time")
    found = {
        "error": runs["folds"].table("error"),
        "log_loss": runs["folds"].table("log_loss"),
        "leaves": runs["folds"].table("leaves"),
        "noisy": runs["noisy"].table("error"),
        "few": runs["few"].table("error"),
        "few_loss": runs["few"].table("log_loss"),
    }
    means = {key: frame.mean(axis=0) for key, frame in found.items()}
    means["leaves"] = found["leaves"].median(axis=0)
    share = seconds.div(seconds[FOREST], axis=0)
    means["time"] = np.exp(np.log(share).mean(axis=0))
    means["rank"] = found["error"].rank(axis=1).mean(axis=0)
    return {name: {key: float(means[key][name]) for key in means} for name in METHODS}


def rendered(header: list[str], rows: list[list[str]]) -> str:
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def short_table(found: dict[str, dict[str, float]]) -> str:
    header = ["", "error, %", "log loss", "leaves", "time of a fit"]
    rows = [
        [
            name,
            f"{100 * each['error']:.1f}",
            f"{each['log_loss']:.2f}",
            f"{each['leaves']:.0f}" if name in TREES else "",
            f"{each['time']:.2f}",
        ]
        for name, each in found.items()
        if name in SHORT
    ]
    return rendered(header, rows)


def long_table(found: dict[str, dict[str, float]]) -> str:
    header = [
        "",
        "error, %",
        "log loss",
        "labels a fifth wrong: error, %",
        "60 rows: error, %",
        "60 rows: log loss",
        "leaves",
        "time of a fit",
    ]
    rows = [
        [
            name,
            f"{100 * each['error']:.1f}",
            f"{each['log_loss']:.2f}",
            f"{100 * each['noisy']:.1f}",
            f"{100 * each['few']:.1f}",
            f"{each['few_loss']:.2f}",
            f"{each['leaves']:.0f}" if name in TREES else "",
            f"{each['time']:.2f}",
        ]
        for name, each in found.items()
    ]
    return rendered(header, rows)


def put(page: Path, table: str) -> None:
    """Put the table between the marks of a page."""
    text = page.read_text(encoding="utf-8")
    before, start, rest = text.partition("<!-- made by benchmarks/bench_families.py -->\n")
    _, end, after = rest.partition("<!-- end of it -->")
    if not (start and end):
        raise ValueError(f"{page} has no marks")
    page.write_text(f"{before}{start}\n{table}\n\n{end}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(options.store or Path(folder, "families.sqlite"), options.jobs)
    print(short_table(found), "\n")
    print(long_table(found))
    if options.write:
        for page in ("README.md", "docs/index.md"):
            put(ROOT / page, short_table(found))
        put(ROOT / "docs/which-model.md", long_table(found))


if __name__ == "__main__":
    main()
