"""The slopes of the loss of a batch: what every node is worth, from the leaves up.

The gradient of a test is the mass that reaches it, times the difference in worth of its
branches, times the slope of its curve. That of a term of an oblique test is the same slope
times the value of its feature.
"""

import math

import numpy as np

from softwood._kernels._jit import borrowing, pasted
from softwood._kernels.branch import branch_share
from softwood._kernels.flow.gates import LINEAR, LOGISTIC
from softwood._kernels.nodes import NOMINAL, OBLIQUE
from softwood._kernels.soft.batch import (
    CUT,
    HALF_SQRT_PI,
    LOG_ABOVE,
    LOG_BELOW,
    line_of_test,
    take_branch,
)
from softwood._kernels.soft.lines import NOTHING, ONE, fill_zero, product_of_lines, total_of_line

LEAST_PROBABILITY = 1e-6


@borrowing
def losses_and_slopes(weight, rows, start, stop, squared, total_weight, batch):
    """Return the loss of the batch; ``out`` becomes its slope, per unit of weight."""
    loss = 0.0
    for i in range(stop - start):
        w = weight[rows[start + i]]
        for j in range(batch.out.shape[0]):
            target = batch.target[j, i]
            if squared:
                off = batch.out[j, i] - target
                loss += w * off * off
                batch.out[j, i] = 2.0 * w * off / total_weight
            elif target == NOTHING:  # as most are where classes are many
                batch.out[j, i] = NOTHING
            else:
                p = max(batch.out[j, i], np.float32(LEAST_PROBABILITY))
                loss -= w * target * math.log(p)
                batch.out[j, i] = -w * target / p / total_weight
    return loss


@borrowing
def slope_of_share(shape, share, u):
    """Return by how much the share falls per half-width, ``u`` half-widths from the cut."""
    if shape == LOGISTIC:
        return np.float32(2.0) * share * (np.float32(1.0) - share)
    if shape == LINEAR:
        return np.float32(0.5 if 0.0 < share < 1.0 else 0.0)
    return np.float32(0.5) * np.float32(math.exp(-(u * u) * HALF_SQRT_PI * HALF_SQRT_PI))


@borrowing
def slopes_per_width(x, cut, per_below, per_above, shape, size, share, slope):
    """Fill ``slope`` with how fast the share falls per half-width at each row."""
    if shape == LOGISTIC:  # on its own, so that nothing keeps it from becoming vectors
        for i in range(size):
            slope[i] = share[i] * (ONE - share[i])
        for i in range(size):
            slope[i] += slope[i]
        return
    for i in range(size):
        u = x[i] - cut
        u *= per_below if u < 0 else per_above
        slope[i] = slope_of_share(shape, share[i], u)


@borrowing
def slopes_along_widths(x, cut, per_below, per_above, size, pull, below, above):
    """Turn slopes per half-width in ``pull`` to those along cut and both widths."""
    for i in range(size):
        u, along = x[i] - cut, pull[i]  # read both, whatever they are: so these become vectors
        along = NOTHING if u != u else along
        u = NOTHING if u != u else u
        under = along * min(u, NOTHING)
        over = along * max(u, NOTHING)
        pull[i] = along * (per_below if u < NOTHING else per_above)
        below[i] = under * per_below
        above[i] = over * per_above


@borrowing
def slopes_of_test(
    x, cut, per_below, per_above, shape, size, share, mass, step, pull, slope, lanes, gradient
):
    """Add up the slopes of the loss along cut and widths; ``step`` is right worth over left."""
    below, above = slope[0], slope[1]
    slopes_per_width(x, cut, per_below, per_above, shape, size, share, pull)
    for i in range(size):
        pull[i] *= mass[i] * step[i]
    slopes_along_widths(x, cut, per_below, per_above, size, pull, below, above)
    gradient[CUT] += total_of_line(pull, size, lanes)
    gradient[LOG_BELOW] += total_of_line(below, size, lanes)
    gradient[LOG_ABOVE] += total_of_line(above, size, lanes)


@borrowing
def slopes_of_terms(nodes, k, x, pull, size, lanes, gradient):
    """Add up the slopes of the loss along the weights of an oblique test.

    ``pull`` is the slope along its cut, which moves against what it compares; it is 0 where
    a term is missing.
    """
    for t in range(nodes.term_start[k], nodes.term_start[k + 1]):
        line = x[nodes.term_feature[t]]
        slope = product_of_lines(pull, line, size, lanes)
        if slope != slope:  # some value is missing: rows without a pull do not count
            slope = NOTHING
            for i in range(size):
                slope += product(pull[i], line[i])
        gradient[t, 0] -= slope


@borrowing
def product(pull, x):
    """Return the product, and 0 where nothing pulls: there ``x`` may be missing."""
    return pull * x if pull != 0.0 else np.float32(0.0)


@pasted
def send_up(nodes, n_features, size, weights, shape, batch, gradient):
    """Fill the worth of all nodes, and add to the gradients; ``gradient.leaf`` is of responses."""
    for k in range(nodes.kind.size - 1, -1, -1):
        first, n_children = nodes.first_child[k], nodes.n_children[k]
        worth, mass = batch.worth[k], batch.mass[k]
        fill_zero(worth, size)
        if n_children == 0:
            for j in range(batch.out.shape[0]):
                slope, value = batch.out[j], np.float32(batch.response[k, j])
                for i in range(size):
                    worth[i] += slope[i] * value
                gradient.leaf[k, j] += product_of_lines(slope, mass, size, batch.lanes)
        elif n_children > 2:
            for b in range(n_children):
                part = np.float32(branch_share(nodes, k, b))
                take_branch(batch.share[k], b, part, size, batch.pull)
                for i in range(size):
                    worth[i] += batch.pull[i] * batch.worth[first + b, i]
        else:
            share, left, right = batch.share[k], batch.worth[first], batch.worth[first + 1]
            for i in range(size):
                # The left child's worth is read before its line serves for the difference.
                difference = left[i] - right[i]
                worth[i] = right[i] + share[i] * difference
                left[i] = difference
            if nodes.kind[k] == NOMINAL:
                continue
            line = line_of_test(nodes, k, n_features)
            cut = np.float32(weights.test[k, CUT])
            per_below, per_above = batch.per_width[k, 0], batch.per_width[k, 1]
            slopes_of_test(
                batch.x[line], cut, per_below, per_above, shape, size, share, mass, left,
                batch.pull, batch.slope, batch.lanes, gradient.test[k],
            )  # fmt: skip
            if nodes.kind[k] == OBLIQUE:
                slopes_of_terms(nodes, k, batch.x, batch.pull, size, batch.lanes, gradient.term)
