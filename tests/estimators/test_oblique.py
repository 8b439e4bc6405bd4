"""The oblique tree as users see it."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    Gaussian,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    export_text,
    load,
    save,
)
from softwood.data.table import Column, Table
from softwood.flow import leaf_of
from softwood.learn.oblique import fill_values, filled
from softwood.tree import NOMINAL, OBLIQUE
from tests.strategies import WITHOUT_JIT

FEW = {"n_restarts": 2, "n_jumps": 1} if WITHOUT_JIT else {"n_restarts": 5}
N_ROWS = 60 if WITHOUT_JIT else 400


def slanted(n_rows=N_ROWS, seed=0, noise=0.1):
    """Two classes on the sides of a slanted plane, some of them on the wrong one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    y = np.where(X @ [1.0, 2.0, -1.0, 0.0] + 0.5 > 0, "in", "out")
    return X, np.where(rng.random(n_rows) < noise, "in", y)


def mixed(n_rows=N_ROWS, seed=0):
    """A number, a flag, a colour; all of them count, and some are missing."""
    rng = np.random.default_rng(seed)
    size, flag = rng.normal(size=n_rows), rng.integers(0, 2, n_rows)
    colour = rng.integers(0, 4, n_rows)
    y = size + flag + np.isin(colour, (0, 3)) > 1
    size[::9], flag[::7], colour[::11] = np.nan, -1, -1
    return Table(
        (
            Column("size", size),
            Column("flag", flag.astype(np.int32), (False, True)),
            Column("colour", colour.astype(np.int32), ("blue", "green", "red", "white")),
        )
    ), y


def test_a_slanted_plane_takes_one_test():
    X, y = slanted(noise=0.0)
    X_new, y_new = slanted(2000, seed=1, noise=0.0)
    model = ObliqueTreeClassifier(random_state=0).fit(X, y)
    axis = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert model.get_n_leaves() == 2
    assert model.tree_.kind[0] == OBLIQUE
    assert model.score(X_new, y_new) > axis.score(X_new, y_new)


@pytest.mark.skipif(WITHOUT_JIT, reason="takes many fits")
def test_it_is_as_accurate_as_oc1():
    """The original program has 95.5 % on iris, with a standard deviation of 1.4."""
    X, y = load_iris(return_X_y=True)
    scores = cross_val_score(ObliqueTreeClassifier(random_state=0), X, y, cv=10)
    assert scores.mean() > 0.955 - 2 * 0.014


@pytest.mark.parametrize("pruning", ["holdout", "cv", None])
@pytest.mark.parametrize("objective", ["oc1", "moc1", "moc2"])
def test_one_thread_or_two(objective, pruning):
    X, y = slanted(80 if WITHOUT_JIT else 700)
    made = {"objective": objective, "pruning": pruning, "random_state": 1, "n_folds": 2, **FEW}
    alone = ObliqueTreeClassifier(**made).fit(X, y)
    assert ObliqueTreeClassifier(**made, n_jobs=2).fit(X, y).tree_ == alone.tree_


def test_pruned_trees_are_smaller_and_may_be_a_root():
    X, y = slanted(noise=0.3)
    full = ObliqueTreeClassifier(pruning=None, random_state=0, **FEW).fit(X, y)
    pruned = ObliqueTreeClassifier(random_state=0, **FEW).fit(X, y)
    assert pruned.get_n_leaves() < full.get_n_leaves()
    chance = np.random.default_rng(0).random(len(X)) < 0.1
    models = [ObliqueTreeClassifier(random_state=seed, **FEW) for seed in range(5)]
    assert min(model.fit(X, chance).get_n_leaves() for model in models) == 1


def test_held_out_rows_are_not_grown_on():
    X, y = slanted()
    part = ObliqueTreeClassifier(random_state=0, holdout_fraction=0.25, **FEW).fit(X, y)
    assert part.tree_.weight[0] == 0.75 * len(X)
    few = ObliqueTreeClassifier(random_state=0, **FEW).fit(X[:9], y[:9])
    assert few.tree_.weight[0] == 9  # a tenth of nine rows is none


def test_classes_are_held_out_evenly():
    X, y = slanted()
    model = ObliqueTreeClassifier(random_state=0, **FEW).fit(X, y)
    shares = model.tree_.response[0]
    want = [np.mean(y == label) for label in model.classes_]
    np.testing.assert_allclose(shares, want, atol=2 / len(X))


def test_margins_are_distances_to_the_nearest_row():
    X, y = slanted()
    model = ObliqueTreeClassifier(pruning=None, random_state=0, **FEW).fit(X, y)
    tree = model.tree_
    features, weights = tree.terms(0)
    distance = np.abs(X[:, features] @ weights - tree.threshold[0]) / np.linalg.norm(weights)
    assert model.margins_[0] == pytest.approx(distance.min())
    assert np.all(np.isnan(model.margins_) == tree.is_leaf)


def test_widened_trees_part_the_rows_as_before():
    X, y = slanted()
    narrow, wide = (
        ObliqueTreeClassifier(widen=widen, pruning=None, random_state=0, **FEW).fit(X, y)
        for widen in (False, True)
    )
    np.testing.assert_array_equal(narrow.apply(X), wide.apply(X))
    inner = ~narrow.tree_.is_leaf
    assert np.all(wide.margins_[inner] >= narrow.margins_[inner])
    assert wide.margins_[0] > narrow.margins_[0]


