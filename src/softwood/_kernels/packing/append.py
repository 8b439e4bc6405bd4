"""Appending a packed tree to a forest of others: their answers share one table."""

import numpy as np

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels.packing.packed import (
    ANSWER,
    COUNT_AT,
    LARGEST_COUNT,
    LEAF_KEY,
    KeyArray,
)
from softwood._types import AnyArray, FloatArray, IndexArray

_SPREAD = np.uint64(0x9E3779B1)  # odd, and without pattern: the golden ratio, in 32 bits
_HALF, _SHIFT = np.uint64(32), np.uint64(15)


@borrowing
def slot_of(row, n_slots):
    """Return where to look first for a row of bits; there is a power of two of slots.

    Most classes do not occur in a leaf: what is zero costs next to nothing. Halves of words are
    multiplied, for nothing to overflow.
    """
    hashed = np.uint64(row.size)
    for k in range(row.size):
        if row[k] != 0:
            hashed ^= row[k] ^ (row[k] >> _HALF) ^ np.uint64(k)
            hashed = (hashed & ANSWER) * _SPREAD
            hashed ^= hashed >> _HALF
    hashed ^= hashed >> _SHIFT
    return np.int64(hashed & np.uint64(n_slots - 1))


@borrowing
def are_same(row, other):
    """Whether two rows have the same bits."""
    same = True
    for k in range(row.size):
        same &= row[k] == other[k]
    return same


@kernel
def number_answers(
    rows: AnyArray, table: AnyArray, n_answers: int, slots: IndexArray, number: IndexArray
) -> int:
    """Enter rows of bits in a table, unless they are there; note where, return how many there are.

    A slot holds the number of an answer, or -1. Some of them stay empty.
    """
    for i in range(rows.shape[0]):
        slot = slot_of(rows[i], slots.size)
        while slots[slot] >= 0 and not are_same(rows[i], table[slots[slot]]):
            slot = (slot + 1) & (slots.size - 1)
        if slots[slot] < 0:
            slots[slot] = n_answers
            for k in range(rows.shape[1]):  # a slice of a row would compile ten times as long
                table[n_answers, k] = rows[i, k]
            n_answers += 1
        number[i] = slots[slot]
    return n_answers


@kernel
def renumber(
    key: KeyArray, link: AnyArray, own: IndexArray, number: IndexArray, n_pure: int, below: int
) -> None:
    """Point the leaves of a tree to their answers in the table of all, and its own leaves up."""
    for node in range(link.size):
        mixed = np.int64(key[node] & ANSWER) - n_pure
        if link[node] == 0 and mixed >= 0:
            key[node] = (key[node] & ~ANSWER) | np.uint64(number[mixed])
    for i in range(own.shape[0]):
        own[i, 0] += below
        if own[i, 1] >= n_pure:
            own[i, 1] = number[own[i, 1] - n_pure]


@kernel
def are_counts(weight: FloatArray, link: AnyArray, bits: int) -> bool:
    """Whether every leaf weighs a count that its key can hold, and the rest follows from these."""
    for node in range(weight.size):
        if link[node] == 0:
            if weight[node] != np.floor(weight[node]) or weight[node] > LARGEST_COUNT:
                return False
        else:
            first = node + np.int64(link[node] >> bits)
            if weight[first] + weight[first + 1] != weight[node]:
                return False
    return True


@kernel
def enter_counts(key: KeyArray, link: AnyArray, weight: FloatArray) -> None:
    """Enter the weights of leaves in their keys."""
    for node in range(link.size):
        if link[node] == 0:
            key[node] += np.uint64(weight[node]) << COUNT_AT


@kernel
def read_counts(key: KeyArray, link: AnyArray, bits: int, weight: FloatArray) -> None:
    """Fill the weights of all nodes, of one tree or of many, from the keys of their leaves."""
    for node in range(link.size - 1, -1, -1):
        if link[node] == 0:
            weight[node] = float((key[node] - LEAF_KEY) >> COUNT_AT)
        else:
            first = node + np.int64(link[node] >> bits)
            weight[node] = weight[first] + weight[first + 1]
