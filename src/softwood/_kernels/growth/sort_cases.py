"""Sorting the cases of one node by one column, when the node asks for it.

A case is a word (class and number of the case, see :mod:`softwood._kernels.growth.columns`);
sorted, it has its rank in front. Ties keep the order of the cases, so that a column sorted here is
the one that :func:`softwood._kernels.growth.columns.sorted_entries` would have led down the tree.
"""

import numpy as np

from softwood._kernels._jit import borrowing
from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT

FEW_CASES = 24  # are sorted by insertion
DIGIT_BITS = 8
N_BUCKETS = 1 << DIGIT_BITS


@borrowing
def rank_cases(line, start, stop, rank, out):
    """Write the known cases of a node with their rank; return their number and range."""
    n_known, least, most = 0, np.int64(1) << 40, np.int64(-1)
    for i in range(start, stop):
        r = np.int64(rank[line[i] & CASE_MASK])
        out[n_known] = (r << RANK_SHIFT) | line[i]
        known = r >= 0
        n_known += 1 if known else 0
        least = min(least, r if known else least)
        most = max(most, r)
    return n_known, least, most


@borrowing
def insertion_sort(words, n):
    """Sort a few words; of one rank the first stays first, for its case is the smaller."""
    for i in range(1, n):
        word = words[i]
        place = i
        while place > 0 and (words[place - 1] >> RANK_SHIFT) > (word >> RANK_SHIFT):
            words[place] = words[place - 1]
            place -= 1
        words[place] = word


@borrowing
def counting_pass(words, n, shift, least, out, count):
    """Move words to ``out`` by one digit of their rank above ``least``, stably."""
    mask = np.int64(count.size - 1)
    for k in range(count.size):
        count[k] = 0
    for i in range(n):
        count[(((words[i] >> RANK_SHIFT) - least) >> shift) & mask] += 1
    place = 0
    for k in range(count.size):
        here = count[k]
        count[k] = place
        place += here
    for i in range(n):
        digit = (((words[i] >> RANK_SHIFT) - least) >> shift) & mask
        out[count[digit]] = words[i]
        count[digit] += 1


@borrowing
def sort_by_rank(words, other, n, least, most, count):
    """Sort words by rank; return True if they end up in ``other``."""
    if n <= FEW_CASES:
        insertion_sort(words, n)
        return False
    in_other = False
    for shift in range(0, 32, DIGIT_BITS):
        if (most - least) >> shift == 0:
            break
        if in_other:
            counting_pass(other, n, shift, least, words, count)
        else:
            counting_pass(words, n, shift, least, other, count)
        in_other = not in_other
    return in_other
