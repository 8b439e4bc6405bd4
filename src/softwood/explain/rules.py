"""Models as rules: one for each leaf of a tree, or those that the trees of an ensemble share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from softwood._types import IndexArray
from softwood.errors import missing_extra
from softwood.explain._ensembles import ensemble_of
from softwood.explain.conditions import conditions_of
from softwood.explain.labels import (
    DECIMALS,
    SHOWN_TERMS,
    more_text,
    number_text,
    share_text,
    value_text,
)
from softwood.explain.rule import Rule, TypicalRule
from softwood.explain.typical_words import ensemble_rules, typical_sentence
from softwood.explain.wording import Subject, subject_of

ALWAYS = "always"  # the one rule of a tree without tests


def export_rules(
    model: Any,
    *,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
    decimals: int = DECIMALS,
    max_rules: int | None = None,
    max_terms: int | None = SHOWN_TERMS,
) -> str:
    """Return a model as rules in words: those of a tree, or the most typical of an ensemble.

    Of a tree, the rule with most training cases comes first, and every row meets the conditions
    of exactly one rule, unless it has missing values or unknown categories. Of an ensemble, the
    rules that do most to its answer come first, and a row may meet several or none. Soft tests
    are worded as if they were hard.

    Parameters
    ----------
    model : estimator, Imported, Tree or Forest
        A fitted softwood model, what :func:`softwood.interop.import_model` has made of
        another's, or bare trees.
    feature_names, class_names : sequence of str, optional
        Names to use in place of the model's own.
    decimals : int, default=6
        Digits after the point, trailing zeros not shown.
    max_rules : int, optional
        Show no more than this many rules; by default all of a tree, and 20 of an ensemble.
    max_terms : int, optional
        Show no more than this many terms of an oblique test, those with the largest
        weights; None shows all. Four by default.

    Returns
    -------
    str
        One line for each rule. *support* is the share of the training weight that meets
        it, *confidence* the share of the predicted class in that. Of an ensemble it also
        says the share of the class among all rows, and how many trees have a rule alike.

    See Also
    --------
    export_text : The tree itself.
    rules_table : The rules as objects.
    softwood.explain.typical_rules.typical_rules : How rules of an ensemble are found.

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
    _check_number_of(max_rules)
    ensemble = ensemble_of(model)
    if ensemble is not None:
        ensemble = ensemble.renamed(feature_names, class_names)
        found = ensemble_rules(ensemble, max_rules, decimals, max_terms)
        return "\n".join(typical_sentence(rule, ensemble, decimals) for rule in found)
    subject = subject_of(model, feature_names, class_names, decimals, max_terms)
    rules = _rules(subject)
    lines = [_sentence(rule, subject) for rule in rules[:max_rules]]
    if len(lines) < len(rules):
        hidden = more_text(len(rules) - len(lines), "rule")
        lines.append(f"{hidden}; use export_rules(max_rules=None)")
    return "\n".join(lines)


def rules_table(
    model: Any, *, decimals: int = DECIMALS, max_rules: int | None = None
) -> Sequence[Rule]:
    """Return the rules of a model: one for each leaf of a tree, or the most typical ones.

    Parameters
    ----------
    model : estimator, Imported, Tree or Forest
        A fitted softwood model, what :func:`softwood.interop.import_model` has made of
        another's, or bare trees.
    decimals : int, default=6
        Digits after the point, trailing zeros not shown.
    max_rules : int, optional
        Return no more than this many; by default all of a tree, and 20 of an ensemble.

    Returns
    -------
    list of Rule
        Of a tree, the rule with most training weight first. Of an ensemble they are
        :class:`TypicalRule`, the one with the highest score first.

    Examples
    --------
    >>> from softwood import BaggedTreesClassifier, CARTClassifier
    >>> from softwood.explain.rules import rules_table
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"]
    >>> [rule.rule for rule in rules_table(CARTClassifier().fit(X, y))]
    ['x0 > 2.5', 'x0 <= 1.5', '1.5 < x0 <= 2.5']
    >>> model = BaggedTreesClassifier(20, random_state=0).fit(X * 5, y * 5)
    >>> [(rule.rule, rule.n_trees) for rule in rules_table(model, max_rules=2)]
    [('1.5 < x0 <= 2.5', 20), ('x0 > 2.5', 20)]
    """
    _check_number_of(max_rules)
    ensemble = ensemble_of(model)
    if ensemble is not None:
        return ensemble_rules(ensemble, max_rules, decimals)
    return _rules(subject_of(model, decimals=decimals))[:max_rules]


def rules_frame(model: Any, max_rules: int | None = None) -> Any:
    """Return the rules as a table.

    Parameters
    ----------
    model : estimator, Imported, Tree or Forest
        See :func:`rules_table`.
    max_rules : int, optional
        Return no more than this many; by default all of a tree, and 20 of an ensemble.

    Returns
    -------
    pandas.DataFrame
        Columns ``rule``, ``prediction``, ``support`` and ``confidence``; of an ensemble also
        ``effect``, ``n_trees``, ``tree`` and ``score``, see :class:`TypicalRule`.
    """
    try:
        import pandas as pd
    except ImportError:
        raise missing_extra("pandas", "data") from None
    rules = rules_table(model, max_rules=max_rules)
    kind = Rule if ensemble_of(model) is None else TypicalRule
    columns = [field.name for field in fields(kind) if field.name != "conditions"]
    return pd.DataFrame({name: [getattr(rule, name) for rule in rules] for name in columns})


def _check_number_of(max_rules: int | None) -> None:
    if max_rules is not None and max_rules < 1:
        raise ValueError(f"max_rules must be at least 1; got {max_rules!r}")


def _rules(subject: Subject) -> list[Rule]:
    parent = subject.tree.parent
    leaves = [node for node, _ in subject.tree.walk() if subject.tree.n_children[node] == 0]
    rules = [_rule(subject, leaf, parent) for leaf in leaves]
    return sorted(rules, key=lambda rule: -rule.support)


def _rule(subject: Subject, leaf: int, parent: IndexArray) -> Rule:
    tree = subject.tree
    conditions = tuple(one.words(subject) for one in conditions_of(tree, leaf, parent))
    is_number = subject.classes is None
    return Rule(
        rule=" AND ".join(conditions) or ALWAYS,
        prediction=subject.answer(leaf),
        support=float(tree.weight[leaf] / tree.weight[0]) if tree.weight[0] > 0 else 0.0,
        confidence=float("nan") if is_number else float(tree.response[leaf].max()),
        conditions=conditions,
    )


def _sentence(rule: Rule, subject: Subject) -> str:
    facts = f"support {share_text(rule.support)}"
    if subject.classes is None:
        answer = number_text(rule.prediction, subject.decimals)
    else:
        answer = value_text(rule.prediction)
        facts += f", confidence {share_text(rule.confidence)}"
    return f"IF {rule.rule} THEN {answer} ({facts})"
