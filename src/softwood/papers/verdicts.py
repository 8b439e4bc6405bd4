"""What became of a claim, by which rule, and whether so many runs could have told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What became of a claim."""

    HOLDS = "holds"
    IN_SIGN = "holds in sign"
    FAILS = "does not hold"
    NO_DATA = "not run: data"


@dataclass(frozen=True)
class Ruling:
    """What a rule says to our numbers; the rules are in :mod:`softwood.papers.rules`.

    Attributes
    ----------
    verdict : Verdict
        Whether the claim holds.
    rule : str
        When it holds, and when in sign.
    number : str
        The one number of ours that decides.
    power : str
        What so many runs could have shown.
    enough : bool or None
        Whether they were enough to show what the paper claims; None where the number of runs
        does not matter, or where the paper does not say how large its effect is.
    """

    verdict: Verdict
    rule: str
    number: str
    power: str = ""
    enough: bool | None = None


NOT_RUN = Ruling(Verdict.NO_DATA, "", "", "", None)


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and what our numbers say to it.

    Attributes
    ----------
    where : str
        The table, figure or section that makes the claim.
    text : str
        The claim, in our words.
    evidence : str
        The numbers behind the verdict.
    ruling : Ruling
        What the claim's rule made of them.
    """

    where: str
    text: str
    evidence: str
    ruling: Ruling

    @property
    def verdict(self) -> Verdict:
        """Whether it holds here."""
        return self.ruling.verdict


def judge(where: str, text: str, evidence: str, ruling: Ruling | None) -> Claim:
    """Return a claim with its verdict; no ruling says that the data were not at hand.

    Parameters
    ----------
    where, text, evidence : str
        See :class:`Claim`.
    ruling : Ruling or None
        By one of the rules of :mod:`softwood.papers.rules`.

    Examples
    --------
    >>> from softwood.papers.rules import most
    >>> claim = judge("Table 1", "pruning helps on most sets", "...", most(7, 2, 10, "sets"))
    >>> claim.verdict, claim.ruling.number
    (<Verdict.HOLDS: 'holds'>, '7 of 10')
    """
    return Claim(where, text, evidence, NOT_RUN if ruling is None else ruling)
