"""The variable-random coin: how a node chooses its test, by gain or by chance.

With probability ``alpha`` a node takes the best test, else a random one: see
:mod:`softwood._kernels.growth.random_tests`.
"""

from typing import NamedTuple

from softwood._kernels._jit import borrowing, by_type
from softwood._kernels.growth.choose import pick_by_ratio, score_column_by_gain, target_total
from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT
from softwood._kernels.growth.policy import (
    RandomGainRules,
    RandomVarianceRules,
    step_to_training_value,
)
from softwood._kernels.growth.random_tests import Chosen, fills_branches
from softwood._kernels.growth.scan_binary import best_cut_of_column
from softwood._kernels.growth.scan_keys import Cut, Quick, unpack_cases
from softwood._kernels.growth.scan_numeric import SLACK, TIE, best_cut_of_target, size_of
from softwood._kernels.growth.sort_cases import rank_cases, sort_by_rank
from softwood._kernels.impurity import xlog2_of
from softwood._kernels.randomness import below
from softwood._types import AnyArray, FloatArray


class SortScratch(NamedTuple):
    """Arrays for sorting the cases of a node, and what the quick scan needs."""

    words: AnyArray
    other: AnyArray
    bins: AnyArray  # by digit of a rank
    around: AnyArray  # ranks on both sides of the best cut of each feature
    tally: AnyArray  # two per class
    held: AnyArray  # the classes of a node
    parts: FloatArray  # of a random test: what each of its branches holds
    quick: Quick


@borrowing
def gain_of_target_categories(line, start, stop, cases, target_sum, weight, unit, rules):
    """Return ``(gain, valid)`` of one branch per category for the squared error."""
    value, n_large, i = 0.0, 0, start
    while i < stop:
        begin, level = i, line[i] >> RANK_SHIFT
        bag_weight, bag_sum = 0.0, 0.0
        while i < stop and line[i] >> RANK_SHIFT == level:
            case = line[i] & CASE_MASK
            w = 1.0 if unit else cases.weight[case]
            bag_weight += w
            bag_sum += w * cases.target[case]
            i += 1
        value += bag_sum * bag_sum / bag_weight
        n_large += 1 if size_of(line, begin, i, cases, unit) + SLACK >= rules.min_leaf else 0
    if n_large < 2:
        return 0.0, 0
    return max(value - target_sum * target_sum / weight, 0.0), 1


@borrowing
def score_column_by_variance(
    rules, line, start, stop, f, columns, cases, total, total_sum, weight, n_cases, unit, scratch
):
    """Return ``(gain, gain, cut)`` of feature ``f`` for the squared error."""
    weight, target_sum = target_total(line, start, stop, cases, unit)
    if columns.is_nominal[f]:
        gain, cut = gain_of_target_categories(
            line, start, stop, cases, target_sum, weight, unit, rules
        )
    else:
        gain, cut = best_cut_of_target(
            line, start, stop, cases, target_sum, weight, unit, rules
        )  # fmt: skip
    return gain, gain, cut


@borrowing
def pick_by_variance(rules, active, columns, scratch, tolerance):
    """Return which active feature has the greatest gain, or -1."""
    best = -1
    for a in range(active.size):
        if scratch.cuts[a] > 0 and (best < 0 or scratch.gains[a] > scratch.gains[best] + tolerance):
            best = a
    return best


@borrowing
def no_quick_cut(rules, rank, f, columns, total_sum, quick):
    """Return what is never asked for: the quick scan counts classes."""
    return False, Cut(0.0, 0.0, 0, 0)


score_column = by_type(
    {RandomGainRules: score_column_by_gain, RandomVarianceRules: score_column_by_variance}
)
pick = by_type({RandomGainRules: pick_by_ratio, RandomVarianceRules: pick_by_variance})
is_quick = by_type({RandomGainRules: lambda rules: True, RandomVarianceRules: lambda rules: False})
quick_cut = by_type(
    {RandomGainRules: best_cut_of_column, RandomVarianceRules: no_quick_cut}, forceinline=True
)


@borrowing
def best_test(
    rules, line, start, stop, active, n_active, ranks, columns, cases, total, unit, complete,
    scratch, sorting, state,
):  # fmt: skip
    """Return the best test, and how many features remain that are not constant here."""
    weight, total_sum = 0.0, 0.0
    for c in range(total.size if is_quick(rules) else 1):  # sum and range of a target follow
        weight += total[c]
        total_sum += xlog2_of(total[c], cases.xlogs, unit and is_quick(rules))
    n_left = 0
    quick = is_quick(rules) and unit and complete and sorting.quick.fits
    if quick:
        unpack_cases(line, start, stop, total, sorting.quick)
    looks_at_all = rules.n_looked >= n_active
    divides = False
    a = 0
    while a < n_active and (looks_at_all or n_left < rules.n_looked or not divides):
        if not looks_at_all:
            other = a + below(state, n_active - a)
            active[a], active[other] = active[other], active[a]
        f = active[a]
        a += 1
        if quick and not columns.is_nominal[f]:
            constant, found = quick_cut(rules, ranks[f], f, columns, total_sum, sorting.quick)
            if not constant:
                active[n_left] = f
                scratch.gains[n_left], scratch.ratios[n_left] = found.gain, found.ratio
                scratch.cuts[n_left] = 1 if found.gain > 0.0 else 0
                divides |= found.gain > 0.0
                sorting.around[n_left, 0], sorting.around[n_left, 1] = (
                    found.lower,
                    found.upper,
                )
                n_left += 1
            continue
        if columns.is_nominal[f] and not fills_branches(stop - start, columns.n_levels[f]):
            continue
        n_known, least, most = rank_cases(line, start, stop, ranks[f], sorting.words)
        if n_known < 2 or least == most:
            continue
        in_other = sort_by_rank(sorting.words, sorting.other, n_known, least, most, sorting.bins)
        ordered = sorting.other if in_other else sorting.words
        active[n_left] = f
        gain, ratio, cut = score_column(
            rules, ordered, 0, n_known, f, columns, cases, total, total_sum, weight, stop - start,
            unit, scratch,
        )  # fmt: skip
        scratch.gains[n_left], scratch.ratios[n_left], scratch.cuts[n_left] = gain, ratio, cut
        divides |= cut > 0
        if cut > 0 and not columns.is_nominal[f]:
            sorting.around[n_left, 0] = ordered[cut - 1] >> RANK_SHIFT
            sorting.around[n_left, 1] = ordered[cut] >> RANK_SHIFT
        n_left += 1
    best = pick(rules, active[:n_left], columns, scratch, TIE * cases.scale * weight)
    for k in range(a, n_active):  # those that nobody has looked at
        active[n_left] = active[k]
        n_left += 1
    if best < 0:
        return Chosen(-1, 0, 0.0), n_left
    f, rank = active[best], sorting.around[best, 0]
    if columns.is_nominal[f]:
        return Chosen(f, 0, 0.0), n_left
    at = columns.value_start[f]
    threshold = step_to_training_value(
        rules, columns.values, at + rank, at + sorting.around[best, 1]
    )
    return Chosen(f, rank, threshold), n_left
