"""Figure 1: what smoothing does to a tree of one variable.

The paper does not say which function its figure shows. Ours is a sine that swings faster
to the right, seen with noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.perturb.methods import MIN_SAMPLES_SPLIT, SMOOTH
from softwood.papers.pictures import panels
from softwood.papers.rules import paired, stated
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LAMBDAS = (0.0, 0.09, 0.5)  # those of the paper's figure
N_TRAIN = 100
NOISE = 0.25
DRAWS = {"quick": 50, "full": 500}
GRID = np.linspace(0.0, 1.0, 1001)


@dataclass(frozen=True, eq=False)
class Curves:
    """A learning sample, the trees' answers over the grid, and the lambda of ten folds."""

    x: FloatArray
    y: FloatArray
    answers: tuple[FloatArray, ...]  # for each of LAMBDAS
    tuned: Any


def run(setting: Setting) -> Finding:
    """Smooth trees of many samples, and draw the first of them."""
    from joblib import Parallel, delayed

    seeds = np.random.SeedSequence([setting.seed, 1]).spawn(setting.pick(**DRAWS))
    drawn: list[Curves] = Parallel(n_jobs=setting.n_jobs)(delayed(curves)(s) for s in seeds)
    distances = np.array(
        [[np.mean((answer - truth(GRID)) ** 2) for answer in found.answers] for found in drawn]
    )
    lambdas = np.array([found.tuned.smoothing_ for found in drawn])
    table = Beside.ours_alone(
        "Mean squared distance from the function",
        tuple(f"lambda {value:g}" for value in LAMBDAS), ("mean", "standard deviation"),
        np.column_stack([distances.mean(axis=0), distances.std(axis=0, ddof=1)]),
    )  # fmt: skip
    return Finding(
        (table,),
        tuple(_claims(distances, lambdas)),
        {"curves": lambda: _draw_curves(drawn[0]), "tuning": lambda: _draw_tuning(drawn[0])},
        notes=(
            f"The paper does not give its function; ours is sin(4 pi x^2) with noise of deviation "
            f"{NOISE}. {len(drawn)} samples of {N_TRAIN} rows.",
        ),
    )


def truth(x: FloatArray) -> FloatArray:
    """Return the function behind the sample."""
    return np.sin(4.0 * np.pi * x**2)


def curves(seed: np.random.SeedSequence) -> Curves:
    """Return what trees of one sample answer."""
    from softwood.estimators import CARTRegressor
    from softwood.estimators.soft import SoftTreeRegressor

    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(size=N_TRAIN))
    y = truth(x) + rng.normal(0.0, NOISE, N_TRAIN)
    tree = CARTRegressor(min_samples_split=MIN_SAMPLES_SPLIT)

    def smooth(how: Any) -> Any:
        return SoftTreeRegressor(tree, smoothing=how, random_state=0, **SMOOTH).fit(x[:, None], y)

    answers = tuple(smooth(value).predict(GRID[:, None]) for value in LAMBDAS)
    return Curves(x, y, answers, smooth("cv"))


def _claims(distances: FloatArray, lambdas: FloatArray) -> Iterator[Claim]:
    crisp, little, much = distances.mean(axis=0)
    yield judge(
        "Fig. 1", "a little smoothing brings the tree nearer to the function",
        f"squared distance {crisp:.4f} at 0, {little:.4f} at {LAMBDAS[1]}; nearer in "
        f"{np.mean(distances[:, 1] < distances[:, 0]):.0%} of the samples",
        paired(distances[:, 0] - distances[:, 1], "samples"),
    )  # fmt: skip
    yield judge(
        "Fig. 1", "much smoothing takes it farther from the function than none",
        f"squared distance {much:.4f} at {LAMBDAS[2]}, {crisp:.4f} at 0",
        paired(distances[:, 2] - distances[:, 0], "samples"),
    )  # fmt: skip
    low, middle, high = np.quantile(lambdas, [0.1, 0.5, 0.9])
    yield judge(
        "section 2.2.1", "ten folds find such a lambda, neither none nor much",
        f"10 to 90 % of the samples: {low:.2f} to {high:.2f}",
        stated(
            low > 0.0 and high < LAMBDAS[2],
            f"holds if nine of ten lambdas are above 0, and nine of ten below {LAMBDAS[2]}; in "
            "sign if the median is between them",
            f"{low:.2f} to {high:.2f}, median {middle:.2f}",
            in_sign=0.0 < middle < LAMBDAS[2], power=f"{lambdas.size} samples",
            enough=lambdas.size >= 20,
        ),
    )  # fmt: skip


def _draw_curves(found: Curves) -> Figure:
    from softwood.plot._palette import COLOURS, INK, PALE

    figure, (ax,) = panels(1, 1, (7.0, 4.2))
    ax.plot(found.x, found.y, "o", ms=4, mfc="none", color=PALE, label="learning sample")
    ax.plot(GRID, truth(GRID), color=INK, ls="--", label="function")
    styles = zip(LAMBDAS, found.answers, (COLOURS[4], COLOURS[0], COLOURS[1]), strict=True)
    for value, answer, colour in styles:
        name = "tree, λ = 0" if value == 0 else f"λ = {value:g}"
        ax.plot(GRID, answer, color=colour, lw=1.2 if value == 0 else 2.0, label=name)
    ax.set(xlabel="x", ylabel="y", xlim=(0.0, 1.0))
    ax.legend(frameon=False, loc="lower left")
    return figure


def _draw_tuning(found: Curves) -> Figure:
    from softwood.plot import plot_smoothing

    figure, (ax,) = panels(1, 1, (6.0, 4.0))
    plot_smoothing(found.tuned, ax)
    return figure
