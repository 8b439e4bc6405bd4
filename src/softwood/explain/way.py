"""The way of one row through one tree: the tests it meets, and how its mass divides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.encode import is_missing
from softwood.data.table import Table
from softwood.explain.labels import (
    combination_text,
    name_of,
    number_text,
    share_text,
    value_text,
)
from softwood.explain.wording import Subject
from softwood.tree import NOMINAL, NUMERIC


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
            ways = ", ".join(f"{percent_text(way.share)} to {way.test}" for way in self.branches)
            text = f"{self.subject} is {self.value}: {ways}"
        return text if self.mass > 1.0 - 1e-9 else f"({percent_text(self.mass)} of the row) {text}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf the row reaches, the mass that reaches it, and what it says."""

    node: int
    mass: float
    prediction: Any
    weight: float


def steps_of(
    subject: Subject, reach: FloatArray, row: FloatArray, table: Table
) -> tuple[Step, ...]:
    """Return the tests that a row meets, parents before children.

    Parameters
    ----------
    subject : Subject
        The tree and its names.
    reach : ndarray of shape (n_nodes,)
        Mass of the row at every node.
    row : ndarray of shape (n_features,)
        The row as the tree reads it.
    table : Table
        The row as the user has given it.

    Returns
    -------
    tuple of Step
    """
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


def leaves_of(subject: Subject, reach: FloatArray, response: FloatArray) -> tuple[Leaf, ...]:
    """Return the leaves that a row reaches, the heaviest first; ``response`` is what they say."""
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
    words, is_known = category_text(subject, feature, row, table)
    if not is_known:
        return words, False
    here = subject.tree.branch_of_category(node)[int(row[feature])]
    return (words, True) if here >= 0 else (f"{words} (not seen here in training)", False)


def category_text(
    subject: Subject, feature: int, row: FloatArray, table: Table
) -> tuple[str, bool]:
    """Return what a row has in a nominal column, in words, and whether training had it, too."""
    code, raw = row[feature], table.columns[feature].as_objects()[0]
    raw = raw.item() if isinstance(raw, np.generic) else raw
    own = (subject.categories or [])[feature] or ()
    if is_missing(raw):
        return "missing", False
    if np.isnan(code):
        return f"unknown category {raw!r}, taken as missing", False
    if code < 0:
        return f"unknown category {raw!r}", False
    return value_text(own[int(code)] if int(code) < len(own) else raw), True


def percent_text(share: float) -> str:
    """Return a share in percent, with one digit after the point.

    Examples
    --------
    >>> percent_text(0.125), percent_text(1.0), percent_text(1e-9)
    ('12.5%', '100%', '<0.1%')
    """
    return f"{share_text(share, decimals=1, unit=100.0)}%"
