"""The test of one node: its best axis-parallel test, the climbs from there, and the choice.

A large node is split in phases that may run side by side, a small one in one go. Either way
every climb has a random stream of its own, so the order of the phases does not matter.
"""

import numpy as np

from softwood._kernels._jit import borrowing, kernel, long_kernel
from softwood._kernels.nodes import NOMINAL
from softwood._kernels.oblique.climb import climb, is_better
from softwood._kernels.oblique.line import NOWHERE, best_cells, step_into
from softwood._kernels.oblique.node import gather, total_weight
from softwood._kernels.oblique.objective import OC1, count_left, objective_of
from softwood._kernels.oblique.score import parts_classes, score_of, unsplit_score
from softwood._kernels.oblique.scratch import (
    CELL,
    FEATURE,
    LABEL,
    LEFT,
    LEVELS,
    N_ACTIVE,
    N_CLASSES,
    NOMINAL_MERIT,
    PLACE,
    PLANE,
    SCORE,
    SPREAD,
    START,
    VALUE,
    Finding,
    Frame,
    Node,
    ObliqueRules,
    ObliqueTable,
    Scratch,
)
from softwood._kernels.oblique.settle import send_by_category, send_by_value, write_test
from softwood._kernels.oblique.sparse import drop_terms
from softwood._kernels.randomness import StateArray, next_word, uniform
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray

ROWS_PER_FEATURE = 2  # a node with no more has too few rows for hyperplanes
AXIS = 0  # the row of the axis-parallel test among the planes


@borrowing
def begin_streams(state, stream):
    """Start the streams of the climbs and of the children from the stream of their node."""
    for k in range(stream.shape[0]):
        for word in range(4):
            stream[k, word] = next_word(state)
        stream[k, 0] |= np.uint64(1)  # all zero is the one state that never moves


@borrowing
def best_axis(rules, node, levels, scratch, finding):
    """Write the best test of one numeric feature as a plane; of equal ones the first."""
    plane, active, value = (
        finding.plane[AXIS],
        node.active,
        scratch.by_row[VALUE, : node.weight.size],
    )
    for j in range(plane.size):
        plane[j] = 0.0
    for r in range(finding.objective.size):
        finding.objective[r] = -np.inf
    constant, best, feature = plane.size - 1, 0.0, -1
    ones, best = node.lines[constant], unsplit_score(rules.criterion, node.total, node.whole)
    for a in range(active.size - 1):
        if levels[active[a]] > 0.0:
            continue
        line = node.lines[active[a]]
        reach = best_cells(rules.criterion, node, line, ones, best, scratch)
        if scratch.top[CELL, 0] != NOWHERE and is_better(scratch.top[SCORE, 0], best):
            best, feature = scratch.top[SCORE, 0], active[a]
            plane[constant] = step_into(
                line, ones, scratch.by_row[PLACE], scratch.top[CELL, 0], reach
            )
    if feature < 0:
        return
    plane[feature] = 1.0
    for i in range(value.size):
        value[i] = node.lines[feature, i] + plane[constant]
    finding.objective[AXIS] = objective_of(rules, node, value, 1.0, -np.inf, scratch)


@borrowing
def is_worth_climbing(rules, node, scratch, finding):
    """Whether hyperplanes may do better than the axis-parallel test that was just judged."""
    n_varying = node.active.size - 1
    is_pure = (
        rules.objective == OC1
        and finding.objective[AXIS] > -np.inf
        and parts_classes(scratch.by_class[LEFT], node.total, node.whole)
    )
    return n_varying > 1 and not is_pure and node.weight.size > ROWS_PER_FEATURE * n_varying


@borrowing
def start_plane(restart, active, finding, plane, state):
    """Write where a climb starts: from the best axis, or from random coefficients."""
    if restart == 0 and finding.objective[AXIS] > -np.inf:
        for j in range(plane.size):
            plane[j] = finding.plane[AXIS, j]
        return
    for j in range(plane.size):
        plane[j] = 0.0
    for a in range(active.size):
        plane[active[a]] = 2.0 * uniform(state) - 1.0


