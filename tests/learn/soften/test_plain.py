"""Plain trees in place of taught ones: where a rule is exact, and nowhere else."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from softwood import CARTClassifier, SoftTreeClassifier
from softwood.data.training import TrainingSet
from softwood.flow import Hard
from softwood.learn.cart import CartLearner
from softwood.learn.soften import Gradient
from softwood.learn.soften.method import Setting
from softwood.learn.soften.plain import (
    FEWEST,
    GLANCE,
    NEAR,
    Grown,
    better_plain_tree,
    clearly_less,
    least_errors,
    most_errors,
    pruned_trees,
    wrong_out_of_fold,
)
from softwood.refine.cost_complexity import pruning_sequence


def an_exact_rule(n_rows, seed=0):
    """Rows of one class where two of six columns of categories have the value 0."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n_rows, 6))
    return X, ((X == 0).sum(axis=1) == 2).astype(int)


def clouds(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    return rng.normal(size=(n_rows, 3)) + 0.7 * y[:, None], y


def test_an_exact_rule_is_left_to_a_plain_tree():
    X, y = an_exact_rule(1200)
    options = {"categorical_features": list(range(6)), "random_state": 0}
    model = SoftTreeClassifier(**options).fit(X, y)
    taught = SoftTreeClassifier(max_leaf_nodes=32, **options).fit(X, y)
    plain = CARTClassifier(pruning="cv", **options).fit(X, y)
    X_new, y_new = an_exact_rule(2000, seed=1)
    assert model.score(X_new, y_new) >= plain.score(X_new, y_new) - 0.01
    assert model.score(X_new, y_new) > taught.score(X_new, y_new) + 0.05
    path = model.size_path_
    assert model.tree_ == path.tree
    assert not model.tree_.below.any()
    assert np.all(np.diff(path.n_leaves) >= 0)
    # Trees that were taught are there as well, for those who want fewer leaves.
    assert model.select(n_leaves=32).get_n_leaves() <= 32


def answers_of_persons(seed):
    """Six answers each of thirty persons, nearly always the same; their numbers say nothing."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(30), 6)
    said = rng.integers(0, 3, 30)[person]
    said = np.where(rng.random(said.size) < 0.15, rng.integers(0, 3, said.size), said)
    return np.column_stack([person, rng.integers(0, 5, (person.size, 2))]).astype(float), said


def test_teachers_that_know_the_neighbours_do_not_tell_of_rows_held_out():
    """What a teacher says of copies would say what the row beside them is."""
    errors = []
    for seed in (0, 2):
        X, y = answers_of_persons(seed)
        folds = StratifiedKFold(5, shuffle=True, random_state=seed)
        models = SoftTreeClassifier(random_state=0), CARTClassifier(pruning="cv")
        errors.append([1 - cross_val_score(model, X, y, cv=folds).mean() for model in models])
    ours, theirs = np.mean(errors, axis=0)
    assert ours < theirs + 0.04


def test_an_ensemble_that_was_asked_for_teaches_and_nothing_else():
    X, y = an_exact_rule(1200)
    model = SoftTreeClassifier(
        method=Gradient(teacher=20), categorical_features=list(range(6)), random_state=0
    )
    assert model.fit(X, y).get_n_leaves() <= 32


def test_overlapping_clouds_are_left_to_the_taught_tree():
    X, y = clouds(300)
    assert SoftTreeClassifier(random_state=0).fit(X, y).tree_.below.any()


def test_the_taught_tree_is_not_asked_where_plain_ones_err_too_often():
    X, y = clouds(200)
    data = TrainingSet.of_classes(X, y)

    def never(rows):
        raise AssertionError

    knows_all = np.eye(2)[y]
    most = most_errors(knows_all, knows_all, data)
    assert most == 0.0
    assert better_plain_tree(data, most, never, Hard(), Setting(), 1.0) is None
    few = data.take(np.arange(FEWEST - 1))
    assert better_plain_tree(few, 1.0, never, Hard(), Setting(), 1.0) is None


def test_plain_trees_are_asked_by_teachers_errors_and_by_the_trees_own():
    data = TrainingSet.of_classes(np.zeros((10, 1)), np.arange(10) > 4)
    right = np.eye(2)[data.label]
    off = right.copy()
    off[:2] = off[:2, ::-1]
    assert most_errors(off, right, data) == pytest.approx(0.2)
    assert most_errors(off, off, data) == pytest.approx(0.2)  # it follows its teachers
    assert most_errors(right, off, data) == pytest.approx(NEAR * 0.2)


def test_a_taught_tree_that_is_as_good_stays():
    X, y = an_exact_rule(300)
    data = TrainingSet.of_classes(X.astype(float), y)
    grow = CartLearner().grow_full
    same = better_plain_tree(data, 1.0, lambda rows: grow(data.take(rows)), Hard(), Setting(), 1.0)
    blind = better_plain_tree(
        data,
        1.0,
        lambda rows: CartLearner(max_leaf_nodes=2).grow_full(data.take(rows)),
        Hard(),
        Setting(),
        1.0,
    )
    assert blind is not None
    assert same is None or same.n_leaves < grow(data).n_leaves


def test_rows_are_judged_by_trees_that_have_not_seen_them():
    X, y = clouds(120)
    data, setting = TrainingSet.of_classes(X, y), Setting(seed=3)
    folds = setting.folds(data)
    trees = [CartLearner().grow_full(data.take(train)) for train, _ in folds]
    wrong = np.zeros(120)
    for tree, (_, test) in zip(trees, folds, strict=True):
        for row in test:
            wrong[row] = Hard().predict(tree, X[row : row + 1])[0].argmax() != y[row]
    assert np.array_equal(wrong_out_of_fold(trees, Hard(), data, folds), wrong)


def cart_of_folds(data):
    return Grown(CartLearner().grow_full, data, Setting().folds(data))


def test_a_glance_at_some_folds_bounds_the_errors_of_all_pruned_trees():
    X, y = clouds(400)
    grown = cart_of_folds(TrainingSet.of_classes(X, y))
    least = least_errors(grown, pruned=True)
    assert len(grown._trees) == GLANCE
    # As written out: the best pruning of each tree for the rows it has not seen.
    missed = n_rows = 0
    for fold in range(GLANCE):
        held_out = grown.data.take(grown.folds[fold][1])
        sequence = pruning_sequence(grown.tree(fold))
        said = [Hard().predict(sequence.at(a), held_out.X).argmax(1) for a in sequence.alphas]
        missed += min(np.sum(answer != held_out.label) for answer in said)
        n_rows += held_out.n_rows
    share = missed / n_rows
    assert least == pytest.approx(share - np.sqrt(share * (1 - share) / n_rows))
    assert least < min(one.wrong.mean() for one in pruned_trees(grown))
    assert least < least_errors(grown, pruned=False)


def test_folds_end_once_the_taught_tree_is_clearly_ahead():
    X, y = clouds(300)
    data, asked = TrainingSet.of_classes(X, y), []
    grow = CartLearner().grow_full

    def sees_all(rows):
        asked.append(rows)
        return grow(data)

    assert better_plain_tree(data, 1.0, sees_all, Hard(), Setting(), 1.0) is None
    assert len(asked) == 1


def test_the_small_pruned_tree_is_small_and_the_other_is_the_one_of_the_folds():
    X, y = an_exact_rule(1200)
    small, any_size = pruned_trees(cart_of_folds(TrainingSet.of_classes(X.astype(float), y)))
    assert small.tree.n_leaves <= 32 < any_size.tree.n_leaves
    assert any_size.wrong.mean() < small.wrong.mean()


@pytest.mark.parametrize(("n_more", "is_less"), [(0, False), (1, False), (30, True)])
def test_clearly_is_by_a_standard_error(n_more, is_less):
    rng = np.random.default_rng(0)
    ours = (rng.random(400) < 0.1).astype(float)
    theirs = ours.copy()
    theirs[np.flatnonzero(ours == 0)[:n_more]] = 1.0
    theirs[np.flatnonzero(ours == 1)[: n_more // 2]] = 0.0
    assert clearly_less(ours, theirs, np.ones(400)) == is_less
