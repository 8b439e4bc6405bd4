"""Table 4: mean test errors over ten random half splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.table import Column, Table
from softwood.papers.findings import Beside, Finding
from softwood.papers.power import LEVEL, rank_power
from softwood.papers.printed import printed
from softwood.papers.rules import (
    most,
    paired,
    stated,
)
from softwood.papers.setting import Setting, load_available
from softwood.papers.verdicts import Claim, judge
from softwood.papers.vicinal.methods import (
    DEFAULT,
    MAKERS,
    PAPER_RUNS,
    RISKS,
    c45,
    default,
    evolved,
)

CLOSE = 0.03  # of a printed error: ten splits of small sets are no more certain
BEYOND = "VRM, seeded, descending, soft"
# A better search needs more noise: with the paper's 0.1 it finds lower risks, not lower errors.
HOW = {"init": "seeded", "refine": "descent", "prediction": "soft", "sigma2": 0.3}
N_ITER = {"quick": 20_000, "full": 200_000}
N_RUNS = {"quick": 1, "full": 5}  # the paper's 30 would take days


def run(setting: Setting) -> Finding:
    """Fit all methods to one half of each set and test them on the other, ten times."""
    theirs = printed("vicinal", "table4", text=("set",))
    names = theirs.text["set"]
    sets, missing = load_available(names)
    problems = {name: as_numbers(dataset) for name, dataset in sets.items()}
    shown = (*MAKERS, BEYOND, DEFAULT)
    ours = np.full((len(names), len(shown)), np.nan)
    n_iter, n_runs = setting.pick(**N_ITER), setting.pick(**N_RUNS)
    if problems:
        ours[[names.index(name) for name in problems]] = errors_of(setting, problems).mean(axis=2)
    table = Beside("Mean test error", theirs.rows, MAKERS, theirs.values, ours[:, :3])
    more = Beside.ours_alone(
        "Beyond the paper: trees of CART and C4.5 to begin with, descent, soft answers, more "
        "noise; and softwood's defaults",
        theirs.rows, (BEYOND, DEFAULT), ours[:, 3:],
    )  # fmt: skip
    run = ~np.isnan(ours[:, 0])
    means = Beside(
        "Means over the sets, and mean ranks", ("error", "rank"), MAKERS,
        _summary(theirs.values[run]), _summary(ours[run, :3]), digits=4,
    )  # fmt: skip
    notes = (
        "Nominal attributes are numbered, as the paper does for all its methods (L-H10).",
        "Rows of the same data sets, other random halves.",
        f"{len(problems)} of {len(names)} sets. Median of {n_runs} runs of {n_iter} iterations "
        f"(one run beyond the paper); the paper has {PAPER_RUNS} of {N_ITER['full']}.",
    )
    claims = tuple(_claims(theirs.values, ours))
    return Finding((table, means, more), claims, {}, missing, notes, (len(problems), len(names)))


def errors_of(setting: Setting, problems: Mapping[str, Any]) -> FloatArray:
    """Return the errors of the paper's methods, of those beyond it, and of softwood's defaults.

    Evolution is run once on all splits, then once more on all: what is stopped has whole runs.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods, n_splits)
    """
    n_iter, n_runs = setting.pick(**N_ITER), setting.pick(**N_RUNS)

    def errors(name: str, methods: Mapping[str, Any]) -> FloatArray:
        comparison = setting.compare(name, methods, problems, "half_splits", ["error"])
        return comparison.split_scores("error")

    fixed = errors("half splits", {"C4.5": c45(), DEFAULT: default()})
    runs = [_run(errors, n_iter, 0)]
    beyond = errors("half splits, beyond", {BEYOND: evolved("VRM", n_iter, 0, **HOW)})
    runs += [_run(errors, n_iter, k) for k in range(1, n_runs)]
    middle = np.median(runs, axis=0)
    return np.concatenate([fixed[:, :1], middle, beyond, fixed[:, 1:]], axis=1)


def _run(errors: Callable[..., FloatArray], n_iter: int, k: int) -> FloatArray:
    return errors(f"half splits, run {k + 1}", {risk: evolved(risk, n_iter, k) for risk in RISKS})


def _summary(errors: FloatArray) -> FloatArray:
    """Return mean errors and mean ranks over some sets; NaN if there are fewer than two."""
    from softwood.statistics import mean_ranks

    if len(errors) < 2:
        return np.full((2, errors.shape[1]), np.nan)
    return np.array([errors.mean(axis=0), mean_ranks(errors)])


def as_numbers(dataset: Any) -> tuple[Table, Any]:
    """Return features with categories numbered, and the classes."""
    features = dataset.table.drop([dataset.target_name])
    columns = tuple(_numbered(column) for column in features.columns)
    return Table(columns), np.asarray(dataset.target.as_objects(), dtype=str)


def _numbered(column: Column) -> Column:
    if not column.is_nominal:
        return column
    values = column.values.astype(np.float64)
    values[values < 0] = np.nan
    return Column(column.name, values)


def _claims(theirs: FloatArray, ours: FloatArray) -> Iterator[Claim]:
    run = ~np.isnan(ours[:, 0])
    text = f"C4.5's error is within {CLOSE:g} of the printed one on most sets"
    if not run.any():
        yield judge("Table 4", text, "no data set at hand", None)
        return
    gap = np.abs(ours[run, 0] - theirs[run, 0])
    close, n = int(np.sum(gap <= CLOSE)), int(run.sum())
    yield judge(
        "Table 4", text, f"{close} of {n}; mean difference {gap.mean():.4f}",
        most(close, n - close, n, "sets"),
    )  # fmt: skip
    if n > 2:
        yield from _claims_of_ranks(theirs[run], ours[run])


def _claims_of_ranks(theirs: FloatArray, ours: FloatArray) -> Iterator[Claim]:
    from softwood.statistics import holm, iman_davenport_test, mean_ranks

    test, printed_ranks = iman_davenport_test(ours[:, :3]), mean_ranks(theirs)
    c45, erm, vrm = test.ranks
    power = rank_power(len(ours), 3, float(printed_ranks[1] - printed_ranks[2]))
    leads = bool(vrm < min(c45, erm))
    yield judge(
        "Table 4", "VRM has the best mean rank, and the methods differ",
        f"mean ranks: VRM {vrm:.2f}, ERM {erm:.2f}, C4.5 {c45:.2f}; F {test.statistic:.2f}, "
        f"p {test.pvalue:.4f}",
        stated(
            leads and test.pvalue < LEVEL,
            "holds if VRM has the best mean rank and Iman and Davenport's p is below 5 %; in sign "
            "if it has the best mean rank",
            f"ranks {vrm:.2f}, {erm:.2f}, {c45:.2f}; p {test.pvalue:.4f}",
            in_sign=leads, power=power[0], enough=power[1],
        ),
    )  # fmt: skip
    to_c45, to_erm = holm(ours[:, :3], control=2).adjusted[:2]
    yield judge(
        "section 5.4", "VRM beats C4.5 and ERM",
        f"Holm-adjusted p {to_c45:.4f} and {to_erm:.4f}; the paper's p-values, called Holm's, are "
        "not adjusted: adjusted they are 0.0023 and 0.0060",
        stated(
            leads and max(to_c45, to_erm) < LEVEL,
            "holds if VRM has the best mean rank and both p-values, adjusted by Holm, are below "
            "5 %; in sign if it has the best mean rank",
            f"adjusted p {to_c45:.4f} and {to_erm:.4f}",
            in_sign=leads, power=power[0], enough=power[1],
        ),
    )  # fmt: skip
    gain = ours[:, 2] - ours[:, 3]
    yield judge(
        "beyond the paper", "seeded, descending and soft, evolution errs still less",
        f"mean error {ours[:, 3].mean():.4f} against {ours[:, 2].mean():.4f}; better on "
        f"{np.sum(gain > 0)} of {gain.size} sets; softwood's default tree {ours[:, 4].mean():.4f}",
        paired(gain, "sets"),
    )  # fmt: skip
