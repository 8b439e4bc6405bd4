"""Ensembles by how strong their trees are and how much these agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from softwood._types import BoolArray, FloatArray
from softwood.plot._axes import axes_or_new, figure_of
from softwood.plot._palette import INK, MARKERS, PALE, colours
from softwood.plot.spectrum import ALPHA_LABEL
from softwood.statistics._checks import check_choice, finite_array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

Contours = Literal["bound", "error"]
CONTOURS = ("bound", "error")
LEGENDS = {"bound": "bound of the error", "error": "error of normal margins"}
# Of the bound, and of errors: a few of them cross any part of the plane.
LEVELS = {
    "bound": (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0),
    "error": (0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45),
}
PADDING = 0.1  # of the range of the points, on either side
SIZE, LARGE_SIZE = 5.5, 9.0
INSIDE = 0.96  # where labels of contours are, as a share of width and height
LEVEL_GAP = 0.09  # between two of them
SAME = 1e-9  # alphas this close are the same


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """Points of one ensemble, in the order of alpha if it has one."""

    rho: FloatArray
    strength: FloatArray
    alphas: FloatArray | None

    def marked(self, alpha: float | None) -> BoolArray:
        """Return which points have the alpha that is marked."""
        if alpha is None or self.alphas is None:
            return np.zeros(self.rho.size, dtype=np.bool_)
        return np.asarray(np.abs(self.alphas - alpha) < SAME)


def plot_strength_correlation(
    points: Mapping[Any, Any],
    *,
    contours: Contours | None = "bound",
    mark: float | None = 0.5,
    colour_bar: bool = True,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw ensembles as points: correlation goes to the right, strength up.

    The best place is the upper left corner: strong trees that err on different rows.

    Parameters
    ----------
    points : mapping of str to (alphas, results), or to list of results
        For each kind of ensemble its alphas, and what
        :func:`softwood.evaluate.strength_correlation` returned for each of them. A result
        may also be a pair (rho, strength), such as a mean over data sets. Without alphas,
        points are joined in the order given.
    contours : {"bound", "error"} or None, default="bound"
        Lines on which :math:`b = \rho (1 - s^2) / s^2` is the same. They tell this bound of
        the error, or the error if margins were normal with variance
        :math:`\rho (1 - s^2)`, which is :math:`\Phi(-1 / \sqrt b)`.
    mark : float or None, default=0.5
        The alpha whose points are larger.
    colour_bar : bool, default=True
        Whether to say beside the axes which shade is which alpha.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        The darker a point, the larger its alpha.

    References
    ----------
    .. [1] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random
       trees. Journal of Artificial Intelligence Research 32, figures 3, 4 and 9.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from softwood.datasets import make_twonorm
    >>> from softwood.evaluate import strength_correlation
    >>> from softwood.plot import plot_strength_correlation
    >>> X, y = make_twonorm(random_state=0)
    >>> forests = [RandomForestClassifier(20, max_features=f, random_state=0) for f in (1, 5, 20)]
    >>> test = make_twonorm(500, random_state=1)
    >>> results = [strength_correlation(forest.fit(X, y), *test) for forest in forests]
    >>> ax = plot_strength_correlation({"random forest": results})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['random forest', 'bound of the error']
    """
    if contours is not None:
        check_choice("contours", contours, CONTOURS)
    curves = _curves_of(points)
    ax = axes_or_new(ax)
    _set_limits(ax, list(curves.values()))
    if contours is not None and not _draw_contours(ax, contours):
        contours = None  # none of them comes here
    for i, (curve, colour) in enumerate(zip(curves.values(), colours(len(curves)), strict=True)):
        _draw_curve(ax, curve, colour, MARKERS[i % len(MARKERS)], mark)
    _draw_legend(ax, curves, contours, mark)
    if colour_bar and any(curve.alphas is not None for curve in curves.values()):
        _draw_colour_bar(ax)
    ax.set_xlabel(r"correlation $\rho$", color=INK)
    ax.set_ylabel("strength $s$", color=INK)
    return ax


# -- what to draw --------------------------------------------------------------


def _curves_of(points: Mapping[Any, Any]) -> dict[str, _Curve]:
    if not isinstance(points, Mapping):
        raise TypeError(f"points must be a mapping from names; got {type(points).__name__}")
    if not points:
        raise ValueError("points must hold at least one ensemble; got none")
    return {str(name): _curve(name, given) for name, given in points.items()}


def _curve(name: Any, given: Any) -> _Curve:
    if isinstance(given, tuple) and len(given) != 2:
        raise ValueError(
            f"points[{name!r}] must be a pair (alphas, results) or a list of results; "
            f"got a tuple of {len(given)}"
        )
    alphas, results = given if isinstance(given, tuple) else (None, given)
    pairs = [_pair(name, result) for result in results]
    rho, strength = finite_array(f"points[{name!r}]", np.reshape(pairs, (-1, 2)), 2).T
    if rho.size == 0:
        raise ValueError(f"points[{name!r}] must hold at least one result; got none")
    if alphas is None:
        return _Curve(rho, strength, None)
    alphas = finite_array(f"alphas of {name!r}", alphas)
    if alphas.size != rho.size or alphas.min() < 0.0 or alphas.max() > 1.0:
        raise ValueError(
            f"alphas of {name!r} must be {rho.size} numbers from 0 to 1, one a result; "
            f"got {alphas.tolist()}"
        )
    order = np.argsort(alphas, kind="stable")
    return _Curve(rho[order], strength[order], alphas[order])


