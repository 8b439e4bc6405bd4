"""One sweep over a tree: the mass of every class at its leaves.

The sweep goes down with one column of masses for each depth. A test of a feature that no
test above has asked multiplies the column by its shares. Otherwise the noise of the feature
lies between two cuts above, and what it leaves for the left child is part of that: cuts are
the same for all rows, so that the two nearest say all.

Helpers take single arrays where they can: a call with whole buffers costs more than a column.
"""

import numpy as np

from softwood._kernels._jit import borrowing, pasted
from softwood._kernels.vicinal.columns import (
    HALF,
    UNIT,
    ZERO,
    copy_column,
    fill_shares,
    multiply,
    multiply_between,
    multiply_by_group,
    take_away,
    total_by_class,
    total_mass,
)
from softwood._kernels.vicinal.node_buffers import (
    ABOVE,
    CLEAN,
    EVERYTHING,
    FRESH,
    HELD_SLOT,
    HIGH,
    LOW,
    NO_SLOT,
    NO_TEST,
    NODE,
    NOTHING,
    SLOT,
    STAGE,
)

DOWN, LEFT_DONE, BOTH_DONE = 0, 1, 2  # what a sweep has done at a node
NO_BIT, ONE_BIT = np.uint64(0), np.uint64(1)


@borrowing
def mark_upwards(feature, size, n_nodes, stale):
    """Mark every node above one that is marked."""
    for node in range(n_nodes - 1, -1, -1):
        if feature[node] != NO_TEST and stale[node] == CLEAN:
            left = node + 1
            if stale[left] != CLEAN or stale[left + size[left]] != CLEAN:
                stale[node] = ABOVE


@borrowing
def has_bit(word, bit):
    """Whether a bit is set."""
    return (word >> np.uint64(bit)) & ONE_BIT == ONE_BIT


@borrowing
def parts_of_groups(n_groups, chance, shares, groups, subset, part_of_group):
    """Write for every category the part of its mass that goes left.

    A value v keeps to the categories A with the mass ``(1 - chance) [v in A] + chance P(A)``.
    """
    drawn_left, drawn = 0.0, 0.0
    for bit in range(n_groups):
        if has_bit(groups, bit):
            drawn += shares[bit]
            if has_bit(subset, bit):
                drawn_left += shares[bit]
    for bit in range(n_groups):
        own = 1.0 - chance if has_bit(groups, bit) else 0.0
        own_left = own if has_bit(subset, bit) else 0.0
        whole = own + chance * drawn
        part = (own_left + chance * drawn_left) / whole if whole > 0.0 else 0.0
        part_of_group[bit] = np.float32(part)


@borrowing
def spread_missing(missing, reach, total, left):
    """Divide the rows that have no value as the others are divided.

    ``total`` holds the sums of ``reach`` by class.
    """
    known = np.int64(0)
    for c in range(total.size):
        known += total[c]
    for i in missing:
        left[i] = ZERO
        known -= np.int32(reach[i] * UNIT + HALF)
    part = HALF
    if known > 0:
        part = np.float32(min(total_mass(left, 0, left.size) / known, 1.0))
    for i in missing:
        left[i] = reach[i] * part


@borrowing
def side_of_cut(cut, bounds):
    """Return which side of a cut the bounds leave nothing for: -1 left, 1 right, 0 neither."""
    if cut <= bounds[LOW]:
        return -1
    return 1 if cut >= bounds[HIGH] else 0


@borrowing
def side_of_subset(subset, groups):
    """Return which side of a nominal test is left no category, as :func:`side_of_cut`."""
    if groups & subset == NO_BIT:
        return -1
    return 1 if groups & ~subset == NO_BIT else 0


@borrowing
def divide_numeric(column, slot, bounds, is_hard, reach, left):
    """Write what goes left at a test whose shares stand in ``slot``."""
    if is_hard or (bounds[LOW] == NOTHING and bounds[HIGH] == EVERYTHING):
        multiply(reach, column[slot], left)
    else:
        multiply_between(reach, column[slot], column[bounds[LOW]], column[bounds[HIGH]], left)


@borrowing
def divide_plainly(side, reach, left):
    """Write what goes left where one side is out of reach."""
    if side > 0:
        copy_column(reach, left)
    else:
        left[:] = ZERO


