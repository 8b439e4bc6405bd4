"""What the weights of training rows mean: parts of the whole, or cases that are counted.

See docs/decisions/009-weights.md.
"""

from __future__ import annotations

import numpy as np

from softwood._types import FloatArray

MOST_COUNTED = 2.0**53  # larger numbers of cases cannot be counted one by one
# Sums of weights are right to some fifteen digits: what is lighter than this share of them
# cannot be told from rounding, so no branch is made for it.
LEAST_SHARE = 1e-12
LIGHTEST = 1e-100  # over the average; squares of lighter weights would vanish
LARGEST_UNIT = 1e100  # trees keep the user's weights unless these, or one over them, are larger


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


def unit_of(given: FloatArray, scaled: FloatArray) -> float:
    """Return what a scaled weight of 1 was before; 1 if numbers would get too large or small.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.weights import unit_of
    >>> unit_of(np.array([1.0, 3.0]), np.array([0.5, 1.5]))
    2.0
    """
    most = int(np.argmax(given))
    unit = float(given[most] / scaled[most])
    return unit if 1.0 / LARGEST_UNIT <= unit <= LARGEST_UNIT else 1.0


def scaled_weights(weight: FloatArray, as_cases: bool = False) -> FloatArray:
    """Return weights as learners take them: 1 on average over the rows that have any.

    Parameters
    ----------
    weight : ndarray of shape (n_rows,)
        Weights that are not negative, one at least positive, of any scale.
    as_cases : bool, default=False
        Whether whole weights stay as they are, because a row of weight w is w cases.

    Returns
    -------
    ndarray of shape (n_rows,)
        0 where the weight is 0, and only there.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.weights import scaled_weights
    >>> scaled_weights(np.array([0.0, 1e-300, 3e-300])).tolist()
    [0.0, 0.5, 1.5]
    >>> scaled_weights(np.array([0.0, 1.0, 3.0]), as_cases=True).tolist()
    [0.0, 1.0, 3.0]
    """
    if as_cases and are_whole(weight):
        return weight
    most = float(weight.max())
    relative = weight / most  # before they are added up: a sum of large weights has no end
    return in_units(weight, most, average_of(relative.sum(), int(np.count_nonzero(weight))))


def average_of(total: float, n_rows: int) -> float:
    """Return the average of weights to ten digits, the same in whatever order they add up.

    Examples
    --------
    >>> from softwood.data.weights import average_of
    >>> average_of(0.1 + 0.2, 3), average_of(0.3, 3)
    (0.1, 0.1)
    """
    return float(f"{total / n_rows:.9e}")


def in_units(weight: FloatArray, most: float, average: float) -> FloatArray:
    """Return weights over the largest of all, and over the average of these quotients."""
    scaled = weight / most / average
    return np.where(weight > 0, np.maximum(scaled, LIGHTEST), 0.0)
