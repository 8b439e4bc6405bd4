"""Hyperplanes without the coefficients that do not pay: a shorter equation divides as well."""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.oblique.climb import BETTER, LEAST, combine, line_step, product
from softwood._kernels.oblique.scratch import PLANE, STEP


@borrowing
def least_term(plane, active, spread, above):
    """Return the feature whose term varies least among those that vary more than ``above``."""
    least, size = -1, np.inf
    for a in range(active.size - 1):
        j = active[a]
        own = abs(plane[j]) * spread[j]
        if above < own < size:
            least, size = j, own
    return least, size


@borrowing
def drop_terms(rules, node, spread, scratch, value, objective, state):
    """Drop the terms without which the best constant makes a plane as good; write its values.

    Terms that vary least are tried first. The search as OC1 has it drops none.
    """
    plane, active = scratch.planes[PLANE], node.active
    combine(node, plane, value)
    n_terms = 0
    for a in range(active.size - 1):
        n_terms += 1 if plane[active[a]] != 0.0 else 0
    if not rules.exact:
        return
    constant, without, size = plane.size - 1, scratch.by_row[STEP, : value.size], 0.0
    while n_terms > 1:
        j, size = least_term(plane, active, spread, size)
        if j < 0:
            return
        for i in range(value.size):
            without[i] = value[i] - plane[j] * node.lines[j, i]
        squares = (product(plane, plane) - plane[j] * plane[j], 0.0, 0.0)
        enough = objective - BETTER * abs(objective) - LEAST
        ones = node.lines[constant]
        found, s = line_step(rules, node, without, ones, enough, squares, scratch, state)
        if s != 0.0 and found >= enough:
            plane[j] = 0.0
            plane[constant] += s
            objective, n_terms = found, n_terms - 1
            combine(node, plane, value)
