"""The rules of each policy, and its smaller differences: when to split, branches and cuts."""

from typing import NamedTuple

from softwood._kernels._jit import borrowing, by_type
from softwood._kernels.growth.category_sets import choose_subset
from softwood._kernels.growth.scan_numeric import SLACK
from softwood._kernels.impurity import SMALL


class Growth(NamedTuple):
    """What the growth loop itself needs to know."""

    n_columns: int  # of a node's value
    regression: bool
    unit: bool  # every case weighs 1


class PurityRules(NamedTuple):
    """CART on classes: the greatest decrease of impurity; categories in two sets."""

    criterion: int
    max_depth: int
    min_split: float  # fewest cases of a node that may be split, parts of cases added up
    min_leaf: float  # fewest cases of a branch
    min_weight: float  # least weight of a branch


class VarianceRules(NamedTuple):
    """CART on a number: the greatest decrease of squared error."""

    criterion: int
    max_depth: int
    min_split: float
    min_leaf: float
    min_weight: float


class GainRatioRules(NamedTuple):
    """C4.5: the greatest gain ratio among tests of average gain; a branch per category."""

    max_depth: int
    min_leaf: float  # fewest cases of two branches
    mdl_correction: bool  # the gain of a cut pays for having been chosen


class RandomGainRules(NamedTuple):
    """Classes: C4.5's choice, or a random test."""

    max_depth: int
    min_split: float  # fewest cases of a node that may be split
    min_leaf: float  # fewest cases of two branches of a test chosen by gain
    n_looked: int  # features of which the best is taken, if one of them divides
    n_random: int  # random tests of which one is taken
    mdl_correction: bool


class RandomVarianceRules(NamedTuple):
    """A number: the greatest decrease of squared error, or a random test."""

    max_depth: int
    min_split: float
    min_leaf: float
    n_looked: int
    n_random: int
    min_weight: float


@borrowing
def weight_and_most(value):
    """Return what the classes of a node weigh together, and the heaviest of them."""
    weight, most = 0.0, 0.0
    for c in range(value.size):
        weight += value[c]
        most = max(most, value[c])
    return weight, most


@borrowing
def may_split_classes(rules, value, size, depth):
    """Whether a node of CART is large enough, shallow enough, and not pure."""
    weight, most = weight_and_most(value)
    large = size + SLACK >= rules.min_split and depth < rules.max_depth
    return large and weight - most > 1e-12 * weight


@borrowing
def may_split_target(rules, value, size, depth):
    """Whether a regression node is large and shallow enough; ``value[2:]`` is its range."""
    large = size + SLACK >= rules.min_split and depth < rules.max_depth
    return large and value[3] > value[2]


@borrowing
def may_split_gain(rules, value, size, depth):
    """Whether a node of C4.5 holds twice the least branch and more than one class."""
    weight, most = weight_and_most(value)
    large = 2.0 * rules.min_leaf - size <= SMALL and depth < rules.max_depth
    return large and weight - most >= SMALL


@borrowing
def may_split_at_random(rules, value, size, depth):
    """Whether a node of a variable-random tree is large enough and holds more than one class."""
    weight, most = weight_and_most(value)
    large = rules.min_split - size <= SMALL and depth < rules.max_depth
    return large and weight - most >= SMALL


may_split = by_type(
    {
        PurityRules: may_split_classes,
        VarianceRules: may_split_target,
        GainRatioRules: may_split_gain,
        RandomGainRules: may_split_at_random,
        RandomVarianceRules: may_split_target,
    }
)


@borrowing
def branch_each(rules, line, start, stop, cases, total, unit, branch_of_level):
    """C4.5: give each category a branch of its own; return how many there are."""
    for level in range(branch_of_level.size):
        branch_of_level[level] = level
    return branch_of_level.size


categories_to_branches = by_type(
    {PurityRules: choose_subset, VarianceRules: choose_subset, GainRatioRules: branch_each},
    allocate=True,
)


@borrowing
def middle(rules, values, lower, upper):
    """Return the threshold half way between two neighbouring values of a node."""
    half = (values[lower] + values[upper]) / 2.0
    # Too close for halves, or so large that their sum is none.
    return half if values[lower] <= half < values[upper] else values[lower]


@borrowing
def training_value_below_middle(rules, values, lower, upper):
    """Step down from the middle to the largest training value that is not above it.

    J48 takes values within ``SMALL`` for equal, here and when it compares a case with
    the cut, so the cut then steps up to the last value that equals it. The upper value is
    further away than that, or there would be no cut. Neighbours in a small node have
    many values of other nodes between them, so their halves are halved again.
    """
    half = middle(rules, values, lower, upper)
    at, above = lower, upper
    while above - at > 1:
        between = (at + above) // 2
        if values[between] - half < SMALL:
            at = between
        else:
            above = between
    cut = values[at]
    while values[at + 1] - cut < SMALL:
        at += 1
    return values[at]


step_to_training_value = by_type(
    {
        PurityRules: middle,
        VarianceRules: middle,
        GainRatioRules: training_value_below_middle,
        RandomGainRules: training_value_below_middle,
        RandomVarianceRules: middle,
    }
)
