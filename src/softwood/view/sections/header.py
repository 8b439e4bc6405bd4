"""What was learned, from what, by which model, and how well: the top of the page."""

from __future__ import annotations

import inspect
from typing import Any

import softwood
from softwood.view._evidence import MODEL, Evidence
from softwood.view._page import Page
from softwood.view._subject import Subject
from softwood.view._words import counted, listed, percent, short, shown

MOST_CLASSES = 6  # to name
LONGEST_PARAMETER = 80


def content(page: Page) -> dict[str, Any]:
    """Return what the top of the page shows."""
    subject = page.subject
    return {
        "title": page.title or f"Predicting {shown(subject.target)}",
        "learned": learned(subject),
        "headline": headline(subject, page.found),
        "model": type(subject.model).__name__,
        "size": size_of(subject.model),
        "parameters": changed_parameters(subject.model),
        "version": softwood.__version__,
        "day": page.day.isoformat(),
    }


def learned(subject: Subject) -> str:
    """Return what was learned from what, in a sentence."""
    n_rows, n_columns = subject.table.shape
    what = "a number"
    if subject.is_classes:
        names = [shown(name, 24) for name in subject.classes[:MOST_CLASSES].tolist()]
        more = subject.classes.size - len(names)
        names += [f"{more} more"] if more else []
        what = f"one of {counted(subject.classes.size, 'class', 'classes')} ({listed(names)})"
        if subject.classes.size == 1:
            what = f"the class {names[0]}"
    table = f"{counted(n_rows, 'row')} and {counted(n_columns, 'column')}"
    return f"The model predicts {shown(subject.target)}, {what}, from a table of {table}."


def headline(subject: Subject, found: Evidence | None) -> dict[str, str] | None:
    """Return the number that matters, and what it says in plain words."""
    if found is None:
        return None
    unseen = "on rows that the model had not seen"
    if subject.is_classes:
        right = 1.0 - found.mean(MODEL, "error")
        most = float(subject.shares.max())
        words = (
            f"of answers were right {unseen}. Always answering the most frequent class "
            f"would be right for {percent(most)}."
        )
        return {"number": percent(right), "words": words}
    explained = found.mean(MODEL, "r2")
    words = (
        f"was how far predictions were off, on average, {unseen}. The model explains "
        f"{percent(max(explained, 0.0))} of the variance of {shown(subject.target)}."
    )
    return {"number": short(found.mean(MODEL, "absolute_error"), 3), "words": words}


def size_of(model: Any) -> str:
    """Return how large a model is, in words; nothing if it has no trees of ours."""
    tree: Any = getattr(model, "tree_", None)
    if hasattr(tree, "n_leaves"):
        return f"one tree of {counted(int(tree.n_leaves), 'leaf', 'leaves')}, depth {tree.depth}"
    trees = getattr(model, "trees_", None)
    if not trees:
        return ""
    leaves = sum(tree.n_leaves for tree in trees) / len(trees)
    return f"{counted(len(trees), 'tree')} of {leaves:.0f} leaves on average"


def changed_parameters(model: Any) -> list[tuple[str, str]]:
    """Return the parameters of a model that are not what they are by default.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.view.sections.header import changed_parameters
    >>> changed_parameters(CARTClassifier(max_depth=3))
    [('max_depth', '3')]
    """
    if not hasattr(model, "get_params"):
        return []
    usual = inspect.signature(type(model).__init__).parameters
    changed = []
    for name, value in model.get_params(deep=False).items():
        default = usual[name].default if name in usual else inspect.Parameter.empty
        if repr(value) != repr(default):  # arrays and estimators can be compared so, too
            changed.append((name, shown(repr(value), LONGEST_PARAMETER)))
    return changed
