"""The best place of a hyperplane on a line: every point changes side exactly once.

On the line ``value + s * step`` point i changes side at ``s_i = -value_i / step_i``: out of the
left side if its step is positive, into it if negative. Between two such events nothing changes,
so the line falls into cells, and the score of each is known once the events are in order.

Most events need not be put in order. They are dealt into buckets; what a bucket holds bounds
the score of the cells inside it, and only buckets that may hold the best cell are sorted::

    events    |..  . |    |.:.. |: .|  .  |         dealt by s / (|s| + reach)
    score     0      1    1     3   2     2          known between buckets
    bound        2     .     5    4    3             5 and 4 may exceed 3: sort these two
"""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.impurity import GINI, TWOING
from softwood._kernels.oblique.bound import bound_buckets, bound_two_classes, note_cell
from softwood._kernels.oblique.score import score_of
from softwood._kernels.oblique.scratch import (
    CELL,
    CODE,
    DENOMINATOR,
    FIRST,
    IS_SORTED,
    KEY,
    LEFT,
    MOST_BUCKETS,
    NUMERATOR,
    PLACE,
    POINT,
    SCORE,
    STATE,
    WHO,
)

EVENTS_PER_BUCKET, FEWEST_BUCKETS = 8, 8
TINY = 1e-300  # makes a value of 0 positive, as it is on the right
ROUNDING = 1e-9  # bounds are wider than sums can be wrong, relatively
BEFORE_ALL, NOWHERE = -1.0, -2.0  # places: of the cell before the first event, and of none
NARROW = 1e-9  # of a bucket: cells that rounding may have made
SAMPLE = 64  # numbers that tell how large all of them are
FEW_EVENTS = 24  # are sorted by insertion


