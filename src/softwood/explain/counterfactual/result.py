"""What would have to change, as a row, a sentence and a table."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.dates import date_text, days_of_object, is_date
from softwood.data.objects import is_missing
from softwood.errors import missing_extra
from softwood.explain.explanation import listed
from softwood.explain.labels import (
    count_text,
    number_text,
    plain_value,
    share_text,
    value_text,
)

MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Change:
    """One column that would have to change.

    Attributes
    ----------
    column : str
        Its name.
    before, after : object
        What the row has there, and what it would have; None is missing.
    above, up_to : float or None
        The values that would do in this place, all else being as in the answer: those above one
        number and up to another. Infinite where there is no end, None if it is not known.
    is_date : bool
        Whether these are dates, in days since 1970-01-01.
    is_whole : bool
        Whether the column has whole numbers only.
    """

    column: str
    before: Any
    after: Any
    above: float | None = None
    up_to: float | None = None
    is_date: bool = False
    is_whole: bool = False

    def __str__(self) -> str:
        """Return ``humidity were at most 75 (now 85)``."""
        return f"{value_text(self.column)} were {self.wanted_text} (now {self.before_text})"

    @property
    def before_text(self) -> str:
        """What the row has, in words."""
        return self._text(self.before)

    @property
    def after_text(self) -> str:
        """What it would have, in words."""
        return self._text(self.after)

    @property
    def wanted_text(self) -> str:
        """The values that would do, in words; the one of the answer if others are not known."""
        if self.above is None or self.up_to is None:
            return self.after_text
        low, high = self.above, self.up_to
        words = []
        if np.isfinite(low):
            least = np.floor(low) + 1.0
            words.append(
                f"at least {self._end(least)}" if self.is_whole else f"above {self._end(low)}"
            )
        if np.isfinite(high):
            words.append(f"at most {self._end(np.floor(high) if self.is_whole else high)}")
        if self.is_whole and len(words) == 2 and np.floor(low) + 1.0 == np.floor(high):
            return self.after_text
        return " and ".join(words) if words else "known"

    def _end(self, number: float) -> str:
        return date_text(number) if self.is_date else number_text(number)

    def _text(self, value: Any) -> str:
        if is_missing(value):
            return MISSING
        if is_date(value):
            return date_text(days_of_object(value))
        if isinstance(value, int | float | np.number) and not isinstance(value, bool):
            return self._end(float(value))
        return value_text(value)


@dataclass(frozen=True, slots=True, eq=False)
class Counterfactual:
    """The nearest row with another answer; prints as a sentence.

    Attributes
    ----------
    row : object
        The row, in the form in which the original was given: an array, a list, a mapping, a
        Series or a frame of one row.
    encoded : ndarray of shape (n_features,)
        The row as the trees read it: numbers, codes of categories, NaN for what is missing.
    changes : tuple of Change
        What is different, the largest part of the distance first.
    distance : float
        How far it is from the original; see :func:`softwood.column_scales`.
    was, prediction : object
        What is predicted of the original, and of this row.
    probabilities_before, probabilities : dict or None
        Probability of each class, of the original and of this row; None for regression.
    is_exact : bool
        Whether it is certain that no row with such an answer is nearer.
    bound : float
        No row with such an answer is nearer than this; 0 if nothing is known.
    """

    row: Any
    encoded: FloatArray
    changes: tuple[Change, ...]
    distance: float
    was: Any
    prediction: Any
    probabilities_before: dict[Any, float] | None
    probabilities: dict[Any, float] | None
    is_exact: bool
    bound: float

    @property
    def probability(self) -> tuple[float, float] | None:
        """Probability of the class that is predicted of this row, before and after."""
        if self.probabilities is None or self.probabilities_before is None:
            return None
        return self.probabilities_before[self.prediction], self.probabilities[self.prediction]

    @property
    def footing(self) -> str:
        """How far the row is, how sure that is, and what becomes of the probability, in words."""
        columns = count_text(len(self.changes), "column")
        words = [f"{columns} changed, distance {number_text(self.distance, 3)}"]
        words.append("no row is nearer" if self.is_exact else "perhaps not the nearest row")
        if self.probability is not None:
            before, after = map(share_text, self.probability)
            words.append(f"probability from {before} to {after}")
        return "; ".join(words)

    def __str__(self) -> str:
        was, now = (self._answer(answer) for answer in (self.was, self.prediction))
        if not self.changes:
            return f"{now} is the answer as it is"
        return f"{was} would be {now} if {_joined([str(change) for change in self.changes])}"

    def _answer(self, answer: Any) -> str:
        return number_text(answer) if self.probabilities is None else value_text(answer)

    def to_frame(self) -> Any:
        """Return the changes as a table.

        Returns
        -------
        pandas.DataFrame
            Columns ``column``, ``before``, ``after`` and ``wanted``, what would do in words.
        """
        try:
            import pandas as pd
        except ImportError:
            raise missing_extra("pandas", "data") from None
        names = ("column", "before", "after", "wanted")
        rows = [(one.column, one.before, one.after, one.wanted_text) for one in self.changes]
        return pd.DataFrame(rows, columns=list(names), dtype=object)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as lists, texts and numbers, fit for JSON."""
        return {
            "text": str(self),
            "was": plain_value(self.was),
            "prediction": plain_value(self.prediction),
            "changes": [
                {
                    "column": one.column,
                    "before": plain_value(one.before),
                    "after": plain_value(one.after),
                    "wanted": one.wanted_text,
                }
                for one in self.changes
            ],
            "distance": self.distance,
            "is_exact": self.is_exact,
            "bound": self.bound,
            "probabilities_before": listed(self.probabilities_before),
            "probabilities": listed(self.probabilities),
        }

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th>{escape(value_text(one.column))}</th><td>{escape(one.before_text)}</td>"
            f"<td>{escape(one.after_text)}</td><td>{escape(one.wanted_text)}</td></tr>"
            for one in self.changes
        )
        head = "<tr><th>column</th><th>now</th><th>nearest</th><th>would do</th></tr>"
        above, below = escape(str(self)), escape(self.footing)
        return f"<p>{above}</p><table>{head}{cells}</table><p>{below}</p>"


def _joined(parts: list[str]) -> str:
    """Return ``a``, ``a and b``, or ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
