"""A tree as text, in the layout of C4.5 and Weka's J48."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from softwood.explain.labels import (
    DECIMALS,
    ELLIPSIS,
    SHOWN_TERMS,
    more_text,
    number_text,
)
from softwood.explain.wording import Subject, subject_of

NO_ERRORS = 1e-6  # less wrong weight than this is not worth printing


def export_text(  # noqa: PLR0913  (the options users know from scikit-learn)
    model: Any,
    *,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
    max_depth: int | None = None,
    spacing: int = 4,
    decimals: int = DECIMALS,
    show_weights: bool = True,
    max_lines: int | None = None,
    max_terms: int | None = SHOWN_TERMS,
) -> str:
    """Return a tree as text, one line for each branch.

    A leaf says its class, and in parentheses the training weight that reached it and,
    after a slash, how much of that is of other classes. For regression it says the mean
    and the weight.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.
    feature_names, class_names : sequence of str, optional
        Names to use in place of the model's own, in the order of its features and of
        ``classes_``.
    max_depth : int, optional
        Show no more than this many tests on a path. A branch that goes on is shown as
        a leaf, with an ellipsis.
    spacing : int, default=4
        Width of one step of indentation.
    decimals : int, default=6
        Digits after the point, trailing zeros not shown.
    show_weights : bool, default=True
        Whether to print the parentheses.
    max_lines : int, optional
        Stop after this many lines.
    max_terms : int, optional
        Show no more than this many terms of an oblique test, those with the largest
        weights; None shows all. Four by default.

    Returns
    -------
    str
        Lines, the last one a hint if something was left out.

    See Also
    --------
    export_rules : One rule for each leaf.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import C45Classifier, export_text
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = C45Classifier(max_depth=2).fit(X, y)
    >>> print(export_text(model, class_names=["setosa", "versicolor", "virginica"]))
    petal width (cm) <= 0.6: setosa (50.0)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7: versicolor (54.0/5.0)
    |   petal width (cm) > 1.7: virginica (46.0/1.0)
    """
    for name, value, least in (
        ("max_depth", max_depth, 0),
        ("spacing", spacing, 1),
        ("max_lines", max_lines, 1),
    ):
        if value is not None and value < least:
            raise ValueError(f"{name} must be at least {least}; got {value!r}")
    subject = subject_of(model, feature_names, class_names, decimals, max_terms)
    bar = "|".ljust(spacing)
    lines = list(islice(_lines(subject, bar, max_depth, show_weights), max_lines))
    return "\n".join(lines + _hint(subject, len(lines), max_depth, max_lines))


def _lines(subject: Subject, bar: str, max_depth: int | None, show_weights: bool) -> Iterator[str]:
    tree = subject.tree
    deepest = tree.n_nodes if max_depth is None else max_depth
    if tree.n_nodes == 1 or deepest == 0:
        yield _answer(subject, 0, show_weights)
    parent = tree.parent
    for node, depth in tree.walk():
        if not 0 < depth <= deepest:
            continue
        above = int(parent[node])
        test = subject.test(above, node - int(tree.first_child[above]))
        ends = tree.n_children[node] == 0 or depth == deepest
        answer = _answer(subject, node, show_weights) if ends else ""
        yield f"{bar * (depth - 1)}{test}{subject.ramp(above)}{answer}"


def _answer(subject: Subject, node: int, show_weights: bool) -> str:
    text = f": {subject.answer_text(node)}"
    if show_weights:
        text += f" ({_weights(subject, node)})"
    return text if subject.tree.n_children[node] == 0 else f"{text} {ELLIPSIS}"


def _weights(subject: Subject, node: int) -> str:
    weight = float(subject.tree.weight[node])
    if subject.classes is None:
        return number_text(weight, 2)
    wrong = weight * (1.0 - float(subject.tree.response[node].max()))
    return _weight(weight) + (f"/{_weight(wrong)}" if wrong > NO_ERRORS else "")


def _weight(weight: float) -> str:
    """Return a weight rounded to two decimals, of which at least one is shown."""
    return str(float(np.floor(weight * 100.0 + 0.5)) / 100.0)


def _hint(
    subject: Subject, n_shown: int, max_depth: int | None, max_lines: int | None
) -> list[str]:
    n_lines = subject.tree.n_nodes - 1
    n_hidden = n_lines - (0 if max_depth == 0 else n_shown)
    if n_lines == 0 or n_hidden == 0:
        return []
    options = {"max_depth": max_depth, "max_lines": max_lines}
    wider = ", ".join(f"{name}=None" for name, limit in options.items() if limit is not None)
    return [f"{more_text(n_hidden, 'line')}; use export_text({wider})"]
