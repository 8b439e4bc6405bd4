"""What a reproduction found: numbers beside the printed ones, verdicts on claims, pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from softwood._types import FloatArray


class Verdict(StrEnum):
    """What became of a claim."""

    HOLDS = "holds"
    IN_SIGN = "holds in sign"
    FAILS = "does not hold"
    NO_DATA = "not run: data"


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and what our numbers say to it.

    Attributes
    ----------
    where : str
        The table, figure or section that makes the claim.
    text : str
        The claim, in our words.
    verdict : Verdict
        Whether it holds here.
    evidence : str
        The numbers behind the verdict.
    """

    where: str
    text: str
    verdict: Verdict
    evidence: str


def judge(
    where: str, text: str, evidence: str, *, holds: bool | None, in_sign: bool = False
) -> Claim:
    """Return a claim with its verdict; ``holds=None`` says that the data were not at hand.

    Parameters
    ----------
    where, text, evidence : str
        See :class:`Claim`.
    holds : bool or None
        Whether our numbers show what the paper says.
    in_sign : bool, default=False
        Whether they at least point the same way.

    Examples
    --------
    >>> judge("Table 1", "pruning helps", "5.0 % against 5.2 %", holds=False, in_sign=True).verdict
    <Verdict.IN_SIGN: 'holds in sign'>
    """
    if holds is None:
        verdict = Verdict.NO_DATA
    elif holds:
        verdict = Verdict.HOLDS
    else:
        verdict = Verdict.IN_SIGN if in_sign else Verdict.FAILS
    return Claim(where, text, verdict, evidence)


@dataclass(frozen=True, eq=False)
class Beside:
    """A table of ours beside the paper's.

    Attributes
    ----------
    title : str
        What the numbers are.
    rows, columns : tuple of str
        Their names.
    theirs, ours : ndarray of shape (n_rows, n_columns)
        The numbers; NaN where the paper prints none, or where we ran nothing. A table of
        ours alone, with nothing but NaN in ``theirs``, is printed without them.
    digits : int
        Decimals to print.
    source : str
        What the report calls ``theirs``, if they are not the paper's own.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    theirs: FloatArray
    ours: FloatArray
    digits: int = 4
    source: str = "theirs"

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        for name in ("theirs", "ours"):
            if np.shape(getattr(self, name)) != shape:
                raise ValueError(
                    f"{name} of {self.title!r} has shape {np.shape(getattr(self, name))}; "
                    f"its names ask for {shape}"
                )

    @classmethod
    def ours_alone(
        cls,
        title: str,
        rows: tuple[str, ...],
        columns: tuple[str, ...],
        ours: FloatArray,
        digits: int = 4,
    ) -> Beside:
        """Return a table of numbers that the paper does not print."""
        return cls(title, rows, columns, np.full(np.shape(ours), np.nan), ours, digits)


@dataclass(frozen=True, eq=False)
class Finding:
    """All that one table or figure came to.

    Attributes
    ----------
    tables : tuple of Beside
        Ours beside theirs.
    claims : tuple of Claim
        What the paper concludes, and whether it holds here.
    pictures : mapping of str to callable
        File names without ending, and functions that return a matplotlib Figure.
    missing : mapping of str to str
        Data sets that could not be had, and why.
    notes : tuple of str
        How the run differs from the paper's, and other remarks.
    """

    tables: tuple[Beside, ...] = ()
    claims: tuple[Claim, ...] = ()
    pictures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
