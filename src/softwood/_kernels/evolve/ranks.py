"""Who is better than whom: ranks in the population, who breeds and who has to go."""

from typing import NamedTuple

from softwood._kernels._jit import borrowing
from softwood._kernels.randomness import below, uniform
from softwood._types import AnyArray, BoolArray, FloatArray, IndexArray


class Herd(NamedTuple):
    """The lines of the book that are members, and how many members are better than each."""

    is_member: BoolArray  # (n_lines,)
    n_better: IndexArray  # (n_lines,)
    born: AnyArray  # (n_lines,) when the member joined
    risk: FloatArray  # (n_lines,) columns of the book
    n_nodes: IndexArray


@borrowing
def is_better(herd, one, other, counts_nodes):
    """Whether a tree dominates another one; of two equal ones the younger does."""
    if herd.risk[one] > herd.risk[other]:
        return False
    if counts_nodes:
        if herd.n_nodes[one] > herd.n_nodes[other]:
            return False
        if herd.n_nodes[one] < herd.n_nodes[other]:
            return True
    return herd.risk[one] < herd.risk[other] or herd.born[one] > herd.born[other]


@borrowing
def join(herd, line, born, counts_nodes):
    """Make a line a member."""
    herd.born[line] = born
    herd.n_better[line] = 0
    for other in range(herd.is_member.size):
        if herd.is_member[other]:
            if is_better(herd, other, line, counts_nodes):
                herd.n_better[line] += 1
            elif is_better(herd, line, other, counts_nodes):
                herd.n_better[other] += 1
    herd.is_member[line] = True


@borrowing
def part_with(herd, line, counts_nodes):
    """Make a line no member any more."""
    herd.is_member[line] = False
    for other in range(herd.is_member.size):
        if herd.is_member[other] and is_better(herd, line, other, counts_nodes):
            herd.n_better[other] -= 1


@borrowing
def best_member(herd):
    """Return the member of least risk; of several the smallest, then the youngest."""
    best = -1
    for line in range(herd.is_member.size):
        if herd.is_member[line] and (best < 0 or is_before(herd, line, best)):
            best = line
    return best


@borrowing
def is_before(herd, one, other):
    """Whether a member comes first by risk, nodes and youth."""
    if herd.risk[one] != herd.risk[other]:
        return herd.risk[one] < herd.risk[other]
    if herd.n_nodes[one] != herd.n_nodes[other]:
        return herd.n_nodes[one] < herd.n_nodes[other]
    return herd.born[one] > herd.born[other]


@borrowing
def worst_member(herd, state):
    """Return a member of the worst rank, at random; never the one of least risk."""
    kept = best_member(herd)
    worst, n_worst, chosen = -1, 0, -1
    for line in range(herd.is_member.size):
        if not herd.is_member[line] or line == kept:
            continue
        if herd.n_better[line] > worst:
            worst, n_worst = herd.n_better[line], 0
        if herd.n_better[line] == worst:
            n_worst += 1
            if below(state, n_worst) == 0:
                chosen = line
    return chosen


@borrowing
def draw_parent(herd, other, state):
    """Return a random member, not ``other``: the better its rank, the likelier, linearly."""
    worst, total = 0, 0
    for line in range(herd.is_member.size):
        if herd.is_member[line] and line != other:
            worst = max(worst, herd.n_better[line])
    for line in range(herd.is_member.size):
        if herd.is_member[line] and line != other:
            total += worst + 1 - herd.n_better[line]
    left = uniform(state) * total
    chosen = -1
    for line in range(herd.is_member.size):
        if herd.is_member[line] and line != other:
            chosen = line
            left -= worst + 1 - herd.n_better[line]
            if left < 0.0:
                break
    return chosen


@borrowing
def draw_undominated(herd, state):
    """Return a random member that no other one is better than."""
    n_seen, chosen = 0, -1
    for line in range(herd.is_member.size):
        if herd.is_member[line] and herd.n_better[line] == 0:
            n_seen += 1
            if below(state, n_seen) == 0:
                chosen = line
    return chosen


@borrowing
def free_line(herd, start):
    """Return the first line from ``start`` on that is not a member."""
    while herd.is_member[start]:
        start += 1
    return start
