"""How far the answers can be believed: calibration and mix-ups, or residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.plot._palette import COLOURS, PALE
from softwood.view._evidence import Evidence
from softwood.view._figures import SQUARE, Drawn
from softwood.view._page import Page
from softwood.view._words import counted, percent, short, shown, told_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "How far to trust an answer"
MOST_CLASSES = 12  # of a table of confusions
MOST_CURVES = 8  # of a figure
MOST_CONFUSIONS = 15
MOST_POINTS = 2000


@dataclass(frozen=True)
class Cell:
    """A cell of the table of confusions: how many rows, and which share of their true class."""

    n_rows: int
    share: float
    is_right: bool

    @property
    def shade(self) -> int:
        """Strength of the colour, in percent."""
        return round(80 * self.share)


def content(page: Page) -> dict[str, Any]:
    """Return the figures and tables of a classifier or of a regressor."""
    return _of_classes(page) if page.subject.is_classes else _of_numbers(page)


# -- classes -----------------------------------------------------------------------------


def _of_classes(page: Page) -> dict[str, Any]:
    found, classes = page.evidence, page.subject.classes
    counts = confusions(found.truth, found.labels, classes)
    figures, missing = [], ""
    if found.probability is None:
        missing = "The model gives no probabilities, so there is nothing to calibrate."
    else:
        figures = [_calibration(page, found, found.probability), _roc(page, found)]
    known = {
        "figures": figures,
        "missing": missing,
        "classes": _names(classes),
        "rows": [],
        "pairs": [],
        "residuals": "",
    }
    if classes.size > MOST_CLASSES:
        return known | {"pairs": _largest(counts, classes)}
    return known | {"rows": _rows(counts, classes)}


def confusions(truth: AnyArray, labels: AnyArray, classes: AnyArray) -> AnyArray:
    """Return how many rows of each class (down) got each class (across).

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.view.sections.quality import confusions
    >>> truth, labels = np.array(["a", "a", "b"]), np.array(["a", "b", "b"])
    >>> confusions(truth, labels, np.array(["a", "b"])).tolist()
    [[1, 1], [0, 1]]
    """
    n = classes.size
    pairs = np.searchsorted(classes, truth) * n + np.searchsorted(classes, labels)
    return np.bincount(pairs, minlength=n * n).reshape(n, n)


def _names(classes: AnyArray) -> list[str]:
    return told_apart([shown(name, 24) for name in classes.tolist()])


def _rows(counts: AnyArray, classes: AnyArray) -> list[dict[str, Any]]:
    rows = []
    for k, name in enumerate(_names(classes)):
        total = int(counts[k].sum())
        cells = [
            Cell(int(n), float(n) / total if total else 0.0, is_right=j == k)
            for j, n in enumerate(counts[k])
        ]
        rows.append({"name": name, "cells": cells, "found": percent(cells[k].share)})
    return rows


def _largest(counts: AnyArray, classes: AnyArray) -> list[tuple[str, str, int]]:
    """Return the most frequent mix-ups: the truth, the answer, how often."""
    wrong = counts.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_CONFUSIONS]
    places = (divmod(int(place), classes.size) for place in order)
    return [
        (shown(classes[i]), shown(classes[j]), int(wrong[i, j])) for i, j in places if wrong[i, j]
    ]


def _calibration(page: Page, found: Evidence, probability: FloatArray) -> Drawn:
    from softwood.plot import plot_calibration

    classes = page.subject.classes
    of, gives, so = "the predicted class", "its answer", "right"
    if classes.size == 2:
        of = gives = so = shown(classes[1], 24)
    return page.figures.draw(
        lambda ax: plot_calibration(
            None,
            None,
            found.truth,
            proba=probability,
            classes=classes.tolist(),
            label="this model",
            ax=ax,
        ),
        f"Reliability diagram: how often rows are of {of}, against the probability given.",
        f"Calibration: where the model gives {gives} a probability of, say, 70 %, it should be "
        f"{so} in 70 % of cases. On the line, probabilities can be taken at their word.",
        (SQUARE[0], SQUARE[1] + 0.6),
    )


def _roc(page: Page, found: Evidence) -> Drawn:
    from softwood.plot import plot_roc

    assert found.probability is not None
    classes = page.subject.classes
    if classes.size == 2:
        positive = classes.tolist()[1]
        curves = {"this model": (found.truth == positive, found.probability[:, 1])}
        of, more = f"class {shown(positive, 24)}", ""
    else:
        most = np.sort(np.argsort(-page.subject.shares, kind="stable")[:MOST_CURVES])
        names = _names(classes[most])
        curves = {
            name: (found.truth == classes[k], found.probability[:, k])
            for name, k in zip(names, most, strict=True)
        }
        of = "each class against the rest"
        left = classes.size - most.size
        more = f" {counted(left, 'rarer class', 'rarer classes')} not drawn." if left else ""

    def picture(ax: Axes) -> None:
        plot_roc(curves, positive=True, ax=ax)
        ax.set_ylabel(f"true positive rate ({of})")

    return page.figures.draw(
        picture,
        f"ROC curves, {of}: share found against share of false alarms.",
        "ROC: how many rows of the class are found, for how many false alarms, as the threshold "
        f"moves. The dotted line is guessing.{more}",
        SQUARE,
    )


# -- numbers -----------------------------------------------------------------------------


def _of_numbers(page: Page) -> dict[str, Any]:
    found = page.evidence
    rng = np.random.default_rng(page.subject.seed)
    n_rows = found.truth.size
    drawn = np.arange(n_rows)
    if n_rows > MOST_POINTS:
        drawn = np.sort(rng.choice(n_rows, MOST_POINTS, replace=False))
    truth, said = found.truth[drawn], np.asarray(found.labels[drawn], dtype=np.float64)
    more = f" {counted(drawn.size, 'row')} of {n_rows} drawn." if drawn.size < n_rows else ""
    target = shown(page.subject.target, 40)
    against = page.figures.draw(
        lambda ax: _draw_against(ax, truth, said, target),
        f"Predicted {target} against the actual one, row by row.",
        f"Predicted against actual: on the line, a prediction is exact.{more}",
        SQUARE,
    )
    residuals = page.figures.draw(
        lambda ax: _draw_residuals(ax, truth, said, target),
        f"What is left, actual minus predicted {target}, against the prediction.",
        f"Residuals, actual minus predicted: they should lie evenly around the line.{more}",
        SQUARE,
    )
    return {
        "figures": [against, residuals],
        "missing": "",
        "classes": [],
        "rows": [],
        "pairs": [],
        "residuals": _in_words(found),
    }


def _in_words(found: Evidence) -> str:
    off = np.abs(found.truth - found.labels)
    half, most = (short(float(value), 3) for value in np.quantile(off, (0.5, 0.9)))
    return f"Half of the predictions are off by at most {half}, nine of ten by at most {most}."


def _draw_against(ax: Axes, truth: FloatArray, said: FloatArray, target: str) -> None:
    ends = [float(min(truth.min(), said.min())), float(max(truth.max(), said.max()))]
    ax.plot(ends, ends, color=PALE, lw=1, ls=":")
    _scatter(ax, truth, said)
    ax.set(xlabel=f"actual {target}", ylabel=f"predicted {target}")


def _draw_residuals(ax: Axes, truth: FloatArray, said: FloatArray, target: str) -> None:
    ax.axhline(0.0, color=PALE, lw=1, ls=":")
    _scatter(ax, said, truth - said)
    ax.set(xlabel=f"predicted {target}", ylabel="actual minus predicted")


def _scatter(ax: Axes, across: FloatArray, up: FloatArray) -> None:
    """Draw points as pixels: thousands of them as shapes would make a heavy page."""
    ax.scatter(across, up, s=14, color=COLOURS[0], alpha=0.45, lw=0, rasterized=True)
