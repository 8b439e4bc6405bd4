"""Descent of a soft tree: cuts, widths and leaf responses trained together, by Adam."""

import math
from typing import NamedTuple

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.nodes import NOMINAL, OBLIQUE, NodeTable
from softwood._kernels.soft.batch import (
    LOG_BELOW,
    N_PER_TEST,
    Batch,
    Sample,
    Weights,
    add_up,
    gather,
    send_down,
    set_responses,
)
from softwood._kernels.soft.slopes import losses_and_slopes, send_up
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray

FIRST_DECAY, SECOND_DECAY, NUDGE = 0.9, 0.99, 1e-8  # Adam's


class Goal(NamedTuple):
    """What descends, and how fast."""

    shape: int  # of the curves, as in gates
    squared: bool  # squared error, or log loss
    rate_test: float
    rate_leaf: float
    width_penalty: float  # pulls the logarithms of the widths to where they started
    start_width: float  # logarithm
    rate_term: float = 0.0
    term_price: float = 0.0  # of a test that spreads over many features


@borrowing
def charge_terms(nodes, k, term, price, gradient):
    """Add the slope of the price of an oblique test: the sum of its weights over their norm.

    That is 1 for one term and more the more there are, in whatever units the test is.
    """
    total, squares = 0.0, 0.0
    for t in range(nodes.term_start[k], nodes.term_start[k + 1]):
        total += abs(term[t, 0])
        squares += term[t, 0] * term[t, 0]
    if squares == 0.0:
        return
    norm = math.sqrt(squares)
    for t in range(nodes.term_start[k], nodes.term_start[k + 1]):
        weight = term[t, 0]
        sign = 0.0 if weight == 0.0 else math.copysign(1.0, weight)
        gradient[t, 0] += price * (sign - total / squares * weight) / norm


@borrowing
def finish_gradient(nodes, weights, goal, batch, gradient):
    """Turn slopes along responses to slopes along logits, and add the penalty of widths."""
    n_outputs = weights.leaf.shape[1]
    for k in range(nodes.kind.size):
        if nodes.n_children[k] == 0:
            if not goal.squared:
                mean = 0.0
                for j in range(n_outputs):
                    mean += batch.response[k, j] * gradient.leaf[k, j]
                for j in range(n_outputs):
                    gradient.leaf[k, j] = batch.response[k, j] * (gradient.leaf[k, j] - mean)
        elif nodes.kind[k] != NOMINAL:
            if nodes.kind[k] == OBLIQUE and goal.term_price > 0.0:
                charge_terms(nodes, k, weights.term, goal.term_price, gradient.term)
            for side in range(LOG_BELOW, N_PER_TEST):
                off = weights.test[k, side] - goal.start_width
                gradient.test[k, side] += goal.width_penalty * off


@borrowing
def adam_step(value, gradient, first, second, rate, time):
    """Move ``value`` against its gradient, which is cleared; what had none so far stays."""
    grown_first, grown_second = 1.0 - FIRST_DECAY**time, 1.0 - SECOND_DECAY**time
    rate, per_second = rate / grown_first, 1.0 / grown_second
    for k in range(value.shape[0]):
        for j in range(value.shape[1]):
            g = gradient[k, j]
            if g == 0.0 and second[k, j] == 0.0:
                continue
            first[k, j] = FIRST_DECAY * first[k, j] + (1.0 - FIRST_DECAY) * g
            second[k, j] = SECOND_DECAY * second[k, j] + (1.0 - SECOND_DECAY) * g * g
            size = math.sqrt(second[k, j] * per_second) + NUDGE
            value[k, j] -= rate * first[k, j] / size
            gradient[k, j] = 0.0


@long_kernel
def train_epoch(
    nodes: NodeTable,
    sample: Sample,
    rows: AnyArray,
    weights: Weights,
    gradient: Weights,
    first_moment: Weights,
    second_moment: Weights,
    batch: Batch,
    goal: Goal,
    step: int,
    n_steps: int,
) -> float:
    """Go once through ``rows``, a step for each batch; return the sum of losses.

    ``step`` counts from the beginning of training; the rates fall to 0 at ``n_steps``
    along half a cosine.
    """
    loss = 0.0
    size, n_features = batch.x.shape[1], batch.x.shape[0] - nodes.kind.size
    for start in range(0, rows.size, size):
        if stop_requested():
            break
        stop = min(start + size, rows.size)
        gather(sample, rows, start, stop, batch)
        set_responses(nodes, weights.leaf, goal.squared, batch.response)
        send_down(nodes, n_features, stop - start, weights, goal.shape, batch)
        add_up(nodes, stop - start, batch)
        total = 0.0
        for i in range(start, stop):
            total += sample.weight[rows[i]]
        loss += losses_and_slopes(sample.weight, rows, start, stop, goal.squared, total, batch)
        send_up(nodes, n_features, stop - start, weights, goal.shape, batch, gradient)
        finish_gradient(nodes, weights, goal, batch, gradient)
        step += 1
        fading = 0.5 + 0.5 * math.cos(math.pi * step / n_steps)
        adam_step(
            weights.test, gradient.test, first_moment.test, second_moment.test,
            goal.rate_test * fading, step,
        )  # fmt: skip
        adam_step(
            weights.leaf, gradient.leaf, first_moment.leaf, second_moment.leaf,
            goal.rate_leaf * fading, step,
        )  # fmt: skip
        adam_step(
            weights.term, gradient.term, first_moment.term, second_moment.term,
            goal.rate_term * fading, step,
        )  # fmt: skip
    return loss


@long_kernel
def loss_and_gradient(
    nodes: NodeTable,
    sample: Sample,
    rows: AnyArray,
    weights: Weights,
    gradient: Weights,
    batch: Batch,
    goal: Goal,
) -> float:
    """Return the mean loss over ``rows``; add its gradient, without penalties, if it has room."""
    total, loss = 0.0, 0.0
    for row in rows:
        total += sample.weight[row]
    set_responses(nodes, weights.leaf, goal.squared, batch.response)
    size, n_features = batch.x.shape[1], batch.x.shape[0] - nodes.kind.size
    for start in range(0, rows.size, size):
        if stop_requested():
            break
        stop = min(start + size, rows.size)
        gather(sample, rows, start, stop, batch)
        send_down(nodes, n_features, stop - start, weights, goal.shape, batch)
        add_up(nodes, stop - start, batch)
        loss += losses_and_slopes(sample.weight, rows, start, stop, goal.squared, total, batch)
        if gradient.test.shape[0] > 0:
            send_up(nodes, n_features, stop - start, weights, goal.shape, batch, gradient)
    if gradient.test.shape[0] > 0:
        finish_gradient(nodes, weights, goal, batch, gradient)
    return loss / total
