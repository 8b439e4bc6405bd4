"""The teacher's answers, and the tree that learns them."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.distilled import DistilledTree
from softwood.refine.gradient import SoftenByGradient
from softwood.refine.soft_targets import soft_targets_of
from softwood.refine.teacher import Teacher
from tests.refine.test_gradient import classes, numbers


def full(data):
    return GreedyGrower(Cart("squared_error" if data.is_regression else "gini")).grow(data)


def small(data):
    criterion = "squared_error" if data.is_regression else "gini"
    return GreedyGrower(Cart(criterion, min_samples_leaf=15)).grow(data)


def test_the_teacher_answers_out_of_bag():
    data = classes(60)
    teacher = Teacher(n_trees=7, trust=1.0, n_copies=0)
    soft_targets = teacher.soft_targets(full, data, np.zeros(3))
    # The obvious way: grow the same trees again and ask each about the rows it left out.
    seeds = np.random.SeedSequence(0).spawn(8)
    answers = [[] for _ in range(60)]
    for seed in seeds[:7]:
        drawn = np.random.default_rng(seed).integers(0, 60, 60)
        tree = full(data.take(np.sort(drawn)))
        for i in set(range(60)) - set(drawn.tolist()):
            answers[i].append(Hard().predict(tree, data.X[i : i + 1])[0])
    own = soft_targets_of(data).target
    expected = [np.mean(a, axis=0) if a else own[i] for i, a in enumerate(answers)]
    assert_allclose(soft_targets.target, expected)


def test_trust_mixes_labels_and_answers():
    data = classes(60)
    none, half, all_ = (
        Teacher(n_trees=5, trust=t, n_copies=0).soft_targets(full, data, np.zeros(3)).target
        for t in (0.0, 0.5, 1.0)
    )
    assert_array_equal(none, soft_targets_of(data).target)
    assert_allclose(half, (none + all_) / 2)


def test_copies_are_blurred_where_asked():
    data = classes(80)
    deviation = np.array([2.0, 0.0, 0.0])
    soft_targets = Teacher(n_trees=3, n_copies=2, blur=0.1).soft_targets(full, data, deviation)
    assert soft_targets.X.shape == (240, 3)
    assert_array_equal(soft_targets.X[80:160, 1:], data.X[:, 1:])
    moved = soft_targets.X[80:, 0] - np.tile(data.X[:, 0], 2)
    assert 0.1 < moved.std() < 0.3
    assert_allclose(soft_targets.target.sum(axis=1), 1.0)


def test_a_taught_tree_beats_an_untaught_one():
    data, new = classes(200), classes(4000, seed=1)
    flow = Ramp(shape="logistic")
    taught = DistilledTree(Teacher(n_copies=5), SoftenByGradient(n_epochs=15)).grow(
        data, full, small
    )
    plain = SoftenByGradient(n_epochs=15).refine(small(data), data)
    errors = [np.mean(flow.predict(t, new.X).argmax(axis=1) != new.label) for t in (taught, plain)]
    assert errors[0] < errors[1]


def test_regression_and_repeatability():
    data = numbers(150)
    method = DistilledTree(Teacher(n_trees=5), SoftenByGradient(n_epochs=3))
    one, same = (method.grow(data, full, small) for _ in range(2))
    assert one == same
    p = Ramp(shape="logistic").predict(one, data.X)[:, 0]
    assert np.mean((p - data.target) ** 2) < 0.3 * data.target.var()


def test_order_of_work_does_not_matter():
    data = classes(60)
    teacher = Teacher(n_trees=4)

    def backwards(one, numbers):
        done = {k: one(k) for k in reversed(numbers)}
        return [done[k] for k in numbers]

    first, second = (teacher.soft_targets(full, data, np.ones(3), run) for run in (None, backwards))
    assert_array_equal(first.target, second.target)


def test_a_column_without_values_is_left_alone():
    data = classes(60)
    X = data.X.copy()
    X[:, 1] = np.nan
    empty = TrainingSet.of_classes(X, data.label, n_classes=3, n_categories=data.n_categories)
    tree = DistilledTree(Teacher(n_trees=3), SoftenByGradient(n_epochs=2)).grow(empty, full, small)
    assert np.isfinite(tree.response).all()
