"""Annealed softening by definition: the cost, R's SANN, boxes of nodes; nothing is kept."""

import itertools
import math

import numpy as np

from tests.oracles import spreading


def cost(tree, data, alpha):
    """Equation 1 of Dvořák and Savický, with the row's own class in place of class 1."""
    total = 0.0
    for x, label, weight in zip(data.X, data.label, data.weight, strict=True):
        answer = spreading.ramp(tree, x) @ tree.response[tree.leaves]
        total += weight * math.exp(alpha * ((1.0 - answer[label]) - 1.0))
    return total


def sann(function, start, step, chance, temp, tmax):
    """R's SANN with given random numbers; return the least cost and what became of proposals.

    A proposal that was accepted is represented by its cost, any other by NaN.
    """
    maxit = len(chance) + 1
    current = np.array(start, dtype=float)
    f_current = f_best = function(current)
    fate = []
    its = 1
    while its < maxit:
        t = temp / math.log(its + math.e - 1.0)
        k = 1
        while k <= tmax and its < maxit:
            proposal = step(current, t / temp, its - 1)
            f = function(proposal)
            fate.append(math.nan)
            if f <= f_current or chance[its - 1] < math.exp(-(f - f_current) / t):
                fate[-1] = f
                current, f_current = proposal, f
                f_best = min(f_best, f)
            k += 1
            its += 1
    return f_best, fate


def box_of(tree, node, X):
    """The smallest and largest value of each feature that rows of ``node`` could have."""
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    path = tree.path(node)
    for above, below in itertools.pairwise(path):
        if tree.kind[above] == 1:
            feature, cut = tree.feature[above], tree.threshold[above]
            side = high if below == tree.first_child[above] else low
            if low[feature] <= cut <= high[feature]:
                side[feature] = cut
    return low, high
