"""OC1's own sweep of a line, which takes it that all points change side in the same sense.

That is so for a coefficient where the feature is not negative, which is why OC1 shifts features
first. For a random direction it is a guess. Points without a step are left out. Either way the
hyperplane is judged afterwards, by where its points really are.
"""

from softwood._kernels._jit import borrowing
from softwood._kernels.oblique.line import (
    NARROW,
    count_buckets,
    place_events,
    sort_places,
    usual_reach,
)
from softwood._kernels.oblique.score import score_of, unsplit_score
from softwood._kernels.oblique.scratch import CODE, KEY, LEFT, PLACE, POINT, SLACK
from softwood._kernels.randomness import uniform

BESIDE = 1e-4  # from the first event to a place before it


@borrowing
def order_events(value, step, scratch):
    """Sort the events of a line; return their number, points without a step left out."""
    n_buckets, reach = count_buckets(value.size), usual_reach(value, step)
    place_events(value, step, reach, n_buckets, scratch.by_row[PLACE], scratch.points[CODE])
    key, point, n_events = scratch.by_row[KEY], scratch.points[POINT], 0
    for k in range(sort_places(value.size, n_buckets, scratch)):
        if step[point[k]] != 0.0:
            key[n_events], point[n_events] = key[k], point[k]
            n_events += 1
    return n_events


@borrowing
def event_at(value, step, i):
    """Return the step at which a point changes side."""
    return -value[i] / step[i]


@borrowing
def classic_step(criterion, node, value, step, scratch, state):
    """Return the step that OC1 takes on a line; a coin decides between equal ones."""
    n_events = order_events(value, step, scratch)
    if n_events == 0:
        return 0.0
    key, point = scratch.by_row[KEY], scratch.points[POINT]
    total, passed = scratch.by_class[SLACK, : node.total.size], scratch.by_class[LEFT]
    whole = 0.0
    for c in range(total.size):
        total[c], passed[c] = 0.0, 0.0
    for k in range(n_events):
        i = point[k]
        total[node.label[i]] += node.weight[i]
        whole += node.weight[i]
    best = unsplit_score(criterion, total, whole)
    s = event_at(value, step, point[0]) - BESIDE
    for k in range(n_events):
        i = point[k]
        passed[node.label[i]] += node.weight[i]
        last = k + 1 == n_events
        if last or key[k + 1] - key[k] > NARROW:
            score = score_of(criterion, passed, total, whole)
            if score > best or (score == best and uniform(state) < 0.5):
                best, s = score, event_at(value, step, i)
                if not last:
                    s = (s + event_at(value, step, point[k + 1])) / 2.0
    return s
