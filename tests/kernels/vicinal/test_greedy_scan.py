"""Masses of blurred rows on one side of a test, against their definition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtr

from softwood._kernels.vicinal.greedy import part_below, vicinal_node_buffers
from softwood._kernels.vicinal.greedy_scan import (
    BOX,
    N_CUTS,
    blur_categories,
    masses_below,
    place_of,
)
from softwood.data.training import TrainingSet
from softwood.flow import Gaussian
from softwood.grow.ranks import rank_table
from softwood.grow.vicinal import blurred_columns

SHARES = np.array([0.4, 0.3, 0.2, 0.1])


def blurred_and_frame(x, n_categories=0, **noise):
    data = TrainingSet.of_classes(
        x[:, None], np.zeros(x.size, int), n_categories=np.array([n_categories], dtype=np.int32)
    )
    blurred = blurred_columns(data, rank_table(data), Gaussian(**noise))
    return blurred, vicinal_node_buffers(blurred, 1).waiting[0]


@pytest.mark.parametrize(("low", "high"), [(0, 3), (1, 3), (0, 2), (1, 2)])
def test_masses_below_cuts_are_those_of_clouds_cut_off_at_the_box(low, high):
    x = np.array([0.0, 1.0, 2.0, 3.0])
    blurred, frame = blurred_and_frame(x, scale=0.7)
    frame[BOX], frame[BOX + 1] = low, high
    table, left = np.array([[0.4], [1.0], [0.0], [0.1]]), np.empty((1, N_CUTS))
    masses_below(blurred, frame, 0, table, left)
    cuts = np.array([-np.inf, 0.5, 1.5, 2.5, np.inf])
    below = ndtr((cuts - x[:, None]) / 0.7)
    inside = (below - below[:, [low]]) / (below[:, [high + 1]] - below[:, [low]])
    assert_allclose(left[0, low:high], (table * inside).sum(axis=0)[low + 1 : high + 1])
    for cut in range(low, high):  # the same for one row, without a table
        parts = [part_below(blurred, frame, 0, cut, value) for value in x]
        assert_allclose(parts, inside[:, cut + 1])


@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("inside", [[0, 1, 2, 3], [1, 2], [0, 3]])
def test_categories_are_kept_or_drawn_among_those_of_the_box(chance, inside):
    blurred, frame = blurred_and_frame(
        np.arange(4.0), 4, scale=0.0, redraw=chance, marginals=(SHARES.tolist(),)
    )
    table = np.array([[3.0, 0.5], [2.0, 0.0], [1.0, 4.0], [0.5, 1.0]])
    if chance == 0.0:  # no row of another category can be here
        table[np.setdiff1d(range(4), inside)] = 0.0
    expected = np.zeros_like(table)
    for v in range(4):
        frame[place_of(blurred, 0, v)] = v in inside
        fate = chance * SHARES + (1 - chance) * (np.arange(4) == v)
        fate[np.setdiff1d(range(4), inside)] = 0.0
        expected += table[v] * fate[:, None] / max(fate.sum(), 1e-300)
    blur_categories(blurred, frame, 0, table)
    assert_allclose(table, expected, atol=1e-12)
