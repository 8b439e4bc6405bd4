"""What the model answers over its two main columns, and what a smaller tree would cost."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.data.telling import untold
from softwood.errors import MissingExtraError
from softwood.evaluate.problems import take_rows
from softwood.view._chosen_tree import imported
from softwood.view._figures import WIDE, Drawn
from softwood.view._page import Page
from softwood.view._subject import NotPossible
from softwood.view._words import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Two columns, and the size of the model"
MOST_POINTS = 600
GRID = 120
FOLDS = 5  # of the sizes


def content(page: Page) -> dict[str, Any]:
    """Return the figures that can be drawn, and why others cannot."""
    figures, reasons = [], []
    for picture in (_surface, _size_path):
        try:
            figures.append(picture(page))
        except NotPossible as reason:
            reasons.append(str(reason))
    return {"figures": figures, "reasons": reasons}


def main_columns(page: Page) -> tuple[int, int]:
    """Return the two columns of numbers that matter most."""
    columns = page.subject.table.columns
    plain = [
        int(j)
        for j in page.by_importance
        if not (columns[j].is_nominal or columns[j].is_date)
        and np.unique(columns[j].values[np.isfinite(columns[j].values)]).size > 1
    ]
    if len(plain) < 2:
        raise NotPossible("A picture of two columns needs two columns of numbers.")
    return plain[0], plain[1]


def _surface(page: Page) -> Drawn:
    from softwood.plot import plot_surface

    subject = page.subject
    first, second = main_columns(page)
    names = shown(page.names[first], 40), shown(page.names[second], 40)
    rng = np.random.default_rng(subject.seed)
    rows = np.arange(subject.n_rows)
    if rows.size > MOST_POINTS:
        rows = np.sort(rng.choice(rows, MOST_POINTS, replace=False))

    def picture(ax: Axes) -> None:
        X = take_rows(subject.X, rows)
        with untold():
            plot_surface(
                subject.model, X, subject.y[rows], features=(first, second), grid=GRID, ax=ax
            )
        ax.set(xlabel=names[0], ylabel=names[1])

    others = "" if len(page.names) == 2 else " All other columns are held at their middle."
    try:
        return page.figures.draw(
            picture,
            f"What the model answers over {names[0]} and {names[1]}; dots are rows of the table.",
            f"What the model answers over {names[0]} and {names[1]}.{others} Dots are rows.",
            WIDE,
            on_paper=True,
        )
    except MissingExtraError as error:
        raise NotPossible(f"The surface could not be drawn: {error}.") from None


def _size_path(page: Page) -> Drawn:
    from softwood.plot import plot_size_path

    subject, found = page.subject, page.evidence
    is_tree = imported(subject.model).is_single_tree
    X, y = subject.X, subject.y
    if is_tree and found.rows.size < subject.n_rows:  # an ensemble knows its own rows
        X, y = take_rows(X, found.rows), found.truth

    def picture(ax: Axes) -> None:
        with untold():
            plot_size_path(_seeded(subject.model, subject.seed), X, y, cv=FOLDS, ax=ax)
        _put_on_paper(ax.get_legend())

    parts, should = ("leaves", "should be") if is_tree else ("trees", "needs to be")
    return page.figures.draw(
        picture,
        f"Error against the number of {parts}.",
        f"Error against the number of {parts}, on rows not seen: how large the model {should}.",
        WIDE,
    )


def _put_on_paper(legend: Any) -> None:
    """Keep lines from running through a legend."""
    if legend is not None:
        legend.set(frame_on=True)
        legend.get_frame().set(facecolor="white", edgecolor="none", alpha=1.0)


def _seeded(model: Any, seed: int) -> Any:
    """Return the model with a seed, by which the same trees are grown every time."""
    if getattr(model, "random_state", seed) is not None:
        return model
    return copy(model).set_params(random_state=seed)
