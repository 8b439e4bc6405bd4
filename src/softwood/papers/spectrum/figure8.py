"""Figure 8: an oblique boundary, drawn by one deterministic tree and by a hundred random ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import paired
from softwood.papers.setting import Setting
from softwood.papers.spectrum.methods import ensemble
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_TRAIN, N_TEST = 200, 10_000
DRAWS = {"quick": 10, "full": 100}
MODELS = ("C4.5", "Agg 0")
TITLES = {"C4.5": "one deterministic tree (C4.5)", "Agg 0": "100 complete-random trees"}


def run(setting: Setting) -> Finding:
    """Draw both models on a Gaussian mixture, and measure their errors on many."""
    n_draws = setting.pick(**DRAWS)
    seeds = np.random.SeedSequence([setting.seed, 8]).generate_state(n_draws)
    errors = 100 * np.array([errors_of(int(seed)) for seed in seeds])
    table = Beside.ours_alone(
        f"Test error in percent, {n_draws} mixtures",
        MODELS, ("mean", "standard error"),
        np.column_stack([errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(n_draws)]),
        digits=2,
    )  # fmt: skip
    return Finding(
        (table,),
        tuple(_claims(errors)),
        {"boundaries": lambda: _draw(int(seeds[0]))},
        notes=("The mixture of Hastie, Tibshirani and Friedman: 200 training rows.",),
    )


def models(seed: int) -> dict[str, Any]:
    """Return the two models, not fitted."""
    from softwood.estimators.c45 import C45Classifier

    return {"C4.5": C45Classifier(), "Agg 0": ensemble("Agg 0").set_params(random_state=seed)}


def errors_of(seed: int) -> list[float]:
    """Return the test errors of the two models on one mixture, as shares."""
    from softwood.datasets import make_mixture

    X, y = make_mixture(N_TRAIN, random_state=seed)
    X_test, y_test = make_mixture(N_TEST, random_state=seed)  # the same clouds, other points
    return [1.0 - model.fit(X, y).score(X_test, y_test) for model in models(seed).values()]


def _claims(errors: FloatArray) -> Iterator[Claim]:
    gain = errors[:, 0] - errors[:, 1]
    yield judge(
        "Fig. 8", "complete-random trees draw an oblique boundary better than a C4.5 tree",
        f"mean test error {errors[:, 1].mean():.1f} against {errors[:, 0].mean():.1f} %; lower on "
        f"{int((gain > 0).sum())} of {gain.size} mixtures",
        paired(gain, "mixtures"),
    )  # fmt: skip


def _draw(seed: int) -> Figure:
    from softwood.datasets import make_mixture
    from softwood.plot import plot_surface

    X, y = make_mixture(N_TRAIN, random_state=seed)
    figure, axes = panels(1, 2, (5.4, 4.6))
    for ax, (name, model) in zip(axes, models(seed).items(), strict=True):
        plot_surface(model.fit(X, y), X, y, ax=ax)
        ax.set_title(TITLES[name], pad=26)
    return figure