@borrowing
def narrow(slots, cuts, mark, held_cut, side, cut):
    """Let a cut be the bound of its feature on one side, if it is the nearest yet."""
    mark[HELD_SLOT] = slots[side]
    held_cut[0] = cuts[side]
    if (cut < cuts[side]) if side == HIGH else (cut > cuts[side]):
        slots[side] = mark[SLOT]
        cuts[side] = cut


@borrowing
def widen(slots, cuts, mark, held_cut, side):
    """Restore the bound that :func:`narrow` has replaced."""
    slots[side] = mark[HELD_SLOT]
    cuts[side] = held_cut[0]


@borrowing
def share_out(total, left):
    """Let no class have more mass on the left than there is, whatever rounding says."""
    for c in range(total.size):
        left[c] = min(left[c], total[c])


@borrowing
def take_totals(total, left):
    """Turn sums of what went left into those of what goes right."""
    for c in range(total.size):
        left[c] = total[c] - left[c]


@pasted
def side_left_out(rows, path, feature, cut, subset):
    """Return the side of a test that nothing reaches, as :func:`side_of_cut`."""
    if rows.n_groups[feature] > 0:
        return side_of_subset(subset, path.groups[feature])
    return side_of_cut(cut, path.cut[feature])


@pasted
def divide(rows, pool, path, depth, feature, cut, subset, side):
    """Write what of each row goes left at a test."""
    reach, left = path.reach[depth], path.reach[depth + 1]
    if side != 0:
        divide_plainly(side, reach, left)
        return
    if rows.n_groups[feature] > 0:
        parts_of_groups(
            rows.n_groups[feature], rows.redraw[feature], rows.drawn[feature],
            path.groups[feature], subset, path.part_of_group,
        )  # fmt: skip
        multiply_by_group(reach, rows.group[feature], path.part_of_group, left)
    else:
        slot = path.mark[depth, SLOT]
        if slot == NO_SLOT:
            slot = pool.n_uses.size + depth
            path.mark[depth, SLOT] = slot
            fill_shares(rows, feature, cut, pool.column[slot])
        is_hard = rows.scale[feature] == 0.0
        divide_numeric(pool.column, slot, path.slot[feature], is_hard, reach, left)
    missing = rows.missing_row[rows.missing_start[feature] : rows.missing_start[feature + 1]]
    if missing.size > 0:
        spread_missing(missing, reach, path.total[depth], left)


@pasted
def recall_totals(stale, mass, left, right, side, total, out):
    """Write the sums of what goes left, if they are known; return whether they are.

    A child that is not marked anew knows its own, for no test above it has changed.
    """
    if side < 0:
        out[:] = 0
    elif stale[left] != FRESH:
        copy_column(mass[left], out)
    elif stale[right] != FRESH and side == 0:
        for c in range(out.size):
            out[c] = total[c] - mass[right, c]
    else:
        return False
    return True


@borrowing
def forget(stale, mass, child, stop):
    """Let nothing reach a subtree."""
    mass[child:stop] = 0
    stale[child] = CLEAN


@pasted
def pass_over_nothing(stale, mass, left, right, stop, total, left_total):
    """Finish the children whose sums are nothing: those of all nodes below are, too."""
    on_left, on_right = np.int64(0), np.int64(0)
    for c in range(total.size):
        on_left += left_total[c]
        on_right += total[c] - left_total[c]
    if on_left == 0 and stale[left] != CLEAN:
        forget(stale, mass, left, right)
    if on_right == 0 and stale[right] != CLEAN:
        forget(stale, mass, right, stop)


