"""What the sections of a report share."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from softwood._types import FloatArray, IndexArray
from softwood.view._evidence import Evidence
from softwood.view._figures import Figures
from softwood.view._subject import NotPossible, Subject


@dataclass(frozen=True, eq=False)
class Page:
    """A report in the making.

    Attributes
    ----------
    subject : Subject
        The model and its rows.
    found : Evidence or None
        What cross-validation found.
    why_not : str
        If it was not possible, why.
    title : str or None
        Of the page.
    day : date
        When it was made.
    description : object or None
        What is known of the columns of the whole table; see :func:`softwood.view.report`.
    figures : Figures
        Draws.
    """

    subject: Subject
    found: Evidence | None
    why_not: str
    title: str | None
    day: date
    description: Any = None
    figures: Figures = field(default_factory=Figures)

    @property
    def evidence(self) -> Evidence:
        """What cross-validation found; :class:`NotPossible` if there was none."""
        if self.found is None:
            raise NotPossible(self.why_not)
        return self.found

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return self.subject.table.names

    @cached_property
    def importances(self) -> FloatArray:
        """How much each column matters: what shuffling costs or, failing that, its share."""
        if self.found is not None:
            return self.found.losses.mean
        share = getattr(self.subject.model, "feature_importances_", None)
        n_columns = len(self.names)
        if share is None or len(share) != n_columns:
            return np.zeros(n_columns)
        return np.asarray(share, dtype=np.float64)

    @cached_property
    def by_importance(self) -> IndexArray:
        """The columns, the one that matters most first."""
        return np.asarray(np.argsort(-self.importances, kind="stable"))
