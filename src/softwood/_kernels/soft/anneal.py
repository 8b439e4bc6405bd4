r"""One phase of annealing: the ramps of a few neighbouring tests move, all else stands still.

A phase moves up to seven widths of up to four tests::

        top            one width of ``top``, on the side of ``middle``,
       /   \           and both widths of ``middle``, ``left`` and ``right``
    other  middle
           /    \
        left    right
        /  \    /   \
       V0  V1  V2   V3

All that matters of a row is gathered once: its mass at ``top``, what the rest of the tree
answers, its distances from the four thresholds, and the answers of the subtrees V and
``other``. A proposal then costs four ramps and one exponential for each row it can touch.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.soft.outputs import (
    SoftOutputs,
    list_reaching,
    missing_share,
    numeric_share,
    output_of,
    renew,
    renew_upwards,
)
from softwood._kernels.stopping import stop_requested
from softwood._types import FloatArray, IndexArray

NOBODY = -1  # a test that the group does not have; it sends everything left
TOP, MIDDLE, LEFT, RIGHT, N_TESTS = 0, 1, 2, 3, 4
N_WIDTHS = 7
ROOM, NOW, PROPOSED, BEST, N_POINTS = 0, 1, 2, 3, 4
# What is gathered of a row. The first four are its distances over the thresholds.
V0, V1, V2, V3, OTHER, REST, MASS, WEIGHT, N_FACTS = 4, 5, 6, 7, 8, 9, 10, 11, 12
STEEP = 1e300  # slope of a hard test: finite, so that a row on the cut still gets one half
FORBIDDEN = 1e35  # cost of a negative width: what R makes of a cost that is not finite


class Group(NamedTuple):
    """The tests whose widths a phase moves."""

    tests: IndexArray  # (N_TESTS,) node ids
    side: int  # of ``top``: 0 moves the width below and ``middle`` is the left child


class Schedule(NamedTuple):
    """How proposals are made and taken."""

    temperature: float  # to begin with
    tmax: int  # proposals at one temperature
    alpha: float  # of the cost
    single: bool  # one width moves at a time, mirrored at zero; otherwise all of them


class Draws(NamedTuple):
    """The random numbers of a phase, a row for each proposal."""

    step: FloatArray  # (n_proposals, N_WIDTHS) normal
    chance: FloatArray  # (n_proposals,) uniform: a worse proposal may be taken
    pick: FloatArray  # (n_proposals,) uniform: the width that moves


class Scratch(NamedTuple):
    """Memory of a phase."""

    facts: FloatArray  # (N_FACTS, n_rows)
    exponent: FloatArray  # (n_rows,)
    rows: IndexArray  # (n_rows,) those that the group can touch, and their masses
    mass: FloatArray
    path: IndexArray  # (n_nodes,)
    points: FloatArray  # (N_POINTS, N_WIDTHS) room of each width; others in units of it
    slope: FloatArray  # (N_TESTS, 2) one half over the width, below and above
    missing: FloatArray  # (N_TESTS,) share of the left child if the value is missing
    taken: FloatArray  # (n_proposals,) cost of each accepted proposal, NaN at the others


@borrowing
def place_of(k: int, side: int) -> tuple[int, int]:
    """Return the test that the k-th width belongs to, and whether it is above its cut."""
    if k == 0:
        return k, side
    return (k + 1) // 2, (k + 1) % 2


@borrowing
def slope_of(width: float) -> float:
    """Return half the inverse of a width."""
    return 0.5 / width if width > 1.0 / STEEP else STEEP


@borrowing
def lay_out(soft: SoftOutputs, room: FloatArray, group: Group, scratch: Scratch) -> None:
    """Note the ramps of the group as they are, and the room that each width has."""
    for test in range(N_TESTS):
        node = group.tests[test]
        scratch.missing[test] = 1.0
        for half in range(2):
            scratch.slope[test, half] = STEEP
            if node != NOBODY:
                scratch.slope[test, half] = slope_of(soft.width[node, half])
        if node != NOBODY:
            scratch.missing[test] = missing_share(soft.nodes, node)
    for k in range(N_WIDTHS):
        test, half = place_of(k, group.side)
        node = group.tests[test]
        scratch.points[ROOM, k] = scratch.points[NOW, k] = scratch.points[BEST, k] = 0.0
        if node != NOBODY and room[node, half] > 0.0:
            scratch.points[ROOM, k] = room[node, half]
            scratch.points[NOW, k] = scratch.points[BEST, k] = (
                soft.width[node, half] / room[node, half]
            )


@borrowing
def over_of(soft: SoftOutputs, node: int, i: int) -> float:
    """Return how far row ``i`` is over the threshold of ``node``."""
    return soft.column[soft.nodes.feature[node], i] - soft.nodes.threshold[node]


@borrowing
def is_out_of_reach(soft: SoftOutputs, top: int, side: int, i: int) -> bool:
    """Tell whether no width on ``side`` of ``top`` could send a part of the row there.

    On that side of the cut a row always has a part, however wide the ramp; on the other one
    the width that counts does not move.
    """
    share = numeric_share(soft, top, i)
    return (share if side == 0 else 1.0 - share) == 0.0


@borrowing
def gather(soft: SoftOutputs, group: Group, scratch: Scratch) -> int:
    """Note the facts of all rows that the group can touch; return how many these are."""
    top, middle = group.tests[TOP], group.tests[MIDDLE]
    facts, first = scratch.facts, soft.nodes.first_child[middle]
    head = middle if top == NOBODY else top
    n = 0
    for position in range(list_reaching(soft, head, scratch.path, scratch.rows, scratch.mass)):
        i, mass = scratch.rows[position], scratch.mass[position]
        facts[TOP, n], facts[OTHER, n] = -1.0, 0.0
        if top != NOBODY:
            if is_out_of_reach(soft, top, group.side, i):
                continue
            facts[TOP, n] = over_of(soft, top, i)
            facts[OTHER, n] = output_of(soft, soft.nodes.first_child[top] + 1 - group.side, i)
        facts[MIDDLE, n] = over_of(soft, middle, i)
        for k in range(2):
            child, node = first + k, group.tests[LEFT + k]
            facts[LEFT + k, n], facts[V1 + 2 * k, n] = -1.0, 0.0
            if node != NOBODY:
                child = soft.nodes.first_child[node]
                facts[LEFT + k, n] = over_of(soft, node, i)
                facts[V1 + 2 * k, n] = output_of(soft, child + 1, i)
            facts[V0 + 2 * k, n] = output_of(soft, child, i)
        facts[MASS, n], facts[WEIGHT, n] = mass, soft.weight[i]
        facts[REST, n] = soft.output[0, i] - mass * output_of(soft, head, i)
        n += 1
    return n


@borrowing
def gate(over: float, below_slope: float, above_slope: float, missing: float) -> float:
    """Return the share of the left child; no branches, so that rows can go side by side."""
    share = 0.5 - over * (below_slope if over < 0.0 else above_slope)
    share = 1.0 if share > 1.0 else share
    share = 0.0 if share < 0.0 else share
    return share if share == share else missing


@borrowing
def cost_of(scratch: Scratch, n_rows: int, side: int, alpha: float) -> float:
    """Return the cost of the gathered rows under the ramps that are noted."""
    facts, slope, missing = scratch.facts, scratch.slope, scratch.missing
    top_below, top_above, top_missing = slope[TOP, 0], slope[TOP, 1], missing[TOP]
    if side == 1:  # then ``share`` is that of the right child, a ramp seen from behind
        top_below, top_above, top_missing = -top_below, -top_above, 1.0 - top_missing
    middle_below, middle_above, middle_missing = slope[MIDDLE, 0], slope[MIDDLE, 1], missing[MIDDLE]
    left_below, left_above, left_missing = slope[LEFT, 0], slope[LEFT, 1], missing[LEFT]
    right_below, right_above, right_missing = slope[RIGHT, 0], slope[RIGHT, 1], missing[RIGHT]
    for i in range(n_rows):
        share = gate(facts[TOP, i], top_below, top_above, top_missing)
        middle = gate(facts[MIDDLE, i], middle_below, middle_above, middle_missing)
        left = gate(facts[LEFT, i], left_below, left_above, left_missing)
        right = gate(facts[RIGHT, i], right_below, right_above, right_missing)
        answer = middle * (left * facts[V0, i] + (1.0 - left) * facts[V1, i])
        answer += (1.0 - middle) * (right * facts[V2, i] + (1.0 - right) * facts[V3, i])
        answer = share * answer + (1.0 - share) * facts[OTHER, i]
        scratch.exponent[i] = -alpha * (facts[REST, i] + facts[MASS, i] * answer)
    cost = 0.0
    for i in range(n_rows):
        cost += facts[WEIGHT, i] * np.exp(scratch.exponent[i])
    return cost


@borrowing
def propose(
    scratch: Scratch, group: Group, draws: Draws, n: int, scale: float, single: bool
) -> bool:
    """Note the ramps of the n-th proposal; return whether it is allowed."""
    points = scratch.points
    picked = int(draws.pick[n] * N_WIDTHS)
    allowed = True
    for k in range(N_WIDTHS):
        moved = points[NOW, k]
        if points[ROOM, k] > 0.0 and (k == picked or not single):
            moved += scale * draws.step[n, k]
            if single:
                moved = abs(moved)
        points[PROPOSED, k] = moved
        allowed = allowed and moved >= 0.0
    if allowed:
        for k in range(N_WIDTHS):
            if points[ROOM, k] > 0.0:
                test, half = place_of(k, group.side)
                scratch.slope[test, half] = slope_of(points[PROPOSED, k] * points[ROOM, k])
    return allowed


@borrowing
def search(
    scratch: Scratch, n_rows: int, group: Group, schedule: Schedule, draws: Draws
) -> tuple[float, float]:
    """Anneal as R's ``optim(method="SANN")`` does; return the cost before and the least."""
    points = scratch.points
    now = cost_of(scratch, n_rows, group.side, schedule.alpha)
    start, best, shrink = now, now, 1.0
    for n in range(draws.chance.size):
        if stop_requested():
            break
        if n % schedule.tmax == 0:
            shrink = 1.0 / np.log(n + np.e)  # R counts from 1 and takes log(its + e - 1)
        cost = FORBIDDEN
        if propose(scratch, group, draws, n, shrink, schedule.single):
            cost = cost_of(scratch, n_rows, group.side, schedule.alpha)
        rise = cost - now
        scratch.taken[n] = np.nan
        if rise <= 0.0 or draws.chance[n] < np.exp(-rise / (schedule.temperature * shrink)):
            scratch.taken[n] = now = cost
            for k in range(N_WIDTHS):
                points[NOW, k] = points[PROPOSED, k]
                if now <= best:
                    points[BEST, k] = points[PROPOSED, k]
            best = min(best, now)
    return start, best


@borrowing
def keep_best(soft: SoftOutputs, group: Group, scratch: Scratch) -> None:
    """Give the tree the best widths, and bring all answers up to date."""
    for k in range(N_WIDTHS):
        if scratch.points[ROOM, k] > 0.0:
            test, half = place_of(k, group.side)
            soft.width[group.tests[test], half] = scratch.points[BEST, k] * scratch.points[ROOM, k]
    for test in range(LEFT, N_TESTS):
        if group.tests[test] != NOBODY:
            renew(soft, group.tests[test])
    renew_upwards(soft, group.tests[MIDDLE])


@long_kernel
def anneal_phase(
    soft: SoftOutputs,
    room: FloatArray,
    group: Group,
    schedule: Schedule,
    draws: Draws,
    scratch: Scratch,
) -> tuple[float, float]:
    """Anneal the widths of one group; return the cost of its rows before and after.

    If it fell, ``soft`` has the best widths that were met and the answers that go with them;
    otherwise it is left as it was.
    """
    lay_out(soft, room, group, scratch)
    n_rows = gather(soft, group, scratch)
    before, after = search(scratch, n_rows, group, schedule, draws)
    if after < before:
        keep_best(soft, group, scratch)
    return before, after
