"""Tests of blurred rows by definition: every cut and every set of categories, numpy only."""

import itertools

import numpy as np
from scipy.special import ndtr

from tests.oracles.splits import impurity


def parts_below(x, cut, sd):
    """The part of each value's cloud that lies at or below a cut."""
    return ndtr((cut - x) / sd) if sd > 0 else (x <= cut).astype(float)


def parts_inside(x, chosen, redraw, shares):
    """The part of each category that is, or is drawn to be, one of ``chosen``."""
    own = np.isin(x, chosen).astype(float)
    return (1 - redraw) * own + redraw * sum(shares[int(v)] for v in chosen) if shares else own


def candidates(data, flow, f):
    """Yield the parts that every test of a column sends left, of its known rows."""
    x = data.X[:, f]
    x = x[~np.isnan(x)]
    values = np.unique(x)
    if data.n_categories[f] == 0:
        for cut in (values[1:] + values[:-1]) / 2:
            yield parts_below(x, cut, flow.scale[f])
        return
    shares = flow.marginals[f] if flow.marginals else ()
    for size in range(1, values.size):
        for chosen in itertools.combinations(values, size):
            yield parts_inside(x, chosen, flow.redraw, shares)


def gain_of(part, label, weight, n_classes):
    """Decrease of gini impurity, ``part`` of each row going left."""
    uncut = impurity(label, weight, n_classes, "gini")
    left = impurity(label, weight * part, n_classes, "gini")
    return uncut - left - impurity(label, weight * (1 - part), n_classes, "gini")


def best_gain(data, flow):
    """The greatest gain over all columns; a column is judged by its known rows."""
    best = 0.0
    for f in range(data.X.shape[1]):
        known = ~np.isnan(data.X[:, f])
        label, weight = data.label[known], data.weight[known]
        for part in candidates(data, flow, f):
            best = max(best, gain_of(part, label, weight, data.n_classes))
    return best
