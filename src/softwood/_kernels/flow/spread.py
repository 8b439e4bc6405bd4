"""How the unit mass of a row spreads over a tree: one walk for every flow.

Nodes are numbered breadth first. A walk that takes nodes from the front of a queue and
puts children at its end therefore meets them in ascending order, leaves included.
"""

import math

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.branch import branch_of, share_of, total_of, value_of
from softwood._kernels.flow.gates import LINEAR, LOGISTIC, NOISE, Gates, part_of_category
from softwood._kernels.nodes import LEAF, NOMINAL, NodeTable
from softwood._kernels.normal import mass_between, tail_of
from softwood._types import AnyArray, FloatArray, IndexArray

# What is noted at a node while a row spreads: its mass, and the interval that the noise
# of its parent's direction is left with, as z and as tail (see normal). Below a nominal
# test that draws anew it is not an interval, but the part of the row's own category.
MASS, LOW_Z, LOW, HIGH_Z, HIGH, N_NOTES = 0, 1, 2, 3, 4, 5
OWN = LOW

HALF_SQRT_PI = 0.5 * math.sqrt(math.pi)
MOST_EXPONENT = 700.0  # exp of a little more overflows


@borrowing
def ramp_share(u: float, below: float, above: float) -> float:
    """Return the share of the left child, ``u`` being the distance over the threshold."""
    if u == 0.0:  # before the others: a zero width must not swallow the tie
        return 0.5
    if u <= -below:
        return 1.0
    if u >= above:
        return 0.0
    return 0.5 - 0.5 * u / (below if u < 0.0 else above)


@borrowing
def curve_share(u: float, below: float, above: float, shape: int) -> float:
    """Return the share of the left child under a curve with the ramp's slopes at the threshold."""
    width = below if u < 0.0 else above
    if shape == LINEAR or u == 0.0 or width == 0.0:
        return ramp_share(u, below, above)
    u /= width
    if shape == LOGISTIC:
        return 1.0 / (1.0 + math.exp(min(2.0 * u, MOST_EXPONENT)))
    return 0.5 * math.erfc(u * HALF_SQRT_PI)


@borrowing
def note(notes: FloatArray, home: int, child: int, mass: float) -> None:
    """Note the mass of ``child``, and that its interval is still the one noted at ``home``."""
    notes[child, MASS] = mass
    for bound in range(LOW_Z, N_NOTES):
        notes[child, bound] = notes[home, bound]


@borrowing
def divide(
    nodes: NodeTable,
    gates: Gates,
    node: int,
    value: float,
    queue: IndexArray,
    end: int,
    notes: FloatArray,
) -> int:
    """Divide the mass of ``node`` softly; put the children it reaches at ``end`` of the queue."""
    mass, home, first = notes[node, MASS], gates.home[node], nodes.first_child[node]
    over = value - nodes.threshold[node]
    lower, upper = first, first + 1
    z, tail = 0.0, 0.0
    if gates.shape != NOISE:
        share = curve_share(over, nodes.below[node], nodes.above[node], gates.shape)
        low, high = mass * share, mass * (1.0 - share)
    else:
        if gates.sd[node] < 0.0:
            lower, upper = upper, lower
        z = -over / gates.sd[node]
        if z <= max(-gates.span, notes[home, LOW_Z]):
            low, high = 0.0, mass
        elif z >= min(gates.span, notes[home, HIGH_Z]):
            low, high = mass, 0.0
        else:
            tail = tail_of(z)
            low = mass_between(notes[home, LOW], tail)
            high = mass_between(tail, notes[home, HIGH])
            # As shares of their own sum they lose no mass, however narrow the interval.
            scale = mass / (low + high)
            low, high = low * scale, high * scale

    if low < gates.drop or high < gates.drop:
        child = lower if low >= high else upper
        note(notes, home, child, mass)
        queue[end] = child
        return end + 1
    note(notes, home, lower, low)
    notes[lower, HIGH_Z], notes[lower, HIGH] = z, tail
    note(notes, home, upper, high)
    notes[upper, LOW_Z], notes[upper, LOW] = z, tail
    queue[end], queue[end + 1] = first, first + 1
    return end + 2


@borrowing
def draw_anew(
    nodes: NodeTable,
    gates: Gates,
    node: int,
    code: float,
    queue: IndexArray,
    end: int,
    notes: FloatArray,
) -> int:
    """Divide the mass of a nominal test whose category may be drawn anew."""
    mass, home, first = notes[node, MASS], gates.home[node], nodes.first_child[node]
    inherited = 1.0 if home == 0 else notes[home, OWN]
    chance, total, largest = gates.redraw[node], 0.0, 0.0
    for branch in range(nodes.n_children[node]):
        child = first + branch
        own = inherited * part_of_category(nodes, node, branch, code)
        part = (1.0 - chance) * own + chance * gates.drawn[child]
        notes[child, MASS], notes[child, OWN] = part, own
        total += part
        largest = max(largest, part)
    least = min(gates.drop * total / mass, largest)
    kept = 0.0
    for child in range(first, first + nodes.n_children[node]):
        if notes[child, MASS] >= least:
            kept += notes[child, MASS]
    for child in range(first, first + nodes.n_children[node]):
        part = notes[child, MASS]
        if part >= least and part > 0.0:
            notes[child, MASS] = mass * (part / kept)
            queue[end] = child
            end += 1
    return end


