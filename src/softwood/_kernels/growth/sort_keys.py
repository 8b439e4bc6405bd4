"""Sorting small keys: the rank of a case, its count and its class, and nothing else.

Where cases are counted a scan does not ask which they are, and those of one rank may come
in any order. A key has 32 bits; the rank is in the first ones, above ``low_bits`` others.
"""

import numpy as np
import numpy.typing as npt

from softwood._kernels._jit import borrowing

KeyArray = npt.NDArray[np.uint32]

KEY_BITS = 32
FEW_KEYS = 20  # are sorted by insertion
MOST_BUCKETS = 8192
FULL_BUCKETS = 6  # so many times as many comparisons as keys: too crowded for insertion
DIGIT_BITS = 13  # of MOST_BUCKETS
MOST_DIGIT_BITS = 10  # where keys are dealt by every digit


@borrowing
def all_keys(case, label, n_cases, rank, low_bits, keys):
    """Write the keys of all cases of a node."""
    for i in range(n_cases):
        keys[i] = (np.uint32(rank[case[i]]) << low_bits) | label[i]


@borrowing
def keys_above_lowest(case, label, n_cases, rank, low_bits, keys):
    """Write the keys of the cases above rank 0; return their number.

    Rank 0 is the lowest value of the whole column. Where many cases have it, as counts have
    zero, the others are soon sorted.
    """
    n = 0
    for i in range(n_cases):
        r = np.uint32(rank[case[i]])
        keys[n] = (r << low_bits) | label[i]
        n += 1 if r > 0 else 0
    return n


@borrowing
def range_of_keys(keys, n):
    """Return the smallest and the largest of some keys."""
    least, most = keys[0], keys[0]
    for i in range(n):
        least, most = min(least, keys[i]), max(most, keys[i])
    return np.int64(least), np.int64(most)


@borrowing
def insert_keys(keys, n):
    """Sort keys that are nearly sorted, or few."""
    for i in range(1, n):
        key = keys[i]
        place = i
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key


@borrowing
def deal_keys(keys, n, base, shift, n_buckets, out, count):
    """Move keys to ``out`` by ``(key - base) >> shift``, stably."""
    mask = n_buckets - 1
    for i in range(n):
        digit = ((np.int64(keys[i]) - base) >> shift) & mask
        out[count[digit]] = keys[i]
        count[digit] += 1


@borrowing
def count_digits(keys, n, base, shift, n_buckets, count):
    """Write where each bucket begins; return how many comparisons inserting would take."""
    mask = n_buckets - 1
    for k in range(n_buckets):
        count[k] = 0
    for i in range(n):
        count[((np.int64(keys[i]) - base) >> shift) & mask] += 1
    place, crowd = 0, 0
    for k in range(n_buckets):
        here = count[k]
        count[k] = place
        place += here
        crowd += here * here
    return crowd


@borrowing
def sort_keys(keys, other, n, least, most, low_bits, count):
    """Sort keys by rank, ``least`` to ``most``; return True if they end up in ``other``.

    One deal by the leading bits of the rank nearly sorts them. Only where too many keys
    fall in one bucket they are dealt by all digits, the last one first.
    """
    if n <= FEW_KEYS:
        insert_keys(keys, n)
        return False
    n_buckets, bits = 32, 5
    while n_buckets < n and bits < DIGIT_BITS:
        n_buckets, bits = 2 * n_buckets, bits + 1
    span_bits = 0
    while (most - least) >> span_bits:
        span_bits += 1
    base, shift = least << low_bits, low_bits + max(span_bits - bits, 0)
    if n > MOST_BUCKETS and span_bits > bits:
        return sort_by_digits(keys, other, n, base, span_bits, low_bits, count)
    crowd = count_digits(keys, n, base, shift, n_buckets, count)
    if crowd <= FULL_BUCKETS * n or span_bits <= bits:
        deal_keys(keys, n, base, shift, n_buckets, other, count)
        if span_bits > bits:
            insert_keys(other, n)
        return True
    return sort_by_digits(keys, other, n, base, span_bits, low_bits, count)


@borrowing
def sort_by_digits(keys, other, n, base, span_bits, low_bits, count):
    """Deal keys by every digit of their rank, the last one first.

    Digits are as short as the number of deals allows: few buckets stay in the near cache.
    """
    n_deals = (span_bits + MOST_DIGIT_BITS - 1) // MOST_DIGIT_BITS
    bits = (span_bits + n_deals - 1) // n_deals
    in_other = False
    for deal in range(n_deals):
        at = low_bits + deal * bits
        if in_other:
            count_digits(other, n, base, at, 1 << bits, count)
            deal_keys(other, n, base, at, 1 << bits, keys, count)
        else:
            count_digits(keys, n, base, at, 1 << bits, count)
            deal_keys(keys, n, base, at, 1 << bits, other, count)
        in_other = not in_other
    return in_other
