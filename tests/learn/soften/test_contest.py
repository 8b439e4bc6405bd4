"""Trees of several sizes, and of long sums and short ones."""

import numpy as np
import pytest

from softwood import SoftTreeClassifier
from softwood.data.training import TrainingSet
from softwood.learn.soften.contest import SHORT, Contest, Entry
from softwood.learn.soften.gradient import Gradient
from softwood.learn.soften.sizes import SizePath
from softwood.tree import OBLIQUE, Tree


def plane(n_terms):
    return Tree.from_nodes(
        n_features=20, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[OBLIQUE, 0, 0],
        feature=[-1, -1, -1], threshold=[0.0] * 3, weight=[4.0, 2.0, 2.0],
        response=[[0.5], [0.0], [1.0]], term_start=[0, *[n_terms] * 3],
        term_feature=list(range(n_terms)), term_weight=[1.0] * n_terms,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("losses", "kept"),
    [({3: 1.0, 6: 0.9}, 3), ({3: 1.2, 6: 1.05}, 6), ({3: 1.2, 6: 1.2}, 20)],
)
def test_the_shortest_sums_that_are_not_clearly_worse(monkeypatch, losses, kept):
    asked = []

    def short(self, tree, n_terms):
        asked.append(n_terms)
        return plane(n_terms)

    monkeypatch.setattr(Contest, "_short", short)
    monkeypatch.setattr(Contest, "loss", lambda self, tree: losses.get(tree.term_weight.size, 1.0))
    contest = Contest(Gradient(), None, None, (), None, None)
    n_terms, tree = contest._shortened(plane(20), 1.1)
    assert tree.term_weight.size == kept
    assert n_terms == (kept if kept in SHORT else None)
    assert asked == [n for n in SHORT if n <= kept]


class Recorder:
    """Trains nothing, and notes in what order it was asked to."""

    shared_flow = None

    def __init__(self, is_long):
        self.is_long, self.asked = is_long, []

    def trains_long(self, data):
        return self.is_long

    def taught(self, tree, data, lessons, setting, brief=False):
        self.asked.append("at length")
        return tree

    def taught_on(self, tree, data, lessons, setting, brief=False):
        self.asked.append("briefly on" if brief else "on")
        return tree


@pytest.mark.parametrize(
    ("is_long", "asked"),
    [(False, ["briefly on", "on"]), (True, ["at length", "briefly on", "on"])],
)
def test_many_rows_are_trained_at_length_before_sums_are_cut(monkeypatch, is_long, asked):
    data = TrainingSet.of_classes(np.random.default_rng(0).normal(size=(30, 20)), np.arange(30) % 2)
    method, tree = Recorder(is_long), plane(20)
    contest = Contest(method, data, None, (), None, None)
    contest._entries[0, True] = Entry(tree, 1.0, tree, None)
    monkeypatch.setattr(Contest, "loss", lambda self, tree: 1.0)
    sizes = contest.finished(SizePath.of([tree], [1.0]))
    assert method.asked == asked
    assert np.diff(sizes.tree.term_start)[0] == SHORT[0]


def test_sums_that_are_short_stay():
    contest = Contest(Gradient(), None, None, (), None, None)
    assert contest._shortened(plane(3), 1.0) == (None, plane(3))


def test_noise_is_no_part_of_a_test():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 12))
    y = (X[:, 0] + X[:, 1] - X[:, 2] + 0.2 * rng.normal(size=800) > 0).astype(int)
    tree = SoftTreeClassifier(random_state=0).fit(X, y).tree_
    n_terms = np.diff(tree.term_start)[tree.kind == OBLIQUE]
    assert n_terms.size
    assert np.median(n_terms) == 3
    assert set(tree.terms(0)[0].tolist()) == {0, 1, 2}


def test_all_sizes_are_cut_from_one_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (np.sin(3 * X[:, 0]) + X[:, 1] > 0).astype(int)
    model = SoftTreeClassifier(oblique=False, random_state=0).fit(X, y)
    small, *_, large = model.size_path_.trees
    assert small.feature[0] == large.feature[0]
    assert large.n_leaves > small.n_leaves
    assert model.tree_ is model.size_path_.tree
