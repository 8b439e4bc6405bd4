"""Which columns the answers come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood.view._page import Page
from softwood.view._subject import NotPossible
from softwood.view._words import aligned, counted, percent, shown

TITLE = "What matters most"
MOST_COLUMNS = 25


@dataclass(frozen=True)
class Bar:
    """A column: how long its bar is, from where to where it varies, in percent of the room."""

    name: str
    width: float
    low: float
    high: float
    text: str


def content(page: Page) -> dict[str, Any]:
    """Return a bar for each column that matters."""
    means = page.importances
    if not means.any():
        raise NotPossible("The model does not say which columns matter: none seems to.")
    if page.found is None:
        spread, unit = _spread_over_trees(page), "share"
    else:
        spread = page.found.losses.deviation
        unit = "error" if page.subject.is_classes else "loss"
    chosen = [j for j in page.by_importance[:MOST_COLUMNS] if means[j] > 0]
    n_used = int(np.count_nonzero(means > 0))
    return {
        "bars": bars_of([page.names[j] for j in chosen], means[chosen], spread[chosen], unit),
        "unit": unit,
        "target": shown(page.subject.target, 40),
        "n_more": n_used - len(chosen),
        "others": _others(means),
    }


def bars_of(names: list[str], means: Any, spread: Any, unit: str) -> list[Bar]:
    """Return bars whose longest, with what it varies, fills the room."""
    room = float((means + spread).max()) if len(means) else 1.0
    low, high = np.maximum(means - spread, 0.0), means + spread
    ends = np.round(100 * np.array([means, low, high]) / room, 1).T.tolist()
    texts = _texts(means.tolist(), spread.tolist(), unit)
    return [
        Bar(shown(name), places[0], places[1], places[2], text)
        for name, places, text in zip(names, ends, texts, strict=True)
    ]


def _texts(means: list[float], spread: list[float], unit: str) -> list[str]:
    if unit == "share":
        return [percent(mean) for mean in means]
    factor, end = (100, " points") if unit == "error" else (1, "")
    numbers = aligned([factor * value for value in [*means, *spread]])
    pairs = zip(numbers[: len(means)], numbers[len(means) :], strict=True)
    return [f"{mean} ± {around}{end}" for mean, around in pairs]


def _others(means: Any) -> str:
    """Return how many columns make no difference."""
    n_idle = int(np.count_nonzero(means <= 0))
    if not n_idle:
        return ""
    make = "makes" if n_idle == 1 else "make"
    told = "no difference, or none that can be told from chance"
    return f"{counted(n_idle, 'column')} {make} {told}."


def _spread_over_trees(page: Page) -> Any:
    """Return how the shares vary from tree to tree, of an ensemble; else nothing."""
    from softwood.refine.gains import feature_importances

    trees = getattr(page.subject.model, "trees_", None) or []
    if len(trees) < 2:
        return np.zeros_like(page.importances)
    return np.std([feature_importances(tree, "gini") for tree in trees], axis=0)
