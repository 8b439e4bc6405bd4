"""Two trees side by side: hand-made pairs, and what must hold of any two."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.explain.tree_pairs import NONE, Side, pairs_of
from softwood.explain.wording import Subject
from softwood.flow import Gaussian, Hard, Ramp
from softwood.tree import NOMINAL, NUMERIC, OBLIQUE
from tests.strategies import checked, rows_for, tree_of, trees

N_FEATURES = 3
LEAF = {}
COLOURS = ("red", "green", "blue")


def numeric(feature, threshold, first, **options):
    return {
        "kind": NUMERIC,
        "feature": feature,
        "threshold": threshold,
        "first": first,
        "n_children": 2,
        **options,
    }


def nominal(sets, first, feature=2):
    return {
        "kind": NOMINAL,
        "feature": feature,
        "sets": sets,
        "first": first,
        "n_children": max(sets) + 1,
    }


def oblique(terms, threshold, first):
    return {
        "kind": OBLIQUE,
        "terms": terms,
        "threshold": threshold,
        "first": first,
        "n_children": 2,
    }


def tree(*nodes):
    for k, node in enumerate(nodes):
        node.setdefault("response", [1.0 - 0.1 * k, 0.1 * k])
    return tree_of([dict(node) for node in nodes], N_FEATURES)


def side(grown, rows, flow=None, column=None, categories=None):
    known = [None] * N_FEATURES if categories is None else categories
    subject = Subject(grown, ["a", "b", "c"], known, ["no", "yes"])
    place = np.arange(N_FEATURES) if column is None else np.array(column)
    return Side(subject, flow or Hard(), np.asarray(rows, float), place)


ROWS = np.random.default_rng(0).uniform(-1, 1, size=(40, 3))
CODES = np.column_stack([ROWS[:, :2], np.arange(40) % 3])


def changes(old, new, rows=ROWS, new_rows=None, **options):
    """What became of each pair, by (old, new)."""
    one = side(old, rows)
    two = side(new, rows if new_rows is None else new_rows, **options)
    return {(pair.old, pair.new): pair.change for pair in pairs_of(one, two)}


STUMP = tree(numeric(0, 0.0, 1), LEAF, LEAF)


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (STUMP, "same"),
        (tree(numeric(0, 0.3, 1), LEAF, LEAF), "moved"),
        (tree(numeric(0, 1e-12, 1), LEAF, LEAF), "same"),
        (tree(numeric(1, 0.0, 1), LEAF, LEAF), "other column"),
        (tree(oblique([(0, 2.0)], 0.0, 1), LEAF, LEAF), "same"),
        (tree(oblique([(0, 2.0)], 0.5, 1), LEAF, LEAF), "moved"),
        (tree(oblique([(0, 1.0), (1, 0.5)], 0.0, 1), LEAF, LEAF), "other column"),
        (tree(nominal([0, 1], 1, feature=0), LEAF, LEAF), "other kind"),
        (tree(nominal([0, 1], 1, feature=1), LEAF, LEAF), "other column"),
        (tree(LEAF), "pruned"),
    ],
)
def test_what_became_of_a_stump(new, expected):
    assert changes(STUMP, new)[0, 0] == expected


def test_what_has_grown_and_what_was_pruned():
    large = tree(
        numeric(0, 0.0, 1), numeric(1, 0.5, 3), LEAF, LEAF, numeric(1, -0.5, 5), LEAF, LEAF
    )
    found = changes(STUMP, large)
    assert found == {
        (0, 0): "same",
        (1, 1): "grown",
        (NONE, 3): "grown",
        (NONE, 4): "grown",
        (NONE, 5): "grown",
        (NONE, 6): "grown",
        (2, 2): "leaf",
    }
    back = changes(large, STUMP)
    swapped = {"grown": "pruned"}
    assert back == {(b, a): swapped.get(change, change) for (a, b), change in found.items()}


def test_below_other_columns_nothing_is_paired():
    one = tree(numeric(0, 0.0, 1), numeric(1, 0.5, 3), LEAF, LEAF, LEAF)
    two = tree(numeric(2, 0.0, 1), numeric(1, 0.5, 3), LEAF, LEAF, LEAF)
    found = changes(one, two)
    assert found.pop((0, 0)) == "other column"
    assert set(found.values()) == {"grown", "pruned"}
    assert all(NONE in pair for pair in found)


def test_an_oblique_test_the_other_way_round_is_the_same():
    one = tree(oblique([(0, 1.0), (1, 2.0)], 0.3, 1), LEAF, numeric(2, 0.0, 3), LEAF, LEAF)
    two = tree(oblique([(1, -4.0), (0, -2.0)], -0.6, 1), numeric(2, 0.0, 3), LEAF, LEAF, LEAF)
    found = changes(one, two)
    assert found[0, 0] == "same"
    assert found[2, 1] == "same"  # the test below, on the other side
    turned = tree(oblique([(0, 1.0), (1, 1.0)], 0.3, 1), LEAF, numeric(2, 0.0, 3), LEAF, LEAF)
    assert changes(one, turned)[0, 0] == "moved"


def test_a_test_whose_weights_cancel_out_compares_its_threshold_alone():
    one = tree(oblique([(0, -2.0), (0, 2.0)], -1.5, 1), LEAF, numeric(1, 0.0, 3), LEAF, LEAF)
    assert set(changes(one, one).values()) == {"same", "leaf"}
    other = tree(oblique([(1, 1.0), (1, -1.0)], -1.5, 1), LEAF, numeric(1, 0.0, 3), LEAF, LEAF)
    assert changes(one, other)[0, 0] == "same"  # neither asks any column
    closed = tree(oblique([(0, -2.0), (0, 2.0)], 1.5, 1), LEAF, numeric(1, 0.0, 3), LEAF, LEAF)
    assert changes(one, closed)[0, 0] == "moved"  # all rows go to the other side
    assert changes(one, STUMP)[0, 0] == changes(STUMP, one)[0, 0] == "other column"


def test_columns_go_by_their_names_and_not_by_their_places():
    new = tree(numeric(2, 0.0, 1), LEAF, LEAF)
    turned = ROWS[:, [2, 1, 0]]
    assert changes(STUMP, new, new_rows=turned, column=[2, 1, 0])[0, 0] == "same"
    assert changes(STUMP, new)[0, 0] == "other column"


def test_categories_go_by_their_names():
    old = tree(nominal([0, 0, 1], 1), LEAF, LEAF)  # red and green against blue
    new = tree(nominal([1, 0, 0], 1), LEAF, LEAF)  # blue against green and red
    codes = np.column_stack([CODES[:, :2], 2 - CODES[:, 2]])
    found = pairs_of(
        side(old, CODES, categories=[None, None, COLOURS]),
        side(new, codes, categories=[None, None, COLOURS[::-1]]),
    )
    assert (found[0].change, found[0].branches) == ("same", ((0, 0), (1, 1)))
    moved = tree(nominal([0, 1, 1], 1), LEAF, LEAF)
    assert changes(old, moved, CODES)[0, 0] == "moved"


def test_branches_are_paired_by_the_rows_they_share():
    old = tree(nominal([0, 0, 1], 1), numeric(0, 0.0, 3), LEAF, LEAF, LEAF)
    new = tree(nominal([1, 1, 0], 1), LEAF, numeric(0, 0.0, 3), LEAF, LEAF)
    found = changes(old, new, CODES)
    assert found[0, 0] == "same"
    assert found[1, 2] == "same"
    wide = tree(nominal([0, 1, 2], 1), LEAF, LEAF, LEAF)
    found = changes(old, wide, CODES)
    assert found[0, 0] == "moved"
    assert sorted(change for change in found.values()) == [
        *["grown"] * 1,
        "leaf",
        "moved",
        *["pruned"] * 3,
    ]


def test_widths_of_ramps_and_of_noise():
    soft = tree(numeric(0, 0.0, 1, below=0.2, above=0.1), LEAF, LEAF)
    for flow, change in ((Hard(), "same"), (Ramp(), "width"), (Gaussian(0.2), "width")):
        assert changes(STUMP, soft, flow=flow)[0, 0] == change
    one, two = (side(STUMP, ROWS, Gaussian(sd)) for sd in (0.2, 0.2))
    assert pairs_of(one, two)[0].change == "same"
    plane = tree(oblique([(0, 3.0), (1, 4.0)], 0.0, 1), LEAF, LEAF)
    assert side(plane, ROWS, Gaussian(0.5)).widths[0] == pytest.approx(2.5)


@checked
@given(st.data())
def test_every_node_is_in_one_pair_and_order_does_not_matter(data):
    old, new = data.draw(trees()), data.draw(trees())
    rows = data.draw(rows_for(old))
    one, two = side(old, rows), side(new, rows)
    there, back = pairs_of(one, two), pairs_of(two, one)
    for grown, place in ((old, 2), (new, 3)):
        nodes = sorted(pair[place] for pair in there if pair[place] != NONE)
        assert nodes == list(range(grown.n_nodes))
    turn = {"grown": "pruned", "pruned": "grown"}
    seen = {(pair.new, pair.old, turn.get(pair.change, pair.change)) for pair in back}
    assert seen == {(pair.old, pair.new, pair.change) for pair in there}


@checked
@given(st.data())
def test_a_tree_is_the_same_as_itself(data):
    grown = data.draw(trees())
    rows = data.draw(rows_for(grown))
    found = pairs_of(side(grown, rows, Ramp()), side(grown, rows, Ramp()))
    assert {pair.change for pair in found} <= {"same", "leaf"}
    assert all(pair.old == pair.new for pair in found)
