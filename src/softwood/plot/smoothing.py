"""The curve of a loss over the amount of smoothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.plot._axes import axes_or_new
from softwood.plot._palette import COLOURS, INK, PALE
from softwood.refine.smoothing import SmoothingPath

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOSS_LABELS = {
    "error": "error",
    "log_loss": "log loss",
    "brier": "Brier score",
    "squared_error": "mean squared error",
}


def plot_smoothing(model_or_path: Any, ax: Axes | None = None) -> Axes:
    """Draw the loss for each lambda that was tried, and the lambda that was chosen.

    Parameters
    ----------
    model_or_path : SmoothingPath, or an estimator with ``smoothing_path_``
        What was found when lambda was tuned.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        Lambda goes to the right on a log scale that starts at 0, the hard model. The band
        is one standard error to either side.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.plot import plot_smoothing
    >>> from softwood.refine.perturb import tune_by_holdout
    >>> from softwood.refine.perturbation import Perturbation
    >>> data = TrainingSet.of_classes(np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1])
    >>> tree = GreedyGrower(Cart()).grow(data)
    >>> ax = plot_smoothing(tune_by_holdout(tree, data, Perturbation.of(data)))
    >>> [text.get_text() for text in ax.texts]
    ['λ = 0']
    """
    path = getattr(model_or_path, "smoothing_path_", model_or_path)
    if not isinstance(path, SmoothingPath):
        raise TypeError(
            "model_or_path must be a SmoothingPath or a model with smoothing_path_, fitted with "
            f"smoothing='cv', 'oob' or 'holdout'; got {type(model_or_path).__name__}"
        )
    return _draw(axes_or_new(ax), path)


def _draw(ax: Axes, path: SmoothingPath) -> Axes:
    lambdas, losses, errors = path.lambdas, path.losses, path.standard_errors
    ax.fill_between(lambdas, losses - errors, losses + errors, color=COLOURS[0], alpha=0.15, lw=0)
    ax.axhline(losses[0], color=PALE, ls="--", lw=1, label="hard")
    ax.plot(lambdas, losses, color=COLOURS[0], marker="o", ms=4, label="smoothed")
    chosen = losses[np.flatnonzero(lambdas == path.smoothing)[:1]]
    ax.axvline(path.smoothing, color=COLOURS[1], lw=1)
    ax.plot([path.smoothing], chosen, color=COLOURS[1], marker="o", ms=7, ls="", label="chosen")
    ax.annotate(
        f"λ = {path.smoothing:.2g}",
        (path.smoothing, 1.0),
        (0, 4),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="center",
        color=COLOURS[1],
    )
    positive = lambdas[lambdas > 0.0]
    if positive.size:
        # Linear up to the smallest lambda, so that 0 has a place.
        ax.set_xscale("symlog", linthresh=positive.min(), linscale=0.5)
        ax.set_xlim(-0.2 * positive.min(), 1.1 * lambdas.max())
    ax.set_xlabel("smoothing λ, in deviations of each attribute", color=INK)
    ax.set_ylabel(LOSS_LABELS[path.loss_name], color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return ax
