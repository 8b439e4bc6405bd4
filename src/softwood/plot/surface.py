"""What a model answers over two of its features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from softwood._types import FloatArray
from softwood.plot._axes import axes_or_new, figure_of
from softwood.plot._palette import INK, colours, markers, shares_of, tints
from softwood.plot._surface_grid import Grid, grid_over

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Response = Literal["auto", "proba", "class", "value"]
RESPONSES = ("auto", "proba", "class", "value")
MANY_POINTS = 10_000  # as many are drawn as pixels, to keep files small
FEW_CLASSES = 5  # a legend of more stands beside the picture
FINE = 600  # cells along each feature for lines between steps


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """What the model says about the cells.

    Attributes
    ----------
    values : ndarray of shape (size, size), or (size, size, n_classes)
        Predicted values; the share of one class; or the shares of all.
    classes : list or None
        The classes, unless the values are predictions of a number.
    shown : int or None
        The one class of which shares are shown.
    margins : list of ndarray of shape (size, size)
        Each positive where one class leads: the boundary is where it is zero.
    """

    values: FloatArray
    classes: list[Any] | None
    shown: int | None
    margins: list[FloatArray]


def plot_surface(  # noqa: PLR0913  (what to show, and of what)
    model: Any,
    X: Any,
    y: Any = None,
    *,
    features: tuple[int | str, int | str] = (0, 1),
    at: Any = "median",
    response: Response = "auto",
    positive: Any = None,
    grid: int = 200,
    ax: Axes | None = None,
) -> Axes:
    """Draw what a fitted model answers over two numeric features.

    Parameters
    ----------
    model : estimator
        Any fitted classifier or regressor.
    X : array or frame of shape (n_rows, n_features)
        Rows, drawn as points. They also say how far to draw. The model is asked with a
        frame if this is one.
    y : array of shape (n_rows,), optional
        Colours the points.
    features : pair of int or str, default=(0, 1)
        Columns that go across and up.
    at : "median" or sequence of shape (n_features,), default="median"
        Values of the other features: medians of numbers and modes of categories, or the
        row given.
    response : {"auto", "proba", "class", "value"}, default="auto"
        Whether to show probabilities, the predicted class, or the predicted value.
        ``"auto"`` shows probabilities if there are any.
    positive : label, optional
        The class whose probability is shown: by default the second of two. With more
        classes, by default, their colours are mixed by their probabilities.
    grid : int, default=200
        Cells along each feature. The model is asked at their centres.
    ax : Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    Axes
        With an image of the answers, lines where the class changes, and the points.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.datasets import make_gaussians
    >>> from softwood.plot import plot_surface
    >>> X, y = make_gaussians(random_state=0)
    >>> ax = plot_surface(CARTClassifier(max_depth=2).fit(X, y), X, y)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('x0', 'x1')
    """
    cells = grid_over(X, features, at, grid)
    if y is not None and len(y) != len(cells.points):
        raise ValueError(f"y must have {len(cells.points)} entries, one a row; got {len(y)}")
    answers = _ask(model, cells, response, positive)
    ax = axes_or_new(ax)
    _draw_image(ax, cells, answers, y)
    _draw_boundary(ax, cells, answers)
    _draw_points(ax, cells, answers, y)
    ax.set(
        xlim=cells.extent[:2], ylim=cells.extent[2:], xlabel=cells.names[0], ylabel=cells.names[1]
    )
    return ax


def _ask(model: Any, cells: Grid, response: str, positive: Any) -> _Answers:
    classes = None if not hasattr(model, "classes_") else np.asarray(model.classes_).tolist()
    response = _response(model, classes, response)
    if positive is not None and (response != "proba" or positive not in (classes or [])):
        raise ValueError(
            f"positive must be one of the classes {classes}, with response 'proba'; "
            f"got {positive!r} with {response!r}"
        )
    shape = (cells.size, cells.size)
    if classes is None:
        values = np.asarray(model.predict(cells.rows), dtype=np.float64)
        return _Answers(values.reshape(shape), None, None, [])
    if response == "class":
        shares = np.asarray(model.predict(cells.rows))[:, None] == np.asarray(classes)
    else:
        shares = np.asarray(model.predict_proba(cells.rows))
    shown = 1 if response == "proba" and len(classes) == 2 else None
    shown = shown if positive is None else classes.index(positive)
    return _answers_of_classes(shares.reshape(*shape, -1).astype(np.float64), classes, shown)


def _response(model: Any, classes: list[Any] | None, response: str) -> str:
    """Return what to show, if the model can tell it."""
    if response not in RESPONSES:
        raise ValueError(f"response must be one of {RESPONSES}; got {response!r}")
    possible = ["value"] if classes is None else ["class"]
    if classes is not None and hasattr(model, "predict_proba"):
        possible.insert(0, "proba")
    if response == "auto":
        return possible[0]
    if response not in possible:
        raise ValueError(
            f"response must be one of {possible} for {type(model).__name__}; got {response!r}"
        )
    return response


def _answers_of_classes(shares: FloatArray, classes: list[Any], shown: int | None) -> _Answers:
    values = shares if shown is None else shares[..., shown]
    winner = shares.argmax(axis=2)
    contested = range(len(classes)) if shown is None else [shown]
    margins = []
    for k in contested if len(classes) > 1 else []:
        margin = shares[..., k] - np.delete(shares, k, axis=2).max(axis=2)
        # Between steps the line runs along the edges of cells, however high the steps are.
        # Of equal shares the first wins, as in predict.
        margins.append(np.where(winner == k, 1.0, -1.0) if _is_steps(margin) else margin)
    return _Answers(values, classes, shown, margins)


def _is_steps(values: FloatArray) -> bool:
    """Return whether the values are those of a hard tree: most neighbours are equal."""
    return bool(np.mean(values[:, 1:] == values[:, :-1]) > 0.5)


def _draw_image(ax: Axes, cells: Grid, answers: _Answers, y: Any) -> None:
    """Draw the answers as pixels, with a scale if they are single numbers."""
    place: dict[str, Any] = {
        "extent": cells.extent,
        "origin": "lower",
        "aspect": "auto",
        "interpolation": "nearest",
    }
    if answers.classes is None:
        seen = answers.values if y is None else np.append(answers.values, np.asarray(y, float))
        place |= {"vmin": float(np.nanmin(seen)), "vmax": float(np.nanmax(seen))}
        image = ax.imshow(answers.values, cmap="viridis", **place)
        figure_of(ax).colorbar(image, ax=ax, label="predicted value")
    elif answers.shown is not None:
        shades = shares_of(answers.shown, len(answers.classes))
        image = ax.imshow(answers.values, cmap=shades, vmin=0.0, vmax=1.0, **place)
        name = answers.classes[answers.shown]
        figure_of(ax).colorbar(image, ax=ax, label=f"probability of {name}")
    else:
        mixed = answers.values @ tints(len(answers.classes))
        ax.imshow(np.clip(mixed, 0.0, 1.0), **place)


def _draw_boundary(ax: Axes, cells: Grid, answers: _Answers) -> None:
    for margin in answers.margins:
        if not margin.min() < 0 < margin.max():
            continue  # there is no line to find
        # The line cuts corners by half a cell; where all is steps, smaller cells cost nothing.
        times = max(1, FINE // cells.size) if _is_steps(margin) else 1
        finer = margin.repeat(times, axis=0).repeat(times, axis=1)
        # One more cell on each side carries the line to the edge of the picture.
        beyond = np.pad(finer, 1, mode="edge")
        ax.contour(
            *cells.centres(times, beyond=1), beyond, levels=[0.0], colors=INK, linewidths=1.2
        )


def _draw_points(ax: Axes, cells: Grid, answers: _Answers, y: Any) -> None:
    look: dict[str, Any] = {
        "s": 18,
        "edgecolors": "white",
        "linewidths": 0.5,
        "rasterized": len(cells.points) > MANY_POINTS,
        "zorder": 3,
    }
    across, up = cells.points.T
    if y is None:
        ax.scatter(across, up, color=INK, **look)
    elif answers.classes is None:
        image = ax.get_images()[-1]
        points = ax.scatter(across, up, c=np.asarray(y, float), **look)
        points.set(cmap=image.cmap, norm=image.norm)
    else:
        labels, n_classes = np.asarray(y), len(answers.classes)
        styles = zip(answers.classes, colours(n_classes), markers(n_classes), strict=True)
        for name, colour, marker in styles:
            rows = labels == name
            ax.scatter(across[rows], up[rows], color=colour, marker=marker, label=str(name), **look)
        _add_legend(ax, n_classes)


def _add_legend(ax: Axes, n_classes: int) -> None:
    """Put the legend outside, above the picture or at its right, where it hides nothing."""
    if n_classes <= FEW_CLASSES:
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=n_classes, frameon=False)
    else:
        columns = -(-n_classes // 15)
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=columns, frameon=False)
