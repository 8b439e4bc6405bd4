"""What rules are: of one leaf, or shared by several trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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


@dataclass(frozen=True, slots=True)
class TypicalRule(Rule):
    """What several trees of an ensemble say, as one of them says it.

    Attributes
    ----------
    rule, conditions
        As in :class:`Rule`, in the words of the tree ``tree``.
    prediction : object
        The class that the rule speaks for, whose share or score grows most; or, for
        regression, the mean of the trees' answers, or what trees of a sum add together.
    support : float
        Share of the training weight, on average over the trees that say it.
    confidence : float
        Share of the class there, where trees vote; else NaN.
    effect : float
        How far the answer of these trees is from that of all rows, on average: in the share of
        the class, in the number, or, for terms of a sum, in the score, added up.
    n_trees : int
        How many trees say something alike.
    tree : int
        One of them, in the middle of them.
    score : float
        What rules are ranked by; see :func:`softwood.explain.typical_rules.typical_rules`.
    """

    effect: float
    n_trees: int
    tree: int
    score: float
