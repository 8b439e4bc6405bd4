"""Table 3: three synthetic problems, each drawn anew many times.

The paper reports one draw of each; the spread over draws says how far that can be from
the mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.evaluate.protocols import Split
from softwood.papers.findings import Beside, Finding
from softwood.papers.print_rules import printed_value
from softwood.papers.printed import Printed, printed
from softwood.papers.rules import (
    ordered,
)
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge
from softwood.papers.vicinal.methods import DEFAULT, MAKERS, default, medians, methods, nodes


class Problem(NamedTuple):
    """Rows of both classes together (L-H13), and how long trees evolve."""

    n_train: int
    n_test: int
    n_iter: int
    n_iter_quick: int
    n_runs: int  # medians are of so many; the paper's are of 30
    n_runs_quick: int
    n_draws_quick: int


PROBLEMS = {
    "Separable": Problem(40, 2000, 20_000, 20_000, 30, 3, 20),
    "2-D Gaussian": Problem(90, 10_000, 20_000, 20_000, 30, 3, 20),
    "10-D Gaussian": Problem(2000, 10_000, 1_000_000, 100_000, 3, 1, 4),
}
N_DRAWS = 20
METHODS = (*MAKERS, DEFAULT)


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
    """Fit C4.5, and evolve trees for both risks, on every draw."""
    theirs = printed("vicinal", "table3")
    found = {name: _scores(setting, name, problem) for name, problem in PROBLEMS.items()}
    errors = np.array([found[name]["error"].mean(axis=0) for name in PROBLEMS])
    sizes = np.array([np.median(found[name]["nodes"], axis=0) for name in PROBLEMS])
    kept = np.array([np.median(2 * found[name]["leaves"] - 1, axis=0) for name in PROBLEMS])
    tables = (
        Beside("Mean test error", theirs.rows, MAKERS, _printed(theirs, "error"), errors[:, :3]),
        Beside(
            "Median number of nodes",
            theirs.rows, MAKERS, _printed(theirs, "nodes"), sizes[:, :3], digits=0,
        ),
        Beside.ours_alone(
            "Nodes without tests that decide nothing", theirs.rows, MAKERS, kept[:, :3], digits=0
        ),
        Beside.ours_alone(
            f"Softwood's defaults on the same draws, {DEFAULT}", theirs.rows, ("error", "nodes"),
            np.column_stack([errors[:, 3], kept[:, 3]]), digits=4,
        ),
    )  # fmt: skip
    claims = [
        claim
        for name, paper in zip(PROBLEMS, _printed(theirs, "error"), strict=True)
        for claim in _claims(name, found[name]["error"], paper)
    ]
    return Finding(tables, tuple(claims), notes=(_described(setting),))


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


def _scores(setting: Setting, name: str, problem: Problem) -> dict[str, FloatArray]:
    """Return errors and sizes, draws by methods, the median over the runs."""
    from softwood.evaluate.metrics import Metric

    n_draws = setting.pick(quick=problem.n_draws_quick, full=N_DRAWS)
    draws = {f"{name} {k}": draw(name, problem.n_train, problem.n_test, k) for k in range(n_draws)}
    chosen = methods(
        setting.pick(quick=problem.n_iter_quick, full=problem.n_iter),
        setting.pick(quick=problem.n_runs_quick, full=problem.n_runs),
    )
    chosen[DEFAULT] = default()
    metrics = ["error", "leaves", Metric("nodes", nodes)]
    comparison = setting.compare(name, chosen, draws, FirstRows(problem.n_train), metrics)
    return {
        metric: medians(comparison, metric, METHODS)[:, :, 0]
        for metric in ("error", "leaves", "nodes")
    }


def _printed(theirs: Printed, what: str) -> FloatArray:
    return np.column_stack([theirs.column(f"{maker} {what}") for maker in MAKERS])


def _claims(problem: str, errors: FloatArray, paper: FloatArray) -> Iterator[Claim]:
    errors = errors[:, : len(MAKERS)]
    c45, erm, vrm = errors.mean(axis=0)
    yield judge(
        "Table 3", f"C4.5 errs on {paper[0]:.4f} of {problem}", f"mean {c45:.4f}",
        printed_value(errors[:, 0], float(paper[0])),
    )  # fmt: skip
    yield judge(
        "Table 3", f"on {problem} VRM errs less than ERM, and ERM less than C4.5",
        f"VRM {vrm:.4f}, ERM {erm:.4f}, C4.5 {c45:.4f} over {len(errors)} draws",
        ordered({"VRM": vrm, "ERM": erm, "C4.5": c45}, errors[:, ::-1]),
    )  # fmt: skip
    yield judge(
        "Table 3", f"VRM errs on no more than {paper[2]:.4f} of {problem}", f"{vrm:.4f}",
        printed_value(errors[:, 2], float(paper[2]), at_most=True),
    )  # fmt: skip


def _described(setting: Setting) -> str:
    parts = []
    for name, problem in PROBLEMS.items():
        n_draws = setting.pick(quick=problem.n_draws_quick, full=N_DRAWS)
        n_runs = setting.pick(quick=problem.n_runs_quick, full=problem.n_runs)
        n_iter = setting.pick(quick=problem.n_iter_quick, full=problem.n_iter)
        parts.append(f"{name}: {n_draws} draws, median of {n_runs} runs of {n_iter} iterations")
    return "; ".join(parts) + ". The paper has one draw, 30 runs, and 20 000, 20 000 and 10^6."
