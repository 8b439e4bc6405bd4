"""The best nominal test of a node, which competes with its hyperplanes."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.growth.category_sets import best_sets, impurity_of_classes
from softwood._kernels.growth.policy import PurityRules
from softwood._kernels.impurity import ENTROPY, GINI, TWOING
from softwood._kernels.oblique.climb import is_better
from softwood._kernels.oblique.node import total_weight
from softwood._kernels.oblique.score import score_of, unsplit_score
from softwood._kernels.oblique.scratch import (
    FEATURE,
    LABEL,
    N_CLASSES,
    NOMINAL_MERIT,
    ROW,
    SIDE_OF_MISSING,
    UNSEEN,
    Finding,
    Frame,
    ObliqueTable,
)

TO_LEFT, TO_RIGHT = 0, 1


@borrowing
def tabulate_categories(table, frame, feature, counts, size, level_of):
    """Sum the class weights of the categories that occur; return their number.

    ``level_of`` names them. Rows without the value do not count.
    """
    n_levels = table.n_levels[feature]
    for level in range(n_levels):
        size[level] = 0.0
        for c in range(counts.shape[1]):
            counts[level, c] = 0.0
    for i in range(frame.weight.size):
        code = table.X[frame.by_row[ROW, i], feature]
        if not np.isnan(code):
            counts[int(code), frame.by_row[LABEL, i]] += frame.weight[i]
            size[int(code)] += 1.0
    n_present = 0
    for level in range(n_levels):
        if size[level] > 0.0:
            size[n_present], level_of[n_present] = size[level], level
            for c in range(counts.shape[1]):
                counts[n_present, c] = counts[level, c]
            n_present += 1
    return n_present


@borrowing
def score_of_sets(criterion, total, whole, sets, left, known):
    """Return ``(score, side of missing values)`` of two sets of categories.

    Rows without the value go to the side that weighs more.
    """
    counts, n_present, goes_left = sets
    left_weight, known_weight = 0.0, 0.0
    for c in range(total.size):
        left[c], known[c] = 0.0, 0.0
        for k in range(n_present):
            known[c] += counts[k, c]
            left[c] += counts[k, c] if goes_left[k] == 1 else 0.0
        left_weight += left[c]
        known_weight += known[c]
    side = TO_LEFT if 2.0 * left_weight >= known_weight else TO_RIGHT
    if side == TO_LEFT:
        for c in range(total.size):
            left[c] += total[c] - known[c]
    return score_of(criterion, left, total, whole), side


@kernel
def best_nominal(table: ObliqueTable, frame: Frame, criterion: int, finding: Finding) -> None:
    """Note the best split of a nominal feature into two sets of categories, if there is any.

    Sets are chosen by the criterion, or by gini where it only counts minorities.
    """
    total, whole = frame.total[: frame.size[N_CLASSES]], total_weight(frame)
    n_classes, most = total.size, finding.branch.size
    counts, size = np.empty((most, n_classes)), np.empty(most)
    level_of, goes_left = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    left, known = np.empty(n_classes), np.empty(n_classes)
    idle = unsplit_score(criterion, total, whole)
    by_impurity = criterion in (TWOING, ENTROPY)
    rules = PurityRules(criterion if by_impurity else GINI, 1, 2.0, 1.0, 0.0)
    for f in table.nominal:
        n_present = tabulate_categories(table, frame, f, counts, size, level_of)
        if n_present < 2:
            continue
        weight = 0.0
        for c in range(n_classes):
            known[c] = 0.0
            for k in range(n_present):
                known[c] += counts[k, c]
            weight += known[c]
        impurity = impurity_of_classes(known, weight)
        _, kept, found = best_sets(
            counts[:n_present], size, known, weight, 1.0, impurity, 1.0, table.n_levels[f], rules,
            goes_left,
        )  # fmt: skip
        if found == 0:
            continue
        sets = (counts, n_present, goes_left)
        score, side = score_of_sets(criterion, total, whole, sets, left, known)
        score = idle + kept * (score - idle)
        if is_better(score, finding.number[NOMINAL_MERIT]):
            finding.number[NOMINAL_MERIT] = score
            finding.test[FEATURE], finding.test[SIDE_OF_MISSING] = f, side
            for level in range(most):
                finding.branch[level] = UNSEEN
            for k in range(n_present):
                finding.branch[level_of[k]] = TO_LEFT if goes_left[k] == 1 else TO_RIGHT
