"""Table 3: three synthetic problems, each drawn anew many times.

The paper reports one draw of each; the spread over draws says how far that can be from
the mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.evaluate.protocols import Split
from softwood.papers.findings import Beside, Claim, Finding, judge
from softwood.papers.printed import printed
from softwood.papers.setting import Setting

# Training and test rows of both classes together (L-H13).
SIZES = {"Separable": (40, 2000), "2-D Gaussian": (90, 10_000), "10-D Gaussian": (2000, 10_000)}
COLUMNS = (("Mean test error", "C4.5 error", 4), ("Median number of nodes", "C4.5 nodes", 0))
DRAWS = {"quick": 20, "full": 100}


class FirstRows:
    """The first rows are for training, all others for the test."""

    test_over_train = None

    def __init__(self, n_train: int) -> None:
        self.n_train = n_train

    def __str__(self) -> str:
        return f"first {self.n_train} rows"

    def splits(self, y: AnyArray, seed: int, stratify: bool = True) -> list[Split]:
        """Return the one split."""
        return [(np.arange(self.n_train), np.arange(self.n_train, len(y)))]


def run(setting: Setting) -> Finding:
    """Fit C4.5 to every draw."""
    from softwood.estimators import C45Classifier

    theirs = printed("vicinal", "table3")
    n_draws = setting.pick(**DRAWS)
    ours, claims = [], []
    for problem, (n_train, n_test) in SIZES.items():
        draws = {f"{problem} {k}": draw(problem, n_train, n_test, k) for k in range(n_draws)}
        comparison = setting.compare(
            problem, {"C4.5": C45Classifier()}, draws, FirstRows(n_train), ["error", "leaves"]
        )
        errors = comparison.scores("error")[:, 0]
        nodes = 2 * comparison.scores("leaves")[:, 0] - 1  # every test has two branches
        ours.append([errors.mean(), np.median(nodes)])
        claims.append(_claim(problem, errors, float(theirs.values[len(ours) - 1, 0])))
    found = np.array(ours)
    tables = tuple(
        Beside(
            title, theirs.rows, (name,), theirs.column(name)[:, None], found[:, [j]], digits=digits
        )
        for j, (title, name, digits) in enumerate(COLUMNS)
    )
    notes = (f"{n_draws} draws of each problem; the paper has one.",)
    return Finding(tables, tuple(claims), notes=notes)


def draw(problem: str, n_train: int, n_test: int, seed: int) -> tuple[FloatArray, AnyArray]:
    """Return training rows, then test rows, attributes in units of the training deviation."""
    from softwood.datasets import make_gaussians, make_separable

    rng = np.random.default_rng([20, len(problem), seed])

    def part(n: int) -> tuple[FloatArray, Any]:
        if problem == "Separable":
            return make_separable(n, random_state=rng)
        return make_gaussians(n, n_features=2 if problem.startswith("2") else 10, random_state=rng)

    (X, y), (X_test, y_test) = part(n_train), part(n_test)
    scale = X.std(axis=0, ddof=1)
    return np.vstack([X, X_test]) / scale, np.concatenate([y, y_test])


def _claim(problem: str, errors: FloatArray, paper: float) -> Claim:
    mean, deviation = float(errors.mean()), float(errors.std(ddof=1))
    return judge(
        "Table 3", f"C4.5 errs on {paper:.4f} of {problem}",
        f"mean {mean:.4f}, standard deviation of one draw {deviation:.4f}",
        holds=abs(mean - paper) <= 2 * deviation,
    )  # fmt: skip
