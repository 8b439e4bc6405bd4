"""The tests of a tree in the plane, with their margins; side by side before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.errors import missing_extra
from softwood.plot._palette import INK
from softwood.plot._surface_grid import Grid, grid_over
from softwood.plot.surface import plot_surface
from softwood.refine.node_rows import NodeRows, compared, weights_of
from softwood.refine.widen import node_margins
from softwood.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL = (4.8, 4.2)  # inches
NEAREST = 1e-6  # rows farther than the margin by this share of it are nearest all the same


def plot_margins(
    models: Any,
    X: Any,
    y: Any = None,
    *,
    features: tuple[int | str, int | str] = (0, 1),
    at: Any = "median",
    grid: int = 300,
    axes: Sequence[Axes] | None = None,
) -> list[Axes]:
    """Draw where the tests of trees change sides, with a band as wide as the margin.

    Parameters
    ----------
    models : estimator, or mapping of str to estimator
        Fitted softwood estimators with one tree each, such as a tree and what
        :func:`softwood.widen_margins` makes of it. Each gets a panel.
    X : array or frame of shape (n_rows, n_features)
        The rows that the margins keep off, drawn as points.
    y : array of shape (n_rows,), optional
        Colours the points.
    features : pair of int or str, default=(0, 1)
        Columns that go across and up.
    at : "median" or sequence of shape (n_features,), default="median"
        Values of the other features, as for :func:`plot_surface`.
    grid : int, default=300
        Cells along each feature.
    axes : sequence of Axes, optional
        Where to draw, one for each model; a new figure by default.

    Returns
    -------
    list of Axes
        Of each model, with its answers in colour, a line for each test as far as its node
        reaches, the bands, and rings around the rows that are nearest to a test.

    Examples
    --------
    >>> from softwood import CARTClassifier, widen_margins
    >>> from softwood.datasets import make_gaussians
    >>> from softwood.plot import plot_margins
    >>> X, y = make_gaussians(30, random_state=0)
    >>> model = CARTClassifier(max_depth=2).fit(X, y)
    >>> wide = widen_margins(model, X, y, axis="turn")
    >>> before, after = plot_margins({"before": model, "after": wide}, X, y, grid=60)
    >>> before.get_title(), len(after.get_images())
    ('before', 1)
    """
    shown = models if isinstance(models, Mapping) else {"": models}
    for model in shown.values():
        _check(model)
    cells = grid_over(X, features, at, grid)
    panels = _panels(len(shown), axes)
    for ax, (name, model) in zip(panels, shown.items(), strict=True):
        plot_surface(
            model,
            X,
            y,
            features=features,
            at=at,
            response="class" if hasattr(model, "classes_") else "value",
            grid=grid,
            ax=ax,
        )
        margins = node_margins(model.tree_, model._rows(X))
        _draw_tests(ax, cells, model, margins)
        _draw_rings(ax, cells, model.tree_, margins, model._rows(X))
        if name:
            # A legend of classes stands above the picture.
            ax.set_title(str(name), pad=6 if ax.get_legend() is None else 26)
    return panels


def _check(model: Any) -> None:
    if not isinstance(getattr(model, "tree_", None), Tree) or not hasattr(model, "_rows"):
        raise TypeError(
            "models must be fitted softwood estimators with one tree each; got "
            f"{type(model).__name__}"
        )


def _panels(n: int, axes: Sequence[Axes] | None) -> list[Axes]:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_extra("matplotlib", "plot") from None
    if axes is None:
        figure = plt.figure(figsize=(PANEL[0] * n, PANEL[1]), layout="constrained")
        axes = figure.subplots(1, n, squeeze=False)[0]
    panels = list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
    if len(panels) != n:
        raise ValueError(f"axes must have {n} entries, one for each model; got {len(panels)}")
    return panels


def _draw_tests(ax: Axes, cells: Grid, model: Any, margins: FloatArray) -> None:
    tree = model.tree_
    rows = NodeRows.of(tree, model._rows(cells.rows))
    values = rows.values(tree)
    for node in compared(tree):
        # How far each cell is from the test, if it gets there at all.
        distance = np.full(cells.size**2, np.nan)
        length = float(np.linalg.norm(weights_of(tree, node))) or 1.0
        distance[rows.at(node)] = (values[rows.part(node)] - tree.threshold[node]) / length
        field = np.ma.masked_invalid(distance.reshape(cells.size, cells.size))
        if field.count() == 0 or not field.min() < 0.0 < field.max():
            continue
        ax.contour(*cells.centres(), field, levels=[0.0], colors=INK, linewidths=1.2)
        if 0.0 < margins[node] < np.inf:
            band = [-margins[node], margins[node]]
            ax.contourf(*cells.centres(), field, levels=band, colors=[INK], alpha=0.22)


def _draw_rings(
    ax: Axes, cells: Grid, tree: Tree, margins: FloatArray, encoded: FloatArray
) -> None:
    rows = NodeRows.of(tree, encoded)
    values = rows.values(tree)
    nearest = np.zeros(len(encoded), dtype=bool)
    for node in compared(tree):
        length = float(np.linalg.norm(weights_of(tree, node))) or 1.0
        distance = np.abs(values[rows.part(node)] - tree.threshold[node]) / length
        nearest[rows.at(node)[distance <= margins[node] * (1.0 + NEAREST)]] = True
    across, up = cells.points[nearest].T
    ax.scatter(across, up, s=70, facecolors="none", edgecolors=INK, linewidths=1.0, zorder=4)