@borrowing
def choose_plane(finding):
    """Return which plane is best; of equal ones the first, and the axis before all."""
    best = AXIS
    for r in range(1, finding.objective.size):
        if is_better(finding.objective[r], finding.objective[best]):
            best = r
    return best


@borrowing
def settle(table, rules, frame, node, finding, scratch, rows):
    """Choose the test of a node and send its rows; return how many go left, 0 at a leaf."""
    best, plane = choose_plane(finding), scratch.planes[PLANE]
    bar = unsplit_score(rules.criterion, node.total, node.whole)
    score, value = bar, scratch.by_row[VALUE, : node.weight.size]
    if finding.objective[best] > -np.inf:
        for j in range(plane.size):
            plane[j] = finding.plane[best, j]
        spread, state = frame.by_feature[SPREAD], finding.stream[0]
        drop_terms(rules, node, spread, scratch, value, finding.objective[best], state)
        count_left(node, value, scratch.by_class[LEFT])
        score = score_of(rules.criterion, scratch.by_class[LEFT], node.total, node.whole)
    is_nominal = finding.test[FEATURE] >= 0 and is_better(finding.number[NOMINAL_MERIT], score)
    if is_nominal:
        score = finding.number[NOMINAL_MERIT]
    if not is_better(score, bar):
        return 0
    if is_nominal:
        return send_by_category(table, frame, finding, rows, value)
    if write_test(rules, table, frame, node, finding, scratch, value) == NOMINAL:
        return send_by_category(table, frame, finding, rows, value)
    return send_by_value(table, frame, finding, scratch, value, rows)


@kernel
def gather_node(
    table: ObliqueTable,
    rows: AnyArray,
    state: StateArray,
    rules: ObliqueRules,
    frame: Frame,
    finding: Finding,
) -> None:
    """Gather the rows of a node, and begin the random streams of what comes after."""
    gather(table, rows, rules, frame)
    begin_streams(state, finding.stream)
    total = frame.total[: frame.size[N_CLASSES]]
    finding.test[FEATURE] = -1
    finding.number[NOMINAL_MERIT] = unsplit_score(rules.criterion, total, total_weight(frame))


@long_kernel
def split_node(
    table: ObliqueTable,
    rows: AnyArray,
    rules: ObliqueRules,
    frame: Frame,
    finding: Finding,
    scratch: Scratch,
    phase: tuple[bool, int, int, bool],
) -> int:
    """Do some of the phases of splitting a node that has been gathered.

    They are: find the best axis-parallel test; climb from the starts ``phase[1]`` up to
    ``phase[2]``; choose, and put the rows in order. Return how many go left after the last one,
    0 at a leaf; after the first alone, whether climbing is worth it.
    """
    node = Node(
        frame.lines, frame.weight, frame.by_row[LABEL], frame.by_class[START],
        frame.total[: frame.size[N_CLASSES]], total_weight(frame),
        frame.active[: frame.size[N_ACTIVE]],
    )  # fmt: skip
    surveys, first, last, settles = phase
    if surveys:
        best_axis(rules, node, frame.by_feature[LEVELS], scratch, finding)
        if not is_worth_climbing(rules, node, scratch, finding):
            first = last
            if not settles:
                return 0
        elif not settles:
            return 1
    plane = scratch.planes[PLANE]
    for restart in range(first, last):
        if stop_requested():
            break
        state = finding.stream[restart]
        start_plane(restart, node.active, finding, plane, state)
        finding.objective[1 + restart] = climb(rules, node, scratch, state)
        for j in range(plane.size):
            finding.plane[1 + restart, j] = plane[j]
        if rules.objective == OC1 and parts_classes(scratch.by_class[LEFT], node.total, node.whole):
            break
    if not settles:
        return 0
    return int(settle(table, rules, frame, node, finding, scratch, rows))
