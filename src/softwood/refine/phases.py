"""What the phases of annealing work on: groups of tests, room for their ramps, memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow.spreading import frozen
from softwood.tree import NUMERIC, Tree

if TYPE_CHECKING:
    from softwood._kernels.soft.anneal import Draws, Group, Scratch
    from softwood._kernels.soft.outputs import SoftOutputs

LARGEST = np.finfo(np.float64).max


def phase_groups(tree: Tree) -> list[Group]:
    """Return the groups of tests that a phase may move, by the paper's section 4.

    A numeric test that would be in none, as that of a stump, is a group of its own.
    """
    from softwood._kernels.soft.anneal import NOBODY, Group

    numeric = tree.kind == NUMERIC
    found: list[tuple[list[int], int]] = []
    for top in np.flatnonzero(numeric):
        for side, middle in enumerate(tree.children(int(top))):
            if numeric[middle]:
                below = [c if numeric[c] else NOBODY for c in tree.children(middle)]
                found.append(([int(top), middle, *below], side))
    grouped = {node for tests, _ in found for node in tests}
    alone = [node for node in np.flatnonzero(numeric) if node not in grouped]
    found += [([NOBODY, int(node), NOBODY, NOBODY], 0) for node in alone]
    return [Group(np.array(tests, np.int32), side) for tests, side in found]


def room_of_tests(tree: Tree, X: FloatArray) -> FloatArray:
    """Return how far each ramp can go below and above, in the box of its node; 0 is nowhere.

    The box of the root is that of the data; each numeric test cuts its box in two.
    """
    missing = np.isnan(X)
    low, high = np.empty((2, tree.n_nodes, tree.n_features))
    low[0] = np.where(missing, np.inf, X).min(axis=0)
    high[0] = np.where(missing, -np.inf, X).max(axis=0)
    room = np.zeros((tree.n_nodes, 2))
    for node in np.flatnonzero(~tree.is_leaf):
        children = tree.children(int(node))
        low[children], high[children] = low[node], high[node]
        if tree.kind[node] == NUMERIC:
            feature, cut = tree.feature[node], tree.threshold[node]
            ends = low[node, feature], high[node, feature]
            if ends[0] <= cut <= ends[1]:
                with np.errstate(over="ignore"):
                    room[node] = np.minimum((cut - ends[0], ends[1] - cut), LARGEST)
                high[children[0], feature] = low[children[1], feature] = cut
    return room


def open_outputs(tree: Tree, data: TrainingSet, width: FloatArray) -> SoftOutputs:
    """Return the buffers of a tree with these widths; oblique ramps stay as they are."""
    from softwood._kernels.soft.outputs import SoftOutputs

    inner = ~tree.is_leaf
    given = np.column_stack([tree.below, tree.above])
    return SoftOutputs(
        nodes=tree.nodes,
        parent=tree.parent,
        response=tree.response,
        slot=np.where(inner, np.cumsum(inner) - 1, -1).astype(np.int32),
        width=np.where((tree.kind == NUMERIC)[:, None], width, given),
        X=frozen(data.X),
        column=frozen(data.X.T),
        label=data.label,
        weight=data.weight,
        output=np.empty((np.count_nonzero(inner), data.n_rows)),
    )


def open_desk(tree: Tree, data: TrainingSet, maxit: int) -> Scratch:
    """Return memory for phases of ``maxit`` evaluations."""
    from softwood._kernels.soft.anneal import N_FACTS, N_POINTS, N_TESTS, N_WIDTHS, Scratch

    return Scratch(
        facts=np.empty((N_FACTS, data.n_rows)),
        exponent=np.empty(data.n_rows),
        rows=np.empty(data.n_rows, np.int32),
        mass=np.empty(data.n_rows),
        path=np.empty(tree.n_nodes, np.int32),
        points=np.empty((N_POINTS, N_WIDTHS)),
        slope=np.empty((N_TESTS, 2)),
        missing=np.empty(N_TESTS),
        taken=np.empty(maxit - 1),
    )


def draw(rng: np.random.Generator, n_proposals: int) -> Draws:
    """Return the random numbers of one phase."""
    from softwood._kernels.soft.anneal import N_WIDTHS, Draws

    step = rng.standard_normal((n_proposals, N_WIDTHS))
    return Draws(step, chance=rng.random(n_proposals), pick=rng.random(n_proposals))
