"""Figure 12: what a training risk says about the test error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import paired
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge
from softwood.papers.vicinal.methods import RISKS
from softwood.papers.vicinal.table3 import PROBLEMS, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "10-D Gaussian"
SIGMA2 = 0.1
STAGES = {
    "quick": (0, 200, 500, 1000, 2000, 5000, 10_000, 20_000),
    "full": (0, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 200_000),  # no million
}
N_EVOLUTIONS = 6  # as few as can be clear; the paper shows one
BEST = 0.05  # share of the trees that have the least risk


def run(setting: Setting) -> Finding:
    """Follow populations from random trees on, and test every member."""
    from joblib import Parallel, delayed

    stages = setting.pick(**STAGES)
    seeds = [setting.seed + k for k in range(N_EVOLUTIONS)]
    jobs = [delayed(_clouds)(risk, stages, seed) for risk in RISKS for seed in seeds]
    clouds: list[FloatArray] = Parallel(n_jobs=setting.n_jobs)(jobs)
    numbers = np.array([_summary(cloud) for cloud in clouds]).reshape(len(RISKS), len(seeds), 2)
    table = Beside.ours_alone(
        f"Trees of {len(stages)} stages, means of {len(seeds)} evolutions", tuple(RISKS),
        ("rank correlation", "spread of the test error at the least risk"), numbers.mean(axis=1),
    )  # fmt: skip
    first = dict(zip(RISKS, clouds[:: len(seeds)], strict=True))
    return Finding((table,), tuple(_claims(numbers)), {"clouds": lambda: _draw(first)})


def _clouds(risk: str, stages: tuple[int, ...], seed: int) -> FloatArray:
    """Return training risk and test error of all members at all stages."""
    from softwood.data.training import TrainingSet
    from softwood.flow import Hard
    from softwood.grow.evolve import Evolution
    from softwood.learn.vicinity import vicinity

    sizes = PROBLEMS[NAME]
    X, y = draw(NAME, sizes.n_train, sizes.n_test, 0)
    data = TrainingSet.of_classes(X[: sizes.n_train], y[: sizes.n_train])
    flow = vicinity(data, SIGMA2) if risk == "VRM" else Hard()
    evolving = Evolution(flow).start(data, np.random.SeedSequence(seed))
    points = []
    for stage in stages:
        evolving.advance(stage - evolving.iteration)
        for one in evolving.population():
            answer = Hard().predict(one.tree, X[sizes.n_train :]).argmax(axis=1)
            points.append((one.risk, np.mean(answer != y[sizes.n_train :])))
    return np.array(points)


def _summary(cloud: FloatArray) -> tuple[float, float]:
    from scipy.stats import spearmanr

    risk, error = cloud.T
    lowest = error[risk <= np.quantile(risk, BEST)]
    return float(spearmanr(risk, error).statistic), float(lowest.std(ddof=1))


def _claims(numbers: FloatArray) -> Iterator[Claim]:
    """Judge correlations and spreads, of shape (risks, evolutions, 2)."""
    erm, vrm = numbers
    yield judge(
        "Fig. 12", "test errors of trees of least risk scatter less for vicinal risk",
        f"standard deviation {vrm[:, 1].mean():.4f} against {erm[:, 1].mean():.4f}",
        paired(erm[:, 1] - vrm[:, 1], "evolutions"),
    )  # fmt: skip
    yield judge(
        "Fig. 12", "vicinal risk and test error are closer correlated",
        f"rank correlation {vrm[:, 0].mean():.3f} against {erm[:, 0].mean():.3f}",
        paired(vrm[:, 0] - erm[:, 0], "evolutions"),
    )  # fmt: skip


def _draw(clouds: dict[str, FloatArray]) -> Figure:
    from softwood.plot._palette import COLOURS

    figure, axes = panels(1, 2, (4.6, 3.8), sharey=True)
    names = {"ERM": "empirical risk", "VRM": "vicinal risk"}
    for ax, (risk, cloud) in zip(axes, clouds.items(), strict=True):
        ax.plot(*cloud.T, ".", ms=3, alpha=0.4, color=COLOURS[0])
        ax.set(xlabel=f"training: {names[risk]}", ylabel="test error" if risk == "ERM" else "")
    return figure
