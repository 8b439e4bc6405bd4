"""Which test a node chooses: the policy, the part in which CART and C4.5 differ.

A policy is the type of its rules: numba compiles the growth loop once per type, with
only the scans that policy needs. To add one, write its rules in
:mod:`softwood._kernels.growth.policy`, its chooser here, and name
the pair in :data:`choose_test`.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, by_type, inlined
from softwood._kernels.growth.category_sets import best_sets, impurity_of_classes, impurity_of_known
from softwood._kernels.growth.columns import CASE_MASK, MAX_BRANCHES, class_of
from softwood._kernels.growth.policy import GainRatioRules, PurityRules, VarianceRules
from softwood._kernels.growth.scan_nominal import gain_of_categories, tabulate
from softwood._kernels.growth.scan_numeric import (
    TIE,
    best_cut_of_classes,
    best_cut_of_gain,
    best_cut_of_target,
)
from softwood._kernels.impurity import ENTROPY, SMALL, class_sum
from softwood._kernels.stopping import stop_requested
from softwood._types import (
    FEW_CATEGORIES,
    AnyArray,
    BoolArray,
    CodeArray,
    FloatArray,
    IndexArray,
)


class Columns(NamedTuple):
    """What ranks mean: the distinct values of numeric columns, the levels of all."""

    values: FloatArray  # of all numeric columns, end to end
    value_start: IndexArray
    n_levels: IndexArray
    is_nominal: BoolArray
    many_valued: BoolArray  # nominal, with so many categories that C4.5 distrusts them


class Cases(NamedTuple):
    """The training cases."""

    label: CodeArray
    target: FloatArray
    weight: FloatArray
    origin: FloatArray  # what each weighs where it counts as one: see cases_of
    share: FloatArray  # weight / origin: how many cases, or what part of one, are here
    xlogs: FloatArray  # see xlog2_table
    scale: float  # mean square of the target, for tolerances


class Scratch(NamedTuple):
    """Arrays for one node's work, allocated once per fit."""

    side: CodeArray  # of every case
    bits: AnyArray  # the same in one bit, where there are two sides
    branch_of_level: AnyArray  # from here on, one entry per branch or category
    n_child: AnyArray
    length: AnyArray
    position: AnyArray
    share: FloatArray
    size: FloatArray
    live: BoolArray
    gains: FloatArray  # per feature
    ratios: FloatArray
    cuts: AnyArray
    left: FloatArray  # per class
    some: FloatArray


class Split(NamedTuple):
    """The test a node chose; feature -1 makes it a leaf."""

    feature: int
    cut: int  # entries of a numeric feature that go left
    gain: float


@borrowing
def class_total(line, start, stop, cases, unit, total):
    """Sum the class weights of the cases known on one feature."""
    for c in range(total.size):
        total[c] = 0.0
    weight = 0.0
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        w = 1.0 if unit else cases.weight[case]
        total[class_of(line[i])] += w
        weight += w
    return weight


@borrowing
def target_total(line, start, stop, cases, unit):
    """Sum weight and target of the cases known on one feature."""
    weight, target_sum = 0.0, 0.0
    for i in range(start, stop):
        case = line[i] & CASE_MASK
        w = 1.0 if unit else cases.weight[case]
        weight += w
        target_sum += w * cases.target[case]
    return weight, target_sum


@inlined
def choose_by_purity(
    rules, entries, start, stop, active, columns, cases, total, n_cases, unit, scratch
):
    """CART on classes: return the test with the greatest decrease of impurity."""
    feature, best_cut, best_gain = -1, 0, -1.0
    left, some = scratch.left, scratch.some
    logarithmic = rules.criterion == ENTROPY
    whole_weight, whole_sum = 0.0, class_sum(total, logarithmic)
    for c in range(total.size):
        whole_weight += total[c]
    for f in active:
        if stop_requested():
            break
        known, weight, known_sum = total, whole_weight, whole_sum
        if stop[f] - start[f] < n_cases:
            weight = class_total(entries[f], start[f], stop[f], cases, unit, some)
            known, known_sum = some, class_sum(some, logarithmic)
        if columns.is_nominal[f]:
            n_levels = np.int64(columns.n_levels[f])
            most = min(n_levels, stop[f] - start[f])
            table, size = np.empty((most, total.size)), np.empty(most)
            branch = np.empty(most, dtype=np.int64)
            n_present = tabulate(
                entries[f], start[f], stop[f], cases, unit, False, table, size, branch
            )
            impurity = impurity_of_classes(known, weight)
            gain, _, cut = best_sets(
                table[:n_present], size, known, weight, 1.0, impurity, 1.0, n_levels, rules, branch,
            )  # fmt: skip
        else:
            gain, cut = best_cut_of_classes(
                entries[f], start[f], stop[f], cases, known, known_sum, weight, unit, rules, left
            )
        if cut > 0 and (feature < 0 or gain > best_gain + TIE * weight):
            feature, best_cut, best_gain = f, cut, gain
    return Split(feature, best_cut, best_gain)