@borrowing
def share_out(
    nodes: NodeTable, home: int, node: int, queue: IndexArray, end: int, notes: FloatArray
) -> int:
    """Share the mass of ``node`` among all children by weight; return the queue's new end."""
    mass, first, n_children = notes[node, MASS], nodes.first_child[node], nodes.n_children[node]
    total = total_of(nodes.weight, first, n_children)
    for branch in range(n_children):
        part = mass * share_of(nodes.weight[first + branch], total, n_children)
        if part > 0.0:
            note(notes, home, first + branch, part)
            queue[end] = first + branch
            end += 1
    return end


@borrowing
def spread_row(
    nodes: NodeTable, gates: Gates, row: FloatArray, queue: IndexArray, notes: FloatArray
) -> int:
    """Note the mass of every node that ``row`` reaches; ``queue`` lists them, return how many."""
    notes[0, MASS] = 1.0
    notes[0, LOW_Z], notes[0, LOW] = -np.inf, 0.0
    notes[0, HIGH_Z], notes[0, HIGH] = np.inf, 0.0
    queue[0] = 0
    front = 0
    end = front + 1  # not 1: numba would compile the calls below for the literal, too
    while front < end:
        node: int = np.int64(queue[front])  # type: ignore[assignment]
        front += 1
        kind = nodes.kind[node]
        if kind == LEAF:
            continue
        if kind != NOMINAL and (gates.shape != NOISE or gates.sd[node] != 0.0):
            value = value_of(nodes, node, row)
            if not np.isnan(value):
                end = divide(nodes, gates, node, value, queue, end, notes)
                continue
        elif gates.redraw[node] > 0.0 and not np.isnan(row[nodes.feature[node]]):
            end = draw_anew(nodes, gates, node, row[nodes.feature[node]], queue, end, notes)
            continue
        branch, home = branch_of(nodes, node, row), gates.home[node]
        if branch < 0:
            end = share_out(nodes, home, node, queue, end, notes)
            continue
        child = nodes.first_child[node] + branch
        note(notes, home, child, notes[node, MASS])
        queue[end] = child
        end += 1
    return end


@borrowing
def add_responses(
    nodes: NodeTable,
    gates: Gates,
    X: FloatArray,
    response: FloatArray,
    queue: IndexArray,
    notes: FloatArray,
    out: FloatArray,
) -> None:
    """Do the work of :func:`predict_rows`, in memory that it has allocated."""
    for i in range(X.shape[0]):
        out[i, :] = 0.0
        for position in range(spread_row(nodes, gates, X[i], queue, notes)):
            node = queue[position]
            if nodes.kind[node] == LEAF:
                for k in range(response.shape[1]):
                    out[i, k] += notes[node, MASS] * response[node, k]


@kernel
def predict_rows(
    nodes: NodeTable, gates: Gates, X: FloatArray, response: FloatArray, out: FloatArray
) -> None:
    """Write the mean response of the leaves, by mass, to each row of ``out``."""
    n_nodes = nodes.kind.size
    queue, notes = np.empty(n_nodes, np.int32), np.empty((n_nodes, N_NOTES))
    add_responses(nodes, gates, X, response, queue, notes, out)


@borrowing
def list_leaves(
    nodes: NodeTable,
    gates: Gates,
    X: FloatArray,
    start: int,
    queue: IndexArray,
    notes: FloatArray,
    indptr: AnyArray,
    leaf: IndexArray,
    mass: FloatArray,
) -> int:
    """Do the work of :func:`spread_rows`, in memory that it has allocated."""
    for i in range(start, len(X)):
        n_reached = spread_row(nodes, gates, X[i], queue, notes)
        used = indptr[i]
        if used + n_reached > leaf.size:
            return i
        for position in range(n_reached):
            node = queue[position]
            if nodes.kind[node] == LEAF:
                leaf[used], mass[used] = node, notes[node, MASS]
                used += 1
        indptr[i + 1] = used
    return len(X)


@kernel
def spread_rows(
    nodes: NodeTable,
    gates: Gates,
    X: FloatArray,
    start: int,
    indptr: AnyArray,
    leaf: IndexArray,
    mass: FloatArray,
) -> int:
    """List the leaves that rows from ``start`` on reach, ascending, and their masses.

    Row i fills ``[indptr[i], indptr[i + 1])`` of ``leaf`` (node ids) and ``mass``. Return
    the first row for which there was no room, or the number of rows.
    """
    n_nodes = nodes.kind.size
    queue, notes = np.empty(n_nodes, np.int32), np.empty((n_nodes, N_NOTES))
    return list_leaves(nodes, gates, X, start, queue, notes, indptr, leaf, mass)
