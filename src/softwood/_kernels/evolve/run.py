"""The loop of evolution: thousands of breeding events without a return to Python.

Calls are nested as little as can be: numba compiles a function anew for each that calls it.
"""

from typing import NamedTuple

from softwood._kernels._jit import borrowing, long_kernel
from softwood._kernels.evolve.pool import leave_slots, take_slots
from softwood._kernels.evolve.ranks import (
    Herd,
    best_member,
    draw_parent,
    draw_undominated,
    free_line,
    join,
    part_with,
    worst_member,
)
from softwood._kernels.evolve.tests import Tests, draw_tree
from softwood._kernels.evolve.trees import (
    copy_tree,
    cross,
    height_of,
    mutate_node,
    replace_subtree,
)
from softwood._kernels.randomness import StateArray, uniform
from softwood._kernels.stopping import stop_requested
from softwood._kernels.vicinal.columns import Rows
from softwood._kernels.vicinal.descent import descend
from softwood._kernels.vicinal.node_buffers import FRESH, Book, Path, Pool
from softwood._kernels.vicinal.sweep import sweep
from softwood._types import AnyArray, IndexArray

FIRST_DEPTH, LAST_DEPTH = 2, 6  # of the trees that evolution begins with
N_MEMBERS, BORN, DEPTH_LIMIT, N_COUNTS = 0, 1, 2, 3  # what is counted
NOBODY, ONE_OF_THE_BEST = -1, -2  # in place of a line
WORST = 2.0  # a risk that every tree beats


class Rules(NamedTuple):
    """What the engine keeps to."""

    n_members: int
    max_depth: int
    counts_nodes: bool  # two objectives, or risk alone under a limit of depth that may rise


class Scratch(NamedTuple):
    """Memory of the engine."""

    stale: AnyArray  # (n_lines, width) nodes whose masses are to be computed are FRESH
    level: IndexArray  # (width + 2,)
    counts: AnyArray  # (N_COUNTS,)
    state: StateArray  # of the random numbers


class Farm(NamedTuple):
    """All there is of a run.

    The lines of the book are those of the members, two for children, and three spare ones.
    """

    rows: Rows
    tests: Tests
    rules: Rules
    book: Book
    pool: Pool
    path: Path
    herd: Herd
    scratch: Scratch