@borrowing
def usual_size(numbers):
    """Return the mean size of some of the numbers; 1 if they are all 0."""
    stride = max(1, numbers.size // SAMPLE)
    total, n = 0.0, 0
    for i in range(0, numbers.size, stride):
        total += abs(numbers[i])
        n += 1
    return total / n if total > 0.0 else 1.0


@borrowing
def usual_reach(value, step):
    """Return how far away events usually are."""
    return usual_size(value) / usual_size(step)


@borrowing
def place_events(value, step, reach, n_buckets, place, code):
    """Write where each event is, from 0 to ``n_buckets``: s / (|s| + reach), shifted and scaled.

    A point without a step stays where it is. On the right, its event is the first, at 0; on
    the left it is the last, in a bucket that is never looked into.
    """
    half = 0.5 * n_buckets
    for i in range(value.size):
        v, t = value[i] + TINY, step[i]
        far = half * v / (abs(v) + reach * abs(t))
        at = half - (far if t >= 0.0 else -far)
        place[i] = at
        code[i] = 2 * np.int32(at) + (np.int32(1) if t < 0.0 else np.int32(0))


@borrowing
def tally_events(weight, start, n_classes, code, n_buckets, tally):
    """Sum the weights of the events of each bucket, direction and class."""
    for k in range(2 * (n_buckets + 1) * n_classes):
        tally[k] = 0.0
    for c in range(n_classes):
        for i in range(start[c], start[c + 1]):
            tally[n_classes * code[i] + c] += weight[i]


@borrowing
def note_states(n_classes, n_buckets, tally, by_bucket):
    """Write the class weights on the left at the beginning of each bucket.

    Where s is least, those are on the left that will ever leave it.
    """
    for c in range(n_classes):
        left, state = 0.0, by_bucket[STATE + c]
        for b in range(n_buckets + 1):
            left += tally[2 * b * n_classes + c]
        for b in range(n_buckets):
            state[b] = left
            at = 2 * b * n_classes + c
            left += tally[at + n_classes] - tally[at]


@borrowing
def forget_cells(top, least):
    """Start over: only cells of more score than ``least`` are of interest."""
    for k in range(top.shape[1]):
        top[SCORE, k], top[CELL, k] = least, NOWHERE


@borrowing
def choose_buckets(criterion, total, whole, least, n_buckets, scratch):
    """Mark the buckets that may hold one of the best cells."""
    is_sorted = scratch.marks[IS_SORTED]
    if criterion != TWOING and criterion != GINI:
        for b in range(n_buckets):
            is_sorted[b] = 1
        return
    if total.size == 2:
        bound_two_classes(criterion, total, whole, n_buckets, scratch)
    else:
        bound_buckets(criterion, total, whole, n_buckets, scratch)
    # These scores are not negative, and infinity times 0 would be no number.
    worst = max(scratch.top[SCORE, scratch.top.shape[1] - 1] * (1.0 - ROUNDING), -1.0)
    most, by = scratch.by_bucket[NUMERATOR], scratch.by_bucket[DENOMINATOR]
    for b in range(n_buckets):
        is_sorted[b] = 1 if most[b] * most[b] >= worst * by[b] else 0
    is_sorted[0] = 1  # to find where the cell before all events ends
    forget_cells(scratch.top, least)


@borrowing
def deal_events(n_points, n_buckets, scratch):
    """Put the events of the marked buckets in the order of buckets; ``FIRST`` gets their ends."""
    is_sorted, first, key = scratch.marks[IS_SORTED], scratch.marks[FIRST], scratch.by_row[KEY]
    code, who, point = scratch.points[CODE], scratch.points[WHO], scratch.points[POINT]
    is_sorted[n_buckets] = 0
    n_events = 0
    for i in range(n_points):
        who[n_events] = i
        n_events += is_sorted[code[i] >> 1]
    for b in range(n_buckets):
        first[b] = 0
    for k in range(n_events):
        first[code[who[k]] >> 1] += 1
    at = 0
    for b in range(n_buckets):
        size = first[b]
        first[b] = at
        at += size
    for k in range(n_events):
        b = code[who[k]] >> 1
        at = first[b]
        key[at], point[at] = scratch.by_row[PLACE, who[k]], who[k]
        first[b] += 1


@borrowing
def sort_events(key, point, start, stop):
    """Sort events by key: Shell's sort, which is insertion where they are few."""
    gap = stop - start if stop - start > FEW_EVENTS else 2
    while gap > 1:
        gap = 1 if gap <= 2 else gap * 5 // 11
        for i in range(start + gap, stop):
            k, p = key[i], point[i]
            at = i
            while at >= start + gap and key[at - gap] > k:
                key[at], point[at] = key[at - gap], point[at - gap]
                at -= gap
            key[at], point[at] = k, p


@borrowing
def sort_places(n_points, n_buckets, scratch):
    """Sort all events by place; return how many there are, those that never happen left out."""
    marks, start = scratch.marks, 0
    for b in range(n_buckets):
        marks[IS_SORTED, b] = 1
    deal_events(n_points, n_buckets, scratch)
    for b in range(n_buckets):
        sort_events(scratch.by_row[KEY], scratch.points[POINT], start, marks[FIRST, b])
        start = marks[FIRST, b]
    return start


@borrowing
def sweep_events(criterion, node, step, scratch, start, stop):
    """Let the sorted events of a bucket happen, and note the cell after each.

    Cells too narrow to be told from rounding are passed over.
    """
    left, key, point = scratch.by_class[LEFT], scratch.by_row[KEY], scratch.points[POINT]
    for k in range(start, stop):
        i = point[k]
        left[node.label[i]] += node.weight[i] if step[i] < 0.0 else -node.weight[i]
        if k + 1 == stop or key[k + 1] - key[k] > NARROW:
            note_cell(scratch.top, score_of(criterion, left, node.total, node.whole), key[k])


@borrowing
def sweep_buckets(criterion, node, step, n_buckets, scratch):
    """Visit the cells of the marked buckets, from one end of the line to the other."""
    left, key = scratch.by_class[LEFT], scratch.by_row[KEY]
    start = 0
    for b in range(n_buckets):
        if scratch.marks[IS_SORTED, b] == 0:
            continue
        stop = scratch.marks[FIRST, b]
        sort_events(key, scratch.points[POINT], start, stop)
        for c in range(node.total.size):
            left[c] = scratch.by_bucket[STATE + c, b]
        if b == 0 and (stop == 0 or key[0] > NARROW):
            note_cell(scratch.top, score_of(criterion, left, node.total, node.whole), BEFORE_ALL)
        sweep_events(criterion, node, step, scratch, start, stop)
        start = stop


@borrowing
def places_beside(step, place, cut):
    """Return the places of the last event up to ``cut`` and of the first beyond.

    Which side an event is on cannot be guessed, so nothing branches here.
    """
    low, high = -np.inf, np.inf
    for i in range(step.size):
        at, is_event = place[i], step[i] != 0.0
        low = at if is_event & (at <= cut) & (at > low) else low
        high = at if is_event & (at > cut) & (at < high) else high
    return low, high


@borrowing
def event_in(step, place, at):
    """Return the first event at a place, -1 if there is none."""
    for i in range(step.size):
        if place[i] == at and step[i] != 0.0:
            return i
    return -1


@borrowing
def step_into(value, step, place, cut, reach):
    """Return the step to the middle of the cell that begins with the event at ``cut``.

    The cells at the ends have no middle; their step is twice as far as the event, or more.
    """
    low_place, high_place = places_beside(step, place[: step.size], cut)
    before, after = event_in(step, place, low_place), event_in(step, place, high_place)
    if before < 0:
        high = -value[after] / step[after]
        return high - abs(high) - reach
    low = -value[before] / step[before]
    if after < 0:
        return low + abs(low) + reach
    return (low - value[after] / step[after]) / 2.0


@borrowing
def count_buckets(n_points):
    """Return how many buckets the events of a line are dealt into."""
    return min(max(n_points // EVENTS_PER_BUCKET, FEWEST_BUCKETS), MOST_BUCKETS)


@borrowing
def best_cells(criterion, node, value, step, least, scratch):
    """Find the best cells of a line among those of more score than ``least``; return the reach.

    They are in ``scratch.top``, whose cell is NOWHERE if there is none.
    """
    n_buckets, n_classes = count_buckets(value.size), node.total.size
    reach, code = usual_reach(value, step), scratch.points[CODE]
    place_events(value, step, reach, n_buckets, scratch.by_row[PLACE], code)
    tally_events(node.weight, node.start, n_classes, code, n_buckets, scratch.tally)
    note_states(n_classes, n_buckets, scratch.tally, scratch.by_bucket)
    forget_cells(scratch.top, least)
    choose_buckets(criterion, node.total, node.whole, least, n_buckets, scratch)
    deal_events(value.size, n_buckets, scratch)
    sweep_buckets(criterion, node, step, n_buckets, scratch)
    return reach
