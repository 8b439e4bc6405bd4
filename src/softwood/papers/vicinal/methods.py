"""The paper's methods: C4.5, and trees evolved for the least empirical or vicinal risk.

Evolution is run several times on every training set, and the median of the test errors
counts (section 4.2). The seeds of the runs are theirs alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray

if TYPE_CHECKING:
    from softwood.evaluate.comparison import Comparison
    from softwood.evaluate.metrics import Prediction

RISKS = {"ERM": "empirical", "VRM": "vicinal"}
# Table 2 of the paper, and what it leaves open (L-H2, L-H3). All is said, whatever the defaults.
PAPER: dict[str, Any] = {
    "objectives": "multi", "sigma2": 0.1, "population_size": 100, "max_depth": 10, "n_runs": 1,
    "init": "random", "refine": "none", "prediction": "hard", "cuts": "uniform",
}  # fmt: skip
C45: dict[str, Any] = {
    "min_samples_leaf": 2, "confidence": 0.25, "pruning": "pessimistic", "subtree_raising": True,
    "collapse": True, "mdl_correction": True, "laplace": False, "soft_thresholds": False,
}  # fmt: skip
MAKERS = ("C4.5", *RISKS)
DEFAULT = "SoftTreeClassifier()"  # what softwood grows when nothing is said
PAPER_RUNS = 30


def evolved(risk: str, n_iter: int, seed: int | None, **options: Any) -> Any:
    """Return an estimator with the paper's parameters; ``risk`` is ERM or VRM."""
    from softwood.estimators.evolved import EvolvedTreeClassifier

    told = {**PAPER, **options}
    return EvolvedTreeClassifier(RISKS[risk], n_iter=n_iter, random_state=seed, **told)


def c45() -> Any:
    """Return J48 as the paper has it, with its defaults."""
    from softwood.estimators import C45Classifier

    return C45Classifier(**C45)


def default() -> Any:
    """Return softwood's default tree."""
    from softwood.estimators.soft import SoftTreeClassifier

    return SoftTreeClassifier()


def methods(n_iter: int, n_runs: int, **options: Any) -> dict[str, Any]:
    """Return C4.5, and the runs of ERM and VRM under numbered names.

    Examples
    --------
    >>> list(methods(n_iter=1000, n_runs=2))
    ['C4.5', 'ERM 1', 'ERM 2', 'VRM 1', 'VRM 2']
    """
    runs = {
        f"{risk} {k + 1}": evolved(risk, n_iter, k, **options)
        for risk in RISKS
        for k in range(n_runs)
    }
    return {"C4.5": c45(), **runs}


def medians(comparison: Comparison, metric: str, makers: Sequence[str] = MAKERS) -> FloatArray:
    """Return the scores of every data set and split, the median over the runs of each method.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods, n_splits)
    """
    scores = comparison.split_scores(metric)  # data sets, methods, splits
    names = comparison.methods
    runs = [
        [k for k, name in enumerate(names) if name == maker or name.startswith(f"{maker} ")]
        for maker in makers
    ]
    return np.stack([np.median(scores[:, own], axis=1) for own in runs], axis=1)


def nodes(seen: Prediction) -> float:
    """Return the nodes of a tree, those that decide nothing included."""
    evolved_nodes = getattr(seen.model, "n_nodes_evolved_", None)
    return float(seen.model.tree_.n_nodes if evolved_nodes is None else evolved_nodes)
