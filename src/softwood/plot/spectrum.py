"""The spectrum of randomness: error over the share of tests that are chosen by gain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from softwood._types import FloatArray
from softwood.plot._axes import axes_or_new
from softwood.plot._labels import spread_out
from softwood.plot._palette import INK, colours, line_styles, markers
from softwood.statistics import mean_ranks
from softwood.statistics._checks import check_choice, finite_array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Show = Literal["error", "rank"]
SHOWN = {"error": "error", "rank": "mean rank"}
LABEL_GAP = 0.06  # of the height of the axes
ALPHA_LABEL = r"share of tests chosen by gain, $\alpha$"
# A method called "Agg 0.3" or "Agg, alpha=0.3" is a point of the curve "Agg"; "C4.5" is none.
POINT = re.compile(r"(?P<name>.*?\S)[\s,]*[\s=](alpha\s*=?\s*)?(?P<alpha>0|1|0?\.\d+|1\.0+)")


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """Errors over alpha, data sets by points; a line without alphas is flat."""

    alphas: FloatArray | None
    errors: FloatArray

    @property
    def n_datasets(self) -> int:
        return int(self.errors.shape[0])


Curves = dict[str, _Curve]


def plot_spectrum(
    result: Any,
    *,
    references: Mapping[Any, Any] | None = None,
    show: Show = "error",
    label: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the error of ensembles over alpha, from trees at random to trees by gain.

    Parameters
    ----------
    result : mapping of str to (alphas, errors), or frame, or Comparison
        For each ensemble the alphas and the errors: one for each alpha, or a table with a
        row for each data set and a column for each alpha. Or all of them as one table, data
        sets by methods: a method called ``"Agg 0.3"`` or ``"Agg, alpha=0.3"`` is a point of
        the curve "Agg", one without a number is a reference. Data sets on which a method
        has no score are left out. An object with a method ``table`` is asked for it.
    references : mapping of str to float or array, optional
        Errors of what has no alpha, such as Coalescence: a number, or one for each data
        set. Drawn as horizontal lines.
    show : {"error", "rank"}, default="error"
        The mean error, or the mean rank among all that is drawn; ranks need errors for each
        data set.
    label : str, optional
        What the vertical axis is called: by default "error" or "mean rank".
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        The best point of each curve is filled.

    Notes
    -----
    The band is one standard error of the mean to either side. Data sets differ in how hard
    they are much more than ensembles differ in how good; that is taken out first, by the
    mean of each data set over all that is drawn, as only differences between points matter.

    References
    ----------
    .. [1] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random
       trees. Journal of Artificial Intelligence Research 32, figure 1.

    Examples
    --------
    >>> from softwood.plot import plot_spectrum
    >>> alphas = [0.0, 0.5, 1.0]
    >>> ax = plot_spectrum(
    ...     {"Agg": (alphas, [0.168, 0.160, 0.206]), "Bag": (alphas, [0.170, 0.161, 0.167])},
    ...     references={"Coalescence": 0.156},
    ... )
    >>> [text.get_text() for text in ax.texts]
    ['Agg', 'Bag', 'Coalescence']
    """
    check_choice("show", show, tuple(SHOWN))
    curves = _curves_of(result)
    curves.update({str(name): _flat(name, value) for name, value in (references or {}).items()})
    n_datasets = _check_datasets(curves)
    heights = _heights(curves, show, n_datasets)
    bands = _bands(curves, n_datasets) if show == "error" else {}
    return _draw(axes_or_new(ax), curves, heights, bands, label or SHOWN[show])


# -- what to draw --------------------------------------------------------------


def _curves_of(result: Any) -> Curves:
    if callable(getattr(result, "table", None)):
        result = result.table()
    if hasattr(result, "columns"):
        return _curves_of_table(result)
    if not isinstance(result, Mapping):
        raise TypeError(
            "result must be a mapping from names to (alphas, errors), a frame or a Comparison; "
            f"got {type(result).__name__}"
        )
    if not result:
        raise ValueError("result must hold at least one curve; got none")
    return {str(name): _curve(name, *_pair(name, value)) for name, value in result.items()}


def _pair(name: Any, value: Any) -> tuple[Any, Any]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise ValueError(f"result[{name!r}] must be a pair (alphas, errors); got {value!r}")
    return value


def _curve(name: Any, alphas: Any, errors: Any) -> _Curve:
    alphas = finite_array(f"alphas of {name!r}", alphas)
    errors = finite_array(f"errors of {name!r}", np.atleast_2d(np.asarray(errors, object)), 2)
    if errors.shape[1] != alphas.size or alphas.size == 0:
        raise ValueError(
            f"errors of {name!r} must have a value for each of its {alphas.size} alphas, at least "
            f"one; got {errors.shape[1]}"
        )
    order = np.argsort(alphas, kind="stable")
    return _Curve(alphas[order], errors[:, order])


