"""Which test a node of blurred rows chooses.

A blurred row is a cloud: of a cut it lies partly on one side, partly on the other. All
rows with the same value of a column are cut alike. So a node gathers the class masses of
its rows by the *levels* of a column, and looks up how much of each level lies below each
cut; what is left is the scan that CART makes.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.growth.category_sets import best_sets, impurity_of_classes
from softwood._kernels.growth.scan_numeric import TIE, allowed
from softwood._kernels.impurity import class_sum
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, BoolArray, CodeArray, FloatArray, IndexArray

N_CUTS = 64  # most candidates of a column

# A node that waits for its test: itself, its rows, then its box. The box is the range of cuts
# that each numeric column has left, and whether each category of the nominal ones is inside.
NODE, DEPTH, START, STOP, BOX = 0, 1, 2, 3, 4


class VicinalRules(NamedTuple):
    """Limits of growth: numbers of rows, clouds added up, and their weights."""

    criterion: int  # gini: the search of category sets asks for it
    max_depth: int
    min_split: float  # fewest rows of a node that is split
    min_leaf: float  # fewest rows of a branch; 0: nobody counts them
    min_weight: float  # least weight of a branch
    min_gain: float  # least decrease of impurity
    row: float  # what a row weighs, in the mean


class Blurred(NamedTuple):
    """Rows, classes, and the noise of every column."""

    X: FloatArray  # (n_rows, n_features)
    label: CodeArray
    weight: FloatArray
    sd: FloatArray  # (n_features,) deviation of the noise; 0: tests are hard
    is_nominal: BoolArray
    level: IndexArray  # (n_features, n_rows) -1 where the value is missing
    n_levels: IndexArray
    is_grouped: BoolArray  # whether several values of a column share a level
    cut_start: AnyArray  # (n_features + 1,) candidates of each column, ascending
    cut: FloatArray
    level_start: AnyArray  # (n_features,) of each numeric column, in the next
    below: FloatArray  # (all levels, N_CUTS) the part of a level that lies below each cut
    redraw: FloatArray  # (n_features,) chance that a category is drawn anew
    category_start: AnyArray  # (n_features + 1,)
    drawn: FloatArray  # the shares in which categories are drawn


class VicinalScratch(NamedTuple):
    """Arrays for one node."""

    table: FloatArray  # (most levels, n_classes)
    left: FloatArray  # (n_classes, N_CUTS)
    known: FloatArray  # (n_classes,)
    tally: FloatArray  # (most levels, 1) rows, where weights have their classes
    left_tally: FloatArray  # (1, N_CUTS)
    held: FloatArray  # (2,) rows of the two children
    level_of: AnyArray  # (most levels,) and so on
    size: FloatArray
    goes_left: AnyArray
    branch: AnyArray  # of each category, at the test under trial
    chosen: AnyArray  # of each category, at the best test so far
    share: FloatArray  # of the first branch, by level
    part: FloatArray  # of the first branch, by row of the node


@borrowing
def low_of(frame, f):
    """Return the first cut of a numeric column that lies inside the node's box."""
    return frame[BOX + 2 * f]


@borrowing
def high_of(frame, f):
    """Return the first cut of a numeric column that lies beyond the node's box."""
    return frame[BOX + 2 * f + 1]


@borrowing
def n_cuts_of(blurred, f):
    """Return how many cuts a numeric column has to choose from."""
    return blurred.cut_start[f + 1] - blurred.cut_start[f]


@borrowing
def place_of(blurred, f, category):
    """Return where a frame notes whether a category is inside the node's box."""
    return BOX + 2 * blurred.sd.size + blurred.category_start[f] + category


@borrowing
def tabulate_levels(blurred, rows, mass, start, stop, f, table, known):
    """Fill ``table`` with the class masses of the levels; return their sum."""
    for level in range(blurred.n_levels[f]):
        for c in range(known.size):
            table[level, c] = 0.0
    for i in range(start, stop):
        row = rows[i]
        level = blurred.level[f, row]
        if level >= 0:
            table[level, blurred.label[row]] += mass[i] * blurred.weight[row]
    weight = 0.0
    for c in range(known.size):
        known[c] = 0.0
        for level in range(blurred.n_levels[f]):
            known[c] += table[level, c]
        weight += known[c]
    return weight


@borrowing
def count_levels(blurred, rows, mass, start, stop, f, count):
    """Fill ``count`` with the rows of the levels; return their sum."""
    for level in range(blurred.n_levels[f]):
        count[level, 0] = 0.0
    known = 0.0
    for i in range(start, stop):
        level = blurred.level[f, rows[i]]
        if level >= 0:
            count[level, 0] += mass[i]
            known += mass[i]
    return known


@borrowing
def edges_of(blurred, frame, f, level):
    """Return how much of a level lies below the lower and the upper edge of the node's box."""
    low, high = low_of(frame, f), high_of(frame, f)
    place = blurred.level_start[f] + level
    under = blurred.below[place, low - 1] if low > 0 else 0.0
    over = blurred.below[place, high] if high < n_cuts_of(blurred, f) else 1.0
    return under, over


@borrowing
def masses_below(blurred, frame, f, table, left):
    """Fill ``left`` with the class masses of the node below each cut.

    Cuts outside the box get numbers without meaning: loops of constant length are worth it.
    """
    for c in range(left.shape[0]):
        for k in range(N_CUTS):
            left[c, k] = 0.0
    for level in range(blurred.n_levels[f]):
        under, over = edges_of(blurred, frame, f, level)
        if over <= under:
            continue
        below = blurred.below[blurred.level_start[f] + level]
        for c in range(left.shape[0]):
            if table[level, c] > 0.0:
                scale, row = table[level, c] / (over - under), left[c]
                for k in range(N_CUTS):
                    row[k] += scale * (below[k] - under)


