"""What must hold of the state of a run before it may go on: kernels trust all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray
from softwood.grow.evolve_trees import ENDS, Line, read_line, write_line

if TYPE_CHECKING:
    from softwood._kernels.evolve.run import Farm

MOST_EVENTS = 2**53  # of breeding: more than any computer has time for


def check_shapes(state: Mapping[str, AnyArray], farm: Farm) -> None:
    """Complain unless there is an entry for each line, node and counter."""
    n_lines, n_classes = farm.herd.is_member.size, farm.book.mass.shape[2]
    for name in ("is_member", "n_better", "born", "risk", "n_nodes"):
        if state[name].shape != (n_lines,):
            raise ValueError(f"{name} must have an entry for each of {n_lines} lines")
    for name, size in (("iteration", 1), ("counts", farm.scratch.counts.size), ("state", 4)):
        if state[name].shape != (size,):
            raise ValueError(f"{name} must have {size} entries")
    sizes = state["n_nodes"].astype(np.int64)
    if np.any(sizes < 0) or np.any((sizes > 0) != state["is_member"]):
        raise ValueError("n_nodes must be positive for members, and 0 for all others")
    n_nodes = int(sizes.sum())
    for name, shape in (
        *((name, (n_nodes,)) for name in ("feature", "cut", "subset", "label")),
        ("mass", (n_nodes, n_classes)),
    ):
        if state[name].shape != shape:
            raise ValueError(f"{name} must have the shape {shape}; got {state[name].shape}")


def check_counters(state: Mapping[str, AnyArray], farm: Farm) -> None:
    """Complain unless the population is whole, and its members are of different ages."""
    rules = farm.rules
    n_members, n_born, depth_limit = state["counts"].tolist()
    if not 0 <= int(state["iteration"][0]) <= MOST_EVENTS:
        raise ValueError(f"iteration must be 0 to {MOST_EVENTS}; got {int(state['iteration'][0])}")
    if state["is_member"].sum() != rules.n_members or n_members != rules.n_members:
        raise ValueError(f"there must be {rules.n_members} members")
    if not rules.n_members <= n_born <= MOST_EVENTS or not 0 <= depth_limit <= rules.max_depth:
        raise ValueError("counts must be those of a founded population")
    born = state["born"][state["is_member"]]
    if np.any(born < 0) or np.any(born >= n_born) or np.unique(born).size != born.size:
        raise ValueError("members must have been born one after the other")
    if not state["state"].any():
        raise ValueError("the random numbers must be able to move")


def check_tree(tree: Line, farm: Farm) -> None:
    """Complain unless the nodes form one tree whose tests and classes exist."""
    n_classes, width = farm.book.mass.shape[2], farm.book.size.shape[1]
    is_test = tree.feature != ENDS
    n_open = 1 + np.cumsum(np.where(is_test, 1, -1))
    if not 0 < tree.n_nodes <= width or n_open[-1] != 0 or np.any(n_open[:-1] <= 0):
        raise ValueError("the nodes of a member do not form a tree")
    if _depth(tree) > farm.rules.max_depth:
        raise ValueError(f"a member is deeper than max_depth, {farm.rules.max_depth}")
    # A test of a column that tells no rows apart could never be drawn anew.
    if not np.isin(tree.feature[is_test], farm.tests.features).all():
        raise ValueError("a member tests a feature that does not exist or is constant")
    if np.any(tree.label < 0) or np.any(tree.label >= n_classes):
        raise ValueError("a member answers a class that does not exist")
    if not np.isfinite(tree.cut).all():
        raise ValueError("a member has a cut that is not finite")
    _check_subsets(tree, is_test, farm)


def _check_subsets(tree: Line, is_test: AnyArray, farm: Farm) -> None:
    """Complain unless a nominal test sends some categories to either side."""
    n_groups = np.where(is_test, farm.tests.n_groups[tree.feature], 0)
    for node in np.flatnonzero(n_groups):
        every = 2 ** int(n_groups[node]) - 1
        if not 0 < int(tree.subset[node]) < every:
            raise ValueError("a member has a nominal test that sends all categories one way")


def _depth(tree: Line) -> int:
    """Return the number of tests on the longest path."""
    right = tree.right
    depth = np.zeros(tree.n_nodes, np.int64)
    for node in np.flatnonzero(tree.feature != ENDS):
        depth[node + 1] = depth[right[node]] = depth[node] + 1
    return int(depth.max())


def check_worth(state: Mapping[str, AnyArray], farm: Farm) -> list[AnyArray]:
    """Complain unless risks, masses and ranks are those that the members really have.

    Returns the masses of all nodes, member after member.
    """
    members, first = np.flatnonzero(state["is_member"]), 0
    masses = []
    for line in members:
        tree = read_line(farm.book, int(line))
        nodes, first = slice(first, first + tree.n_nodes), first + tree.n_nodes
        leaves = np.flatnonzero(tree.feature == ENDS)
        masses.append(_masses(tree, farm))
        mass = masses[-1][leaves]
        if not np.array_equal(mass, state["mass"][nodes][leaves]):
            raise ValueError("the masses of a member are not those of its tree")
        total = farm.rows.whole.sum()
        right = mass[np.arange(leaves.size), tree.label[leaves]].sum()
        if (total - right) / total != state["risk"][line]:
            raise ValueError("the risk of a member is not that of its tree")
    better = _is_better(state, members, farm.rules.counts_nodes)
    if not np.array_equal(better.sum(axis=0), state["n_better"][members]):
        raise ValueError("the ranks of the members are not theirs")
    return masses


def _masses(tree: Line, farm: Farm) -> AnyArray:
    """Return the mass of each class at the nodes of a tree, computed from the shared up."""
    from softwood._kernels.evolve.run import evolve

    scratch = farm.book.risk.size - 1  # the last spare line
    write_line(farm.book, scratch, tree)
    evolve(farm, 0, 0, scratch, 0, np.zeros(1, np.int64))
    return farm.book.mass[scratch, : tree.n_nodes].copy()


def _is_better(state: Mapping[str, AnyArray], members: AnyArray, counts_nodes: bool) -> AnyArray:
    """Return whether each member (down) dominates each other one (across)."""
    risk, nodes, born = (state[name][members] for name in ("risk", "n_nodes", "born"))
    if not counts_nodes:
        nodes = np.zeros_like(nodes)
    not_worse = (risk[:, None] <= risk) & (nodes[:, None] <= nodes)
    better = (risk[:, None] < risk) | (nodes[:, None] < nodes) | (born[:, None] > born)
    return np.asarray(not_worse & better)
