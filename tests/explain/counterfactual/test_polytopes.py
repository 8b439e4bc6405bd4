"""Oblique leaves: what programs find, at places where solvers are not exact enough."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.explain.counterfactual import Domain
from softwood.explain.counterfactual.polytopes import nearest_in_polytopes
from softwood.tree import NUMERIC, OBLIQUE
from tests.strategies import checked, tree_of

TREE = tree_of(
    [
        {
            "kind": OBLIQUE,
            "first": 1,
            "n_children": 2,
            "terms": [(0, -2.0), (1, 1.0)],
            "threshold": 1.5,
        },
        {"kind": NUMERIC, "first": 3, "n_children": 2, "feature": 0, "threshold": -0.5},
        {},
        {},
        {},
    ],
    n_features=2,
)


def nearest(row, leaf, domain=None):
    domain = domain or Domain.of(np.array(row), np.zeros(2, int), np.ones(2))
    wanted = TREE.leaves == leaf

    def accepts(row):
        value = -2.0 * row[0] + row[1]
        return (2 if value > 1.5 else 4 if row[0] > -0.5 else 3) == leaf

    return nearest_in_polytopes(TREE, domain, wanted, accepts)


def test_a_row_that_stands_at_a_cut_goes_behind_it():
    found = nearest([-0.5, 0.0], leaf=4)
    assert found.row[0] == np.nextafter(-0.5, 0.0)
    assert found.row[1] == 0.0


def test_the_nearest_side_of_a_plane():
    found = nearest([0.0, 0.0], leaf=2)  # down by 0.75 is nearer than up by 1.5
    assert found.is_exact
    np.testing.assert_allclose(found.row, [-0.75, 0.0], atol=1e-5)


def test_a_corner_of_both():
    found = nearest([0.0, 1.0], leaf=3)  # the plane pulls up, the cut down
    np.testing.assert_allclose(found.row, [-0.5, 0.5], atol=1e-5)


def test_whole_numbers_go_to_the_next_one_behind_a_cut():
    tree = replace(TREE, threshold=np.where(TREE.kind == NUMERIC, -1.0, TREE.threshold))
    domain = Domain.of(np.array([-3.0, -9.0]), np.zeros(2, int), np.ones(2))
    domain = replace(domain, per_unit=np.array([1.0, 0.0]))

    def accepts(row):
        return bool(-2.0 * row[0] + row[1] <= 1.5 and row[0] > -1.0)

    found = nearest_in_polytopes(tree, domain, tree.leaves == 4, accepts)
    np.testing.assert_array_equal(found.row, [0.0, -9.0])  # a solver would take what is just behind


@checked
@given(
    st.tuples(st.sampled_from([-2.5, -0.6, 0.4, 1.0]), st.sampled_from([-1.5, 0.0, 2.3])),
    st.sampled_from([2, 3, 4]),
    st.tuples(st.sampled_from([0.5, 1.0, 3.0]), st.sampled_from([0.5, 1.0, 3.0])),
)
def test_numbers_that_are_not_whole_stay_or_become_whole(row, leaf, scale):
    domain = Domain.of(np.array(row), np.zeros(2, int), np.array(scale))
    domain = replace(domain, per_unit=np.ones(2))
    values = [np.append(np.arange(-12.0, 13.0), x) for x in row]
    everything = np.stack(np.meshgrid(*values), axis=-1).reshape(-1, 2)
    value = -2.0 * everything[:, 0] + everything[:, 1]
    leaves = np.where(value > 1.5, 2, np.where(everything[:, 0] > -0.5, 4, 3))
    expected = domain.objective(everything[leaves == leaf]).min()
    found = nearest(row, leaf, domain)
    assert domain.allows(found.row[None])[0]
    assert domain.objective(found.row[None])[0] == pytest.approx(expected, abs=1e-12)
