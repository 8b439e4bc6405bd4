"""Compare tree learners on several data sets, keep the results, and read what they say.

Run it twice: the second time it takes everything from the store.

Usage: python examples/compare_classifiers.py [STORE]
"""

import sys
import tempfile
from pathlib import Path

from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, CARTClassifier
from softwood.evaluate import Comparison, compare

METHODS = {
    "C4.5": C45Classifier(),
    "CART, pruned": CARTClassifier(pruning="cv"),
    "scikit-learn tree": DecisionTreeClassifier(),
    "random forest": RandomForestClassifier(50),
}
DATASETS = ["iris", "wine", "tic-tac-toe", "monks-1", "monks-2", "balance"]


def main(store: Path) -> None:
    result = compare(METHODS, DATASETS, "kfold:5", n_jobs=2, store=store, verbose=1)
    print(result.summary(), "\n")
    print("Leaves:", result.to_text("leaves"), sep="\n\n", end="\n\n")
    print("Log loss, as Markdown:", result.to_markdown("log_loss", spread=True), sep="\n\n")
    again = Comparison.from_store(store)
    print(f"\nin the store: {again}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder, "results.sqlite"))
