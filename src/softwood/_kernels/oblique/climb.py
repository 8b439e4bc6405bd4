"""Hill climbing of a hyperplane: one line after the other, each to its best place.

A line changes one coefficient, or the constant, or, as a jump out of a local optimum, all of
them in a random proportion. Everything happens in one loop with one call of the line search,
because every function that calls it costs its compilation again.
"""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.oblique.classic import classic_step
from softwood._kernels.oblique.line import NOWHERE, best_cells, step_into
from softwood._kernels.oblique.objective import OC1, cost_of, count_left, least_score, objective_of
from softwood._kernels.oblique.score import parts_classes
from softwood._kernels.oblique.scratch import (
    CELL,
    DIRECTION,
    LEFT,
    N_SLIGHT,
    OBJECTIVE,
    PLACE,
    PLANE,
    SCORE,
    STEP,
    TRIAL,
    VALUE,
)
from softwood._kernels.randomness import below, uniform
from softwood._kernels.stopping import stop_requested

SEQUENTIAL, BEST_FIRST, RANDOM = 0, 1, 2
BETTER, LEAST = 1e-10, 1e-13  # relative and not: less is rounding
WORTH_A_STEP = 1e-3  # relative, where margins count: they grow by less and less, without end
PATIENCE = 10  # moves in a row that bring nothing but another place
SLIGHT = 1e-4  # OC1: changes that count as none
PICKS = 10  # random picks per coefficient
NOT_JUMPING = -1


@borrowing
def is_better(new, old):
    """Whether an objective is better by more than rounding."""
    return new > old + BETTER * abs(old) + LEAST if old > -np.inf else new > old


@borrowing
def is_worth_a_step(rules, new, old):
    """Whether a climb goes on to an objective."""
    if rules.objective == OC1 or old == -np.inf:
        return is_better(new, old)
    return new > old + WORTH_A_STEP * abs(old)


@borrowing
def worth_a_step(rules, old):
    """Return an objective that no step is taken without, from another one.

    The search as OC1 has it compares costs, and walks on plateaus: there is none.
    """
    if rules.objective == OC1 or not rules.exact or old == -np.inf:
        return old
    return old + WORTH_A_STEP * abs(old)


@borrowing
def combine(node, coefficients, out):
    """Write the values that coefficients give to the points."""
    constant = coefficients[coefficients.size - 1]
    for i in range(out.size):
        out[i] = constant
    for a in range(node.active.size - 1):
        factor, line = coefficients[node.active[a]], node.lines[node.active[a]]
        if factor != 0.0:
            for i in range(out.size):
                out[i] += factor * line[i]


@borrowing
def product(first, second):
    """Return the scalar product of two normal vectors; the constants are left out."""
    total = 0.0
    for j in range(first.size - 1):
        total += first[j] * second[j]
    return total


@borrowing
def norm_of(rules, plane):
    """Return the length of the normal vector where margins count, else 1."""
    return 1.0 if rules.objective == OC1 else np.sqrt(product(plane, plane))


@borrowing
def line_step(rules, node, value, step, least, squares, scratch, state):
    """Return ``(objective, s)`` of the step that the search takes on a line, 0 if it takes none.

    The exact search judges the best cells by score by their objective, which may ask for the
    margin too. It looks for more than the objective ``least``.
    ``squares`` holds |w|^2, w.r and |r|^2 of the normal vector and the direction of the line.
    """
    n_cells, reach, norm, best, best_s = 1, 0.0, 1.0, -np.inf, 0.0
    if rules.exact:
        bar = least_score(rules, node, least)
        reach, n_cells = best_cells(rules.criterion, node, value, step, bar, scratch), 0
        # Places do not outlast what comes next, so cells become steps.
        while n_cells < scratch.top.shape[1] and scratch.top[CELL, n_cells] != NOWHERE:
            cut = scratch.top[CELL, n_cells]
            scratch.top[CELL, n_cells] = step_into(value, step, scratch.by_row[PLACE], cut, reach)
            n_cells += 1
    trial = scratch.by_row[TRIAL, : value.size]
    for k in range(n_cells):
        if not rules.exact:
            s = classic_step(rules.criterion, node, value, step, scratch, state)
        elif scratch.top[SCORE, k] > least_score(rules, node, best):
            s = scratch.top[CELL, k]
        else:
            break
        for i in range(value.size):
            trial[i] = value[i] + s * step[i]
        if rules.objective != OC1:
            norm = np.sqrt(max(squares[0] + 2.0 * s * squares[1] + s * s * squares[2], 0.0))
        bar = max(best, least) if rules.exact else best
        objective = objective_of(rules, node, trial, norm, bar, scratch)
        if objective > best:
            best, best_s = objective, s
    return best, best_s