@borrowing
def best_blurred_cut(left, left_count, low, high, known, weight, size, rules):
    """Return ``(gain, cut)`` of the purest cut; -1 is no cut."""
    best, best_cut = -np.inf, -1
    for k in range(low, high):
        left_weight, left_sum, right_sum = 0.0, 0.0, 0.0
        for c in range(known.size):
            here = left[c, k]
            there = known[c] - here
            left_weight += here
            left_sum += here * here
            right_sum += there * there
        right_weight = weight - left_weight
        left_size = left_count[0, k]
        if allowed(left_size, size - left_size, left_weight, right_weight, rules):
            value = left_sum / left_weight + right_sum / right_weight
            if value > best + TIE * weight:
                best, best_cut = value, k
    return best - class_sum(known, False) / weight, best_cut


@borrowing
def blur_categories(blurred, frame, f, table):
    """Turn the class masses of the rows' own categories into those of blurred rows.

    A row inside the box has kept its category or drawn another one of the box; a row of
    any other category has drawn one. Masses of sets of categories add up, as ever.
    """
    chance = blurred.redraw[f]
    if chance == 0.0:
        return
    at, drawn = blurred.category_start[f], 0.0
    for v in range(blurred.n_levels[f]):
        if frame[place_of(blurred, f, v)]:
            drawn += blurred.drawn[at + v]
    everything = 1.0 - chance + chance * drawn
    for c in range(table.shape[1]):
        inside, outside = 0.0, 0.0
        for v in range(blurred.n_levels[f]):
            if frame[place_of(blurred, f, v)]:
                inside += table[v, c]
            else:
                outside += table[v, c]
        anew = chance * inside / everything + (outside / drawn if drawn > 0.0 else 0.0)
        for v in range(blurred.n_levels[f]):
            kept = table[v, c] * (1.0 - chance) / everything
            is_inside = frame[place_of(blurred, f, v)]
            table[v, c] = kept + blurred.drawn[at + v] * anew if is_inside else 0.0


@borrowing
def keep_present(n_levels, table, count, size, level_of):
    """Move the categories that have any mass to the front; return how many they are."""
    n_present = 0
    for v in range(n_levels):
        weight = 0.0
        for c in range(table.shape[1]):
            weight += table[v, c]
        if weight > 0.0:
            for c in range(table.shape[1]):
                table[n_present, c] = table[v, c]
            size[n_present], level_of[n_present] = count[v, 0], v
            n_present += 1
    return n_present


@inlined
def best_blurred_sets(blurred, frame, f, weight, scratch, rules):
    """Return ``(gain, found)`` of the best two sets of categories; note their branches."""
    blur_categories(blurred, frame, f, scratch.table)
    if rules.min_leaf > 0.0:
        blur_categories(blurred, frame, f, scratch.tally)
    n_levels = blurred.n_levels[f]
    n_present = keep_present(n_levels, scratch.table, scratch.tally, scratch.size, scratch.level_of)
    gain, found = 0.0, 0
    if n_present > 1:
        impurity = impurity_of_classes(scratch.known, weight)
        gain, _, found = best_sets(
            scratch.table[:n_present], scratch.size, scratch.known, weight, 1.0, impurity,
            rules.row, n_levels, rules, scratch.goes_left,
        )  # fmt: skip
    for v in range(n_levels):
        scratch.branch[v] = -1
    for k in range(n_present):
        scratch.branch[scratch.level_of[k]] = 1 - scratch.goes_left[k]
    return gain, found


@inlined
def choose_blurred_test(blurred, frame, rows, mass, scratch, rules):
    """Return the feature and the cut that decrease impurity most; feature -1 makes a leaf.

    For a nominal feature, ``scratch.chosen`` receives the branch of each category.
    """
    feature, best_cut, best_gain = -1, -1, rules.min_gain
    start, stop = frame[START], frame[STOP]
    for f in range(blurred.sd.size):
        if stop_requested():
            break
        low, high = low_of(frame, f), high_of(frame, f)
        if low == high and not blurred.is_nominal[f]:
            continue
        weight = tabulate_levels(blurred, rows, mass, start, stop, f, scratch.table, scratch.known)
        if weight <= 0.0:
            continue
        size = 0.0
        if rules.min_leaf > 0.0:
            size = count_levels(blurred, rows, mass, start, stop, f, scratch.tally)
        if blurred.is_nominal[f]:
            gain, found = best_blurred_sets(blurred, frame, f, weight, scratch, rules)
            cut = found - 1
        else:
            masses_below(blurred, frame, f, scratch.table, scratch.left)
            if rules.min_leaf > 0.0:
                masses_below(blurred, frame, f, scratch.tally, scratch.left_tally)
            gain, cut = best_blurred_cut(
                scratch.left, scratch.left_tally, low, high, scratch.known, weight, size, rules
            )
        if cut >= 0 and gain > best_gain + TIE * weight:
            feature, best_cut, best_gain = f, cut, gain
            if blurred.is_nominal[f]:
                for v in range(blurred.n_levels[f]):
                    scratch.chosen[v] = scratch.branch[v]
    return feature, best_cut
