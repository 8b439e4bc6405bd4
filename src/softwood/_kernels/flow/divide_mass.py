"""How the mass of a block of rows is divided at a node, without a branch to guess wrong.

A node of two tests passes on the rows of both sides with all that is noted of them. A leaf
ends the way of its rows: where it answers one class only, as most leaves of a fully grown
tree do, it has its mass at once, and neither its rows nor their mass are written down.
"""

import numpy as np
import numpy.typing as npt

from softwood._kernels._jit import borrowing
from softwood._types import FloatArray

RowArray = npt.NDArray[np.uint32]  # unsigned numbers index faster: they cannot count back

LOW, HIGH, MASS, N_COLUMNS = 0, 1, 2, 3  # what is noted of a row at a node


@borrowing
def divide_block(
    drop: float,
    n_rows: int,
    rows: RowArray,
    share: FloatArray,
    mass: FloatArray,
    home: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    rows_lower: RowArray,
    rows_upper: RowArray,
    notes_lower: bool,
    notes_upper: bool,
) -> tuple[int, int]:
    """Divide the mass of the rows of a node; return how many reach each child.

    The interval of the noise is noted at the children that are the home of another test.
    """
    n_lower, n_upper = 0, 0
    for i in range(n_rows):
        row = rows[i]
        whole, start, end = mass[MASS, row], home[LOW, row], home[HIGH, row]
        middle = share[row]
        low, high = max(middle - start, 0.0), max(end - middle, 0.0)
        # As shares of their own sum they lose no mass, however narrow the interval.
        scale = whole / (low + high)
        low, high = low * scale, high * scale
        both = (low >= drop) & (high >= drop)
        to_lower, to_upper = both | (low >= high), both | (low < high)
        # Sums and maxima in place of choices: which it is, no processor could guess.
        alone = 0.0 if both else 1.0
        lower[MASS, row] = max(low, alone * whole)
        upper[MASS, row] = max(high, alone * whole)
        if notes_lower:
            lower[LOW, row], lower[HIGH, row] = start, max(min(middle, end), alone * end)
        if notes_upper:
            upper[LOW, row], upper[HIGH, row] = max(start, (1.0 - alone) * middle), end
        rows_lower[n_lower] = row
        rows_upper[n_upper] = row
        n_lower += to_lower
        n_upper += to_upper
    return n_lower, n_upper


@borrowing
def add_response(
    mass: FloatArray, rows: RowArray, n_rows: int, response: FloatArray, sums: FloatArray
) -> None:
    """Add the response of a leaf to the rows that reach it, by their mass."""
    for k in range(response.size):
        value = response[k]
        if value != 0.0:
            for i in range(n_rows):
                sums[k, rows[i]] += mass[MASS, rows[i]] * value


@borrowing
def divide_between_leaves(
    n_rows: int,
    rows: RowArray,
    share: FloatArray,
    mass: FloatArray,
    home: FloatArray,
    value_lower: float,
    value_upper: float,
    sums_lower: FloatArray,
    sums_upper: FloatArray,
) -> None:
    """Divide the mass of the rows of a node between two leaves that answer one class each.

    This is :func:`divide_block` and :func:`add_response` in one go, with nothing noted.
    """
    for i in range(n_rows):
        row = rows[i]
        middle = share[row]
        low, high = max(middle - home[LOW, row], 0.0), max(home[HIGH, row] - middle, 0.0)
        scale = mass[MASS, row] / (low + high)
        sums_lower[row] += low * scale * value_lower
        sums_upper[row] += high * scale * value_upper


@borrowing
def divide_from_leaf(
    drop: float,
    n_rows: int,
    rows: RowArray,
    share: FloatArray,
    mass: FloatArray,
    home: FloatArray,
    leaf_is_lower: bool,
    value: float,
    sums: FloatArray,
    inner: FloatArray,
    rows_inner: RowArray,
    notes_inner: bool,
) -> int:
    """Divide the mass of the rows of a node between a leaf that answers one class and a test.

    Return how many rows go on to the test; the leaf has its mass at once.
    """
    n_inner = 0
    for i in range(n_rows):
        row = rows[i]
        whole, start, end = mass[MASS, row], home[LOW, row], home[HIGH, row]
        middle = min(max(share[row], start), end)
        below, above = middle - start, end - middle
        part = above if leaf_is_lower else below
        part = part * (whole / (below + above))
        goes_on = part >= drop
        inner[MASS, row] = part
        if notes_inner:
            inner[LOW, row] = middle if leaf_is_lower else start
            inner[HIGH, row] = end if leaf_is_lower else middle
        rows_inner[n_inner] = row
        n_inner += goes_on
        sums[row] += (whole - part * goes_on) * value
    return n_inner
