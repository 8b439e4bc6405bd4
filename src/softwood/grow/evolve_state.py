"""The state of a run as plain arrays: what a checkpoint holds, and a run that goes on from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.grow.evolve_checks import check_counters, check_shapes, check_tree, check_worth
from softwood.grow.evolve_run import Run
from softwood.grow.evolve_trees import ENDS, Line, write_line

if TYPE_CHECKING:
    from softwood.grow.evolve import Evolution

# What is kept, and its type. Nodes of all members come one after the other.
PER_NODE = {"feature": "<i4", "cut": "<f8", "subset": "<u8", "label": "<i4"}
PER_LINE = {"is_member": "|b1", "n_better": "<i4", "born": "<i8", "risk": "<f8", "n_nodes": "<i4"}
PER_RUN = {"iteration": "<i8", "counts": "<i8", "state": "<u8"}
DTYPES = {**PER_NODE, "mass": "<i8", **PER_LINE, **PER_RUN}


def state_of(run: Run) -> dict[str, AnyArray]:
    """Return copies of the arrays that a run goes on from."""
    with run.rests:
        book, herd, scratch = run.farm.book, run.farm.herd, run.farm.scratch
        lines = np.flatnonzero(herd.is_member)
        state: dict[str, AnyArray] = {
            name: np.concatenate([getattr(book, name)[k, : book.n_nodes[k]] for k in lines])
            for name in (*PER_NODE, "mass")
        }
        _forget_what_means_nothing(state, run.farm.rows.n_groups)
        n_lines = herd.is_member.size
        state |= {name: getattr(herd, name)[:n_lines].copy() for name in PER_LINE}
        state["n_nodes"] = np.where(herd.is_member, state["n_nodes"], 0)
        state |= {"counts": scratch.counts.copy(), "state": scratch.state.copy()}
        state["iteration"] = np.array([run.iteration])
    return {name: np.asarray(state[name], DTYPES[name]) for name in DTYPES}


def _forget_what_means_nothing(state: dict[str, AnyArray], n_groups: AnyArray) -> None:
    """Let equal populations have equal states, whatever stood in their memory before."""
    is_test = state["feature"] != ENDS
    is_nominal = is_test & (n_groups[state["feature"]] > 0)
    state["cut"] = np.where(is_test & ~is_nominal, state["cut"], 0.0)
    state["subset"] = np.where(is_nominal, state["subset"], 0)
    state["label"] = np.where(is_test, 0, state["label"])
    state["mass"] = np.where(is_test[:, None], 0, state["mass"])


def resumed(evolution: Evolution, data: TrainingSet, state: Mapping[str, AnyArray]) -> Run:
    """Return a run that goes on from a state, as the run did that the state is of.

    Parameters
    ----------
    evolution : Evolution
        The rules of that run.
    data : TrainingSet
        Its training set.
    state : mapping of str to ndarray
        What :func:`state_of` returned.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        If the arrays are not those of a population on this training set, or its trees are
        not worth what they say: a file may have been damaged, or made to do harm.
    """
    farm = evolution._farm(data, np.random.SeedSequence(0))
    check_shapes(state, farm)
    check_counters(state, farm)
    first = 0
    for line in np.flatnonzero(state["is_member"]):
        last = first + int(state["n_nodes"][line])
        tree = Line(*(state[name][first:last] for name in PER_NODE))
        check_tree(tree, farm)
        write_line(farm.book, int(line), tree)
        first = last
    for name in ("is_member", "n_better", "born"):
        getattr(farm.herd, name)[:] = state[name]
    farm.scratch.counts[:] = state["counts"]
    farm.scratch.state[:] = state["state"]
    for line, mass in zip(
        np.flatnonzero(state["is_member"]), check_worth(state, farm), strict=True
    ):
        farm.book.mass[line, : len(mass)] = mass
    farm.book.risk[: state["risk"].size] = np.where(state["is_member"], state["risk"], 0.0)
    return Run(evolution, data, farm, int(state["iteration"][0]))