def _flat(name: Any, errors: Any) -> _Curve:
    errors = finite_array(f"references[{name!r}]", np.atleast_1d(np.asarray(errors, object)))
    return _Curve(None, errors[:, None])


def _curves_of_table(frame: Any) -> Curves:
    scores = np.asarray(frame, dtype=np.float64)
    scores = scores[~np.isnan(scores).any(axis=1)]
    if scores.shape[0] == 0:
        raise ValueError("result must have a data set on which every method has a score; got none")
    points: dict[str, list[tuple[float, FloatArray]]] = {}
    flat: Curves = {}
    for column, errors in zip(frame.columns, scores.T, strict=True):
        found = POINT.fullmatch(str(column))
        if found is None:
            flat[str(column)] = _flat(column, errors)
        else:
            points.setdefault(found["name"], []).append((float(found["alpha"]), errors))
    if not points:
        raise ValueError(
            "result must have methods whose names end with their alpha, such as 'Agg 0.3'; got "
            f"{list(flat)}"
        )
    curves = {
        name: _curve(name, [alpha for alpha, _ in given], np.transpose([e for _, e in given]))
        for name, given in points.items()
    }
    return curves | flat


def _check_datasets(curves: Curves) -> int:
    """Return the number of data sets; what has a single row is a mean over all of them."""
    counts = {name: curve.n_datasets for name, curve in curves.items() if curve.n_datasets > 1}
    if len(set(counts.values())) > 1:
        raise ValueError(f"all errors must be of the same data sets; got, in number, {counts}")
    return next(iter(counts.values()), 1)


def _heights(curves: Curves, show: Show, n_datasets: int) -> dict[str, FloatArray]:
    if show == "error":
        return {name: curve.errors.mean(axis=0) for name, curve in curves.items()}
    means = [name for name, curve in curves.items() if curve.n_datasets == 1]
    if n_datasets == 1 or means:
        raise ValueError(
            "show='rank' needs the errors of at least two data sets, one row for each; "
            f"got only one row for {', '.join(map(repr, means))}"
        )
    ranks = mean_ranks(np.hstack([curve.errors for curve in curves.values()]))
    ends = np.cumsum([curve.errors.shape[1] for curve in curves.values()])
    return dict(zip(curves, np.split(ranks, ends[:-1]), strict=True))


def _bands(curves: Curves, n_datasets: int) -> dict[str, FloatArray]:
    """Return the standard error of each point, for curves with a row for each data set."""
    known = {name: curve.errors for name, curve in curves.items() if curve.n_datasets > 1}
    if not known:
        return {}
    level = np.hstack(list(known.values())).mean(axis=1, keepdims=True)
    return {
        name: (errors - level).std(axis=0, ddof=1) / np.sqrt(n_datasets)
        for name, errors in known.items()
    }


# -- drawing -------------------------------------------------------------------


def _draw(
    ax: Axes,
    curves: Curves,
    heights: dict[str, FloatArray],
    bands: dict[str, FloatArray],
    label: str,
) -> Axes:
    n = len(curves)
    looks = zip(curves.items(), colours(n), line_styles(n), markers(n), strict=True)
    for (name, curve), colour, style, marker in looks:
        if curve.alphas is None:
            ax.axhline(heights[name][0], color=colour, ls="--", lw=1.2, label=name)
            continue
        if name in bands:
            low, high = heights[name] - bands[name], heights[name] + bands[name]
            ax.fill_between(curve.alphas, low, high, color=colour, alpha=0.12, lw=0)
        best = int(heights[name].argmin())
        look: dict[str, Any] = {"color": colour, "marker": marker, "ms": 5}
        ax.plot(curve.alphas, heights[name], ls=style, mfc="white", label=name, **look)
        ax.plot(curve.alphas[best], heights[name][best], ls="", label="_best", **look)
    _name_lines(ax, {name: float(height[-1]) for name, height in heights.items()})
    ax.set_xlabel(ALPHA_LABEL, color=INK)
    ax.set_ylabel(label, color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.margins(x=0.02)
    return ax


def _name_lines(ax: Axes, ends: dict[str, float]) -> None:
    """Write the name of each line where it ends on the right."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high)  # names stay beside their lines
    places = spread_out(np.array(list(ends.values())), LABEL_GAP * (high - low))
    for place, name, colour in zip(places, ends, colours(len(ends)), strict=True):
        ax.annotate(
            name,
            (1.0, place),
            (6, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            color=colour,
        )
