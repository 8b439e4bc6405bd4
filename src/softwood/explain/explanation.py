"""Why a row gets its prediction: the tests on its way, and how its mass divides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.encode import is_missing
from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.explain._one_row import one_row
from softwood.explain.labels import (
    combination_text,
    more_text,
    name_of,
    number_text,
    share_text,
    value_text,
)
from softwood.explain.wording import Subject, subject_of
from softwood.tree import NOMINAL, NUMERIC

SHOWN_MASS = 0.01  # steps and leaves with less of the row are counted, not printed


@dataclass(frozen=True, slots=True)
class Branch:
    """One way out of a test: the child, what holds there, and its share of the mass."""

    child: int
    test: str
    share: float


@dataclass(frozen=True, slots=True)
class Step:
    """One test that the row meets.

    Attributes
    ----------
    node : int
        The node.
    mass : float
        How much of the row comes here; 1 unless it has been divided above.
    subject : str
        What is tested: a feature, or a weighted sum.
    value : str
        What the row has there, in words.
    is_known : bool
        Whether it has a value that the test can decide on.
    branches : tuple of Branch
        Where the mass goes; more than one if it divides.
    """

    node: int
    mass: float
    subject: str
    value: str
    is_known: bool
    branches: tuple[Branch, ...]

    @property
    def taken(self) -> Branch | None:
        """The branch that gets all the mass, if one does."""
        return self.branches[0] if len(self.branches) == 1 else None

    def __str__(self) -> str:
        if self.taken is not None:
            so = "so" if self.is_known else "and so counts as"
            text = f"{self.subject} is {self.value}, {so} {self.taken.test}"
        else:
            ways = ", ".join(f"{_percent(way.share)} to {way.test}" for way in self.branches)
            text = f"{self.subject} is {self.value}: {ways}"
        return text if self.mass > 1.0 - 1e-9 else f"({_percent(self.mass)} of the row) {text}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf the row reaches, the mass that reaches it, and what it says."""

    node: int
    mass: float
    prediction: Any
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The way of one row through a tree; prints as text.

    Attributes
    ----------
    prediction : object
        The predicted class, or number.
    probabilities : dict or None
        Probability of each class; None for regression.
    steps : tuple of Step
        The tests the row meets, parents before children.
    leaves : tuple of Leaf
        The leaves it reaches, the heaviest first.
    """

    prediction: Any
    probabilities: dict[Any, float] | None
    steps: tuple[Step, ...]
    leaves: tuple[Leaf, ...]

    def __str__(self) -> str:
        if self.probabilities is None:
            lines = [f"Predicted: {number_text(self.prediction)}"]
        else:
            probability = number_text(self.probabilities[self.prediction], 3)
            lines = [f"Predicted: {value_text(self.prediction)} (probability {probability})"]
        shown = [step for step in self.steps if step.mass >= SHOWN_MASS]
        lines += [f"{number:>3}. {step}" for number, step in enumerate(shown, start=1)]
        if len(shown) < len(self.steps):
            hidden = more_text(len(self.steps) - len(shown), "test")
            lines.append(f"     {hidden}, each of less than 1% of the row")
        return "\n".join(lines + self._leaf_lines())

    def _leaf_lines(self) -> list[str]:
        shown = [leaf for leaf in self.leaves if leaf.mass >= SHOWN_MASS]
        lines = []
        for leaf in shown:
            answer = leaf.prediction
            words = number_text(answer) if self.probabilities is None else value_text(answer)
            cases = f"training weight {number_text(leaf.weight, 2)}"
            whole = leaf.mass > 1.0 - 1e-9
            share = "" if whole else f"{_percent(leaf.mass)} of the row in "
            lines.append(f"     {share}leaf {leaf.node}: {words} ({cases})")
        if len(shown) < len(self.leaves):
            rest = sum(leaf.mass for leaf in self.leaves[len(shown) :])
            lines.append(f"     {_percent(rest)} of the row in other leaves")
        return lines


def explain_row(estimator: Any, x: Any) -> Explanation:
    """Explain the prediction of one row.

    Parameters
    ----------
    estimator : estimator
        A fitted softwood estimator with one tree; its flow may be soft.
    x : array-like of shape (n_features,) or (1, n_features), mapping, or frame of one row
        The row. A mapping or pandas Series is read by names if the model knows them.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import C45Classifier
    >>> from softwood.explain.explanation import explain_row
    >>> X = np.array([["red", 1], ["red", 2], ["blue", 1], ["blue", 2]] * 3, dtype=object)
    >>> model = C45Classifier().fit(X, ["no", "yes", "no", "no"] * 3)
    >>> print(explain_row(model, ["red", 0.9]))
    Predicted: no (probability 1)
      1. x0 is red, so x0 = red
      2. x1 is 0.9, so x1 <= 1
         leaf 3: no (training weight 3)
    >>> print(explain_row(model, ["green", None]))
    Predicted: no (probability 0.75)
      1. x0 is unknown category 'green': 50% to x0 = blue, 50% to x0 = red
      2. (50% of the row) x1 is missing: 50% to x1 <= 1, 50% to x1 > 1
         50% of the row in leaf 1: no (training weight 6)
         25% of the row in leaf 3: no (training weight 3)
         25% of the row in leaf 4: yes (training weight 3)
    """
    subject = subject_of(estimator)
    table = one_row(estimator, x)
    with untold():  # the explanation itself says which category is not known
        return _explained(subject, estimator, table)


def _explained(subject: Subject, estimator: Any, table: Table) -> Explanation:
    rows = estimator._rows(table)
    reach = estimator.flow_.reach(subject.tree, rows).toarray()[0]
    response = estimator._responses()
    if subject.classes is None:
        probabilities = None
    else:
        shares = estimator.predict_proba(table)[0].tolist()
        probabilities = dict(zip(subject.classes, shares, strict=True))
    return Explanation(
        prediction=estimator.predict(table).tolist()[0],
        probabilities=probabilities,
        steps=_steps(subject, reach, rows[0], table),
        leaves=_leaves(subject, reach, response),
    )


def _steps(subject: Subject, reach: FloatArray, row: FloatArray, table: Table) -> tuple[Step, ...]:
    tree = subject.tree
    steps = []
    for node, _ in tree.walk():
        if tree.n_children[node] == 0 or reach[node] <= 0.0:
            continue
        branches = tuple(
            Branch(child, subject.test(node, branch), float(reach[child] / reach[node]))
            for branch, child in enumerate(tree.children(node))
            if reach[child] > 0.0
        )
        what, value, is_known = _tested(subject, node, row, table)
        steps.append(Step(node, float(reach[node]), what, value, is_known, branches))
    return tuple(steps)


def _leaves(subject: Subject, reach: FloatArray, response: FloatArray) -> tuple[Leaf, ...]:
    tree = subject.tree
    reached = [leaf for leaf in tree.leaves.tolist() if reach[leaf] > 0.0]
    reached.sort(key=lambda leaf: -reach[leaf])
    return tuple(
        Leaf(
            node=leaf,
            mass=float(reach[leaf]),
            prediction=subject.answer(leaf, response),
            weight=float(tree.weight[leaf]),
        )
        for leaf in reached
    )


def _tested(subject: Subject, node: int, row: FloatArray, table: Table) -> tuple[str, str, bool]:
    """Return what the test reads, what the row has there, and whether that decides."""
    tree = subject.tree
    feature = int(tree.feature[node])
    if tree.kind[node] == NUMERIC:
        is_known = not np.isnan(row[feature])
        value = subject.value_text(feature, float(row[feature])) if is_known else "missing"
        return name_of(feature, subject.feature_names), value, is_known
    if tree.kind[node] == NOMINAL:
        value, is_known = _category(subject, node, row, table)
        return name_of(feature, subject.feature_names), value, is_known
    features, weights = tree.terms(node)
    what = combination_text(tree, node, subject.feature_names)
    gone = [name_of(int(j), subject.feature_names) for j in features if np.isnan(row[j])]
    if gone:
        return what, f"unknown (missing: {', '.join(gone)})", False
    return what, number_text(float(weights @ row[features])), True


def _category(subject: Subject, node: int, row: FloatArray, table: Table) -> tuple[str, bool]:
    feature = int(subject.tree.feature[node])
    code, raw = row[feature], table.columns[feature].as_objects()[0]
    raw = raw.item() if isinstance(raw, np.generic) else raw
    if is_missing(raw):
        return "missing", False
    if np.isnan(code):
        return f"unknown category {raw!r}, taken as missing", False
    if code < 0:
        return f"unknown category {raw!r}", False
    own = (subject.categories or [])[feature] or ()
    words = value_text(own[int(code)])
    here = subject.tree.branch_of_category(node)[int(code)]
    return (words, True) if here >= 0 else (f"{words} (not seen here in training)", False)


def _percent(share: float) -> str:
    return f"{share_text(share, decimals=1, unit=100.0)}%"
