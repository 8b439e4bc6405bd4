"""Keys inside kernels; see :func:`softwood._kernels.packing.packed.keys_of`."""

import numpy as np

from softwood._kernels._jit import borrowing, inlined
from softwood._kernels.packing.packed import ALL_BITS, SIGN, SIGN_AT


@borrowing
def key_of_bits(bits):
    """Return the key of a number with these bits; it must not be the zero with a sign.

    What is positive follows all that is negative, which goes by size the other way round.
    """
    return bits ^ (ALL_BITS if bits >> SIGN_AT else SIGN)


@inlined
def keys_of_rows(X):
    """Return the keys of all values, row after row."""
    number = X.reshape(-1) + 0.0  # there is one zero only
    key = number.view(np.uint64)
    for i in range(key.size):
        key[i] = key_of_bits(key[i])
    return key
