"""Rules of claims that are about printed numbers, ours or the paper's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.rules import stated, verdict
from softwood.papers.verdicts import Ruling

FROM_PRINT = "computed from the printed numbers: no run is needed"


def from_print(holds: Any, rule: str, number: str) -> Ruling:
    """Rule by a condition on the paper's own numbers."""
    return stated(holds, rule, number, power=FROM_PRINT)


def agrees(alike: Any, *, share: float = 0.9) -> Ruling:
    """Rule by cells: they are as close to the printed ones as sampling lets them be."""
    close, n = int(np.sum(alike)), int(np.size(alike))
    return Ruling(
        verdict(close >= share * n),
        f"holds if {share:.0%} of the cells are within two standard errors of the difference, "
        "where 95 % would be if nothing differed; it has no sign",
        f"{close} of {n} cells",
        "the noise of the runs is in the rule",
        None,
    )


def printed_value(ours: FloatArray, printed: float, *, at_most: bool = False) -> Ruling:
    """Rule by draws: one more draw, such as the paper's, might come out as printed."""
    mean, spread = float(ours.mean()), float(ours.std(ddof=1))
    near = abs(mean - printed) <= 2 * spread
    below = " or our mean is below it" if at_most else ""
    return Ruling(
        verdict(near or (at_most and mean <= printed)),
        "holds if the printed number, of one draw, is within two standard deviations of our "
        f"mean{below}; it has no sign",
        f"mean {mean:.4f}, deviation of a draw {spread:.4f}, printed {printed:.4f}",
        "the spread of draws is in the rule",
        None,
    )
