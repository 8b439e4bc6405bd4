"""rpart's own complexity of every split, which is not quite Breiman's.

rpart computes a node's complexity once, bottom up: its saving per split, after undoing
a child whose complexity is lower than that saving. It does not look further down, so a
grandchild that should go first does not. On most trees both agree; where they differ,
Breiman's sequence is the optimal one (see test_cost_complexity).
"""

import numpy as np


def rpart_table(tree, cost):
    """Rows ``(cp, n_splits)`` of rpart's table, root first, relative to the root's cost."""
    complexity = np.zeros(tree.n_nodes)
    mean_class = tree.response @ np.arange(tree.n_outputs)

    def visit(node):
        if tree.n_children[node] == 0:
            return cost[node], 0
        left, right = tree.children(node)
        if mean_class[left] >= mean_class[right]:  # rpart's left son has the lower classes
            left, right = right, left
        (left_cost, left_splits), (right_cost, right_splits) = visit(left), visit(right)

        def saving():
            return (cost[node] - left_cost - right_cost) / (left_splits + right_splits + 1)

        first, second = (left, right) if complexity[right] > complexity[left] else (right, left)
        if saving() > complexity[first]:
            if first == left:
                left_cost, left_splits = cost[left], 0
            else:
                right_cost, right_splits = cost[right], 0
            if saving() > complexity[second]:
                if second == left:
                    left_cost, left_splits = cost[left], 0
                else:
                    right_cost, right_splits = cost[right], 0
        complexity[node] = saving()
        return left_cost + right_cost, left_splits + right_splits + 1

    visit(0)
    parent = tree.parent
    for node in range(1, tree.n_nodes):  # a split goes no later than the one above it
        if tree.n_children[node]:
            complexity[node] = min(complexity[node], complexity[parent[node]])
    prices = complexity[tree.n_children > 0] / cost[0]
    levels = np.unique(np.append(np.round(np.maximum(prices, 0), 12), 0.0))[::-1]
    return [(level, int(np.sum(prices > level + 1e-11))) for level in levels]