@pasted
def open_node(rows, feature_of, size, cut, subset, mass, stale, pool, path, depth, node):
    """Write the mass that goes left at a test, as far as marked nodes need it, and its sums."""
    left = node + 1
    right = left + size[left]
    stop = node + size[node]
    total, left_total = path.total[depth], path.total[depth + 1]
    side = side_left_out(rows, path, feature_of[node], cut, subset)
    if side < 0:
        forget(stale, mass, left, right)
    elif side > 0:
        forget(stale, mass, right, stop)
    knows = recall_totals(stale, mass, left, right, side, total, left_total)
    if knows:
        pass_over_nothing(stale, mass, left, right, stop, total, left_total)
    goes_on_left = stale[left] != CLEAN and feature_of[left] != NO_TEST
    goes_on_right = stale[right] != CLEAN and feature_of[right] != NO_TEST
    if goes_on_left or goes_on_right or not knows:
        divide(rows, pool, path, depth, feature_of[node], cut, subset, side)
    if not knows:
        total_by_class(path.reach[depth + 1], rows.class_start, left_total)
        share_out(total, left_total)
        pass_over_nothing(stale, mass, left, right, stop, total, left_total)
    return stale[left] != CLEAN or stale[right] != CLEAN


@borrowing
def keep_groups(groups, held, stage, subset):
    """Note which categories are left, for the subtree to come or above the test."""
    if stage == DOWN:
        held[0] = groups[0]
        groups[0] &= subset
    elif stage == LEFT_DONE:
        groups[0] = held[0] & ~subset
    else:
        groups[0] = held[0]


@borrowing
def keep_bounds(slots, cuts, mark, held_cut, stage, cut):
    """Note what is left between the cuts of a feature, as :func:`keep_groups`."""
    if stage != DOWN:
        widen(slots, cuts, mark, held_cut, HIGH if stage == LEFT_DONE else LOW)
    if stage != BOTH_DONE:
        narrow(slots, cuts, mark, held_cut, HIGH if stage == DOWN else LOW, cut)


@borrowing
def sweep(rows, book, line, stale, pool, path):
    """Renew the masses of the nodes that are marked as fresh, and the risk of the tree.

    Only nodes above them are visited, and what these know is not computed again. All marks
    are taken away.
    """
    feature_of, size, cut, subset = (
        book.feature[line], book.size[line], book.cut[line], book.subset[line]
    )  # fmt: skip
    slot, mass, mark = book.slot[line], book.mass[line], path.mark
    mark_upwards(feature_of, size, book.n_nodes[line], stale)
    copy_column(rows.mass, path.reach[0])
    copy_column(rows.whole, path.total[0])
    mark[0, NODE], mark[0, STAGE] = 0, DOWN
    depth = 0 if stale[0] != CLEAN else -1
    while depth >= 0:
        node, stage = mark[depth, NODE], mark[depth, STAGE]
        feature = feature_of[node]
        if stage == DOWN:
            if stale[node] == FRESH:
                copy_column(path.total[depth], mass[node])
            mark[depth, SLOT] = slot[node]
            if feature == NO_TEST or not open_node(
                rows, feature_of, size, cut[node], subset[node], mass, stale, pool, path, depth,
                node,
            ):  # fmt: skip
                depth -= 1
                continue
        if rows.n_groups[feature] > 0:
            keep_groups(
                path.groups[feature : feature + 1], path.held_groups[depth : depth + 1], stage,
                subset[node],
            )  # fmt: skip
        else:
            keep_bounds(
                path.slot[feature], path.cut[feature], mark[depth],
                path.held_cut[depth : depth + 1], stage, cut[node],
            )  # fmt: skip
        mark[depth, STAGE] = stage + 1
        if stage == BOTH_DONE:
            depth -= 1
            continue
        child = node + 1 if stage == DOWN else node + 1 + size[node + 1]
        if stale[child] != CLEAN:
            if stage == LEFT_DONE:
                take_totals(path.total[depth], path.total[depth + 1])
                if feature_of[child] != NO_TEST:
                    take_away(path.reach[depth], path.reach[depth + 1])
            depth += 1
            mark[depth, NODE], mark[depth, STAGE] = child, DOWN
    stale[: book.n_nodes[line]] = CLEAN
    book.risk[line] = risk_of(rows.whole, feature_of, book.label[line], mass, book.n_nodes[line])


@borrowing
def risk_of(whole, feature, label, mass, n_nodes):
    """Return the share of all mass that is at leaves of other classes."""
    total, right = np.int64(0), np.int64(0)
    for c in range(whole.size):
        total += whole[c]
    for node in range(n_nodes):
        here = mass[node, label[node]]  # of a test, too: what is not asked need not be guessed
        right += here if feature[node] == NO_TEST else np.int64(0)
    return (total - right) / total