@borrowing
def draw_founder(book, line, nth, max_depth, tests, state, level):
    """Write the n-th random tree to begin with.

    Half of the trees are full, half are not, and their depths go round (ramped half and half).
    """
    last = min(LAST_DEPTH, max_depth)
    first = min(FIRST_DEPTH, last)
    depth = first + (nth // 2) % (last - first + 1)
    is_full, may_end = nth % 2 == 0, nth < 0
    draw_tree(book, line, depth, is_full, may_end, tests, state, level)


@borrowing
def bear(book, stale, first, second, herd, max_depth, tests, state, level, spare):
    """Write two children of two parents."""
    one = draw_parent(herd, NOBODY, state)
    other = draw_parent(herd, one, state)
    cross(book, stale, (spare, spare + 1), (one, other), max_depth, state, level)
    for k in range(2):
        child = first if k == 0 else second
        replace_subtree(book, stale, child, spare + k, spare + 2, max_depth, tests, state, level)
        mutate_node(book, stale, child, tests, state)


@borrowing
def may_join(book, line, best_risk, counts_nodes, max_depth, counts, level):
    """Whether a tree is accepted; a deep one only if none was as good (Silva's rule)."""
    if counts_nodes or counts[DEPTH_LIMIT] == max_depth:
        return True
    depth = height_of(book, line, 0, level)
    if depth <= counts[DEPTH_LIMIT]:
        return True
    if book.risk[line] < best_risk:
        counts[DEPTH_LIMIT] = depth
        return True
    return False


@borrowing
def dismiss(rows, book, pool, herd, counts_nodes, state):
    """Let one of the worst members go."""
    gone = worst_member(herd, state)
    part_with(herd, gone, counts_nodes)
    leave_slots(rows, book, gone, pool)


@borrowing
def settle(farm, line, max_rounds):
    """Compute a tree's masses from the ground up, and let it descend so many rounds.

    Instead of a line, ``ONE_OF_THE_BEST`` stands for a copy of such a member, which joins
    them if it has become better.
    """
    rows, book, herd, scratch = farm.rows, farm.book, farm.herd, farm.scratch
    counts_nodes = farm.rules.counts_nodes
    source = NOBODY
    if line == ONE_OF_THE_BEST:
        line = free_line(herd, 0)
        source = best_member(herd)
        if uniform(scratch.state) < 0.5:
            source = draw_undominated(herd, scratch.state)
        copy_tree(book, scratch.stale, line, source)
    scratch.stale[line, : book.n_nodes[line]] = FRESH
    sweep(rows, book, line, scratch.stale[line], farm.pool, farm.path)
    descend(
        rows, farm.tests, book, line, farm.rules.n_members + 2, farm.pool, farm.path,
        scratch.stale[line], max_rounds, source == NOBODY,
    )  # fmt: skip
    if source != NOBODY and book.risk[line] < book.risk[source]:
        take_slots(rows, book, line, farm.pool)
        join(herd, line, scratch.counts[BORN], counts_nodes)
        scratch.counts[BORN] += 1
        dismiss(rows, book, farm.pool, herd, counts_nodes, scratch.state)


@borrowing
def breed(farm, n_seeds, n_iter):
    """Found the population, if there is none, and breed; return how often, if not stopped."""
    rows, book, pool, path, herd = farm.rows, farm.book, farm.pool, farm.path, farm.herd
    counts, state, level = farm.scratch.counts, farm.scratch.state, farm.scratch.level
    counts_nodes, max_depth = farm.rules.counts_nodes, farm.rules.max_depth
    n_members = farm.rules.n_members
    n_bred = 0
    for _ in range(n_members - counts[N_MEMBERS] + n_iter):
        if stop_requested():
            return n_bred
        is_founding = counts[N_MEMBERS] < n_members
        first = free_line(herd, 0)
        second = first
        best_risk = WORST
        if is_founding:
            if first >= n_seeds:
                draw_founder(book, first, first - n_seeds, max_depth, farm.tests, state, level)
            farm.scratch.stale[first, : book.n_nodes[first]] = FRESH
        else:
            second = free_line(herd, first + 1)
            best_risk = book.risk[best_member(herd)]
            bear(
                book, farm.scratch.stale, first, second, herd, max_depth, farm.tests, state, level,
                n_members + 2,
            )  # fmt: skip
        n_joined = 0
        for k in range(1 if is_founding else 2):
            child = first if k == 0 else second
            take_slots(rows, book, child, pool)
            sweep(rows, book, child, farm.scratch.stale[child], pool, path)
            if may_join(book, child, best_risk, counts_nodes, max_depth, counts, level):
                best_risk = min(best_risk, book.risk[child])
                join(herd, child, counts[BORN], counts_nodes)
                counts[BORN] += 1
                n_joined += 1
            else:
                leave_slots(rows, book, child, pool)
        if is_founding:
            counts[N_MEMBERS] += 1
            continue
        for _ in range(n_joined):
            dismiss(rows, book, pool, herd, counts_nodes, state)
        n_bred += 1
    return n_bred


@long_kernel
def evolve(
    farm: Farm, n_seeds: int, n_iter: int, line: int, max_rounds: int, n_bred: AnyArray
) -> None:
    """Found the population, if there is none, breed ``n_iter`` times, and settle a tree.

    The founders are the seeds, which stand in the first lines, and random trees. The tree is
    that of ``line``, see :func:`settle`, if there is to be one. (It is one kernel for both:
    they share most of what is to be compiled.)

    ``n_bred`` receives how often it really bred: if it is asked to stop, it does so between two
    times, and a later call can go on from there.
    """
    n_bred[0] = breed(farm, n_seeds, n_iter)
    if line != NOBODY and n_bred[0] == n_iter:
        settle(farm, line, max_rounds)