@borrowing
def accepts(rules, node, objective, s, now):
    """Whether to move a coefficient, counting the moves on a plateau."""
    if rules.exact:
        better = is_worth_a_step(rules, objective, now[OBJECTIVE])
        no_worse = better or (rules.objective == OC1 and not is_better(now[OBJECTIVE], objective))
    else:
        old, new = cost_of(rules, node, now[OBJECTIVE]), cost_of(rules, node, objective)
        better = old - new > SLIGHT  # infinite where there was nothing to compare with
        no_worse = new <= old and abs(s) > SLIGHT
    if not no_worse:
        return False
    now[N_SLIGHT] = 0.0 if better else now[N_SLIGHT] + 1.0
    return now[N_SLIGHT] <= PATIENCE


@borrowing
def draw_direction(node, direction, step, state):
    """Write a random direction, and how values change along it."""
    for j in range(direction.size):
        direction[j] = 0.0
    for a in range(node.active.size):
        direction[node.active[a]] = 2.0 * uniform(state) - 1.0
    combine(node, direction, step)


@borrowing
def climb(rules, node, scratch, state):
    """Climb from the hyperplane in ``PLANE``, which is changed; return the objective.

    Coefficients are visited in turn, or the one that brings most is moved, or they are picked
    at random. Where none brings anything, random directions are tried.
    """
    plane, direction, now = scratch.planes[PLANE], scratch.planes[DIRECTION], scratch.now
    value, jump_step = (
        scratch.by_row[VALUE, : node.weight.size],
        scratch.by_row[STEP, : node.weight.size],
    )
    combine(node, plane, value)
    now[OBJECTIVE] = objective_of(rules, node, value, norm_of(rules, plane), -np.inf, scratch)
    now[N_SLIGHT] = 0.0
    # OC1 visits the constant only where it picks at random.
    n_lines = node.active.size if rules.exact or rules.order == RANDOM else node.active.size - 1
    most_jumps = min(rules.n_jumps, 1) if rules.order == RANDOM else rules.n_jumps
    turn, n_idle, n_picks, n_jumps = 0, 0, 0, NOT_JUMPING
    best, best_s, best_m, m = -np.inf, 0.0, 0, 0
    while not stop_requested():
        if n_jumps == most_jumps:
            if rules.order != RANDOM:
                break
            n_jumps = NOT_JUMPING
        if n_jumps != NOT_JUMPING:
            draw_direction(node, direction, jump_step, state)
            step = jump_step
            n_jumps += 1
        else:
            m = node.active[turn]
            if rules.order == RANDOM:
                if n_picks == PICKS * n_lines:
                    break
                m = node.active[below(state, n_lines)]
                n_picks += 1
            turn = turn + 1 if turn + 1 < n_lines else 0
            step = node.lines[m]
            for j in range(direction.size):
                direction[j] = 1.0 if j == m else 0.0
        squares = (1.0, 0.0, 0.0)
        if rules.objective != OC1:
            squares = (
                product(plane, plane), product(plane, direction), product(direction, direction)
            )  # fmt: skip
        least = worth_a_step(rules, now[OBJECTIVE])
        if n_jumps == NOT_JUMPING and rules.objective == OC1 and now[N_SLIGHT] < PATIENCE:
            least -= BETTER * abs(least) + LEAST
        objective, s = line_step(rules, node, value, step, least, squares, scratch, state)
        if n_jumps == NOT_JUMPING and rules.order == BEST_FIRST:
            if objective > best:
                best, best_s, best_m = objective, s, m
            if turn > 0:
                continue
            objective, s, step = best, best_s, node.lines[best_m]
            for j in range(direction.size):
                direction[j] = 1.0 if j == best_m else 0.0
            best, best_s, n_idle = -np.inf, 0.0, n_lines
        if n_jumps != NOT_JUMPING:
            taken = s != 0.0 and is_worth_a_step(rules, objective, now[OBJECTIVE])
        else:
            taken = s != 0.0 and accepts(rules, node, objective, s, now)
        if taken:
            now[OBJECTIVE] = objective
            for i in range(value.size):
                value[i] += s * step[i]
            for j in range(plane.size):
                plane[j] += s * direction[j]
            n_idle, n_jumps = 0, NOT_JUMPING
            if rules.objective == OC1:
                if rules.order == BEST_FIRST:  # else the step was the last to be judged
                    count_left(node, value, scratch.by_class[LEFT])
                if parts_classes(scratch.by_class[LEFT], node.total, node.whole):
                    break
        elif n_jumps == NOT_JUMPING:
            n_idle += 1
            is_round = rules.exact or turn == 0
            if rules.order == RANDOM or (n_idle >= n_lines and is_round):
                n_jumps = 0
    combine(node, plane, value)
    return objective_of(rules, node, value, norm_of(rules, plane), -np.inf, scratch)
