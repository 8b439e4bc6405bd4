"""Best first search over regions: sets of cells, each with a bound of what trees answer there.

A region has for every column a span of cells, or a set of codes. Its point is the nearest of all,
and its cost the cost of that. A region is looked at when it is made: trees are walked down as far
as all of the region goes one way, and where it does not, the best of the ways is what may be hoped
for. Without hope it is dropped. Otherwise it waits for its turn, the cheapest first; then
its point is offered, and if that is not wanted, the region is split by a test that its point meets.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.counterfactual.cells import (
    GAP,
    NUMBERS,
    SPREADS,
    Cells,
    CellTrees,
    branch_of_cell,
    is_nominal,
)
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray

UNDECIDED = -2  # a test that a region passes in more than one way
NO_TEST = -1

# How a search ends, for now or for good.
EXHAUSTED, OFFERS, OUT_OF_TURNS, OUT_OF_ROOM = 0, 1, 2, 3

# Counters of a search.
N_REGIONS, N_WAITING, CURRENT, N_LOOKED, N_COUNTERS = 0, 1, 2, 3, 4


class Wishes(NamedTuple):
    """What is wanted of the answers: each wish, or any of them, to be as large as it needs."""

    need: FloatArray  # (n_wishes,)
    is_any: bool


class Regions(NamedTuple):
    """Regions that were found to have hope."""

    low: IndexArray  # (n_regions, n_columns) first cell of columns of numbers
    high: IndexArray  # and last
    codes: BoolArray  # (n_regions, n_codes)
    cost: FloatArray  # of the point
    rank: FloatArray  # the smallest comes first
    test: IndexArray  # node by which to split it, or NO_TEST if all of it is answered alike
    is_offer: BoolArray  # whether the point seems to be answered as is wanted
    heap: IndexArray  # the regions that wait


class Scratch(NamedTuple):
    """Room for looking at one region."""

    point: IndexArray  # (n_columns,)
    queue: IndexArray  # (n_nodes,)
    way: IndexArray  # (n_nodes,) the branch of all the region, SPREADS or UNDECIDED
    on_way: BoolArray  # (n_nodes,) whether all of the region comes by, the point too
    is_open: BoolArray  # (n_nodes,) whether some of the region comes by that can be paid for
    may_spread: BoolArray  # (n_nodes,) the same of spreading over the children
    price: FloatArray  # (n_nodes,) what the column tested above costs here, more than at the point
    dear: FloatArray  # (n_nodes,) what all columns tested above do
    hope: FloatArray  # (n_nodes, n_wishes) a bound of the answers below a node
    answer: FloatArray  # (n_nodes, n_wishes) what the point gets below it
    test: IndexArray  # (n_trees,) the first test that the region does not pass in one way
    total_hope: FloatArray  # (n_wishes,)
    total_answer: FloatArray  # (n_wishes,)


@borrowing
def cost_of_point(cells, low, high, codes, point):
    """Write the nearest point of a region; return what it costs to go there."""
    cost = 0.0
    for j in range(point.size):
        home, start = cells.home[j], cells.code_start[j]
        if is_nominal(cells, j):
            cell = home
            if not codes[start + cell]:
                cell = np.int32(0)
                while not codes[start + cell]:
                    cell += 1
        elif low[j] == GAP:
            point[j] = GAP
            continue
        else:
            cell = min(max(home, low[j]), high[j])
        point[j] = cell
        cost += cells.cost[cells.start[j] + cell]
    return cost


@borrowing
def way_of_region(trees, cells, node, low, high, codes):
    """Return the branch that all of a region takes at an inner node, SPREADS or UNDECIDED."""
    j, start = trees.column[node], trees.set_start[node]
    if start == NUMBERS:
        if low[j] == GAP:
            return trees.gap_branch[node] if high[j] == GAP else UNDECIDED
        if high[j] <= trees.last_left[node]:
            return 0
        return 1 if low[j] > trees.last_left[node] else UNDECIDED
    found, base = UNDECIDED, cells.code_start[j]
    for code in range(cells.code_start[j + 1] - base):
        if codes[base + code]:
            branch = trees.branch[start + code]
            if found == UNDECIDED:
                found = branch
            elif found != branch:
                return UNDECIDED
    return found


@borrowing
def price_of_branch(trees, cells, node, branch, low, high, codes, point):
    """Return how much more than at the point a column costs where a region takes a branch.

    The branch may be SPREADS. It is infinite if none of the region takes it.
    """
    j, start = trees.column[node], trees.set_start[node]
    cost, cell, best = cells.cost[cells.start[j] :], point[j], np.inf
    if start == NUMBERS:
        if low[j] == GAP and trees.gap_branch[node] == branch:
            return 0.0
        last = trees.last_left[node]
        if high[j] == GAP or branch == SPREADS:
            return np.inf
        first, end = max(low[j], 0), high[j]
        if branch == 0:
            end = min(end, last)
        else:
            first = max(first, last + 1)
        if first > end:
            return np.inf
        if cell == GAP:
            return cost[first]
        return cost[min(max(cell, first), end)] - cost[cell]
    base = cells.code_start[j]
    for code in range(cells.code_start[j + 1] - base):
        if codes[base + code] and trees.branch[start + code] == branch:
            best = min(best, cost[code] - cost[cell])
    return best


@borrowing
def price_before(trees, scratch, node, j):
    """Return how much more than at the point a column costs by the tests above a node."""
    while trees.parent[node] >= 0:
        above = trees.parent[node]
        if trees.column[above] == j:
            return scratch.price[node]
        node = above
    return 0.0


@borrowing
def list_open(trees, cells, node, low, high, codes, spare, end, scratch):
    """List the children of an undecided test that can be paid for; return the end of the list."""
    point, dear = scratch.point, scratch.dear
    before = price_before(trees, scratch, node, trees.column[node])
    price = price_of_branch(trees, cells, node, SPREADS, low, high, codes, point)
    price = max(price, before)
    spread = dear[node] + price - before
    scratch.may_spread[node] = spread < spare
    for branch in range(trees.n_children[node]):
        child = trees.first_child[node] + branch
        own = price_of_branch(trees, cells, node, branch, low, high, codes, point)
        own = max(own, before)
        scratch.is_open[child] = dear[node] + own - before < spare
        if scratch.is_open[child] or spread < spare:
            scratch.price[child] = min(own, price)
            dear[child] = dear[node] + scratch.price[child] - before
            scratch.on_way[child] = False
            scratch.queue[end] = child
            end += 1
    return end


@borrowing
def walk_down(trees, cells, tree, low, high, codes, spare, scratch):
    """List the nodes of a tree that some of a region comes by; return how many.

    Where only those cells lead that would cost ``spare`` more than the point, nothing is listed.
    """
    queue, way, on_way, dear = scratch.queue, scratch.way, scratch.on_way, scratch.dear
    root = trees.root[tree]
    queue[0], front, end = root, 0, 1
    on_way[root], dear[root] = True, 0.0
    scratch.test[tree] = NO_TEST
    while front < end:
        node = queue[front]
        front += 1
        if trees.n_children[node] == 0:
            continue
        taken = way_of_region(trees, cells, node, low, high, codes)
        way[node] = taken
        if taken == UNDECIDED:
            if on_way[node] and scratch.test[tree] == NO_TEST:
                scratch.test[tree] = node
            end = list_open(trees, cells, node, low, high, codes, spare, end, scratch)
            continue
        before = price_before(trees, scratch, node, trees.column[node])
        begin, stop = taken, taken + 1
        if taken == SPREADS:
            begin, stop = 0, trees.n_children[node]
        for child in range(trees.first_child[node] + begin, trees.first_child[node] + stop):
            scratch.price[child], dear[child] = before, dear[node]
            on_way[child] = on_way[node]
            queue[end] = child
            end += 1
    return end


@borrowing
def gathered(trees, node, branch, wish, below):
    """Return what is below a node in the direction of a branch, or of all if it spreads."""
    first = trees.first_child[node]
    if branch != SPREADS:
        return below[first + branch, wish]
    total = 0.0
    for child in range(first, first + trees.n_children[node]):
        total += trees.share[child] * below[child, wish]
    return total


@borrowing
def gather_up(trees, n_listed, scratch):
    """Write what is hoped for below the nodes of a list, and what the point gets there."""
    hope, answer = scratch.hope, scratch.answer
    n_wishes = hope.shape[1]
    for place in range(n_listed - 1, -1, -1):
        node = scratch.queue[place]
        if trees.n_children[node] == 0:
            for wish in range(n_wishes):
                hope[node, wish] = answer[node, wish] = trees.value[node, wish]
            continue
        way = scratch.way[node]
        own = branch_of_cell(trees, node, scratch.point[trees.column[node]])
        for wish in range(n_wishes):
            answer[node, wish] = gathered(trees, node, own, wish, answer)
            hope[node, wish] = gathered(trees, node, own if way == UNDECIDED else way, wish, hope)
        if way != UNDECIDED:
            continue
        for branch in range(SPREADS, trees.n_children[node]):
            child = trees.first_child[node] + branch
            is_open = scratch.may_spread[node] if branch == SPREADS else scratch.is_open[child]
            if branch != own and is_open:
                for wish in range(n_wishes):
                    other = gathered(trees, node, branch, wish, hope)
                    hope[node, wish] = max(hope[node, wish], other)


@borrowing
def margin(wishes, found):
    """Return by how much the wishes are exceeded: the least of them, or the largest of any."""
    best = found[0] - wishes.need[0]
    for wish in range(1, found.size):
        more = found[wish] - wishes.need[wish]
        best = max(best, more) if wishes.is_any else min(best, more)
    return best


@borrowing
def telling_wish(wishes, scratch):
    """Return the wish that is furthest from being met, or of any the one with most hope."""
    best = 0
    for wish in range(1, wishes.need.size):
        if wishes.is_any:
            one, other = scratch.total_hope[wish], scratch.total_hope[best]
            better = one - wishes.need[wish] > other - wishes.need[best]
        else:
            one, other = scratch.total_answer[wish], scratch.total_answer[best]
            better = one - wishes.need[wish] < other - wishes.need[best]
        if better:
            best = wish
    return best


@borrowing
def test_to_split_by(trees, wishes, scratch):
    """Return the first open test of the tree whose hope exceeds its answer most, or NO_TEST."""
    wish, test, most = telling_wish(wishes, scratch), NO_TEST, -1.0
    for tree in range(scratch.test.size):
        root = trees.root[tree]
        more = scratch.hope[root, wish] - scratch.answer[root, wish]
        if scratch.test[tree] != NO_TEST and more > most:
            test, most = scratch.test[tree], more
    return test


@borrowing
def look(trees, cells, wishes, low, high, codes, spare, scratch):
    """Look at a region whose point is known: totals and open tests are in ``scratch`` then."""
    scratch.total_hope[:] = 0.0
    scratch.total_answer[:] = 0.0
    for tree in range(scratch.test.size):
        n_listed = walk_down(trees, cells, tree, low, high, codes, spare, scratch)
        gather_up(trees, n_listed, scratch)
        for wish in range(wishes.need.size):
            scratch.total_hope[wish] += scratch.hope[trees.root[tree], wish]
            scratch.total_answer[wish] += scratch.answer[trees.root[tree], wish]


# -- regions that wait ------------------------------------------------------------


@borrowing
def comes_first(regions, one, other):
    """Whether a region comes before another."""
    if regions.rank[one] != regions.rank[other]:
        return regions.rank[one] < regions.rank[other]
    return one < other


@borrowing
def let_wait(regions, counters, region):
    """Put a region among those that wait."""
    heap, place = regions.heap, counters[N_WAITING]
    counters[N_WAITING] += 1
    while place > 0 and comes_first(regions, region, heap[(place - 1) // 2]):
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = region


@borrowing
def next_region(regions, counters):
    """Take out the region that comes first."""
    heap = regions.heap
    first = heap[0]
    counters[N_WAITING] -= 1
    size, place = counters[N_WAITING], 0
    moved = heap[size]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and comes_first(regions, heap[child + 1], heap[child]):
            child += 1
        if not comes_first(regions, heap[child], moved):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = moved
    return first


@borrowing
def within_reach(cells, low, high, codes, point, spare):
    """Take from a region whose point is known the cells that cost ``spare`` more than it, or more.

    So the hopes for what is left are smaller.
    """
    for j in range(point.size):
        start, cell = cells.start[j], point[j]
        if is_nominal(cells, j):
            base = cells.code_start[j]
            most = cells.cost[start + cell] + spare
            for code in range(cells.code_start[j + 1] - base):
                if cells.cost[start + code] >= most and code != cell:
                    codes[base + code] = False
            continue
        if cell == GAP:
            if high[j] >= 0 and cells.cost[start] >= spare:  # to fill it costs the same everywhere
                high[j] = GAP
            continue
        most = cells.cost[start + cell] + spare
        low[j] = farthest_in_reach(cells.cost, start, cell, low[j], most)
        high[j] = farthest_in_reach(cells.cost, start, cell, high[j], most)


@borrowing
def farthest_in_reach(cost, start, cell, end, most):
    """Return the farthest cell on the way from one to another that costs less than ``most``."""
    near, far = cell, end
    while near != far:  # costs never fall on this way
        middle = (near + far + (1 if far > near else 0)) // 2
        if cost[start + middle] < most:
            near = middle
        else:
            far = middle - (1 if far > near else -1)
    return near


@borrowing
def admit(trees, cells, wishes, regions, counters, scratch, by_hope, cutoff, slack):
    """Look at the region behind the last one; keep it if it has hope and is not too dear."""
    new = counters[N_REGIONS]
    low, high, codes = regions.low[new], regions.high[new], regions.codes[new]
    cost = cost_of_point(cells, low, high, codes, scratch.point)
    if cost >= cutoff:
        return
    counters[N_LOOKED] += 1
    within_reach(cells, low, high, codes, scratch.point, cutoff - cost)
    look(trees, cells, wishes, low, high, codes, cutoff - cost, scratch)
    hope = margin(wishes, scratch.total_hope)
    if hope < -slack:
        return
    test = test_to_split_by(trees, wishes, scratch)
    is_offer = margin(wishes, scratch.total_answer) >= -slack
    if test == NO_TEST and not is_offer:
        return
    regions.cost[new], regions.test[new], regions.is_offer[new] = cost, test, is_offer
    regions.rank[new] = -hope if by_hope else cost
    counters[N_REGIONS] += 1
    let_wait(regions, counters, new)


@borrowing
def copy_region(regions, source, target):
    """Make a region the same as another."""
    for j in range(regions.low.shape[1]):
        regions.low[target, j], regions.high[target, j] = (
            regions.low[source, j],
            regions.high[source, j],
        )
    for code in range(regions.codes.shape[1]):
        regions.codes[target, code] = regions.codes[source, code]


@borrowing
def take_side(trees, cells, regions, region, new, is_near, scratch):
    """Make ``new`` the part of a region on the near or the far side of its test."""
    copy_region(regions, region, new)
    node = regions.test[region]
    j, start = trees.column[node], trees.set_start[node]
    if start == NUMBERS:
        low, high = regions.low[region, j], regions.high[region, j]
        last = GAP if low == GAP else trees.last_left[node]
        is_left = low == GAP or min(max(cells.home[j], low), high) <= last
        if is_left == is_near:
            regions.high[new, j] = last
        else:
            regions.low[new, j] = last + 1
        return
    base = cells.code_start[j]
    cost_of_point(
        cells, regions.low[region], regions.high[region], regions.codes[region], scratch.point
    )
    own = trees.branch[start + scratch.point[j]]
    for code in range(cells.code_start[j + 1] - base):
        if (trees.branch[start + code] == own) != is_near:
            regions.codes[new, base + code] = False


@kernel
def write_point(cells: Cells, regions: Regions, region: int, point: IndexArray) -> None:
    """Write the nearest point of a region."""
    low, high, codes = regions.low[region], regions.high[region], regions.codes[region]
    cost_of_point(cells, low, high, codes, point)


@kernel
def search(
    trees: CellTrees,
    cells: Cells,
    wishes: Wishes,
    regions: Regions,
    counters: AnyArray,
    scratch: Scratch,
    by_hope: bool,
    cutoff: float,
    slack: float,
    turns: int,
) -> int:
    """Go on with a search until there is something to say; return what.

    Parameters
    ----------
    trees, cells, wishes
        What is searched, and for what.
    regions : Regions
        To begin with, its first region is the whole.
    counters : ndarray of int64 of shape (N_COUNTERS,)
        Zeros to begin with, but CURRENT is -1. A region that is offered is there; when the search
        goes on, its point is taken to be unwanted.
    scratch : Scratch
        Room.
    by_hope : bool
        Whether the region with most hope comes first, and not the cheapest.
    cutoff : float
        Regions that cost as much are dropped.
    slack : float
        By how much a wish may fail, for rounding.
    turns : int
        How many regions may be looked at, since the search began.

    Returns
    -------
    int
        EXHAUSTED, OFFERS, OUT_OF_TURNS or OUT_OF_ROOM.
    """
    if counters[N_LOOKED] == 0:
        admit(trees, cells, wishes, regions, counters, scratch, by_hope, cutoff, slack)
        counters[N_LOOKED] = max(1, counters[N_LOOKED])
    while True:
        if counters[CURRENT] < 0:
            if counters[N_WAITING] == 0:
                return EXHAUSTED
            counters[CURRENT] = next_region(regions, counters)
            if regions.is_offer[counters[CURRENT]]:
                return OFFERS
        region = counters[CURRENT]
        if regions.test[region] != NO_TEST and regions.cost[region] < cutoff:
            if counters[N_LOOKED] >= turns:
                return OUT_OF_TURNS
            if counters[N_REGIONS] + 2 > regions.cost.size:
                return OUT_OF_ROOM
            for is_near in (True, False):
                new = counters[N_REGIONS]
                take_side(trees, cells, regions, region, new, is_near, scratch)
                admit(trees, cells, wishes, regions, counters, scratch, by_hope, cutoff, slack)
        counters[CURRENT] = -1
