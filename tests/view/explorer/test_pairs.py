import pytest

from softwood import CARTClassifier, CoalescenceClassifier, diff
from softwood.view.explorer.pairs import changes_of
from tests.view.tables import messy_table


@pytest.fixture(scope="module")
def trees():
    X, y = messy_table()
    return X, y, *(CARTClassifier(max_leaf_nodes=n).fit(X, y) for n in (3, 8))


def test_the_page_says_what_diff_says(trees):
    X, y, small, large = trees
    found = changes_of(small, large, X, y)
    assert found["summary"] == str(diff(small, large, X, y)).splitlines()
    changed = [test for test in diff(small, large, X).trees.tests if test.change != "same"]
    assert len(found["tests"]) == len(changed)
    assert {int(node) for node in found["marks"][1]} == {
        test.new_node for test in changed if test.new_node is not None
    }


def test_a_model_beside_itself(trees):
    X, y, small, _ = trees
    found = changes_of(small, small, X, y)
    assert found["tests"] == []
    assert found["marks"] == [{}, {}]


def test_ensembles_have_no_tests_to_compare(trees):
    X, y, small, _ = trees
    forest = CoalescenceClassifier(5, random_state=0).fit(X, y)
    assert changes_of(small, forest, X, y)["tests"] == []
