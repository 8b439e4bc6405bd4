"""Figure 11: one training set, many runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import ordered, steadier
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge
from softwood.papers.vicinal.methods import RISKS, methods
from softwood.papers.vicinal.table3 import PROBLEMS, FirstRows, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "10-D Gaussian"
N_RUNS = {"quick": 10, "full": 100}
N_ITER = {"quick": 30_000, "full": 200_000}  # a million in the paper


def run(setting: Setting) -> Finding:
    """Evolve trees on one training set, from many seeds."""
    sizes = PROBLEMS[NAME]
    problem = {NAME: draw(NAME, sizes.n_train, sizes.n_test, 0)}
    n_runs, n_iter = setting.pick(**N_RUNS), setting.pick(**N_ITER)
    chosen = methods(n_iter, n_runs)
    comparison = setting.compare(NAME, chosen, problem, FirstRows(sizes.n_train), ["error"])
    scores = comparison.scores("error")[0]
    errors = {
        risk: np.array([scores[k] for k, name in enumerate(comparison.methods) if risk in name])
        for risk in RISKS
    }
    c45 = float(scores[comparison.methods.index("C4.5")])
    numbers = [[own.mean(), own.std(ddof=1)] for own in errors.values()]
    table = Beside.ours_alone(
        f"Test error over {n_runs} runs of {n_iter} iterations", tuple(errors),
        ("mean", "standard deviation"), np.array(numbers),
    )  # fmt: skip
    claims = tuple(_claims(errors["ERM"], errors["VRM"], c45))
    return Finding((table,), claims, {"runs": lambda: _draw(errors, c45)})


def _claims(erm: FloatArray, vrm: FloatArray, c45: float) -> Iterator[Claim]:
    yield judge(
        "Fig. 11", "training by VRM is more repeatable than by ERM",
        f"standard deviation over runs {vrm.std(ddof=1):.4f} against {erm.std(ddof=1):.4f}",
        steadier(vrm, erm, "runs"),
    )  # fmt: skip
    yield judge(
        "Fig. 11", "VRM errs less than ERM, and both less than C4.5",
        f"means {vrm.mean():.4f} and {erm.mean():.4f}; C4.5 {c45:.4f}",
        ordered(
            {"VRM": vrm.mean(), "ERM": erm.mean(), "C4.5": c45},
            np.column_stack([vrm, erm, np.full(vrm.size, c45)]),
        ),
    )  # fmt: skip


def _draw(errors: dict[str, FloatArray], c45: float) -> Figure:
    from softwood.plot._palette import COLOURS, INK

    figure, (ax,) = panels(1, 1, (6.0, 3.8))
    everything = np.concatenate([*errors.values(), [c45]])
    bins = np.linspace(everything.min() - 0.002, everything.max() + 0.002, 25)
    for (risk, own), colour in zip(errors.items(), (COLOURS[1], COLOURS[0]), strict=True):
        ax.hist(own, bins.tolist(), color=colour, alpha=0.6, label=risk)
    ax.axvline(c45, color=INK, label="C4.5")
    ax.set(xlabel="test error", ylabel="runs")
    ax.legend(frameon=False)
    return figure
