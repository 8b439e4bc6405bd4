"""A tree as rules: one for each leaf, its conditions merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import IndexArray
from softwood.errors import missing_extra
from softwood.explain.labels import (
    DECIMALS,
    SHOWN_TERMS,
    categories_of,
    more_text,
    name_of,
    number_text,
    set_text,
    share_text,
    value_text,
)
from softwood.explain.wording import Subject, subject_of
from softwood.tree import NOMINAL, NUMERIC

ALWAYS = "always"  # the one rule of a tree without tests


@dataclass(frozen=True, slots=True)
class Rule:
    """What holds of the rows of one leaf, and what is predicted for them.

    Attributes
    ----------
    rule : str
        The conditions in words.
    prediction : object
        A class, or a number.
    support : float
        Share of the training weight in the leaf.
    confidence : float
        Share of the predicted class in the leaf; NaN for regression.
    conditions : tuple of str
        The conditions one by one; empty if the tree has no tests.
    """

    rule: str
    prediction: Any
    support: float
    confidence: float
    conditions: tuple[str, ...]


def export_rules(
    model: Any,
    *,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
    decimals: int = DECIMALS,
    max_rules: int | None = None,
    max_terms: int | None = SHOWN_TERMS,
) -> str:
    """Return a tree as rules in words, the rule with most training cases first.

    Every row meets the conditions of exactly one rule, unless it has missing values or
    unknown categories; soft tests are worded as if they were hard.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.
    feature_names, class_names : sequence of str, optional
        Names to use in place of the model's own.
    decimals : int, default=6
        Digits after the point, trailing zeros not shown.
    max_rules : int, optional
        Show no more than this many rules.
    max_terms : int, optional
        Show no more than this many terms of an oblique test, those with the largest
        weights; None shows all. Four by default.

    Returns
    -------
    str
        One line for each rule. *support* is the share of the training weight that meets
        it, *confidence* the share of the predicted class in that.

    See Also
    --------
    export_text : The tree itself.
    rules_table : The rules as objects.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import C45Classifier, export_rules
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = C45Classifier(max_depth=2).fit(X, y)
    >>> print(export_rules(model, class_names=["setosa", "versicolor", "virginica"], max_rules=2))
    IF 0.6 < petal width (cm) <= 1.7 THEN versicolor (support 0.36, confidence 0.907)
    IF petal width (cm) <= 0.6 THEN setosa (support 0.333, confidence 1)
    … 1 more rule; use export_rules(max_rules=None)
    """
    if max_rules is not None and max_rules < 1:
        raise ValueError(f"max_rules must be at least 1; got {max_rules!r}")
    subject = subject_of(model, feature_names, class_names, decimals, max_terms)
    rules = _rules(subject)
    lines = [_sentence(rule, subject) for rule in rules[:max_rules]]
    if len(lines) < len(rules):
        hidden = more_text(len(rules) - len(lines), "rule")
        lines.append(f"{hidden}; use export_rules(max_rules=None)")
    return "\n".join(lines)


def rules_table(model: Any, *, decimals: int = DECIMALS) -> list[Rule]:
    """Return one rule for each leaf, the one with most training weight first.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.
    decimals : int, default=6
        Digits after the point, trailing zeros not shown.

    Returns
    -------
    list of Rule

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.explain.rules import rules_table
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"])
    >>> [rule.rule for rule in rules_table(model)]
    ['x0 > 2.5', 'x0 <= 1.5', '1.5 < x0 <= 2.5']
    """
    return _rules(subject_of(model, decimals=decimals))


def rules_frame(model: Any) -> Any:
    """Return the rules as a table.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.

    Returns
    -------
    pandas.DataFrame
        Columns ``rule``, ``prediction``, ``support`` and ``confidence``.
    """
    try:
        import pandas as pd
    except ImportError:
        raise missing_extra("pandas", "data") from None
    rules = rules_table(model)
    columns = ("rule", "prediction", "support", "confidence")
    return pd.DataFrame({name: [getattr(rule, name) for rule in rules] for name in columns})


def _rules(subject: Subject) -> list[Rule]:
    parent = subject.tree.parent
    leaves = [node for node, _ in subject.tree.walk() if subject.tree.n_children[node] == 0]
    rules = [_rule(subject, leaf, parent) for leaf in leaves]
    return sorted(rules, key=lambda rule: -rule.support)


def _rule(subject: Subject, leaf: int, parent: IndexArray) -> Rule:
    tree = subject.tree
    conditions = _conditions(subject, leaf, parent)
    is_number = subject.classes is None
    return Rule(
        rule=" AND ".join(conditions) or ALWAYS,
        prediction=subject.answer(leaf),
        support=float(tree.weight[leaf] / tree.weight[0]) if tree.weight[0] > 0 else 0.0,
        confidence=float("nan") if is_number else float(tree.response[leaf].max()),
        conditions=conditions,
    )


def _conditions(subject: Subject, leaf: int, parent: IndexArray) -> tuple[str, ...]:
    """Return the conditions on the path; tests of one feature become one condition."""
    tree = subject.tree
    intervals: dict[int, tuple[float, float]] = {}
    sets: dict[int, list[int]] = {}
    others: dict[int, str] = {}
    order: list[int] = []  # features and, after them in number, oblique nodes
    for node, branch in _steps(subject, leaf, parent):
        feature = int(tree.feature[node])
        if tree.kind[node] == NUMERIC:
            low, high = intervals.get(feature, (-np.inf, np.inf))
            cut = float(tree.threshold[node])
            intervals[feature] = (low, min(high, cut)) if branch == 0 else (max(low, cut), high)
        elif tree.kind[node] == NOMINAL:
            codes = np.flatnonzero(tree.branch_of_category(node) == branch).tolist()
            sets[feature] = [code for code in sets.get(feature, codes) if code in codes]
        else:
            feature = tree.n_features + node
            others[feature] = subject.test(node, branch)
        order.append(feature)
    words = {feature: _interval(subject, feature, *ends) for feature, ends in intervals.items()}
    words |= {feature: _set(subject, feature, codes) for feature, codes in sets.items()} | others
    return tuple(words[feature] for feature in dict.fromkeys(order))


def _steps(subject: Subject, leaf: int, parent: IndexArray) -> list[tuple[int, int]]:
    """Return ``(node, branch)`` from the root down to ``leaf``."""
    steps, node = [], leaf
    while node:
        above = int(parent[node])
        steps.append((above, node - int(subject.tree.first_child[above])))
        node = above
    return steps[::-1]


def _interval(subject: Subject, feature: int, low: float, high: float) -> str:
    name = name_of(feature, subject.feature_names)
    bottom, top = subject.value_text(feature, low), subject.value_text(feature, high)
    if high == np.inf:
        return f"{name} > {bottom}"
    return f"{name} <= {top}" if low == -np.inf else f"{bottom} < {name} <= {top}"


def _set(subject: Subject, feature: int, codes: list[int]) -> str:
    members = categories_of(feature, codes, subject.categories)
    return set_text(name_of(feature, subject.feature_names), members)


def _sentence(rule: Rule, subject: Subject) -> str:
    facts = f"support {share_text(rule.support)}"
    if subject.classes is None:
        answer = number_text(rule.prediction, subject.decimals)
    else:
        answer = value_text(rule.prediction)
        facts += f", confidence {share_text(rule.confidence)}"
    return f"IF {rule.rule} THEN {answer} ({facts})"
