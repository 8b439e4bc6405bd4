"""Models as text: a tree in the layout of C4.5 and Weka's J48, an ensemble by its typical parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from softwood.explain._ensembles import ensemble_of
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
    """Return a model as text: a tree, one line for each branch, or what is typical of many.

    A leaf says its class, and in parentheses the training weight that reached it and,
    after a slash, how much of that is of other classes. For regression it says the mean
    and the weight.

    Of an ensemble it is a heading (how many trees and leaves, which columns matter), the most
    typical tree, and the most typical rules.

    Parameters
    ----------
    model : estimator, Imported, Tree or Forest
        A fitted softwood model, what :func:`softwood.interop.import_model` has made of
        another's, or bare trees.
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
        Stop after this many lines. Of an ensemble, the heading comes first; of what is left,
        the tree gets two thirds and the rules the rest.
    max_terms : int, optional
        Show no more than this many terms of an oblique test, those with the largest
        weights; None shows all. Four by default.

    Returns
    -------
    str
        Lines, the last one a hint if something was left out.

    See Also
    --------
    export_rules : One rule for each leaf, or the most typical ones.
    softwood.explain.typical_tree : Which tree of an ensemble is shown.

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
    layout = Layout(max_depth, "|".ljust(spacing), show_weights)
    ensemble = ensemble_of(model)
    if ensemble is not None:
        from softwood.explain.ensemble_text import ensemble_lines

        named = ensemble.renamed(feature_names, class_names)
        importances = getattr(model, "feature_importances_", None)
        limits = (decimals, max_terms, max_lines)
        return "\n".join(ensemble_lines(named, importances, layout, *limits))
    subject = subject_of(model, feature_names, class_names, decimals, max_terms)
    return "\n".join(tree_lines(subject, layout, max_lines))


class Layout(NamedTuple):
    """How a tree is laid out: tests on a path at most, one step of indentation, parentheses."""

    max_depth: int | None = None
    bar: str = "|   "
    show_weights: bool = True


def tree_lines(
    subject: Subject, layout: Layout, max_lines: int | None, folds: bool = False
) -> list[str]:
    """Return the lines of a tree, the last one a hint if something was left out.

    With ``folds`` it is no deeper than fits, so that all of it is seen a little.
    """
    shown = layout
    if folds and max_lines is not None and layout.max_depth is None:
        ends = [stop for _, stop in subject.tree.levels()]  # lines above it, and one for the root
        depth = max(sum(end - 1 <= max_lines for end in ends) - 1, 1)
        shown = layout._replace(max_depth=depth)
    lines = list(islice(_lines(subject, shown), max_lines))
    return lines + _hint(subject, len(lines), layout.max_depth, max_lines)


def _lines(subject: Subject, layout: Layout) -> Iterator[str]:
    tree = subject.tree
    max_depth, bar, show_weights = layout
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