@inlined
def choose_by_variance(
    rules, entries, start, stop, active, columns, cases, total, n_cases, unit, scratch
):
    """CART on a number: return the test with the greatest decrease of squared error."""
    feature, best_cut, best_gain = -1, 0, -1.0
    known = scratch.some
    for f in active:
        if stop_requested():
            break
        weight, target_sum = total[0], total[1]
        if stop[f] - start[f] < n_cases:
            weight, target_sum = target_total(entries[f], start[f], stop[f], cases, unit)
        if columns.is_nominal[f]:
            n_levels = np.int64(columns.n_levels[f])
            most = min(n_levels, stop[f] - start[f])
            table, size = np.empty((most, 2)), np.empty(most)
            branch = np.empty(most, dtype=np.int64)
            n_present = tabulate(
                entries[f], start[f], stop[f], cases, unit, True, table, size, branch
            )
            known[0], known[1] = weight, target_sum
            impurity = 0.0
            if n_levels > FEW_CATEGORIES:
                impurity = impurity_of_known(
                    entries[f], start[f], stop[f], cases, known, weight, unit, True
                )
            gain, _, cut = best_sets(
                table[:n_present], size, known, weight, cases.scale, impurity, 1.0, n_levels, rules,
                branch,
            )  # fmt: skip
        else:
            gain, cut = best_cut_of_target(
                entries[f], start[f], stop[f], cases, target_sum, weight, unit, rules
            )
        if cut > 0 and (feature < 0 or gain > best_gain + TIE * cases.scale * weight):
            feature, best_cut, best_gain = f, cut, gain
    return Split(feature, best_cut, best_gain)


@borrowing
def trusts_all(columns):
    """Whether every attribute has so many categories that C4.5 has to trust them."""
    trusts = True
    for f in range(columns.many_valued.size):
        trusts = trusts and columns.many_valued[f]
    return trusts


@borrowing
def score_column_by_gain(
    rules, line, start, stop, f, columns, cases, total, total_sum, weight, n_cases, unit, scratch
):
    """Return ``(gain, ratio, cut)`` of feature ``f`` as C4.5 judges it; cut 0 is no test."""
    known, known_weight, known_sum = total, weight, total_sum
    if stop - start < n_cases:
        known_weight = class_total(line, start, stop, cases, unit, scratch.some)
        known, known_sum = scratch.some, class_sum(scratch.some, True)
    if columns.is_nominal[f]:
        if columns.n_levels[f] >= MAX_BRANCHES:  # more than a side can name
            return 0.0, 0.0, 0
        return gain_of_categories(
            line, start, stop, cases, known_sum, known_weight, weight, unit, rules.min_leaf,
            scratch.left,
        )  # fmt: skip
    coarse = stop - start > total.size * columns.n_levels[f]
    return best_cut_of_gain(
        line, start, stop, cases, columns.values, columns.value_start[f],
        coarse, known, known_sum, known_weight, weight, unit, rules, scratch.left,
    )  # fmt: skip


@borrowing
def pick_by_ratio(rules, active, columns, scratch, tolerance):
    """Return which active feature has the best ratio among tests of average gain, or -1.

    The tolerance is for gains of numbers; ratios have their own.
    """
    gains, ratios, cuts = scratch.gains, scratch.ratios, scratch.cuts
    trust_all = trusts_all(columns)
    gain_sum, n_averaged = 0.0, 0
    for a in range(active.size):
        if cuts[a] > 0 and (trust_all or not columns.many_valued[active[a]]):
            gain_sum += gains[a]
            n_averaged += 1
    best, best_ratio = -1, 0.0
    if n_averaged > 0:
        enough = gain_sum / n_averaged - 1e-3
        for a in range(active.size):
            if cuts[a] > 0 and gains[a] >= enough and ratios[a] - best_ratio > SMALL:
                best, best_ratio = a, ratios[a]
    return best


@borrowing
def choose_by_gain_ratio(
    rules, entries, start, stop, active, columns, cases, total, n_cases, unit, scratch
):
    """C4.5: return the best gain ratio among the tests whose gain is at least average."""
    weight, whole_sum = 0.0, class_sum(total, True)
    for c in range(total.size):
        weight += total[c]
    for a in range(active.size):
        if stop_requested():
            break
        f = active[a]
        scratch.gains[a], scratch.ratios[a], scratch.cuts[a] = score_column_by_gain(
            rules, entries[f], start[f], stop[f], f, columns, cases, total, whole_sum, weight,
            n_cases, unit, scratch,
        )  # fmt: skip
    best = pick_by_ratio(rules, active, columns, scratch, 0.0)
    if best < 0:
        return Split(-1, 0, 0.0)
    return Split(active[best], scratch.cuts[best], scratch.gains[best])


choose_test = by_type(
    {
        PurityRules: choose_by_purity,
        VarianceRules: choose_by_variance,
        GainRatioRules: choose_by_gain_ratio,
    },
    allocate=True,
)
