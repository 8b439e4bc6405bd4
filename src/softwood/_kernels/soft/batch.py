"""A batch of rows through a soft tree: what reaches every node.

The batch goes through the whole tree, node by node, in arrays of one line per node (the
lines are contiguous, so the inner loops become vector instructions)::

    down   share[k]: what goes left at k      mass[k]: what reaches k
    up     worth[k]: change of the loss per unit of mass that reaches k

Here is the way down; :mod:`softwood._kernels.soft.slopes` has the way up. Numbers are in
units of the features' deviations. An oblique test compares the weighted sum of its terms,
in these units, with its cut.
"""

import math
from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, pasted
from softwood._kernels.branch import SPREADS, branch_share, share_of
from softwood._kernels.flow.gates import LINEAR, LOGISTIC
from softwood._kernels.nodes import NOMINAL, OBLIQUE
from softwood._kernels.soft.lines import LANES, NOTHING, decline, fill_zero
from softwood._types import AnyArray, FloatArray, IndexArray

HALF_SQRT_PI = 0.5 * math.sqrt(math.pi)
LEAST_MASS = np.float32(1e-12)  # less is none: numbers near the smallest there is take long
ROWS_AT_ONCE = 4096
CUT, LOG_BELOW, LOG_ABOVE, N_PER_TEST = 0, 1, 2, 3


class Weights(NamedTuple):
    """What is trained, its gradient, and Adam's two moments of it."""

    test: FloatArray  # (n_nodes, N_PER_TEST): cut and logarithms of the half-widths
    leaf: FloatArray  # (n_nodes, n_outputs): logits, or numbers
    term: FloatArray = np.zeros((0, 1))  # (n_terms, 1): weights of the terms of oblique tests


class Batch(NamedTuple):
    """Working memory for one batch; lines of ``size`` rows."""

    x: AnyArray  # (n_features + n_nodes, size) float32: features in deviations, then weighted sums
    target: AnyArray  # (n_outputs, size) float32
    out: AnyArray  # (n_outputs, size) float32; then the loss's slope at it
    share: AnyArray  # (n_nodes, size) float32
    mass: AnyArray
    worth: AnyArray
    response: FloatArray  # (n_nodes, n_outputs), of leaves
    pull: AnyArray  # (size,) float32: slope of the loss along the value of one test
    slope: AnyArray  # (2, size) float32: along its widths
    lanes: AnyArray  # of sums
    per_width: AnyArray  # (n_nodes, 2) float32: one over the half-widths below and above


class Sample(NamedTuple):
    """The rows, and the units in which they are seen."""

    X: FloatArray
    target: AnyArray  # (n_rows, n_outputs) float32
    weight: FloatArray
    used: IndexArray  # features that some test compares
    seen: (
        AnyArray  # (n_used, n_rows) float32: these, in deviations from their centre; codes as such
    )


