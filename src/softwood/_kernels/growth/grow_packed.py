"""Variable-random trees, several in one call: rows are counted, trees grow and are packed.

A small tree takes a millisecond or two, of which handing over the arguments would be a good
part, and threads would wait for each other while they do so.
"""

from typing import Any

import numpy as np

from softwood._kernels._jit import long_kernel
from softwood._kernels.growth.choose import Cases, Columns, Scratch
from softwood._kernels.growth.draws import count_draws
from softwood._kernels.growth.grow_random import grow_random, grown_so_far
from softwood._kernels.growth.node_buffers import Grown, NodeBuffers
from softwood._kernels.growth.policy import Growth
from softwood._kernels.growth.random_split import SortScratch
from softwood._kernels.packing.pack import pack_tree
from softwood._kernels.packing.packed import Packed
from softwood._kernels.randomness import StateArray
from softwood._kernels.stopping import stop_requested
from softwood._types import AnyArray, FloatArray, IndexArray


@long_kernel
def grow_packed(
    samples: AnyArray,
    times: IndexArray,
    can_count: bool,
    actives: AnyArray,
    ranks: IndexArray,
    columns: Columns,
    cases: Cases,
    growth: Growth,
    buffers: NodeBuffers,
    scratch: Scratch,
    sorting: SortScratch,
    rules: Any,
    alphas: FloatArray,
    states: StateArray,
    has_missing: bool,
    offset: float,
    curtail: float,
    bits: int,
    packs: bool,
) -> tuple[list[Packed], Grown, NodeBuffers]:
    """Grow a tree of each sample of rows; pack it if ``packs``, which takes numeric tests only.

    Samples, active features, alphas and states have a row for each tree; samples without
    columns are of all rows. No tree is returned for a sample with a row that does not exist,
    nor for those after it. Then come the last tree, which has no nodes if there is none, and the
    buffers, as those of :func:`grow_random`.

    Who wants one tree, not packed, takes the same way: to compile another would take long.
    """
    packed, grown = [], grown_so_far(buffers, 0, 0)
    weight, share = cases.weight[:0], cases.share[:0]
    if has_missing:
        weight, share = cases.weight.copy(), cases.share.copy()
    for t in range(alphas.size):
        if stop_requested():
            break
        if has_missing:  # an earlier tree has changed these: its cases were in parts
            for case in range(weight.size):
                cases.weight[case], cases.share[case] = weight[case], share[case]
        line = np.arange(times.size)
        if samples.shape[1] > 0:
            n_entries = count_draws(samples[t], times, can_count, line)
            if n_entries < 0:
                break
            line = line[:n_entries]
        grown, buffers = grow_random(
            line.reshape(1, line.size), actives[t], ranks, columns, cases, growth, buffers, scratch,
            sorting, rules, alphas[t], states[t], has_missing,
        )  # fmt: skip
        if packs:
            packed.append(
                pack_tree(
                    grown.node, grown.cut, grown.value, growth.regression, offset, curtail, bits
                )
            )
    return packed, grown, buffers
