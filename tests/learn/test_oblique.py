"""Oblique trees as learners: what gaps count as."""

import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.learn.oblique import fill_values


def test_gaps_of_huge_numbers_count_as_their_mean():
    huge = np.array([1e308, 1.5e308, 1.7e308, np.nan])
    data = TrainingSet.of_classes(np.column_stack([huge, np.arange(4.0)]), np.array([0, 1, 0, 1]))
    assert fill_values(data) == pytest.approx([1.4e308, 1.5])
