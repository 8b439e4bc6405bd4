"""Random numbers inside kernels: xoshiro256++, four words of state per tree.

A generator belongs to one tree and is seeded from the tree's own seed sequence, so that
trees are the same in whatever order, thread or process they grow.
"""

import numpy as np
import numpy.typing as npt

from softwood._kernels._jit import borrowing

StateArray = npt.NDArray[np.uint64]
UNIT = 2.0**-53
HALF, SHIFT = np.uint64(2**32 - 1), np.uint64(32)


def random_state(seed: np.random.SeedSequence) -> StateArray:
    """Return the state that a seed sequence starts a generator with."""
    state = np.array(seed.generate_state(4, np.uint64), dtype=np.uint64)
    state[0] |= np.uint64(1)  # all zero is the one state that never moves
    return state


@borrowing
def sum_of(a, b):
    """Return ``a + b`` without what does not fit 64 bits; in halves, for nothing to overflow."""
    low = (a & HALF) + (b & HALF)
    high = (a >> SHIFT) + (b >> SHIFT) + (low >> SHIFT)
    return ((high & HALF) << SHIFT) | (low & HALF)


@borrowing
def next_word(state):
    """Return 64 random bits, and move the state on."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = sum_of(s0, s3)
    word = sum_of((total << np.uint64(23)) | (total >> np.uint64(41)), s0)
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    state[0], state[1] = s0 ^ s3, s1 ^ s2
    state[2] = s2 ^ shifted
    state[3] = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return word


@borrowing
def uniform(state):
    """Return a random number from [0, 1)."""
    return (next_word(state) >> np.uint64(11)) * UNIT


@borrowing
def below(state, n):
    """Return a random whole number from 0 to n - 1."""
    return int(uniform(state) * n)
