import math

import numpy as np
import pytest

from softwood._kernels.soft.lines import LANES, decline, product_of_lines, total_of_line


@pytest.mark.parametrize("x", [-30.0, -20.0, -3.3, -0.1, 0.0, 1e-6, 0.7, 5.0, 19.0, 50.0])
def test_the_curve_is_that_of_the_exponential(x):
    exact = 1.0 / (1.0 + math.exp(min(max(x, -20.0), 20.0)))
    assert decline(np.float32(x)) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100])
def test_sums_in_lanes_are_sums(size):
    rng, lanes = np.random.default_rng(size), np.full(LANES, 7.0, np.float32)
    a, b = rng.normal(size=(2, 128)).astype(np.float32)
    assert total_of_line(a, size, lanes) == pytest.approx(a[:size].sum(), abs=1e-4)
    assert product_of_lines(a, b, size, lanes) == pytest.approx(a[:size] @ b[:size], abs=1e-4)
