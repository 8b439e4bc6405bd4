"""Trees of several sizes, and oblique ones where they pay."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from softwood import SoftTreeClassifier, SoftTreeRegressor
from softwood.data.training import TrainingSet
from softwood.learn.soften.contest import Contest, Entry
from softwood.learn.soften.gradient import Gradient
from softwood.learn.soften.lessons import Lessons
from softwood.learn.soften.method import Setting
from softwood.learn.soften.sizes import CLEARLY, SizePath
from softwood.refine.soft_targets import SoftTargets, soft_targets_of
from softwood.tree import OBLIQUE, Tree


def leaf(answer):
    return Tree.from_nodes(
        n_features=1, first_child=[-1], n_children=[0], kind=[0], feature=[-1],
        threshold=[0.0], weight=[4.0], response=[[answer]],
    )  # fmt: skip


def clouds(n_rows, slant):
    """Two classes, on two sides of a slanted line or of an upright one."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(n_rows, 6))
    side = X[:, 0] + slant * (X[:, 1] - X[:, 2])
    return X, (side + rng.normal(0, 0.1, n_rows) > 0).astype(int)


def test_the_smallest_that_is_not_clearly_worse():
    trees = [leaf(k) for k in (0.1, 0.2, 0.3)]
    just, over = 1.0 + CLEARLY - 1e-9, 1.0 + CLEARLY + 1e-9
    assert SizePath.of(trees, [just, 1.02, 1.0]).chosen == 0
    assert SizePath.of(trees, [over, 1.02, 1.0]).chosen == 1
    assert SizePath.of(trees, [3.0, 2.0, 1.0]).tree == trees[2]


@pytest.mark.parametrize(("slant", "turns"), [(1.0, True), (0.0, False)])
def test_tests_turn_where_that_pays(slant, turns):
    X, y = clouds(400, slant)
    model = SoftTreeClassifier(random_state=0).fit(X, y)
    assert bool(np.any(model.tree_.kind == OBLIQUE)) == turns
    path = model.size_path_
    assert model.tree_ == path.tree
    assert path.losses[path.chosen] <= (1 + CLEARLY) * path.losses.min()
    assert np.all(np.diff(path.n_leaves) >= 0)


def test_oblique_false_stays_straight():
    X, y = clouds(400, 1.0)
    assert not np.any(
        SoftTreeClassifier(oblique=False, random_state=0).fit(X, y).tree_.kind == OBLIQUE
    )


def test_another_size_is_selected():
    X, _ = clouds(300, 0.0)
    model = SoftTreeRegressor(random_state=0).fit(X, X[:, 0] * 3 + np.abs(X[:, 1]))
    before = model.tree_
    small = model.select(n_leaves=4)
    assert small.get_n_leaves() <= 4
    assert model.tree_ is before
    assert not np.array_equal(small.predict(X), model.predict(X)) or before == small.tree_
    with pytest.raises(ValueError, match="n_leaves must be at least"):
        model.select(n_leaves=1)
    with pytest.raises(AttributeError, match="max_leaf_nodes='auto'"):
        SoftTreeRegressor(max_leaf_nodes=4, random_state=0).fit(X, X[:, 0]).select(4)


def test_small_tables_get_small_trees():
    X, y = load_iris(return_X_y=True)
    assert SoftTreeClassifier(random_state=0).fit(X, y).get_n_leaves() <= 8


def oblique_leaf():
    return Tree.from_nodes(
        n_features=2, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[OBLIQUE, 0, 0],
        feature=[-1, -1, -1], threshold=[0.0] * 3, weight=[4.0, 2.0, 2.0],
        response=[[0.5], [0.0], [1.0]], term_start=[0, 2, 2, 2], term_feature=[0, 1],
        term_weight=[1.0, -1.0],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("numbers", "loss", "turns"),
    [(True, 1.9, True), (True, 2.1, False), (False, 1.9, False), (False, 0.9, True)],
)
def test_numbers_turn_where_few_leaves_lose_half_as_much(monkeypatch, numbers, loss, turns):
    """Straight trees lose 5, 4, 2 and 1, and the oblique one of eight leaves ``loss``."""

    def entry(self, place, setting):
        if setting.oblique:
            return Entry(turned, loss, leaf(0), setting)
        straight.add(place)
        return Entry(leaf(place), [5.0, 4.0, 2.0, 1.0][place], leaf(place), setting)

    X = np.random.default_rng(0).normal(size=(20, 2))
    turned, straight = oblique_leaf(), set()
    monkeypatch.setattr(Contest, "entry", entry)
    monkeypatch.setattr(Contest, "first", lambda self, place: leaf(place))
    monkeypatch.setattr(Contest, "finished", lambda self, sizes: sizes)
    monkeypatch.setattr(Gradient, "_grown", lambda *_: turned)
    monkeypatch.setattr(Gradient, "_lessons", lambda *_: Lessons(soft_targets_of(data), None, 0.5))
    monkeypatch.setattr(Gradient, "_with_plain", lambda *_: None)
    label = (X[:, 0] > 0).astype(int)
    data = TrainingSet.of_target(X, X[:, 0]) if numbers else TrainingSet.of_classes(X, label)
    chosen = Gradient().learn_best(data, None, [None] * 4, Setting("cv", False, 0, None, 0), True)
    assert (chosen.tree is turned) == turns
    # Where planes win, straight trees are trained for comparison only.
    assert straight == ({1, 3} if numbers else {3}) or not turns


def test_a_tree_chosen_for_other_reasons_takes_its_place_among_the_others():
    path = SizePath.of([leaf(0.1)], [1.0])
    large = Tree.from_nodes(
        n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
        feature=[0, -1, -1], threshold=[0.5, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
        response=[[0.5], [1.0], [0.0]],
    )  # fmt: skip
    other = path.instead(large, 2.0)
    assert other.tree is large
    assert other.n_leaves.tolist() == [1, 2]
    assert other.losses.tolist() == [1.0, 2.0]
    assert path.instead(leaf(0.3), 2.0).chosen == 0


def test_rows_keep_their_copies():
    X = np.arange(6.0)[:, None]  # two rows, and two copies of both
    few = SoftTargets(X, X, np.ones(6)).of_rows(np.array([1]), 2)
    assert few.X.ravel().tolist() == [1.0, 3.0, 5.0]
