"""How much is learnt, and how long: few rows are blurred often, many are gone through often."""

from __future__ import annotations

from softwood.learn.soften.wide import MANY_COLUMNS

MIN_LEARNT = 10_000  # rows to learn from, blurred copies counted: few rows need many copies
# Epochs of the descent on the true rows, and its rate as a share of the first.
LAST, LAST_OF_OBLIQUE = (10, 0.25), (20, 0.5)
# So many rows tell oblique trees more than thirty epochs take in; then both descents are long.
# And their labels say more: the teacher's word counts for less beside them.
LONG, TRUST_OF_MANY = 100, 0.3
# Epochs that tell which of two trees will be better: of as many rows as few tables have, or more.
BRIEF, LEAST_BRIEF = 10, 6


def copies_for(n_rows: int, n_columns: int) -> int:
    """Return how many blurred copies of each row are learnt from, at least one.

    Few rows need many; of thousands of columns so many values would be too many.

    Examples
    --------
    >>> from softwood.learn.soften.effort import copies_for
    >>> copies_for(200, 30), copies_for(200, 20_000), copies_for(50_000, 30)
    (50, 10, 1)
    """
    wanted = min(MIN_LEARNT, MIN_LEARNT * MANY_COLUMNS // n_columns)
    return max(1, wanted // n_rows)


def brief_epochs(n_learnt: int) -> int:
    """Return how many epochs of so many rows tell which of two trees will be better.

    Examples
    --------
    >>> from softwood.learn.soften.effort import brief_epochs
    >>> brief_epochs(10_000), brief_epochs(13_000), brief_epochs(1_000_000)
    (10, 7, 6)
    """
    return max(LEAST_BRIEF, min(BRIEF, BRIEF * MIN_LEARNT // n_learnt))
