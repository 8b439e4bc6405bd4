"""Columns of shares: what a test sends to its left child, of every training row.

Sweeps read and write whole columns of float32, one entry per row, so that one instruction
does the work of eight rows. Rows stand class after class.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from softwood._kernels._jit import borrowing
from softwood._types import AnyArray, FloatArray, IndexArray

ShareArray = npt.NDArray[np.float32]
ZERO, HALF, ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
TINY = np.float32(1e-30)

# Phi(z) - 1/2 is z times a quotient of polynomials in z^2, fitted to the least greatest error
# (3e-9) up to LAST_Z; farther out lies a mass of 1e-7. Rounding to float32 adds 2e-7.
LAST_Z, FIRST_Z = np.float32(5.2), np.float32(-5.2)
P0, P1, P2 = np.float32(0.39894226), np.float32(0.032544553), np.float32(0.0046086456)
P3, P4, P5 = np.float32(1.5686161e-4), np.float32(6.4078927e-6), np.float32(2.4731156e-8)
Q1, Q2, Q3 = np.float32(0.24824344), np.float32(0.027926689), np.float32(0.0018172028)
Q4, Q5 = np.float32(7.0496128e-5), np.float32(1.2588696e-6)

# Masses are added up as whole numbers: the sum is the same in any order, which is what lets
# the compiler add eight at a time, on every machine with the same result. A sum over BLOCK
# rows fits 31 bits.
UNIT, BLOCK = np.float32(2.0**23), 128

N_GROUPS = 64  # categories of a test are the bits of one word


class Rows(NamedTuple):
    """The training rows as sweeps read them."""

    z: ShareArray  # (n_features, n_rows) values in units of the noise; 0 where there is none
    value: FloatArray  # (n_features, n_rows) values as they are; 0 where missing
    group: IndexArray  # (n_features, n_rows) the bit of a nominal value; 0 where missing
    class_start: AnyArray  # (n_classes + 1,) rows of class c are [class_start[c], [c + 1])
    mass: ShareArray  # (n_rows,) weights, the largest being 1; 0 for rows that only fill up
    whole: AnyArray  # (n_classes,) sums of ``mass``
    missing_start: AnyArray  # (n_features + 1,) rows without a value, feature after feature
    missing_row: IndexArray
    scale: FloatArray  # (n_features,) deviation of the noise; 0: tests are hard
    centre: FloatArray  # (n_features,) the value at z = 0
    n_groups: IndexArray  # (n_features,) bits of a nominal feature; 0: numeric
    redraw: FloatArray  # (n_features,) chance that a category is drawn anew
    drawn: FloatArray  # (n_features, N_GROUPS) in these shares


@borrowing
def fill_normal(z, cut, out):
    """Write Phi(cut - z) for every row."""
    for i in range(z.size):
        u = cut - z[i]
        u = FIRST_Z if u < FIRST_Z else u
        u = LAST_Z if u > LAST_Z else u
        s = u * u
        above = ((((P5 * s + P4) * s + P3) * s + P2) * s + P1) * s + P0
        below = ((((Q5 * s + Q4) * s + Q3) * s + Q2) * s + Q1) * s + ONE
        out[i] = HALF + u * above / below


@borrowing
def fill_step(value, cut, out):
    """Write 1 where the value is at most ``cut``, else 0."""
    for i in range(value.size):
        out[i] = ONE if value[i] <= cut else ZERO


@borrowing
def fill_shares(rows, feature, cut, out):
    """Write the share of the left child of a numeric test, of every row."""
    scale = rows.scale[feature]
    if scale > 0.0:
        fill_normal(rows.z[feature], np.float32((cut - rows.centre[feature]) / scale), out)
    else:
        fill_step(rows.value[feature], cut, out)


@borrowing
def total_of_block(block):
    """Return the sum over at most BLOCK rows, in units of 1 / UNIT."""
    total = np.int32(0)
    for i in range(block.size):
        total = np.int32(total + np.int32(block[i] * UNIT + HALF))
    return total


@borrowing
def total_mass(column, start, stop):
    """Return the sum of a column over ``[start, stop)``, in units of 1 / UNIT."""
    total = np.int64(0)
    while start < stop:
        # A slice: the compiler sees that no index in it is negative.
        total += total_of_block(column[start : min(start + BLOCK, stop)])
        start += BLOCK
    return total


@borrowing
def total_by_class(column: AnyArray, class_start: AnyArray, out: AnyArray) -> None:
    """Write the sum of a column over the rows of each class."""
    for c in range(out.size):
        out[c] = total_mass(column, class_start[c], class_start[c + 1])


@borrowing
def multiply(reach, share, out):
    """Write the part of each row's mass."""
    for i in range(out.size):
        out[i] = reach[i] * share[i]


@borrowing
def multiply_between(reach, share, low, high, out):
    """Write the part of each row's mass, of which [low, high] is left of the feature's noise."""
    for i in range(out.size):
        width = high[i] - low[i]
        width = width if width > TINY else TINY  # then the row's mass is nothing, too
        part = (share[i] - low[i]) / width
        part = part if part > ZERO else ZERO
        part = part if part < ONE else ONE
        out[i] = reach[i] * part


@borrowing
def multiply_by_group(reach, group, part_of_group, out):
    """Write the part of each row's mass that its category sends left."""
    for i in range(out.size):
        out[i] = reach[i] * part_of_group[group[i]]


@borrowing
def take_away(reach, column):
    """Turn what went left into what goes right."""
    for i in range(column.size):
        rest = reach[i] - column[i]
        column[i] = rest if rest > ZERO else ZERO


@borrowing
def copy_column(column, out):
    """Write a column to another."""
    for i in range(out.size):
        out[i] = column[i]
