"""What changed between two models, on rows: answers, leaves, tests, importances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.errors import missing_extra
from softwood.explain.labels import plain_value
from softwood.explain.tree_changes import ChangeOfLeaf, ChangeOfTest, TreeChanges
from softwood.explain.tree_pairs import SAME

MOST_ROWS = 1000  # of a dict, for programs


@dataclass(frozen=True, slots=True)
class Judged:
    """Which changes were for the better, row by row.

    Attributes
    ----------
    n_better, n_worse : int
        Rows that only the new model has right, and those that only the old one has; for
        numbers, rows whose new answer is nearer, and farther off.
    n_right, n_wrong : int
        Rows that both have right, or wrong; for numbers, those of equal error and 0.
    old_error, new_error : float
        Share of wrong answers, or mean squared error.
    pvalue : float
        Chance of counts of better and worse as unequal, if either were as likely: McNemar's
        test, exact; for numbers the sign test.
    """

    n_better: int
    n_worse: int
    n_right: int
    n_wrong: int
    old_error: float
    new_error: float
    pvalue: float


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """What changed between two models, on rows; prints as a summary.

    Attributes
    ----------
    old_kind, new_kind : str
        Names of their classes.
    classes : tuple or None
        The classes of either: those of the old model, then others; None for numbers.
    old_answer, new_answer : ndarray of shape (n_rows,)
        The classes or numbers predicted.
    changed : ndarray of bool of shape (n_rows,)
        Whether the answer has changed.
    shift : ndarray of shape (n_rows,)
        How much probability has moved from some classes to others, up to 1; of a number, by how
        much it has changed.
    trees : TreeChanges or None
        Tests and leaves, if both models are single trees.
    columns : tuple of str
        Names of the columns.
    old_importance, new_importance : ndarray of shape (n_columns,)
        Importances, as shares; NaN where a model has none.
    old_scatter, new_scatter : ndarray of shape (n_rows,) or None
        How the trees of an ensemble scatter: deviation of what they say of the class, or of the
        number, that it answers; None for a single tree, and where trees add up to a score.
    judged : Judged or None
        Which changes were for the better, if the target is known.
    notes : tuple of str
        What else is to be said of the rows.
    index : sequence
        What the rows are called.
    """

    old_kind: str
    new_kind: str
    classes: tuple[Any, ...] | None
    old_answer: AnyArray
    new_answer: AnyArray
    changed: BoolArray
    shift: FloatArray
    trees: TreeChanges | None
    columns: tuple[str, ...]
    old_importance: FloatArray
    new_importance: FloatArray
    old_scatter: FloatArray | None
    new_scatter: FloatArray | None
    judged: Judged | None
    notes: tuple[str, ...]
    index: Sequence[Any]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.old_answer)

    @property
    def n_changed(self) -> int:
        """Rows whose answer has changed."""
        return int(np.count_nonzero(self.changed))

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed that the rows could show: answers, shares, leaves, tests."""
        if self.changed.any() or np.abs(self.shift).max(initial=0.0) > 1e-12:
            return False
        trees = self.trees
        return trees is None or not (
            trees.leaf_changed.any() or len(trees.tests) > trees.count(SAME)
        )

    # -- frames --------------------------------------------------------------------------

    def rows(self, all_rows: bool = False) -> Any:
        """Return the rows that change answer or leaf, as a table.

        Parameters
        ----------
        all_rows : bool, default=False
            Whether to return the others, too.

        Returns
        -------
        pandas.DataFrame
            Columns ``old``, ``new``, ``changed`` and ``shift``; of single trees also
            ``old_leaf``, ``new_leaf``, ``leaf_changed`` and ``mass_moved``; of ensembles
            ``old_scatter`` and ``new_scatter``.
        """
        table: dict[str, Any] = {
            "old": self.old_answer,
            "new": self.new_answer,
            "changed": self.changed,
            "shift": self.shift,
        }
        shown = self.changed
        if self.trees is not None:
            for name in ("old_leaf", "new_leaf", "leaf_changed", "mass_moved"):
                table[name] = getattr(self.trees, name)
            shown = shown | self.trees.leaf_changed
        for name in ("old_scatter", "new_scatter"):
            if getattr(self, name) is not None:
                table[name] = getattr(self, name)
        frame = _frame(table, index=self.index)
        return frame if all_rows else frame[shown]

    def tests(self, all_tests: bool = False) -> Any:
        """Return the tests that changed, as a table; see :class:`ChangeOfTest` for its columns.

        Parameters
        ----------
        all_tests : bool, default=False
            Whether to return those that are the same, too.

        Returns
        -------
        pandas.DataFrame
        """
        tests = self._trees("tests").tests
        kept = [test for test in tests if all_tests or test.change != SAME]
        frame = _frame({name: [getattr(t, name) for t in kept] for name in _names(ChangeOfTest)})
        return frame.astype({"old_node": "Int64", "new_node": "Int64"})

    def leaves(self) -> Any:
        """Return the leaves that both trees have, as a table; see :class:`ChangeOfLeaf`.

        Returns
        -------
        pandas.DataFrame
        """
        leaves = self._trees("leaves").leaves
        return _frame(
            {name: [getattr(leaf, name) for leaf in leaves] for name in _names(ChangeOfLeaf)}
        )

    def importances(self) -> Any:
        """Return the importance of each column in both models, as a table.

        Returns
        -------
        pandas.DataFrame
            Columns ``column``, ``old`` and ``new``.
        """
        return _frame(
            {"column": self.columns, "old": self.old_importance, "new": self.new_importance}
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON can hold it; of the rows, the first thousand that changed."""
        trees, judged = self.trees, self.judged
        moved = self.changed if trees is None else self.changed | trees.leaf_changed
        some = np.flatnonzero(moved)[:MOST_ROWS].tolist()
        return {
            "old": self.old_kind,
            "new": self.new_kind,
            "n_rows": self.n_rows,
            "n_changed": self.n_changed,
            "mean_shift": float(np.abs(self.shift).mean()) if self.n_rows else 0.0,
            "n_leaf_changed": None if trees is None else int(trees.leaf_changed.sum()),
            "mass_moved": None if trees is None else float(trees.mass_moved.mean()),
            "tests": None if trees is None else [_plain(asdict(test)) for test in trees.tests],
            "leaves": None if trees is None else [_plain(asdict(leaf)) for leaf in trees.leaves],
            "importances": {
                name: [plain_value(old), plain_value(new)]
                for name, old, new in zip(
                    self.columns, self.old_importance, self.new_importance, strict=True
                )
            },
            "judged": None if judged is None else _plain(asdict(judged)),
            "rows": [
                {
                    "row": row,
                    "old": plain_value(self.old_answer[row]),
                    "new": plain_value(self.new_answer[row]),
                    "shift": float(self.shift[row]),
                }
                for row in some
            ],
            "notes": list(self.notes),
        }

    def _trees(self, wanted: str) -> TreeChanges:
        if self.trees is None:
            raise ValueError(
                f"{wanted} can be compared of two single trees; these are {self.old_kind} and "
                f"{self.new_kind}: see rows() and importances()"
            )
        return self.trees

    def __str__(self) -> str:
        from softwood.explain._difference_text import difference_text

        return difference_text(self)

    def __repr__(self) -> str:
        return (
            f"<Difference of {self.old_kind} and {self.new_kind}: {self.n_changed} of "
            f"{self.n_rows} answers change>"
        )


def _names(kind: type) -> list[str]:
    return list(kind.__dataclass_fields__)  # type: ignore[attr-defined]


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: [plain_value(one) for one in value]
        if isinstance(value, tuple)
        else plain_value(value)
        for name, value in facts.items()
    }


def _frame(columns: dict[str, Any], index: Any = None) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise missing_extra("pandas", "data") from None
    return pd.DataFrame(columns, index=index)
