"""What a hyperplane is worth by the classes on its two sides; more is better.

With the class weights ``left`` and ``total``, let ``D_c = whole * left_c - total_c * l`` where
``l`` and ``r`` are the weights of the sides. The D are linear in the weights that have gone
left, and both decreases of impurity are short in them::

    twoing   (sum |D_c|)^2 / (4 whole^2 l r)
    gini      sum  D_c^2   / (whole^2 l r)
"""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.impurity import ENTROPY, GINI, TWOING

MAX_MINORITY, SUM_MINORITY = 4, 5
EMPTY = 1e-12  # a side that weighs less of the node than this is empty


@borrowing
def plain_xlog2(q):
    """Return ``q * log2(q)``, and 0 at 0."""
    return q * np.log2(q) if q > 0.0 else 0.0


@borrowing
def deviation(criterion, left, total, whole, left_weight):
    """Return the sum of ``|D_c|`` for twoing, of ``D_c^2`` for gini."""
    result = 0.0
    for c in range(total.size):
        d = whole * left[c] - total[c] * left_weight
        result += abs(d) if criterion == TWOING else d * d
    return result


@borrowing
def information(left, total, whole, left_weight):
    """Return how many bits per case the side tells of the class."""
    bits = plain_xlog2(whole) - plain_xlog2(left_weight) - plain_xlog2(whole - left_weight)
    for c in range(total.size):
        bits += plain_xlog2(left[c]) + plain_xlog2(total[c] - left[c]) - plain_xlog2(total[c])
    return bits / whole


@borrowing
def minority(criterion, left, total, whole, left_weight):
    """Return minus the weight outside the largest class, of both sides or of the worse one."""
    most_left, most_right = 0.0, 0.0
    for c in range(total.size):
        most_left = max(most_left, left[c])
        most_right = max(most_right, total[c] - left[c])
    few_left, few_right = left_weight - most_left, whole - left_weight - most_right
    return -(max(few_left, few_right) if criterion == MAX_MINORITY else few_left + few_right)


@borrowing
def score_of(criterion, left, total, whole):
    """Return the score of a hyperplane that has the class weights ``left`` on its left."""
    left_weight = 0.0
    for c in range(total.size):
        left_weight += left[c]
    right_weight = whole - left_weight
    if left_weight <= EMPTY * whole or right_weight <= EMPTY * whole:
        return unsplit_score(criterion, total, whole)
    if total.size == 2 and criterion in (TWOING, GINI):
        g = total[1] * left[0] - total[0] * left[1]
        factor = 1.0 if criterion == TWOING else 2.0
        return factor * g * g / (whole * whole * left_weight * right_weight)
    if criterion == TWOING:
        g = deviation(TWOING, left, total, whole, left_weight)
        return g * g / (4.0 * whole * whole * left_weight * right_weight)
    if criterion == GINI:
        g = deviation(GINI, left, total, whole, left_weight)
        return g / (whole * whole * left_weight * right_weight)
    if criterion == ENTROPY:
        return information(left, total, whole, left_weight)
    return minority(criterion, left, total, whole, left_weight)


@borrowing
def unsplit_score(criterion, total, whole):
    """Return the score of leaving a node as it is, which a test has to exceed."""
    if criterion in (MAX_MINORITY, SUM_MINORITY):
        most = 0.0
        for c in range(total.size):
            most = max(most, total[c])
        return most - whole
    return 0.0


@borrowing
def impurity_of(criterion, score, total, whole):
    """Return the impurity that OC1 prints for a score, less being better.

    It is its own inverse: the score of an impurity comes out the same way.
    """
    if criterion == GINI:
        pure = 0.0
        for c in range(total.size):
            pure += (total[c] / whole) ** 2
        return 1.0 - pure - score
    if criterion in (TWOING, ENTROPY):
        return 1.0 / score if score > 0.0 else np.inf
    return -score


@borrowing
def parts_classes(left, total, whole):
    """Whether each side holds one class only: no hyperplane can be better."""
    n_left, n_right = 0, 0
    for c in range(total.size):
        n_left += 1 if left[c] > EMPTY * whole else 0
        n_right += 1 if total[c] - left[c] > EMPTY * whole else 0
    return n_left <= 1 and n_right <= 1
