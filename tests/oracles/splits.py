"""Splits by definition: every candidate tried, impurities from the formulas, numpy only."""

import itertools

import numpy as np


def impurity(label, weight, n_classes, criterion):
    """Impurity of a set of cases times its weight."""
    total = weight.sum()
    if total == 0:
        return 0.0
    share = np.bincount(label, weights=weight, minlength=n_classes) / total
    if criterion == "entropy":
        positive = share[share > 0]
        return -total * np.sum(positive * np.log2(positive))
    return total * (1 - np.sum(share**2))


def squared_error(target, weight):
    mean = np.average(target, weights=weight)
    return np.sum(weight * (target - mean) ** 2)


def gain_of(left, label, weight, n_classes, criterion):
    """Decrease of impurity by splitting the cases into ``left`` and the rest."""
    if criterion == "twoing":
        shares = [
            np.bincount(label[side], weights=weight[side], minlength=n_classes) / weight[side].sum()
            for side in (left, ~left)
        ]
        factor = weight[left].sum() * weight[~left].sum() / weight.sum() / 4
        return factor * np.abs(shares[0] - shares[1]).sum() ** 2
    if criterion == "squared_error":
        parts = sum(squared_error(label[side], weight[side]) for side in (left, ~left))
        return squared_error(label, weight) - parts
    parts = sum(impurity(label[side], weight[side], n_classes, criterion) for side in (left, ~left))
    return impurity(label, weight, n_classes, criterion) - parts


def best_numeric_gain(x, label, weight, n_classes, criterion, min_leaf=1):
    gains = [-np.inf]
    for cut in np.unique(x)[:-1]:
        left = x <= cut
        if min(left.sum(), (~left).sum()) >= min_leaf:
            gains.append(gain_of(left, label, weight, n_classes, criterion))
    return max(gains)


def best_subset_gain(x, label, weight, n_classes, criterion, min_leaf=1):
    levels = np.unique(x)
    gains = [-np.inf]
    for size in range(1, levels.size):
        for chosen in itertools.combinations(levels, size):
            left = np.isin(x, chosen)
            if min(left.sum(), (~left).sum()) >= min_leaf:
                gains.append(gain_of(left, label, weight, n_classes, criterion))
    return max(gains)


def groups_of(x):
    """Categories of one case share a code of their own."""
    levels, place, count = np.unique(x, return_inverse=True, return_counts=True)
    return np.where(count[place] > 1, x, -1.0) if levels.size > 2 else x


def part_beyond_chance(x, label, weight, n_classes, criterion):
    """The part of what the categories ``x`` tell that is clearly more than chance."""

    def spread(cases):
        if criterion == "squared_error":
            return squared_error(label[cases], weight[cases])
        return impurity(label[cases], weight[cases], n_classes, "gini")

    levels, n, whole = np.unique(x), x.size, spread(np.full(x.size, True))
    beyond = levels.size - 8
    if beyond <= 0:
        return 1.0
    told = 1 - sum(spread(x == level) for level in levels) / whole if whole > 0 else 0.0
    deviation = np.sqrt(2 * beyond * (n - 1 - beyond) / (n + 1)) / (n - 1)
    by_chance = beyond / (n - 1) + 2 * deviation
    return max(1 - by_chance / told, 0.0) if told > 0 else 0.0


def best_judged_gain(x, label, weight, n_classes, criterion):
    """The greatest gain of two sets in a column of more than eight categories; -inf is none."""
    groups = groups_of(x)
    kept = part_beyond_chance(groups, label, weight, n_classes, criterion)
    if kept == 0:
        return -np.inf
    return kept * best_subset_gain(groups, label, weight, n_classes, criterion)


def best_gain(X, n_categories, label, weight, n_classes, criterion, min_leaf=1):
    """The greatest gain over all columns; a column is judged by its known cases."""
    best = -np.inf
    for j in range(X.shape[1]):
        known = ~np.isnan(X[:, j])
        if known.sum() < 2:
            continue
        search = best_subset_gain if n_categories[j] else best_numeric_gain
        gain = search(X[known, j], label[known], weight[known], n_classes, criterion, min_leaf)
        best = max(best, gain)
    return best
