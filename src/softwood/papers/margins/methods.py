"""The paper's four methods: OC1, and three ways to larger margins.

All search by the twoing rule with OC1's defaults, and prune by a tenth of the rows. FAT is
the very tree of OC1 with other hyperplanes: both have the seed of their fold.
"""

from __future__ import annotations

from typing import Any

OC1, FAT, MOC1, MOC2 = NAMES = ("OC1", "FAT", "MOC1", "MOC2")
RIVALS = NAMES[1:]
CLASSIC, EXACT = "classic", "exact"
DEFAULT = "ObliqueTreeClassifier()"
# OC1's defaults (L-D1). All is said, whatever softwood's defaults are.
PAPER: dict[str, Any] = {
    "criterion": "twoing", "order": "sequential", "n_restarts": 20, "n_jumps": 5,
    "margin_weight": 0.05, "pruning": "holdout", "holdout_fraction": 0.1, "max_depth": None,
    "min_samples_split": 4,
}  # fmt: skip


def methods(search: str) -> dict[str, Any]:
    """Return the four estimators, by name.

    Parameters
    ----------
    search : {"classic", "exact"}
        OC1's own search, which the paper had, with the margins of MOC1 in the units of the
        columns; or the best place of every line and softwood's defaults. The bands of MOC2
        are scaled in both: the paper does not say how wide they are.

    Examples
    --------
    >>> methods("classic")["FAT"]
    ObliqueTreeClassifier(search='classic', widen=True)
    """
    from softwood.estimators.oblique import ObliqueTreeClassifier

    told = {**PAPER, "search": search}
    scale = "raw" if search == CLASSIC else "scaled"
    return {
        OC1: ObliqueTreeClassifier(**told),
        FAT: ObliqueTreeClassifier(**told, widen=True),
        MOC1: ObliqueTreeClassifier("moc1", margin_scale=scale, **told),
        MOC2: ObliqueTreeClassifier("moc2", **told),
    }


def default() -> Any:
    """Return the oblique tree that softwood grows when nothing is said."""
    from softwood.estimators.oblique import ObliqueTreeClassifier

    return ObliqueTreeClassifier()
