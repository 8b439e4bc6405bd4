"""Figures 5 to 9: decision surfaces of C4.5 and of trees evolved for both risks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import paired
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Claim, judge
from softwood.papers.vicinal.methods import c45, evolved
from softwood.papers.vicinal.table3 import PROBLEMS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METHODS = ("C4.5", "ERM single", "ERM multi", "VRM single", "VRM multi")
COLUMNS = ("test error", "wrong beyond the margins", "nodes")
MARGIN = 0.075
N_DRAWS = {"quick": 8, "full": 50}
N_GRID = 200


def separable(setting: Setting) -> Finding:
    """Figures 5 and 6: the diagonal and its margins."""
    return _run(setting, "Separable")


def gaussian(setting: Setting) -> Finding:
    """Figures 7 to 9: two normal clouds."""
    return _run(setting, "2-D Gaussian")


def _run(setting: Setting, problem: str) -> Finding:
    from joblib import Parallel, delayed

    seeds = range(setting.pick(**N_DRAWS))
    drawn = Parallel(n_jobs=setting.n_jobs)(delayed(_fitted)(problem, seed) for seed in seeds)
    of_draws = np.array([found for found, *_ in drawn])
    scores = of_draws.mean(axis=0)
    table = Beside.ours_alone(f"{problem}, mean of {len(drawn)} draws", METHODS, COLUMNS, scores)
    _, models, X, y = drawn[0]
    pictures = {
        "surfaces": lambda: _draw(problem, models, X, y),
    }
    where = "Figs 5, 6" if problem == "Separable" else "Figs 7 to 9"
    return Finding((table,), tuple(_claims(where, problem, of_draws)), pictures)


def _fitted(problem: str, seed: int) -> tuple[FloatArray, dict[str, Any], FloatArray, AnyArray]:
    """Return scores, models and training rows of one draw, in its own units."""
    from softwood.datasets import make_gaussians, make_separable

    sizes = PROBLEMS[problem]
    make = make_separable if problem == "Separable" else make_gaussians
    X, y = make(sizes.n_train, random_state=seed)
    X_test, y_test = make(sizes.n_test, random_state=10_000 + seed)
    models: dict[str, Any] = {"C4.5": c45()}
    for name in METHODS[1:]:
        risk, objectives = name.split()
        models[name] = evolved(risk, sizes.n_iter, seed, objectives=objectives)
    scores = []
    for model in models.values():
        error = 1.0 - model.fit(X, y).score(X_test, y_test)
        size = getattr(model, "n_nodes_evolved_", model.tree_.n_nodes)
        scores.append([error, _wrong_area(model, problem), size])
    return np.array(scores), models, X, y


def _wrong_area(model: Any, problem: str) -> float:
    """Return the share of the plane that is on the wrong side, farther off than the margin."""
    centre, width = (0.5, 1.0) if problem == "Separable" else (0.35, 5.0)
    ticks = centre + width * ((np.arange(N_GRID) + 0.5) / N_GRID - 0.5)
    across, up = (axis.ravel() for axis in np.meshgrid(ticks, ticks))
    if problem == "Separable":
        distance = (up - across) / np.sqrt(2.0)
    else:  # class 1 lies beyond the middle between the two means
        distance = (up + across) / np.sqrt(2.0) - 0.5
    far = np.abs(distance) > MARGIN
    wrong = model.predict(np.column_stack([across, up])[far]) != (distance[far] > 0)
    return float(np.sum(wrong) / far.size)


def _claims(where: str, problem: str, scores: FloatArray) -> Iterator[Claim]:
    """Judge scores of draws by methods by columns."""
    wrong = scores[:, :, 1]
    erm, vrm = wrong[:, 1:3].mean(axis=1), wrong[:, 3:].mean(axis=1)
    yield judge(
        where, f"on {problem} the surface of VRM stays closer to the best one than that of ERM",
        f"share of the plane on the wrong side beyond the margins: VRM {vrm.mean():.3f}, ERM "
        f"{erm.mean():.3f}, C4.5 {wrong[:, 0].mean():.3f}",
        paired(erm - vrm, "draws"),
    )  # fmt: skip
    yield judge(
        where, f"on {problem} the surface of VRM stays closer to the best one than that of C4.5",
        f"the same shares; closer in {np.sum(vrm < wrong[:, 0])} of {len(wrong)} draws",
        paired(wrong[:, 0] - vrm, "draws"),
    )  # fmt: skip
    single, multi = (scores[:, k, 2].mean(axis=1) for k in ([1, 3], [2, 4]))
    yield judge(
        "section 5", f"on {problem} two objectives make smaller trees than one",
        f"{multi.mean():.0f} nodes against {single.mean():.0f}; the paper's '40 % to 200 % "
        "smaller' must be how much larger trees of one objective are",
        paired(single - multi, "draws"),
    )  # fmt: skip


def _draw(problem: str, models: dict[str, Any], X: FloatArray, y: AnyArray) -> Figure:
    from softwood.plot import plot_surface

    figure, axes = panels(1, len(METHODS), (3.4, 3.4))
    for ax, name in zip(axes, METHODS, strict=True):
        plot_surface(models[name], X, y, response="class", ax=ax)
        ax.set_title(name)
        _draw_best(ax, problem)
    return figure


def _draw_best(ax: Axes, problem: str) -> None:
    """Draw the best boundary, and the margins if there are any."""
    from softwood.plot._palette import INK

    limits = ax.get_xlim(), ax.get_ylim()
    if problem == "Separable":
        gap = np.sqrt(2.0) * MARGIN
        ax.axline((0, 0), slope=1, color=INK, ls="--", lw=1)
        for side in (-gap, gap):
            ax.axline((0, side), slope=1, color=INK, ls=":", lw=1)
    else:
        ax.axline((0, np.sqrt(0.5)), slope=-1, color=INK, ls="--", lw=1)
    ax.set(xlim=limits[0], ylim=limits[1])
