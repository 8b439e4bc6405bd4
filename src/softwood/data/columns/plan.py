"""What the columns of a table are, and how they become features: kept with the model.

A file that is predicted is read as the file was that the model was fitted to.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from softwood.data.columns.numbers import NumberFormat

NUMBER, PERCENT, MONEY = "number", "percent", "money"
DATE, TIME = "date", "time of day"
CATEGORY, YES_NO = "category", "yes or no"
IDENTIFIER, TEXT, EMPTY, CONSTANT = "identifier", "free text", "empty", "constant"
KINDS = (
    *(NUMBER, PERCENT, MONEY, DATE, TIME),
    *(CATEGORY, YES_NO, IDENTIFIER, TEXT, EMPTY, CONSTANT),
)
LEFT_OUT = (IDENTIFIER, TEXT, EMPTY, CONSTANT)
NUMBERS = (NUMBER, PERCENT, MONEY)


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """How one column is read.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        One of ``KINDS``.
    is_used : bool
        Whether the model sees it.
    number : NumberFormat or None
        How numbers are written where they are texts.
    formats : tuple of str
        How dates or times are written where they are texts, each tried in turn.
    parts : tuple of str
        Parts of dates that become columns of their own: hour, weekday, month.
    spellings : tuple of (str, str)
        Of categories that are written in several ways: small letters, and what they stand for.
    missing : tuple of str
        Words that stand for a missing value in this column.
    """

    name: str
    kind: str
    is_used: bool = True
    number: NumberFormat | None = None
    formats: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that the column becomes."""
        if not self.is_used:
            return ()
        return (self.name, *(f"{self.name}.{part}" for part in self.parts))

    @property
    def is_number(self) -> bool:
        """Whether the column becomes numbers as it is."""
        return self.kind in NUMBERS


def without_parts(plan: ColumnPlan, taken: Collection[str]) -> ColumnPlan:
    """Return a plan without those parts of a date whose names are those of other columns."""
    parts = tuple(part for part in plan.parts if f"{plan.name}.{part}" not in taken)
    return plan if parts == plan.parts else replace(plan, parts=parts)


@dataclass(frozen=True, slots=True)
class Preparation:
    """How the columns of a table become features, and what is to be predicted.

    Attributes
    ----------
    columns : tuple of ColumnPlan
        All columns of the table but the target.
    target : ColumnPlan or None
        The column to predict.
    """

    columns: tuple[ColumnPlan, ...]
    target: ColumnPlan | None = None

    @property
    def used(self) -> tuple[ColumnPlan, ...]:
        """The columns that the model sees."""
        return tuple(plan for plan in self.columns if plan.is_used)

    @property
    def identifiers(self) -> list[str]:
        """Names of the columns that tell which row is which."""
        return [plan.name for plan in self.columns if plan.kind == IDENTIFIER]

    @property
    def features(self) -> list[str]:
        """Names of all features, in order."""
        return [name for plan in self.used for name in plan.features]

    @property
    def as_text(self) -> list[str]:
        """Columns whose values must be read as the file writes them."""
        plans = (*self.columns, *((self.target,) if self.target else ()))
        return [plan.name for plan in plans if not plan.is_number or _is_grouped(plan.number)]


def _is_grouped(form: NumberFormat | None) -> bool:
    """Whether 47.282 may be a whole number: only the column's own format can tell."""
    return form is not None and (form.thousands != "" or form.decimal != ".")
