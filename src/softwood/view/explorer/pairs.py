"""Two models in one page: what :func:`softwood.diff` finds between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.data.telling import untold
from softwood.estimators.diff import diff
from softwood.explain.labels import value_text

SAME = "same"
MOST_TESTS = 200  # that are listed


def changes_of(old: Any, new: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return what changed from one model to the other, on rows.

    Parameters
    ----------
    old, new : estimator
        Fitted models on the same columns.
    X : array-like or frame
        Rows.
    y : array-like or None
        Their target, to say which changes were for the better.

    Returns
    -------
    dict
        ``summary``, a list of lines; ``tests`` that are not the same, the heaviest first; and
        ``marks``, for each model, what became of its nodes.
    """
    with untold():
        found = diff(old, new, X, y)
    marks: tuple[dict[str, str], dict[str, str]] = ({}, {})
    tests: list[dict[str, Any]] = []
    for test in () if found.trees is None else found.trees.tests:
        if test.change == SAME:
            continue
        for nodes, node in zip(marks, (test.old_node, test.new_node), strict=True):
            if node is not None:
                nodes[str(node)] = test.change
        tests.append(
            {
                "change": test.change,
                "old": test.old_test and value_text(test.old_test),
                "new": test.new_test and value_text(test.new_test),
                "oldNode": test.old_node,
                "newNode": test.new_node,
                "mass": float(np.nanmax([test.old_mass, test.new_mass])),
            }
        )
    tests.sort(key=lambda test: -test["mass"])
    return {"summary": str(found).splitlines(), "tests": tests[:MOST_TESTS], "marks": list(marks)}
