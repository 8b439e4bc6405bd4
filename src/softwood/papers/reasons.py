"""Why claims do not hold, or hold in sign only: what was looked at, and what it told.

A reason is written after a run, for the verdict that the kept files have. It is shown only
beside a claim that does not hold in full.
"""

from __future__ import annotations

# By paper, place, and the words that the claim begins with.
REASONS: dict[tuple[str, str, str], str] = {}


def reason(paper: str, where: str, claim: str) -> str:
    """Return why a claim may not hold; nothing if no reason is known."""
    for (of, place, words), why in REASONS.items():
        if (of, place) == (paper, where) and claim.startswith(words):
            return why
    return ""
