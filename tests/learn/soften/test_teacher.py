"""The teacher's answers, and the tree that learns them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from softwood import CoalescenceClassifier, Gradient, SoftTreeClassifier, VRForestClassifier
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.sampling import Sampling, rows_in_bag
from softwood.flow import Hard, Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.learn.bagging import Bagging
from softwood.learn.fitted import ONE_JOB
from softwood.learn.soften.ensembles import fully_grown
from softwood.learn.soften.method import Setting
from softwood.learn.soften.teacher import Teacher, _out_of_bag, best_shares
from softwood.refine.gradient import SoftenByGradient
from softwood.refine.soft_targets import soft_targets_of
from tests.refine.test_gradient import classes, numbers


def small(data):
    criterion = "squared_error" if data.is_regression else "gini"
    return GreedyGrower(Cart(criterion, min_samples_leaf=15)).grow(data)


def bagged(data, n_trees):
    return Bagging(n_trees, member=fully_grown(data))


def test_the_teacher_answers_out_of_bag():
    data = classes(60)
    teacher = Teacher((bagged(data, 7),), trust=1.0, n_copies=0)
    soft_targets = teacher.soft_targets(data, seed=3)
    # The obvious way: grow the same trees again and ask each about the rows it left out.
    answers = [[] for _ in range(60)]
    for drawn in rows_in_bag(Sampling("bootstrap"), 3, 7, data.weight):
        tree = GreedyGrower(Cart("gini")).grow(data.take(np.sort(drawn)))
        for i in set(range(60)) - set(drawn.tolist()):
            answers[i].append(Hard().predict(tree, data.X[i : i + 1])[0])
    own = soft_targets_of(data).target
    expected = [np.mean(a, axis=0) if a else own[i] for i, a in enumerate(answers)]
    assert_allclose(soft_targets.target, expected)


def test_trust_mixes_labels_and_answers():
    data = classes(60)
    none, half, all_ = (
        Teacher((bagged(data, 5),), trust=t, n_copies=0).soft_targets(data, seed=0).target
        for t in (0.0, 0.5, 1.0)
    )
    assert_array_equal(none, soft_targets_of(data).target)
    assert_allclose(half, (none + all_) / 2)


def test_copies_of_numbers_are_blurred_and_those_of_categories_are_not():
    data = classes(80)
    teacher = Teacher((bagged(data, 3),), n_copies=2, blur=0.1)
    soft_targets = teacher.soft_targets(data, seed=0)
    assert soft_targets.X.shape == (240, 3)
    nominal = data.is_nominal
    assert_array_equal(soft_targets.X[80:160, nominal], data.X[:, nominal])
    moved = soft_targets.X[80:, ~nominal] - np.tile(data.X[:, ~nominal], (2, 1))
    shares = moved.std(axis=0) / data.X[:, ~nominal].std(axis=0)
    assert_allclose(shares, 0.1, rtol=0.3)
    assert_allclose(soft_targets.target.sum(axis=1), 1.0)


def test_a_taught_tree_beats_an_untaught_one():
    data, new = classes(200), classes(4000, seed=1)
    flow = Ramp(shape="logistic")
    taught = Gradient(n_epochs=15).learn(data, small, Setting()).tree
    plain = SoftenByGradient(n_epochs=15).refine(small(data), data)
    errors = [np.mean(flow.predict(t, new.X).argmax(axis=1) != new.label) for t in (taught, plain)]
    assert errors[0] < errors[1]


def test_regression_and_repeatability():
    data = numbers(150)
    method = Gradient(teacher=5, n_epochs=3)
    one, same = (method.learn(data, small, Setting()).tree for _ in range(2))
    assert one == same
    p = Ramp(shape="logistic").predict(one, data.X)[:, 0]
    assert np.mean((p - data.target) ** 2) < 0.3 * data.target.var()


def test_jobs_make_no_difference():
    data = classes(600)
    first, second = (
        Teacher((bagged(data, 4),)).soft_targets(data, 0, jobs) for jobs in (ONE_JOB, Jobs(2))
    )
    assert_array_equal(first.target, second.target)


def test_a_column_without_values_is_left_alone():
    data = classes(60)
    X = data.X.copy()
    X[:, 1] = np.nan
    empty = TrainingSet.of_classes(X, data.label, n_classes=3, n_categories=data.n_categories)
    tree = Gradient(teacher=3, n_epochs=2).learn(empty, small, Setting()).tree
    assert np.isfinite(tree.response).all()


def test_any_ensemble_of_bootstraps_can_teach():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    method = Gradient(teacher=CoalescenceClassifier(10), n_epochs=3)
    model = SoftTreeClassifier(method=method, max_leaf_nodes=8, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.85
    for teacher, error, said in (
        (VRForestClassifier(5, sampling="all"), ValueError, "sampling='all'"),
        (SoftTreeClassifier(), TypeError, "an ensemble of softwood"),
    ):
        with pytest.raises(error, match=said):
            SoftTreeClassifier(method=Gradient(teacher=teacher)).fit(X, y)


def test_those_are_asked_who_are_best_together():
    X = np.zeros((4, 1))
    data = TrainingSet.of_target(X, np.array([1.0, 2.0, 3.0, 4.0]))
    high, low, far = (data.target[:, None] + off for off in (1.0, -1.0, 5.0))
    assert best_shares([high, low, far], data).tolist() == [0.5, 0.5, 0.0]
    assert best_shares([far, high], data).tolist() == [0.0, 1.0]


def test_a_cautious_teacher_is_asked_where_there_is_nothing_to_know():
    rng = np.random.default_rng(0)
    data = TrainingSet.of_classes(np.round(rng.normal(size=(300, 20))), rng.random(300) < 0.3)
    ensembles = Teacher.of("auto", data).ensembles
    fitted = [ensemble.fit(data, 0) for ensemble in ensembles]
    own = soft_targets_of(data)
    said = [
        _out_of_bag(ensemble, one, data, own, 0, ONE_JOB)
        for ensemble, one in zip(ensembles, fitted, strict=True)
    ]
    assert best_shares(said, data)[2] > 0.0
