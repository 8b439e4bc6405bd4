"""The smaller differences between policies: what becomes of categories and cuts."""

from typing import NamedTuple

from numba.extending import overload

from softwood._kernels._jit import borrowing
from softwood._kernels.growth.category_sets import choose_subset
from softwood._kernels.impurity import SMALL


class Growth(NamedTuple):
    """What the growth loop itself needs to know."""

    n_columns: int  # of a node's value
    regression: bool
    unit: bool  # every case weighs 1


def categories_to_branches(rules, line, start, stop, cases, total, unit, branch_of_level):
    """Write the branch of every category; return the number of branches.

    C4.5 gives each category its own, CART makes two sets.
    """
    if type(rules).__name__ == "GainRatioRules":
        return _branch_each(branch_of_level)
    choose_subset(line, start, stop, cases, total, unit, rules, branch_of_level)
    return 2


@borrowing
def _branch_each(branch_of_level):
    for level in range(branch_of_level.size):
        branch_of_level[level] = level
    return branch_of_level.size


@overload(categories_to_branches)
def _compiled_categories(rules, line, start, stop, cases, total, unit, branch_of_level):
    def each(rules, line, start, stop, cases, total, unit, branch_of_level):
        return _branch_each(branch_of_level)

    def two(rules, line, start, stop, cases, total, unit, branch_of_level):
        choose_subset(line, start, stop, cases, total, unit, rules, branch_of_level)
        return 2

    return each if rules.instance_class.__name__ == "GainRatioRules" else two


@borrowing
def _middle(values, lower, upper):
    middle = (values[lower] + values[upper]) / 2.0
    return middle if middle < values[upper] else values[lower]


@borrowing
def _training_value_below(values, lower, upper):
    """Step down from the middle to the largest training value that is not above it.

    J48 takes values within ``SMALL`` for equal, here and when it compares a case with
    the cut, so the cut then steps up to the last value that equals it. The upper value is
    further away than that, or there would be no cut. Neighbours in a small node have
    many values of other nodes between them, so their halves are halved again.
    """
    middle = _middle(values, lower, upper)
    at, above = lower, upper
    while above - at > 1:
        between = (at + above) // 2
        if values[between] - middle < SMALL:
            at = between
        else:
            above = between
    cut = values[at]
    while values[at + 1] - cut < SMALL:
        at += 1
    return values[at]


_AS_C45 = ("GainRatioRules", "RandomGainRules")  # policies that cut at training values


def step_to_training_value(rules, values, lower, upper):
    """Return the threshold between two neighbouring values of a node."""
    if type(rules).__name__ in _AS_C45:
        return _training_value_below(values, lower, upper)
    return _middle(values, lower, upper)


@overload(step_to_training_value)
def _compiled_step(rules, values, lower, upper):
    def below(rules, values, lower, upper):
        return _training_value_below(values, lower, upper)

    def middle(rules, values, lower, upper):
        return _middle(values, lower, upper)

    return below if rules.instance_class.__name__ in _AS_C45 else middle
