"""Risk against size: the front of an evolved tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.grow.evolve_front import ParetoFront
from softwood.plot._axes import axes_or_new
from softwood.plot._palette import COLOURS, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_pareto_front(model_or_front: Any, ax: Axes | None = None) -> Axes:
    """Draw the training risk of the best trees of all sizes.

    Parameters
    ----------
    model_or_front : EvolvedTreeClassifier or ParetoFront
        A fitted model, or its ``pareto_front_``.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        Leaves go to the right on a log scale, the risk goes up. The tree of the model, if
        there is one, is marked.

    Examples
    --------
    >>> from softwood import EvolvedTreeClassifier
    >>> from softwood.datasets import make_gaussians
    >>> from softwood.plot import plot_pareto_front
    >>> X, y = make_gaussians(random_state=0)
    >>> model = EvolvedTreeClassifier(n_iter=500, random_state=0).fit(X, y)
    >>> ax = plot_pareto_front(model)
    >>> ax.get_xlabel()
    'leaves'
    """
    front = getattr(model_or_front, "pareto_front_", model_or_front)
    if not isinstance(front, ParetoFront):
        raise TypeError(
            "model_or_front must be a ParetoFront or a fitted EvolvedTreeClassifier; got "
            f"{type(model_or_front).__name__}"
        )
    ax = axes_or_new(ax)
    ax.step(front.n_leaves, front.risks, where="post", color=COLOURS[0], lw=1)
    ax.plot(front.n_leaves, front.risks, "o", ms=5, color=COLOURS[0], label="best of its size")
    tree = getattr(model_or_front, "tree_", None)
    if tree is not None:
        style: dict[str, Any] = {
            "marker": "o",
            "ms": 9,
            "mfc": "none",
            "mew": 2,
            "ls": "",
            "color": COLOURS[1],
        }
        ax.plot([tree.n_leaves], [model_or_front.risk_], label="the model's", **style)
        ax.legend(frameon=False)
    ax.set_xscale("log", base=2)
    ticks = 2 ** np.arange(int(np.log2(front.n_leaves[-1])) + 1)
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set_xlabel("leaves", color=INK)
    ax.set_ylabel("training risk", color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