def open_sample(
    X: FloatArray,
    target: AnyArray,
    weight: FloatArray,
    centre: FloatArray,
    scale: FloatArray,
    used: IndexArray,
) -> Sample:
    """Return the rows with what tests compare, in units of ``scale``: every epoch reads it."""
    seen = np.empty((used.size, X.shape[0]), np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, X.shape[0], ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            seen[:, part] = ((X[part, used] - centre[used]) / scale[used]).T
    return Sample(X, target, weight, used, seen)


def open_batch(n_nodes: int, n_features: int, n_outputs: int, size: int) -> Batch:
    """Return working memory for batches of at most ``size`` rows."""
    return Batch(
        x=np.zeros((n_features + n_nodes, size), np.float32),
        target=np.zeros((n_outputs, size), np.float32),
        out=np.zeros((n_outputs, size), np.float32),
        share=np.zeros((n_nodes, size), np.float32),
        mass=np.zeros((n_nodes, size), np.float32),
        worth=np.zeros((n_nodes, size), np.float32),
        response=np.zeros((n_nodes, n_outputs)),
        pull=np.zeros(size, np.float32),
        slope=np.zeros((2, size), np.float32),
        lanes=np.zeros(LANES, np.float32),
        per_width=np.zeros((n_nodes, 2), np.float32),
    )


@borrowing
def gather(sample, rows, start, stop, batch):
    """Copy rows into the batch, features in lines; only those that are asked for."""
    for at in range(sample.used.size):
        line, column = batch.x[sample.used[at]], sample.seen[at]
        for i in range(stop - start):
            line[i] = column[rows[start + i]]
    for i in range(start, stop):
        row = rows[i]
        for j in range(batch.target.shape[0]):
            batch.target[j, i - start] = sample.target[row, j]


@borrowing
def set_responses(nodes, leaf, squared, response):
    """Turn logits to probabilities; numbers stay as they are."""
    n_outputs = leaf.shape[1]
    for k in range(nodes.kind.size):
        if nodes.n_children[k] > 0:
            continue
        if squared:
            for j in range(n_outputs):
                response[k, j] = leaf[k, j]
            continue
        largest = leaf[k, 0]
        for j in range(1, n_outputs):
            largest = max(largest, leaf[k, j])
        total = 0.0
        for j in range(n_outputs):
            response[k, j] = math.exp(leaf[k, j] - largest)
            total += response[k, j]
        for j in range(n_outputs):
            response[k, j] /= total


@borrowing
def set_shares(x, cut, per_below, per_above, shape, left_of_missing, size, share):
    """Fill ``share`` with what each row sends left at one numeric test."""
    one, half = np.float32(1.0), np.float32(0.5)
    if shape == LOGISTIC:
        for i in range(size):
            u = x[i] - cut
            u *= per_below if u < 0 else per_above
            share[i] = decline(u + u)
    elif shape == LINEAR:
        for i in range(size):
            u = x[i] - cut
            u *= per_below if u < 0 else per_above
            share[i] = min(max(half - half * u, np.float32(0.0)), one)
    else:
        for i in range(size):
            u = x[i] - cut
            u *= per_below if u < 0 else per_above
            share[i] = half * np.float32(math.erfc(u * HALF_SQRT_PI))
    for i in range(size):
        if math.isnan(x[i]):
            share[i] = left_of_missing


@pasted
def line_of_test(nodes, k, n_features):
    """Return the line of ``x`` that holds what a numeric or oblique test compares with its cut."""
    return n_features + k if nodes.kind[k] == OBLIQUE else nodes.feature[k]


@borrowing
def add_terms(nodes, k, x, term, size, value):
    """Fill ``value`` with the weighted sum of an oblique test; NaN where a term is missing."""
    for i in range(size):
        value[i] = 0.0
    for t in range(nodes.term_start[k], nodes.term_start[k + 1]):
        line, weight = x[nodes.term_feature[t]], np.float32(term[t, 0])
        for i in range(size):
            value[i] += weight * line[i]


@pasted
def left_of_missing(nodes, k):
    """Return the share of the left child of a row whose tested value is missing."""
    if nodes.missing_child[k] >= 0:
        return 1.0 - nodes.missing_child[k]
    first = nodes.first_child[k]
    return share_of(nodes.weight[first], nodes.weight[first] + nodes.weight[first + 1], 2)


@borrowing
def note_branches(nodes, k, codes, size, share):
    """Note in ``share`` the branch of each row at a nominal test, or -1, as ``branch_of`` does."""
    first, n_codes = nodes.set_start[k], nodes.set_start[k + 1] - nodes.set_start[k]
    of_missing = np.float32(nodes.missing_child[k])
    spreads, n_known = np.float32(SPREADS), np.float32(n_codes)
    for i in range(size):
        code = codes[i]
        known = NOTHING <= code < n_known
        branch = np.float32(nodes.set_child[first + (np.int32(code) if known else np.int32(0))])
        other = spreads if code == code else of_missing
        share[i] = branch if known else other


@borrowing
def take_branch(noted, branch, part, size, share):
    """Fill ``share`` with what goes to a branch: all, nothing, or a part of rows that spread."""
    one, none, wanted = np.float32(1.0), np.float32(0.0), np.float32(branch)
    for i in range(size):
        here = one if noted[i] == wanted else none
        share[i] = part if noted[i] < none else here


@borrowing
def divide_mass(mass, share, size, left, right):
    """Divide the mass of a node; what is next to nothing becomes nothing."""
    none = np.float32(0.0)
    for i in range(size):
        part = mass[i] * share[i]
        rest = mass[i] - part
        left[i] = part if part > LEAST_MASS else none
        right[i] = rest if rest > LEAST_MASS else none


@pasted
def send_down(nodes, n_features, size, weights, shape, batch):
    """Fill the shares of tests and the masses of all nodes."""
    for i in range(size):
        batch.mass[0, i] = 1.0
    for k in range(nodes.kind.size):
        first, n_children = nodes.first_child[k], nodes.n_children[k]
        if n_children == 0:
            continue
        mass = batch.mass[k]
        share = batch.share[k]
        if nodes.kind[k] == NOMINAL:
            note_branches(nodes, k, batch.x[nodes.feature[k]], size, share)
            if n_children > 2:
                for b in range(n_children):
                    take_branch(share, b, np.float32(branch_share(nodes, k, b)), size, batch.pull)
                    for i in range(size):
                        batch.mass[first + b, i] = mass[i] * batch.pull[i]
                continue
            take_branch(share, 0, np.float32(branch_share(nodes, k, 0)), size, share)
        else:
            line = line_of_test(nodes, k, n_features)
            if nodes.kind[k] == OBLIQUE:
                add_terms(nodes, k, batch.x, weights.term, size, batch.x[line])
            per_width = batch.per_width[k]
            per_width[0] = math.exp(-weights.test[k, LOG_BELOW])
            per_width[1] = math.exp(-weights.test[k, LOG_ABOVE])
            set_shares(
                batch.x[line], np.float32(weights.test[k, CUT]), per_width[0], per_width[1],
                shape, np.float32(left_of_missing(nodes, k)), size, share,
            )  # fmt: skip
        divide_mass(mass, share, size, batch.mass[first], batch.mass[first + 1])


@pasted
def add_up(nodes, size, batch):
    """Fill ``out`` with leaf mass @ leaf response."""
    for j in range(batch.out.shape[0]):
        out = batch.out[j]
        fill_zero(out, size)
        for k in range(nodes.kind.size):
            if nodes.n_children[k] == 0:
                mass, value = batch.mass[k], np.float32(batch.response[k, j])
                for i in range(size):
                    out[i] += mass[i] * value