def _pair(name: Any, result: Any) -> tuple[float, float]:
    if hasattr(result, "rho") and hasattr(result, "strength"):
        return float(result.rho), float(result.strength)
    if np.shape(result) != (2,):
        raise ValueError(
            f"points[{name!r}] must hold results of strength_correlation, or pairs "
            f"(rho, strength); got {result!r}"
        )
    return float(result[0]), float(result[1])


# -- drawing -------------------------------------------------------------------


def _set_limits(ax: Axes, curves: list[_Curve]) -> None:
    ax.set_xlim(*_limits(np.concatenate([curve.rho for curve in curves])))
    ax.set_ylim(*_limits(np.concatenate([curve.strength for curve in curves])))
    ax.spines[["top", "right"]].set_visible(False)


def _limits(values: FloatArray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    padding = PADDING * (high - low) or 0.05
    return low - padding, high + padding


def _draw_contours(ax: Axes, contours: Contours) -> bool:
    """Draw lines of equal bound, with their levels near the edge; return whether there are any.

    They rise from the origin: ``s**2 = rho / (rho + bound)``. The larger the bound, the
    lower the line, so its label moves to the right below the top, and then down.
    """
    rho = np.linspace(0.0, ax.get_xlim()[1], 200)[1:]
    last = -np.inf
    for level in LEVELS[contours]:
        bound = level if contours == "bound" else _bound_of_error(level)
        place = _place_of_label(ax, bound)
        if place is None or place[0] - place[1] - last < LEVEL_GAP:
            continue
        last = place[0] - place[1]
        line = np.sqrt(rho / (rho + bound))
        ax.plot(rho, line, color=PALE, lw=0.7, ls=":", zorder=1, gid="contour")
        ax.annotate(
            f"{level:g}",
            place,
            xycoords="axes fraction",
            ha="center",
            va="center",
            fontsize="small",
            color=PALE,
            zorder=1.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
        )
    return bool(last > -np.inf)


def _bound_of_error(error: float) -> float:
    from scipy.special import ndtri

    return float(1.0 / ndtri(error) ** 2)


def _place_of_label(ax: Axes, bound: float) -> tuple[float, float] | None:
    """Return the point of a line that is just inside the top or the right side of the axes.

    Coordinates are shares of the width and the height; None if the line does not come there.
    """
    left, bottom = ax.get_xlim()[0], ax.get_ylim()[0]
    width, height = ax.get_xlim()[1] - left, ax.get_ylim()[1] - bottom
    rho, strength = left + INSIDE * width, bottom + INSIDE * height
    end = (rho / (rho + bound)) ** 0.5
    if end > strength:
        if not 0.0 < strength < 1.0:
            return None
        rho = bound * strength**2 / (1.0 - strength**2)
    else:
        strength = end
    across, up = (rho - left) / width, (strength - bottom) / height
    return (across, up) if min(across, up) > 1.0 - INSIDE else None


def _draw_curve(ax: Axes, curve: _Curve, colour: str, shape: str, mark: float | None) -> None:
    ax.plot(curve.rho, curve.strength, color=colour, lw=1.2, zorder=2)
    ax.scatter(
        curve.rho,
        curve.strength,
        s=np.where(curve.marked(mark), LARGE_SIZE, SIZE) ** 2,
        c=colour if curve.alphas is None else _shades(colour)(curve.alphas),
        marker=shape,
        edgecolors=colour,
        linewidths=1.2,
        zorder=3,
    )


def _shades(colour: str) -> Colormap:
    """Return the colours from white for 0 to ``colour`` for 1."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("softwood_alpha", ["white", colour])


def _draw_legend(
    ax: Axes, curves: dict[str, _Curve], contours: Contours | None, mark: float | None
) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=colour, lw=1.2, marker=MARKERS[i % len(MARKERS)], ms=SIZE, label=name)
        for i, (name, colour) in enumerate(zip(curves, colours(len(curves)), strict=True))
    ]
    if any(curve.marked(mark).any() for curve in curves.values()):
        look: dict[str, Any] = {"mfc": "none", "mec": INK, "marker": "o", "ms": LARGE_SIZE}
        handles.append(Line2D([], [], ls="", label=rf"$\alpha$ = {mark:g}", **look))
    if contours is not None:
        handles.append(Line2D([], [], color=PALE, lw=0.7, ls=":", label=LEGENDS[contours]))
    ax.legend(handles=handles, loc="lower right", framealpha=1.0, edgecolor="none")


def _draw_colour_bar(ax: Axes) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    bar = figure_of(ax).colorbar(ScalarMappable(Normalize(0.0, 1.0), _shades(INK)), ax=ax)
    bar.set_label(ALPHA_LABEL, color=INK)
    bar.outline.set_edgecolor(PALE)
