"""The difference of two models in words: a summary first, then what changed most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.explain.labels import (
    SHOWN_CATEGORIES,
    count_text,
    cut_text,
    more_text,
    number_text,
    same_digits,
    signed_text,
    value_text,
)
from softwood.explain.tree_pairs import (
    GROWN,
    MOVED,
    OTHER_COLUMN,
    OTHER_KIND,
    PRUNED,
    SAME,
    WIDTH,
)
from softwood.explain.way import percent_text

if TYPE_CHECKING:
    from softwood.explain.difference import Difference, Judged
    from softwood.explain.tree_changes import ChangeOfTest, TreeChanges

SHOWN = 12  # tests, columns
WAYS = 3  # of answers that turn into others
NOTABLE = 0.005  # of an importance, to be told


def difference_text(difference: Difference) -> str:
    """Return a summary of a few lines, and below it the tests or importances that changed."""
    lines = [_head(difference), *_answers(difference)]
    if difference.judged is not None:
        lines.append(_judged(difference.judged, difference.classes is not None))
    if difference.trees is not None:
        lines += _trees(difference.trees, difference.n_rows)
    lines += _scatter(difference)
    lines += [f"note      {note}" for note in difference.notes]
    if difference.trees is not None:
        lines += _tests(difference.trees)
    else:
        lines += _importances(difference)
    return "\n".join(lines)


def _head(difference: Difference) -> str:
    trees = difference.trees
    sizes = ["", ""]
    if trees is not None:
        sizes = [
            f" ({count_text(one.tree.n_leaves, 'leaf', 'leaves')})"
            for one in (trees.old, trees.new)
        ]
    rows = count_text(difference.n_rows, "row")
    return f"{difference.old_kind}{sizes[0]} -> {difference.new_kind}{sizes[1]}, {rows}"


def _answers(difference: Difference) -> Iterator[str]:
    n_rows, n_changed = difference.n_rows, difference.n_changed
    share = percent_text(n_changed / n_rows) if n_rows else "0%"
    text = f"answers   {n_changed} of {n_rows} change ({share})"
    if difference.classes is not None:
        ways = Counter(
            zip(
                difference.old_answer[difference.changed].tolist(),
                difference.new_answer[difference.changed].tolist(),
                strict=True,
            )
        ).most_common()
        shown = [f"{n} from {value_text(a)} to {value_text(b)}" for (a, b), n in ways[:WAYS]]
        if len(ways) > WAYS:
            shown.append(more_text(len(ways) - WAYS, "way"))
        yield text + (f": {', '.join(shown)}" if shown else "")
        if np.abs(difference.shift).max(initial=0.0) > 0.0:
            mean = percent_text(float(difference.shift.mean()))
            yield f"shares    {mean} of the probability moves, on average"
        return
    yield text
    if n_changed:
        moved = difference.shift[difference.changed]
        digits = same_digits([float(moved.mean()), float(np.abs(moved).max())])
        mean, most = (
            signed_text(round(float(value), digits)) for value in (moved.mean(), _largest(moved))
        )
        yield f"shift     {mean} on average where it changes, {most} at most"


def _largest(values: Any) -> float:
    return float(values[np.abs(values).argmax()])


def _judged(judged: Judged, is_vote: bool) -> str:
    better, worse = ("right now", "wrong now") if is_vote else ("nearer", "farther off")
    what = "error" if is_vote else "mean squared error"
    chance = number_text(judged.pvalue, 3) if judged.pvalue >= 0.001 else "<0.001"
    return (
        f"truth     {judged.n_better} {better}, {judged.n_worse} {worse} (p {chance}); {what} "
        f"{judged.old_error:.4g} -> {judged.new_error:.4g}"
    )


def _trees(trees: TreeChanges, n_rows: int) -> Iterator[str]:
    n_other = int(np.count_nonzero(trees.leaf_changed))
    mass = percent_text(float(trees.mass_moved.mean())) if n_rows else "0%"
    yield f"leaves    {n_other} of {n_rows} rows end in another one; {mass} of the mass moves"
    counts = [
        (trees.count(SAME), "the same"),
        (trees.count(MOVED), "moved"),
        (trees.count(WIDTH), "of another width"),
        (trees.count(OTHER_COLUMN), "on another column"),
        (trees.count(OTHER_KIND), "of another kind"),
        (trees.count(GROWN), "grown"),
        (trees.count(PRUNED), "pruned"),
    ]
    told = [f"{n} {what}" for n, what in counts if n] or ["none"]
    yield f"tests     {', '.join(told)}"
    turned = [leaf for leaf in trees.leaves if leaf.old_answer != leaf.new_answer]
    if turned and trees.old.classes is not None:
        told_leaves = count_text(len(turned), "leaf", "leaves")
        yield f"          {told_leaves} at the same place, with another answer"


def _scatter(difference: Difference) -> Iterator[str]:
    for name, values in (("old", difference.old_scatter), ("new", difference.new_scatter)):
        if values is not None and len(values):
            digits = same_digits([float(values.mean())])
            mean = number_text(round(float(values.mean()), digits))
            yield f"scatter   {mean} between the {name} trees, on average"


def _tests(trees: TreeChanges) -> Iterator[str]:
    changed = [test for test in trees.tests if test.change != SAME]
    if not changed:
        return
    # Of a branch that came or went, its first test stands for all.
    tops = [test for test in changed if not _is_below(test)]
    order = sorted(tops, key=lambda test: (-test.parted, test.depth))
    yield ""
    yield "Tests that changed, those that part most rows first:"
    for test in order[:SHOWN]:
        yield f"  {_test_text(test, trees)}"
    if len(order) > SHOWN:
        yield f"  {more_text(len(order) - SHOWN, 'test')}; see tests()"


def _is_below(test: ChangeOfTest) -> bool:
    """Whether a test has come or gone with one above it."""
    return test.old_node is None or test.new_node is None


def _test_text(test: ChangeOfTest, trees: TreeChanges) -> str:
    where = "root" if test.depth == 0 else f"depth {test.depth}"
    rows = f"{percent_text(test.parted)} part here"
    if test.change == MOVED:
        return f"{where}: {_move_text(test, trees)}; {rows}"
    if test.change == WIDTH:
        widths = [number_text(_short(value)) for value in (test.old_width, test.new_width)]
        return f"{where}: {test.old_test}, width {widths[0]} -> {widths[1]}; {rows}"
    if test.change == GROWN:
        leaves = count_text(_n_leaves(trees.new.tree, test.new_node), "leaf", "leaves")
        mass = percent_text(test.new_mass)
        return f"{where}: grown, {test.new_test} and below it {leaves}, for {mass} of the rows"
    if test.change == PRUNED:
        leaves = count_text(_n_leaves(trees.old.tree, test.old_node), "leaf", "leaves")
        mass = percent_text(test.old_mass)
        return f"{where}: pruned, {test.old_test} and below it {leaves}, for {mass} of the rows"
    return f"{where}: {test.old_test} -> {test.new_test}; {rows}"


def _move_text(test: ChangeOfTest, trees: TreeChanges) -> str:
    between = f"{percent_text(test.between)} of all rows between"
    if np.isfinite(test.by):
        old, new = test.old_node, test.new_node
        assert old is not None
        assert new is not None
        cut = cut_text(
            float(trees.new.tree.threshold[new]),
            int(trees.new.tree.feature[new]),
            trees.new.decimals,
            trees.new.is_date,
        )
        feature = int(trees.old.tree.feature[old])
        is_date = trees.old.is_date is not None and feature >= 0 and trees.old.is_date[feature]
        unit = " days" if is_date else ""
        return f"{test.old_test} -> {cut} ({signed_text(_short(test.by))}{unit}, {between})"
    if test.moved_categories:
        shown = [value_text(one) for one in test.moved_categories[:SHOWN_CATEGORIES]]
        if len(test.moved_categories) > len(shown):
            shown.append(more_text(len(test.moved_categories) - len(shown), "value"))
        way = f"{', '.join(shown)} now {'goes' if len(shown) == 1 else 'go'} another way"
        return f"{test.old_test} -> {test.new_test}: {way} ({between})"
    return f"{test.old_test} -> {test.new_test} ({between})"


def _short(value: float) -> float:
    """Return a number with four digits that count."""
    return float(f"{value:.4g}")


def _n_leaves(tree: Any, node: int | None) -> int:
    return sum(int(tree.n_children[one] == 0) for one, _ in tree.walk(node or 0))


def _importances(difference: Difference) -> Iterator[str]:
    change = difference.new_importance - difference.old_importance
    order = np.argsort(-np.abs(np.nan_to_num(change)), kind="stable")
    told = [j for j in order.tolist() if abs(np.nan_to_num(change[j])) >= NOTABLE]
    if not told:
        return
    yield ""
    yield "Importances that changed most:"
    width = max(len(value_text(difference.columns[j])) for j in told[:SHOWN])
    for j in told[:SHOWN]:
        before, after = difference.old_importance[j], difference.new_importance[j]
        name = value_text(difference.columns[j])
        yield f"  {name:<{width}}  {before:.3f} -> {after:.3f}"
    if len(told) > SHOWN:
        yield f"  {more_text(len(told) - SHOWN, 'column')}; see importances()"
