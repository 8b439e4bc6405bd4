"""Bars and curves of what an error is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.plot._axes import axes_or_new
from softwood.plot._labels import spread_out
from softwood.plot._palette import COLOURS, INK, PALE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PART_COLOURS = {"noise": PALE, "bias": COLOURS[0], "variance": COLOURS[4]}
LABEL_GAP = 0.06  # of the height of the axes


def plot_bias_variance(
    results: Mapping[Any, Any] | Sequence[Any],
    *,
    x: Sequence[float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the parts of errors: a bar for each method, or curves over a parameter.

    Parameters
    ----------
    results : mapping of str to BiasVariance, or sequence of BiasVariance
        What :func:`softwood.evaluate.bias_variance` returned, by the name of the method;
        or one result for each value of ``x``. All must come from one decomposition, and
        all with a truth or all without.
    x : sequence of float, optional
        Values of a parameter, one for each result. Draws curves.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        Bars go across, the first method on top, with the error at their ends.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from softwood.datasets import make_friedman1
    >>> from softwood.evaluate.decomposition import bias_variance
    >>> from softwood.plot import plot_bias_variance
    >>> depths = [1, 3, 5, 7]
    >>> results = [
    ...     bias_variance(DecisionTreeRegressor(max_depth=d), make_friedman1, n_repeats=5)
    ...     for d in depths
    ... ]
    >>> ax = plot_bias_variance(results, x=depths)
    >>> [text.get_text() for text in ax.texts]
    ['bias² + noise', 'variance', 'error']
    """
    names = list(results) if isinstance(results, Mapping) else None
    found = list(results.values()) if isinstance(results, Mapping) else list(results)
    labels = _part_labels(found)
    parts = {name: np.array([getattr(result, name) for result in found]) for name in labels}
    if x is None:
        if names is None:
            raise ValueError("results must be a mapping from names to results if x is not given")
        return _draw_bars(axes_or_new(ax), [str(name) for name in names], parts, labels)
    values = np.asarray(x, dtype=np.float64)
    if values.shape != (len(found),):
        raise ValueError(f"x must have {len(found)} values, one a result; got {values.size}")
    return _draw_curves(axes_or_new(ax), values, parts, labels)


def _part_labels(results: list[Any]) -> dict[str, str]:
    """Return what to call each part that is shown."""
    if not results:
        raise ValueError("results must hold at least one result; got none")
    kinds = {(result.decomposition, result.noise_known) for result in results}
    if len(kinds) > 1:
        raise ValueError(
            "results must come from one decomposition, all with a truth or all without; "
            f"got (decomposition, noise_known) of {sorted(kinds)}"
        )
    ((decomposition, noise_known),) = kinds
    bias = "bias" if decomposition == "domingos" else "bias²"
    if noise_known:
        return {"noise": "noise", "bias": bias, "variance": "variance"}
    return {"bias": f"{bias} + noise", "variance": "variance"}


def _draw_bars(
    ax: Axes, names: list[str], parts: dict[str, FloatArray], labels: dict[str, str]
) -> Axes:
    rows = np.arange(len(names))
    right, left = np.zeros(len(names)), np.zeros(len(names))
    for part, widths in parts.items():
        # What is below zero grows to the left, so that nothing is hidden.
        starts = np.where(widths >= 0, right, left)
        ax.barh(rows, widths, left=starts, height=0.6, color=PART_COLOURS[part], label=labels[part])
        right, left = right + np.maximum(widths, 0), left + np.minimum(widths, 0)
    errors = np.sum(list(parts.values()), axis=0)
    for row, end, error in zip(rows, right, errors, strict=True):
        ax.annotate(
            f"{error:.3g}", (end, row), (4, 0), textcoords="offset points", va="center", color=INK
        )
    ax.set_yticks(rows, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(min(0.0, 1.05 * left.min()), 1.12 * right.max() or 1.0)
    ax.set_xlabel("error")
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(parts), frameon=False, borderpad=0.2
    )
    return ax


def _draw_curves(
    ax: Axes, x: FloatArray, parts: dict[str, FloatArray], labels: dict[str, str]
) -> Axes:
    order = np.argsort(x, kind="stable")
    curves = {labels[part]: (values, PART_COLOURS[part]) for part, values in parts.items()}
    curves["error"] = (np.sum(list(parts.values()), axis=0), INK)
    for name, (values, colour) in curves.items():
        ax.plot(x[order], values[order], color=colour, marker="o", ms=4, label=name)
    highest = max(values.max() for values, _ in curves.values())
    lowest = min(0.0, *(values.min() for values, _ in curves.values()))
    ax.set_ylim(1.05 * lowest, 1.08 * highest or 1.0)
    ends = np.array([values[order[-1]] for values, _ in curves.values()])
    places = spread_out(ends, LABEL_GAP * (highest - lowest))
    for place, (name, (_, colour)) in zip(places, curves.items(), strict=True):
        ax.annotate(
            name,
            (1.0, place),
            (6, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            color=colour,
        )
    ax.spines[["top", "right"]].set_visible(False)
    ax.margins(x=0.02)
    return ax
