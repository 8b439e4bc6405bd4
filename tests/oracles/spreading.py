"""Flows by definition: recursion, boxes and random draws, with no thought of speed.

Every function returns the mass of one row at the leaves of a tree, in ascending order.
"""

import numpy as np
from scipy.special import expit, ndtr

from softwood.tree import LEAF, NOMINAL, NUMERIC


def by_recursion(tree, x, gate):
    """Multiply the parts along each path; ``gate`` is the part that a soft test sends left."""
    mass = np.zeros(tree.n_nodes)

    def visit(node, reached):
        mass[node] = reached
        for child, part in zip(tree.children(node), parts_of(tree, node, x, gate), strict=True):
            visit(child, reached * part)

    visit(0, 1.0)
    return mass[tree.leaves]


def parts_of(tree, node, x, gate):
    """Return what each child gets of the mass of ``node``."""
    n_children = int(tree.n_children[node])
    if tree.kind[node] == LEAF:
        return []
    if is_missing(tree, node, x):
        branch = int(tree.missing_child[node])
    elif tree.kind[node] == NOMINAL:
        branch = branch_of_category(tree, node, x[tree.feature[node]])
    else:
        left = gate(tree, node, x)
        return [left, 1.0 - left]
    if branch == -1:
        weight = tree.weight[list(tree.children(node))]
        return weight / weight.sum() if weight.sum() > 0 else np.full(n_children, 1 / n_children)
    return np.eye(n_children)[branch]


def branch_of_category(tree, node, code):
    known = tree.branch_of_category(node)
    return int(known[int(code)]) if 0 <= code < len(known) else -1


def is_missing(tree, node, x):
    if tree.kind[node] in (NUMERIC, NOMINAL):
        return np.isnan(x[tree.feature[node]])
    return np.isnan(x[tree.terms(node)[0]]).any()


def value_of(tree, node, x):
    if tree.kind[node] == NUMERIC:
        return x[tree.feature[node]]
    features, slopes = tree.terms(node)
    return sum(w * x[f] for f, w in zip(features, slopes, strict=True))


# -- gates -------------------------------------------------------------------


def hard_gate(tree, node, x):
    return float(value_of(tree, node, x) <= tree.threshold[node])


def ramp_gate(tree, node, x):
    """Section A.4: the half-way point first, then the flat parts, then the slopes."""
    u = value_of(tree, node, x) - tree.threshold[node]
    a, b = tree.below[node], tree.above[node]
    if u == 0:
        return 0.5
    if u < 0:
        return 1.0 if u <= -a else 0.5 - u / (2 * a)
    return 0.0 if u >= b else 0.5 - u / (2 * b)


def curved_gate(shape):
    """A distribution function whose slope at the threshold is the ramp's, on each side."""
    curve = {"logistic": lambda v: expit(-2 * v), "normal": lambda v: ndtr(-v * np.sqrt(np.pi / 2))}

    def gate(tree, node, x):
        u = value_of(tree, node, x) - tree.threshold[node]
        width = tree.below[node] if u < 0 else tree.above[node]
        return curve[shape](u / width) if width > 0 else ramp_gate(tree, node, x)

    return gate


def gaussian_gate(scale):
    def gate(tree, node, x):
        sd = deviation(tree, node, scale)
        if sd == 0:
            return hard_gate(tree, node, x)
        return ndtr((tree.threshold[node] - value_of(tree, node, x)) / sd)

    return gate


def deviation(tree, node, scale):
    if tree.kind[node] == NUMERIC:
        return scale[tree.feature[node]]
    weights = np.zeros(tree.n_features)
    np.add.at(weights, *tree.terms(node))
    return np.sqrt(np.sum((weights * scale) ** 2))


def hard(tree, x):
    return by_recursion(tree, x, hard_gate)


def ramp(tree, x):
    return by_recursion(tree, x, ramp_gate)


def curved(tree, x, shape):
    return by_recursion(tree, x, curved_gate(shape))


def product(tree, x, scale):
    return by_recursion(tree, x, gaussian_gate(scale))


# -- boxes -------------------------------------------------------------------


def box(tree, x, scale):
    """Sum the normal density over the box of each leaf; tests must be numeric or nominal."""
    parent = tree.parent
    mass = []
    for leaf in tree.leaves:
        low, high = np.full(tree.n_features, -np.inf), np.full(tree.n_features, np.inf)
        share, node = 1.0, int(leaf)
        while node:
            child, node = node, int(parent[node])
            branch = child - int(tree.first_child[node])
            if tree.kind[node] == NUMERIC and not np.isnan(x[tree.feature[node]]):
                side = high if branch == 0 else low
                f = tree.feature[node]
                side[f] = (min if branch == 0 else max)(side[f], tree.threshold[node])
            else:
                share *= parts_of(tree, node, x, hard_gate)[branch]
        for f in range(tree.n_features):
            if np.isfinite(low[f]) or np.isfinite(high[f]):
                share *= between(x[f], low[f], high[f], scale[f])
        mass.append(share)
    return np.array(mass)


def between(x, low, high, sd):
    """Return P(low < x + noise <= high)."""
    if sd == 0:
        return float(low < x <= high)
    a, b = (low - x) / sd, (high - x) / sd
    if b <= a:
        return 0.0
    return ndtr(-a) - ndtr(-b) if a > 0 else ndtr(b) - ndtr(a)


# -- random draws ------------------------------------------------------------


def monte_carlo(tree, x, scale, n, rng):
    """Perturb the row, and average the hard tree; nominal tests see the row itself."""
    noisy = x + scale * rng.standard_normal((n, tree.n_features))
    return averaged(tree, x, lambda node, rows: value_of(tree, node, noisy[rows].T), n)


def monte_carlo_ramp(tree, x, n, rng):
    """Section A.3: each test draws its own noise, half in [0, below] and half in [-above, 0]."""

    def values(node, rows):
        up = rng.random(rows.size) < 0.5
        size = np.where(up, tree.below[node], -tree.above[node])
        return value_of(tree, node, x) + size * rng.random(rows.size)

    return averaged(tree, x, values, n)


def averaged(tree, x, values, n):
    """Send n copies down; ``values(node, rows)`` is what the rows show to a numeric test."""
    mass = np.zeros(tree.n_nodes)

    def visit(node, rows, weight):
        if tree.kind[node] == LEAF:
            mass[node] += weight * rows.size
        elif tree.kind[node] == NOMINAL or is_missing(tree, node, x):
            for child, part in zip(
                tree.children(node), parts_of(tree, node, x, hard_gate), strict=True
            ):
                visit(child, rows, weight * part)
        else:
            goes_left = values(node, rows) <= tree.threshold[node]
            left, right = tree.children(node)
            visit(left, rows[goes_left], weight)
            visit(right, rows[~goes_left], weight)

    visit(0, np.arange(n), 1.0)
    return mass[tree.leaves] / n


def standard_error(mass, n):
    """Return the standard error of a Monte Carlo mass, never quite zero."""
    return np.sqrt(np.maximum(mass * (1 - mass), 1 / n) / n)
