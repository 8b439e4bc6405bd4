"""What the weights of training rows mean: parts of the whole, or cases that are counted.

See docs/decisions/009-weights.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from softwood._types import FloatArray

MOST_COUNTED = 2.0**53  # larger numbers of cases cannot be counted one by one
# Sums of weights are right to some fifteen digits: what is lighter than this share of them
# cannot be told from rounding, so no branch is made for it.
LEAST_SHARE = 1e-12
LIGHTEST = 1e-100  # over the average; squares of lighter weights would vanish
LARGEST_UNIT = 1e100  # trees keep the user's weights unless these, or one over them, are larger
FACTOR_BITS = 20  # of a scale: sums of scaled weights stay as exact as those of simple weights


@dataclass(frozen=True, slots=True)
class WeightScale:
    """How weights become 1 on average over the rows that have any.

    Attributes
    ----------
    power : int
        All weights are below two to this.
    factor : float
        One over the average of the weights, once these are divided by that.
    even : float or None
        The weight of every row, if it is the same for all.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.weights import WeightScale
    >>> weight = np.array([1e-300, 3e-300])
    >>> WeightScale.of(weight).applied(weight).round(5).tolist()
    [0.5, 1.5]
    """

    power: int
    factor: float
    even: float | None

    @classmethod
    def of(cls, weight: FloatArray) -> Self:
        """Return the scale of the weights of a table; they are positive but for some zeros."""
        used = weight[weight > 0] if weight.min() == 0.0 else weight
        most, least = float(used.max()), float(used.min())
        return cls.from_facts(most, least, float(np.sum(below_one(used, most))), used.size)

    @classmethod
    def from_facts(cls, most: float, least: float, total: float, n_rows: int) -> Self:
        """Return the scale of weights that lie in several places.

        ``total`` is the sum of all of them in units of ``below_one``.
        """
        # Rounded, it is the same in whatever order the weights were added up.
        mantissa, exponent = np.frexp(n_rows / total)
        factor = np.ldexp(np.rint(np.ldexp(mantissa, FACTOR_BITS)), exponent - FACTOR_BITS)
        return cls(power_above(most), float(factor), most if least == most else None)

    def applied(self, weight: FloatArray) -> FloatArray:
        """Return the scaled weights: 0 where the weight is 0, and only there."""
        if self.even is not None:
            return (weight > 0).astype(np.float64)
        scaled = np.ldexp(weight, -self.power) * self.factor
        return np.where(weight > 0, np.maximum(scaled, LIGHTEST), 0.0)

    @property
    def unit(self) -> float:
        """What a scaled weight of 1 was before; 1 if numbers would get too large or small."""
        unit = float(np.ldexp(1.0 / self.factor, self.power)) if self.even is None else self.even
        return unit if 1.0 / LARGEST_UNIT <= unit <= LARGEST_UNIT else 1.0


def power_above(most: float) -> int:
    """Return the least power of two that is larger."""
    return int(np.frexp(most)[1])


def below_one(weight: FloatArray, most: float) -> FloatArray:
    """Return weights over the power of two above the largest, which changes no digit of them.

    So large ones can be added up.
    """
    return np.asarray(np.ldexp(weight, -power_above(most)))


def are_whole(weight: FloatArray) -> bool:
    """Whether weights are numbers of cases: whole, and not too many to be counted.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.weights import are_whole
    >>> are_whole(np.array([1.0, 3.0])), are_whole(np.array([0.5, 1.5]))
    (True, False)
    """
    if weight.size and weight[0] != np.floor(weight[0]):
        return False
    if float(weight.max(initial=0.0)) > MOST_COUNTED:  # too large to be added up, even
        return False
    return bool(np.all(weight == np.floor(weight)) and weight.sum() <= MOST_COUNTED)
