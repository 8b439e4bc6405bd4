"""Weakest-link pruning: at which price per leaf every node gives up its subtree."""

import numpy as np

from softwood._kernels._jit import kernel
from softwood._types import FloatArray, IndexArray

SAME = 1e-9  # relative difference below which two prices are one step of the sequence


@kernel
def collapse_prices(
    first_child: IndexArray, n_children: IndexArray, parent: IndexArray, cost: FloatArray
) -> FloatArray:
    """Return the alpha from which on each node is a leaf (0 at nodes that are leaves).

    ``cost`` is what a node costs as a leaf. Every node keeps the least price found in
    its subtree, so the weakest link is found by walking down from the root and a
    collapse is told to the ancestors alone. Prices of nodes that an ancestor's
    collapse removes are the ancestor's.
    """
    n_nodes = cost.size
    below, size = cost.copy(), np.ones(n_nodes, dtype=np.int64)
    own, least = np.full(n_nodes, np.inf), np.full(n_nodes, np.inf)
    price = np.zeros(n_nodes)
    for node in range(n_nodes - 1, -1, -1):
        if n_children[node] > 0:
            price[node] = np.inf
            refresh(node, first_child, n_children, cost, below, size, own, least)
    alpha = 0.0
    while least[0] < np.inf:
        node = 0
        while own[node] > least[node]:
            first = first_child[node]
            for child in range(first, first + n_children[node]):
                if least[child] == least[node]:
                    node = child
                    break
        if own[node] > alpha * (1.0 + SAME) + SAME * cost[0]:
            alpha = own[node]
        price[node] = alpha
        below[node], size[node], own[node], least[node] = cost[node], 1, np.inf, np.inf
        while node > 0:
            node = parent[node]
            refresh(node, first_child, n_children, cost, below, size, own, least)
    for node in range(1, n_nodes):
        if n_children[node] > 0:
            price[node] = min(price[node], price[parent[node]])
    return price


@kernel
def refresh(node, first_child, n_children, cost, below, size, own, least):  # type: ignore[no-untyped-def]
    """Bring the buffers of one node up to date with its children's."""
    total, leaves, lowest = 0.0, 0, np.inf
    first = first_child[node]
    for child in range(first, first + n_children[node]):
        total += below[child]
        leaves += size[child]
        lowest = min(lowest, least[child])
    below[node], size[node] = total, leaves
    own[node] = (cost[node] - total) / (leaves - 1)
    least[node] = min(lowest, own[node])
