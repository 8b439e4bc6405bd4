"""The nearest row with another answer, by trying all that could matter."""

from itertools import product

import numpy as np

from softwood.tree import NOMINAL, NUMERIC


def far(domain, row):
    """Return the distance from the row of a domain to another, column by column."""
    total = 0.0
    for x, z, scale, n_categories in zip(
        domain.row, row, domain.scale, domain.n_categories, strict=True
    ):
        if np.isnan(x) and np.isnan(z):
            continue
        if np.isnan(x) != np.isnan(z):
            total += 1.0
        elif n_categories:
            total += float(x != z)
        else:
            total += abs(z - x) / scale
    return total


# -- all leaves of one tree ----------------------------------------------------------------


def nearest_in_boxes(tree, domain, is_wanted_leaf):
    """Return the distance to the nearest box of a leaf that is wanted; infinite if there is none.

    For rows without gaps and unknown categories, where nothing is fixed or limited.
    """
    best = np.inf
    for leaf in np.flatnonzero(tree.is_leaf):
        if is_wanted_leaf(leaf):
            best = min(best, _far_from_box(domain, *_box_of(tree, domain, leaf)))
    return best


def _box_of(tree, domain, leaf):
    low, high = np.full(tree.n_features, -np.inf), np.full(tree.n_features, np.inf)
    codes = [set(range(n)) for n in domain.n_categories]
    node = leaf
    while tree.parent[node] >= 0:
        test = tree.parent[node]
        branch, j = node - tree.first_child[test], tree.feature[test]
        if tree.kind[test] == NOMINAL:
            goes = tree.branch_of_category(test)
            codes[j] &= {c for c in codes[j] if c < goes.size and goes[c] == branch}
        elif branch == 0:
            high[j] = min(high[j], tree.threshold[test])
        else:
            low[j] = max(low[j], tree.threshold[test])
        node = test
    return low, high, codes


def _far_from_box(domain, low, high, codes):
    total = 0.0
    for j, x in enumerate(domain.row):
        if domain.n_categories[j]:
            if not codes[j]:
                return np.inf
            total += float(x not in codes[j])
        elif low[j] >= high[j]:
            return np.inf
        else:
            total += max(low[j] - x, x - high[j], 0.0) / domain.scale[j]
    return total


# -- all rows that could matter, of any hard forest without oblique tests ---------------------


def nearest_of_all(forest, domain, is_wanted):
    """Return the distance to the nearest row that is wanted and allowed; infinite if none is.

    Every column takes its own value, both sides of all cuts, the ends of its range, the whole
    numbers next to these, and all categories.
    """
    columns = [_values(forest, domain, j) for j in range(domain.row.size)]
    rows = np.array(list(product(*columns)), dtype=np.float64)
    rows = rows[[_is_allowed(domain, row) for row in rows]]
    if not len(rows):
        return np.inf
    wanted = rows[is_wanted(forest.raw(rows))]
    return min((far(domain, row) for row in wanted), default=np.inf)


def _values(forest, domain, j):
    x = domain.row[j]
    if domain.is_fixed[j]:
        return [x]
    if domain.n_categories[j]:
        return [x, *(c for c in np.flatnonzero(domain.codes[j]).tolist() if c != x)]
    cuts = {
        float(cut)
        for tree in forest.trees
        for cut in tree.threshold[(tree.kind == NUMERIC) & (tree.feature == j)]
    }
    values = cuts | {float(np.nextafter(cut, np.inf)) for cut in cuts}
    values |= {end for end in (domain.low[j], domain.high[j]) if np.isfinite(end)}
    if domain.per_unit[j]:
        values |= {np.floor(v) + k for v in values for k in (-1.0, 0.0, 1.0, 2.0)}
    return [x, *values]


def _is_allowed(domain, row):
    for j, (x, z) in enumerate(zip(domain.row, row, strict=True)):
        stays = x == z or (np.isnan(x) and np.isnan(z))
        if domain.is_fixed[j] and not stays:
            return False
        if domain.is_fixed[j] or np.isnan(z):
            continue
        if domain.n_categories[j]:
            is_known = 0 <= z < domain.n_categories[j] and z == np.floor(z)
            if not (domain.codes[j][int(z)] if is_known else stays):
                return False
        else:
            is_whole = stays or z == np.floor(z) or not domain.per_unit[j]
            if not (domain.low[j] <= z <= domain.high[j] and is_whole):
                return False
    return True
