"""Whether a comparison keeps both cores busy: 6 methods on 20 data sets in 10 folds.

Usage: python benchmarks/bench_compare.py [N_SETS]
"""

import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from _timing import table
from joblib.externals.loky import get_reusable_executor
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, CARTClassifier
from softwood.evaluate import Comparison, compare

N_JOBS = 2
METHODS = {
    "C4.5": C45Classifier(),
    "CART": CARTClassifier(pruning="cv"),
    "scikit-learn tree": DecisionTreeClassifier(),
    "random forest": RandomForestClassifier(),
    "extra trees": ExtraTreesClassifier(),
    "logistic": LogisticRegression(max_iter=1000),
}
DATASETS = [
    "iris",
    "wine",
    "monks-1",
    "monks-2",
    "monks-3",
    "tic-tac-toe",
    "balance",
    "car",
    "wdbc",
    "threeOf9",
    "bupa",
    "glass",
    "haberman",
    "pima",
    "sonar-rounded",
    "vehicle",
    "vowel",
    "wisconsin",
    "german",
    "segment",
]


def cpu_seconds() -> float:
    """Return the time that this process and its finished children spent on a core."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def study(names: list[str], store: Path) -> tuple[Comparison, float, float]:
    """Return the comparison, its wall time, and the share of the cores it kept busy."""
    before, start = cpu_seconds(), perf_counter()
    result = compare(METHODS, names, "kfold", n_jobs=N_JOBS, store=store, verbose=1)
    wall = perf_counter() - start
    get_reusable_executor().shutdown(wait=True)  # only then are the workers accounted for
    return result, wall, (cpu_seconds() - before) / (N_JOBS * wall)


def main(n_sets: int) -> None:
    names = DATASETS[:n_sets]
    with tempfile.TemporaryDirectory() as folder:
        result, wall, share = study(names, Path(folder, "results.sqlite"))
    in_cells = sum(record.outcome.seconds for record in result.records)
    lost = (N_JOBS * wall - in_cells) / len(result.records)
    rows = [
        ["cells", f"{len(result.records)} ({len(result.failures)} failed)"],
        ["wall time", f"{wall:.1f} s"],
        ["cores busy", f"{share:.0%} of {N_JOBS}"],
        ["time inside cells", f"{in_cells / (N_JOBS * wall):.0%} of {N_JOBS} cores"],
        ["outside cells, per cell", f"{lost * 1e3:.1f} ms"],
    ]
    title = f"compare, {len(METHODS)} methods on {len(names)} data sets, 10 folds"
    print(table(title, ["what", "measured"], rows))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else len(DATASETS))