@pytest.mark.parametrize("widen", [False, True])
def test_missing_values_and_categories(widen):
    X, y = mixed()
    model = ObliqueTreeClassifier(pruning=None, random_state=0, widen=widen, **FEW).fit(X, y)
    rows = model._rows(X)
    assert not np.isnan(rows).any()
    # Rows with missing values, too, are in the leaves that they have grown.
    weight = np.bincount(leaf_of(model.tree_, rows), minlength=model.tree_.n_nodes)
    leaves = model.tree_.leaves
    np.testing.assert_array_equal(weight[leaves], model.tree_.weight[leaves])
    assert model.score(X, y) > 0.85
    assert {1, 2} & set(model.tree_.term_feature) or (model.tree_.kind == NOMINAL).any()


def test_fill_values_are_means_and_modes():
    X, y = mixed()
    model = ObliqueTreeClassifier(random_state=0, **FEW).fit(X, y)
    size, flag, colour = (column.values for column in X.columns)
    modes = [np.bincount(codes[codes >= 0]).argmax() for codes in (flag, colour)]
    np.testing.assert_allclose(model.fill_values_, [np.nanmean(size), *modes])


def test_a_column_without_values():
    X, y = slanted()
    X[:, 2] = np.nan
    model = ObliqueTreeClassifier(random_state=0, **FEW).fit(X, y)
    assert 2 not in model.tree_.term_feature
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_an_unknown_category_goes_both_ways():
    X, y = mixed()
    model = ObliqueTreeClassifier(pruning=None, random_state=0, **FEW).fit(X, y)
    new = Table(
        (
            Column("size", np.array([0.1])),
            Column("flag", np.array([1], dtype=np.int32), (False, True)),
            Column("colour", np.array([0], dtype=np.int32), ("violet",)),
        )
    )
    mass = model.flow(new)
    assert mass.sum() == pytest.approx(1.0)
    assert (mass.toarray() > 0).sum() > 1
    missing = ObliqueTreeClassifier(pruning=None, random_state=0, handle_unknown="missing", **FEW)
    assert (missing.fit(X, y).flow(new).toarray() > 0).sum() == 1


def test_weights_count():
    X, y = slanted()
    weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    model = ObliqueTreeClassifier(pruning=None, random_state=0, **FEW).fit(X, y, weight)
    assert model.tree_.weight[0] == weight.sum()
    without = ObliqueTreeClassifier(pruning=None, random_state=0, **FEW)
    zero_one = (weight > 0).astype(float)
    assert without.fit(X, y, zero_one).tree_ == without.fit(X[weight > 0], y[weight > 0]).tree_
    balanced = ObliqueTreeClassifier(random_state=0, class_weight="balanced", **FEW).fit(X, y)
    assert balanced.tree_.response[0] == pytest.approx([0.5, 0.5], abs=0.02)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"objective": "oc2"}, "objective"),
        ({"criterion": "log_loss"}, "criterion"),
        ({"search": "brute"}, "search"),
        ({"n_restarts": 0}, "n_restarts"),
        ({"margin_weight": 1.5}, "margin_weight"),
        ({"pruning": "pessimistic"}, "pruning"),
    ],
)
def test_unknown_parameter_values_name_the_parameter(parameters, name):
    X, y = slanted(20)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        ObliqueTreeClassifier(**parameters).fit(X, y)


def test_moc2_takes_twoing_only():
    X, y = slanted(20)
    model = ObliqueTreeClassifier("moc2", criterion="gini")
    with pytest.raises(ValueError, match=r"objective='moc2' is a kind of twoing.*criterion='gini'"):
        model.fit(X, y)
    assert not hasattr(model, "tree_")


def test_one_row_and_one_class():
    for X, y in ([[1.0, 2.0]], ["a"]), ([[1.0], [2.0], [3.0]], ["a", "a", "a"]):
        model = ObliqueTreeClassifier(random_state=0).fit(X, y)
        assert model.predict(X).tolist() == y
        assert model.get_n_leaves() == 1


def test_it_can_be_saved(tmp_path):
    X, y = mixed()
    model = ObliqueTreeClassifier(widen=True, random_state=0, **FEW).fit(X, y)
    save(model, tmp_path / "oblique.softwood")
    again = load(tmp_path / "oblique.softwood")
    assert again.tree_ == model.tree_
    np.testing.assert_array_equal(again.margins_, model.margins_)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_it_reads_as_an_equation():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = ObliqueTreeClassifier(random_state=0, pruning=None, max_depth=2, **FEW).fit(X, y)
    assert "·" in export_text(model)


def test_it_can_be_soft():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :4]
    model = ObliqueTreeClassifier(random_state=0, **FEW).fit(X, y)
    flow = Gaussian(scale=0.1 * X.std(axis=0))
    np.testing.assert_allclose(flow.predict(model.tree_, X).sum(axis=1), 1.0)
    base = ObliqueTreeClassifier(random_state=0, **FEW)
    soft = SoftTreeClassifier(base, method="perturb", smoothing=0.2, random_state=0).fit(X, y)
    assert soft.score(X, y) > 0.8


def test_it_tells_how_far_it_is(capfd):
    X, y = make_classification(120, 4, random_state=0)
    ObliqueTreeClassifier(random_state=0, verbose=1, pruning=None, **FEW).fit(X, y)
    lines = capfd.readouterr().err.splitlines()
    assert lines[-1] == "softwood: 120 of 120 rows are in a leaf of the tree"
    assert len(lines) <= 11


def test_filled_leaves_complete_rows_alone():
    X = np.ones((2, 2))
    assert filled(X, np.zeros(2)) is X
    from softwood.data.training import TrainingSet

    data = TrainingSet.of_classes(X, [0, 1], weight=np.array([1.0, 3.0]))
    assert fill_values(data).tolist() == [1.0, 1.0]
