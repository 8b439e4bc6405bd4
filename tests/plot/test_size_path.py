"""Errors against sizes, read back and held against models of these sizes."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    EvolvedTreeClassifier,
    VRForestRegressor,
    prune,
    soften,
)
from softwood.data.folds import plain_folds
from softwood.data.seeds import drawn_seed
from softwood.datasets import make_gaussians
from softwood.plot import plot_size_path
from softwood.plot._palette import COLOURS
from softwood.refine.cost_complexity import pruning_sequence

X, Y = load_breast_cancer(return_X_y=True)
XD, YD = load_diabetes(return_X_y=True)


def line(ax, start):
    """The line whose label starts so."""
    (found,) = (one for one in ax.lines if str(one.get_label()).startswith(start))
    return found.get_xydata()


def leaves(ax, start):
    """What the legend says about a size."""
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    (found,) = (text for text in texts if text.startswith(start))
    return int(found.rsplit(" ", 2)[1])


def at_size(points, size):
    return points[points[:, 0] == size][0, 1]


@pytest.mark.parametrize("model", [CARTClassifier(), CARTRegressor(max_leaf_nodes=25)])
@pytest.mark.parametrize("n_standard_errors", [0, 1])
def test_choices_are_those_of_pruning(model, n_standard_errors):
    rows, target = (X, Y) if isinstance(model, CARTClassifier) else (XD, YD)
    model = model.fit(rows, target)
    folds = plain_folds(len(target), 5, drawn_seed(3))
    ax = plot_size_path(model, rows, target, cv=folds)
    pruned = prune(
        model, rows, target, n_standard_errors=n_standard_errors, n_folds=5, random_state=3
    )
    words = ("least error", "smallest within 1 s. e.")[n_standard_errors]
    assert leaves(ax, words) == pruned.get_n_leaves()
    assert leaves(ax, "the model") == model.get_n_leaves()


def test_the_tree_is_grown_out_whatever_pruned_the_model():
    full = CARTClassifier().fit(X, Y)
    small = CARTClassifier(pruning="cv", ccp_alpha=0.01, random_state=0).fit(X, Y)
    ax = plot_size_path(small, X, Y)
    seen = line(ax, "on the rows")
    assert seen[0].tolist() == [full.get_n_leaves(), 0.0]
    assert seen[-1].tolist() == [1.0, pytest.approx(1.0 - Y.mean())]
    sequence = pruning_sequence(full.tree_)
    assert seen[:, 0].tolist() == [*sequence.n_leaves()]
    for alpha, size in zip(sequence.alphas, sequence.n_leaves(), strict=True):
        error = 1.0 - CARTClassifier(ccp_alpha=alpha).fit(X, Y).score(X, Y)
        assert at_size(seen, size) == pytest.approx(error)
    held_out = line(ax, "held out")
    assert held_out[:, 0].tolist() == seen[:, 0].tolist()
    assert leaves(ax, "the model") == small.get_n_leaves() < full.get_n_leaves()


def test_the_band_is_one_standard_error():
    ax = plot_size_path(CARTClassifier(max_depth=3).fit(X, Y), X, Y)
    points = line(ax, "held out")[::-1]
    (path,) = ax.collections[0].get_paths()
    for size, error in points:
        here = path.vertices[path.vertices[:, 0] == size, 1]
        half = np.sqrt(error * (1.0 - error) / Y.size)
        assert (here.min(), here.max()) == pytest.approx((error - half, error + half))


def test_new_rows_fit_nothing():
    grown = C45Classifier().fit(X[:300], Y[:300])
    ax = plot_size_path(grown, X[300:], Y[300:], cv=None)
    points = line(ax, "new rows")
    assert points[0].tolist() == [
        grown.get_n_leaves(),
        pytest.approx(1.0 - grown.score(X[300:], Y[300:])),
    ]
    assert len(ax.collections) == 1
    assert not any(one.get_label().startswith("on the rows") for one in ax.lines)


def test_frames_with_gaps_words_and_a_class_of_one_row():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=80), "b": rng.choice(["x", "y", None], 80)})
    frame.loc[::7, "a"] = np.nan
    labels = np.where(frame["a"] > 0.2, "yes", "no")
    labels[3] = "once"
    ax = plot_size_path(CARTClassifier().fit(frame, labels), frame, pd.Series(labels), cv=4)
    assert 0.0 < line(ax, "held out")[0, 1] < 0.5


def test_rows_of_tables_of_all_kinds_can_be_taken():
    frame = pd.DataFrame({"a": np.arange(40.0), "b": ["x", "y"] * 20})
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    tables = (
        frame,
        polars.from_pandas(frame),
        arrow.Table.from_pandas(frame),
        frame.to_numpy(),
        frame.to_numpy().tolist(),
    )
    labels = np.arange(40) // 10 % 2
    curves = [
        line(plot_size_path(CARTClassifier().fit(table, labels), table, labels), "held out")
        for table in tables
    ]
    for curve in curves[1:]:
        np.testing.assert_allclose(curve, curves[0])


def test_trees_of_others_and_soft_ones():
    theirs = DecisionTreeClassifier(max_leaf_nodes=9, random_state=0).fit(X, Y)
    ax = plot_size_path(theirs, X, Y, cv=KFold(3))
    assert leaves(ax, "the model") == 9
    soft = soften(theirs, X, Y, "perturb", smoothing=0.3)
    ax = plot_size_path(soft, X, Y, cv=None)
    assert line(ax, "new rows")[0].tolist() == [9.0, pytest.approx(1.0 - soft.score(X, Y))]


def test_a_tree_of_many_sizes_is_tried_at_some():
    rng = np.random.default_rng(0)
    rows, values = rng.normal(size=(600, 2)), rng.normal(size=600)
    model = CARTRegressor().fit(rows, values)
    points = line(plot_size_path(model, rows, values, cv=2), "on the rows")
    assert points[[0, -1], 0].tolist() == [model.get_n_leaves(), 1.0]
    assert 20 < len(points) <= 60
    assert np.all(np.diff(points[:, 0]) < 0)
    assert np.all(np.diff(points[:, 1]) > -1e-12)


def test_rows_out_of_bag_ask_trees_that_have_not_seen_them():
    bag = BaggedTreesClassifier(20, oob_score=True, random_state=0).fit(X, Y)
    points = line(plot_size_path(bag, X, Y), "out of bag")
    assert points[-1].tolist() == [20.0, pytest.approx(1.0 - bag.oob_score_)]
    unseen = np.setdiff1d(np.arange(Y.size), bag.estimators_samples_[0])
    first = bag.classes_[bag.trees_[0].response[bag.apply(X)[:, 0]].argmax(axis=1)]
    assert points[0].tolist() == [1.0, pytest.approx(np.mean((first != Y)[unseen]))]
    with pytest.raises(ValueError, match="was fitted to, to be asked out of bag; got 100"):
        plot_size_path(bag, X[:100], Y[:100])


def test_ensembles_on_new_rows_and_by_folds():
    forest = VRForestRegressor(12, sampling="all", random_state=0).fit(XD[:300], YD[:300])
    points = line(plot_size_path(forest, XD[300:], YD[300:], cv=None), "new rows")
    expected = np.mean((forest.predict(XD[300:]) - YD[300:]) ** 2)
    assert points[-1].tolist() == [12.0, pytest.approx(expected)]
    points = line(plot_size_path(forest, XD, YD, cv=2), "held out by folds")
    assert points[0, 1] > points[-1, 1] > 0.0
    theirs = RandomForestClassifier(5, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="OOB"):
        theirs.fit(X, Y)
    points = line(plot_size_path(theirs, X, Y, cv=None), "new rows")
    assert points[-1, 1] == pytest.approx(1.0 - theirs.score(X, Y))


def test_a_round_of_boosting_has_a_tree_for_each_class():
    rows, target = load_iris(return_X_y=True)
    boosted = GradientBoostingClassifier(n_estimators=6, max_depth=1).fit(rows, target)
    points = line(plot_size_path(boosted, rows, target, cv=None), "new rows")
    for size, error in points:
        staged = list(boosted.staged_predict(rows))[int(size) - 1]
        assert error == pytest.approx(np.mean(staged != target))
    assert points[-1, 0] == 6


def test_few_rows_may_all_be_in_a_bag():
    rows, target = np.array([[0.0], [1.0]]), np.array([0, 1])
    bag = BaggedTreesClassifier(30, random_state=0).fit(rows, target)
    points = line(plot_size_path(bag, rows, target), "out of bag")
    seen = [np.unique(bag_rows).size for bag_rows in bag.estimators_samples_]
    assert 2 in seen
    assert np.isfinite(points).all()
    assert points[0, 0] >= 1 + seen.index(1)


def test_of_an_evolved_tree_the_front_is_drawn():
    rows, target = make_gaussians(60, random_state=0)
    model = EvolvedTreeClassifier(n_iter=300, random_state=0).fit(rows, target)
    ax = plot_size_path(model, rows, target)
    assert ax.get_ylabel() == "training risk"


def test_the_legend_is_above_the_curves():
    for size in ((2.2, 2.6), (4, 3.5), (9, 3)):
        _, ax = plt.subplots(figsize=size, layout="constrained")
        assert plot_size_path(CARTClassifier().fit(X, Y), X, Y, ax=ax) is ax
        ax.figure.canvas.draw()
        box = ax.get_legend().get_window_extent()
        lowest = ax.transData.inverted().transform(box)[0, 1]
        highest = max(path.vertices[:, 1].max() for path in ax.collections[0].get_paths())
        assert lowest >= highest
        assert ax.figure.bbox.x0 <= box.x0
        assert box.x1 <= ax.figure.bbox.x1
    assert len({to_hex(one.get_color()) for one in ax.lines} & {c.lower() for c in COLOURS}) == 3


def test_what_has_no_sizes_is_refused():
    model = CARTClassifier(max_depth=2).fit(X, Y)
    with pytest.raises(ValueError, match="cv must be at least 2 folds"):
        plot_size_path(model, X, Y, cv=1)
    with pytest.raises(ValueError, match="one entry for each row"):
        plot_size_path(model, X, np.c_[Y, Y])
    with pytest.raises(TypeError, match="LogisticRegression"):
        plot_size_path(LogisticRegression().fit(X[:, :2], Y), X, Y)
    assert not plt.get_fignums()
