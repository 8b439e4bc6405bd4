"""Sorted columns: for every feature, the cases of a node in order of rank.

An entry packs the rank, the class and the number of a case in one word, so that a scan
reads memory in order and looks nothing up::

    | rank, 26 bits | class, 11 bits | case, 26 bits |

The cases of a node occupy one segment per feature::

    feature 0   | node A ........ | node B ... |          |
    feature 1   | node A ...... | node B ... |            |
                                                 ^ free: the last node may grow here

Splitting a node rewrites its segment as the segments of its children. Growth is
depth first and always splits the last node, so children may need more room than
their parent, which they do when a case with a missing value goes to several.
A case missing on a feature has no entry in that feature's segment; where values are
missing at all, one more line, of index ``n_features``, lists every case of a node.
"""

import numpy as np

from softwood._kernels._jit import borrowing, hot, inlined, long_kernel
from softwood._kernels.stopping import stop_requested
from softwood._types import MAX_CASES, MAX_CLASSES, AnyArray, CodeArray, IndexArray

CASE_MASK, CLASS_MASK = MAX_CASES - 1, MAX_CLASSES - 1
CASE_BITS = CASE_MASK.bit_length()
RANK_SHIFT = CASE_BITS + CLASS_MASK.bit_length()
MAX_BRANCHES = 65535
ALL_BRANCHES = MAX_BRANCHES  # side of a case whose tested value is missing


@long_kernel
def sorted_entries(
    rank: IndexArray,
    n_levels: IndexArray,
    rows: IndexArray,
    label: CodeArray,
    has_missing: bool,
) -> tuple[AnyArray, IndexArray]:
    """Sort the cases by rank in every feature, by counting; ties keep the order of cases.

    Case ``i`` is row ``rows[i]`` of the table. Returns the entries, one line per
    feature, and how many each line has.
    """
    n_features, n_cases = rank.shape[0], rows.size
    n_lines = n_features + 1 if has_missing else n_features
    entries = np.empty((n_lines, n_cases), dtype=np.int64)
    lengths = np.empty(n_lines, dtype=np.int32)
    word = np.empty(n_cases, dtype=np.int64)
    for i in range(n_cases):
        word[i] = (np.int64(label[rows[i]]) << CASE_BITS) | i
    most = 0
    for f in range(n_features):
        most = max(most, n_levels[f])
    position = np.empty(most + 1, dtype=np.int64)
    for f in range(n_features):
        if stop_requested():
            break
        for level in range(n_levels[f] + 1):
            position[level] = 0
        for i in range(n_cases):
            position[rank[f, rows[i]] + 1] += 1
        n_missing = position[0]
        position[0] = 0
        for level in range(n_levels[f]):
            position[level + 1] += position[level]
        for i in range(n_cases):
            r = rank[f, rows[i]]
            if r >= 0:
                entries[f, position[r]] = (np.int64(r) << RANK_SHIFT) | word[i]
                position[r] += 1
        lengths[f] = n_cases - n_missing
    if has_missing:
        for i in range(n_cases):
            entries[n_features, i] = word[i]
        lengths[n_features] = n_cases
    return entries, lengths


@borrowing
def class_of(entry):
    """Return the class that an entry carries."""
    return (entry >> CASE_BITS) & CLASS_MASK


@borrowing
def note_side(bits, case, goes_right):
    """Note on which of two sides a case is, in one bit: a million cases fit a near cache."""
    byte, bit = case >> 3, case & 7
    bits[byte] = (bits[byte] & ~(1 << bit)) | (goes_right << bit)


@hot
def partition_in_two(line, start, stop, bits, spare, keep_left, keep_right):
    """Split ``line[start:stop]`` by side, in place and stably; return both lengths.

    Writes go to both outputs and only one of the two positions advances: a branch
    here would be mispredicted half of the time.
    """
    left, right = start, 0
    if keep_left and keep_right:
        for i in range(start, stop):
            entry = line[i]
            case = entry & CASE_MASK
            goes_right = (np.int64(bits[case >> 3]) >> (case & 7)) & 1
            line[left] = entry
            spare[right] = entry
            left += 1 - goes_right
            right += goes_right
        for i in range(right):
            line[left + i] = spare[i]
        return left - start, right
    wanted = 0 if keep_left else 1
    for i in range(start, stop):
        entry = line[i]
        line[left] = entry
        case = entry & CASE_MASK
        left += 1 if (np.int64(bits[case >> 3]) >> (case & 7)) & 1 == wanted else 0
    if keep_left:
        return left - start, 0
    return 0, left - start


@borrowing
def child_lengths(line, start, stop, side, live, lengths):
    """Count the entries each live branch will get; return their sum."""
    everywhere = 0
    for b in range(live.size):
        lengths[b] = 0
    for i in range(start, stop):
        s = side[line[i] & CASE_MASK]
        if s == ALL_BRANCHES:
            everywhere += 1
        else:
            lengths[s] += 1
    total = 0
    for b in range(live.size):
        lengths[b] = lengths[b] + everywhere if live[b] else 0
        total += lengths[b]
    return total


@borrowing
def partition_in_many(line, start, stop, side, live, lengths, position, spare):
    """Split ``line[start:stop]`` among the live branches, which get ``lengths`` entries.

    A case that goes to all branches is entered in each of them. ``line`` and
    ``spare`` must have room: see :func:`child_lengths`.
    """
    total = 0
    for b in range(live.size):
        position[b] = total
        total += lengths[b]
    for i in range(start, stop):
        entry = line[i]
        s = side[entry & CASE_MASK]
        first, last = (0, live.size - 1) if s == ALL_BRANCHES else (s, s)
        for b in range(first, last + 1):
            if live[b]:
                spare[position[b]] = entry
                position[b] += 1
    for i in range(total):
        line[start + i] = spare[i]


@inlined
def with_more_rows(matrix, n_rows):
    """Return a copy of a matrix with room for more rows."""
    larger = np.empty((n_rows, matrix.shape[1]), dtype=matrix.dtype)
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            larger[i, j] = matrix[i, j]
    return larger


@inlined
def with_longer_lines(entries, length):
    """Return a copy of a matrix with room for more on every line."""
    longer = np.empty((entries.shape[0], length), dtype=entries.dtype)
    for i in range(entries.shape[0]):
        for j in range(entries.shape[1]):
            longer[i, j] = entries[i, j]
    return longer
