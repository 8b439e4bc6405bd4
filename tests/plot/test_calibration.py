"""Reliability diagrams, read back and held against counts made one by one."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.container import ErrorbarContainer
from scipy.stats import binomtest
from sklearn.datasets import load_iris
from sklearn.metrics import brier_score_loss
from sklearn.svm import LinearSVC

from softwood import BaggedTreesClassifier, CARTClassifier
from softwood.datasets import make_twonorm
from softwood.plot import plot_calibration
from softwood.plot.calibration import bins_of, wilson
from tests.strategies import checked

X, Y = make_twonorm(200, random_state=0)
X_TEST, Y_TEST = make_twonorm(500, random_state=1)
TREE = CARTClassifier(max_depth=4).fit(X, Y)


def drawn(ax):
    """Points and ends of intervals of each curve."""
    curves = [part for part in ax.containers if isinstance(part, ErrorbarContainer)]
    return [
        (line.get_xydata(), np.array([path.vertices[:, 1] for path in bars[0].get_paths()]))
        for line, _, bars in curves
    ]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_points_are_shares_of_rows_and_bars_their_intervals():
    ax = plot_calibration(TREE, X_TEST, Y_TEST, n_bins=4)
    ((points, ends),) = drawn(ax)
    said = TREE.predict_proba(X_TEST)[:, 1]
    cuts = np.quantile(said, [0.25, 0.5, 0.75], method="inverted_cdf")
    edges = [-1.0, *np.unique(cuts), 2.0]
    parts = [(low < said) & (said <= high) for low, high in pairwise(edges)]
    parts = [part for part in parts if part.any()]
    assert len(points) == len(parts) > 1
    for part, (mean, share), (low, high) in zip(parts, points, ends, strict=True):
        assert (mean, share) == pytest.approx((said[part].mean(), (Y_TEST[part] == 1).mean()))
        test = binomtest(int((Y_TEST[part] == 1).sum()), int(part.sum()))
        interval = test.proportion_ci(method="wilson")
        assert (low, high) == pytest.approx((interval.low, interval.high), abs=1e-6)


def test_the_legend_has_scores():
    ax = plot_calibration(TREE, X_TEST, Y_TEST, n_bins=1, label="a $tree$")
    said = TREE.predict_proba(X_TEST)[:, 1]
    brier = brier_score_loss(Y_TEST == 1, said)
    error = abs(said.mean() - (Y_TEST == 1).mean())
    assert legend(ax)[0] == f"a $tree$ (Brier {brier:.3f}, ECE {error:.3f})"
    assert not any(text.get_parse_math() for text in ax.get_legend().get_texts())
    assert ax.get_xlabel() == "predicted probability of 1"


def test_more_classes_are_judged_by_the_predicted_one():
    data, target = load_iris(return_X_y=True)
    model = CARTClassifier(max_depth=2).fit(data[::2], target[::2])
    data, target = data[1::2], target[1::2]
    ax = plot_calibration(model, data, target, n_bins=1)
    proba = model.predict_proba(data)
    ((points, _),) = drawn(ax)
    assert points[0] == pytest.approx([proba.max(axis=1).mean(), model.score(data, target)])
    brier = ((proba - np.eye(3)[target]) ** 2).sum(axis=1).mean()
    assert f"Brier {brier:.3f}" in legend(ax)[0]
    assert ax.get_ylabel() == "how often it is right"


def test_probabilities_can_be_given():
    proba = TREE.predict_proba(X_TEST)
    names = np.array(["no", "yes"])
    by_model = drawn(plot_calibration(TREE, X_TEST, Y_TEST))
    for ax in (
        plot_calibration(TREE, None, Y_TEST, proba=proba),
        plot_calibration(None, None, Y_TEST, proba=proba),
        plot_calibration(None, None, names[Y_TEST], proba=proba, classes=names),
    ):
        for mine, its in zip(drawn(ax), by_model, strict=True):
            np.testing.assert_allclose(mine[0], its[0])
    assert legend(ax)[0].startswith("probabilities (Brier")
    turned = plot_calibration(None, None, names[Y_TEST], proba=proba[:, ::-1], classes=names[::-1])
    assert turned.get_xlabel() == "predicted probability of no"


def test_rows_that_nobody_was_asked_about_are_left_out():
    bag = BaggedTreesClassifier(3, oob_score=True, random_state=0).fit(X, Y)
    proba = bag.oob_decision_function_
    asked = ~np.isnan(proba[:, 0])
    assert 0 < asked.sum() < asked.size
    ax = plot_calibration(bag, None, Y, proba=proba)
    assert ax.texts[0].get_text().startswith(f"{asked.sum()} rows, ")


def test_the_histogram_holds_all_rows():
    ax = plot_calibration(TREE, X_TEST, Y_TEST)
    (steps,) = (patch for patch in ax.patches if hasattr(patch, "get_data"))
    tops, edges, baseline = steps.get_data()
    counts, _ = np.histogram(TREE.predict_proba(X_TEST)[:, 1], edges)
    assert counts.sum() == 500
    np.testing.assert_allclose((tops - baseline) / (tops - baseline).max(), counts / counts.max())
    assert ax.texts[0].get_text() == f"500 rows, at most {counts.max()} in a column"


@pytest.mark.parametrize("size", [(2.2, 2.6), (4, 4), (10, 3)])
def test_curves_share_axes_and_the_legend_is_above_them(size):
    _, ax = plt.subplots(figsize=size, layout="constrained")
    for depth in (1, 3, 5):
        model = CARTClassifier(max_depth=depth).fit(X, Y)
        assert plot_calibration(model, X_TEST, Y_TEST, ax=ax, label=f"depth {depth}") is ax
    assert len(drawn(ax)) == 3
    assert [text.split(" ")[0] for text in legend(ax)] == ["depth"] * 3 + ["as"]
    assert len({line.lines[0].get_color() for line in ax.containers}) == 3
    ax.figure.canvas.draw()
    bottom = ax.transData.inverted().transform(ax.get_legend().get_window_extent())[0, 1]
    assert bottom >= 1.0
    for artist in (ax.get_legend(), ax.texts[0]):
        inside = artist.get_window_extent()
        assert ax.figure.bbox.x0 <= inside.x0
        assert inside.x1 <= ax.figure.bbox.x1


@checked
@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=40),
    st.integers(1, 12),
)
def test_bins_keep_every_row_and_equal_ones_together(rows, n_bins):
    said, is_so = np.array(rows, dtype=float).T
    bins = bins_of(said / 4.0, is_so == 1, n_bins)
    assert bins.n_rows.sum() == said.size
    assert bins.n_rows.min() >= 1
    assert len(bins.mean) <= min(n_bins, np.unique(said).size)
    assert np.all(np.diff(bins.mean) > 0)
    assert bins.n_rows @ bins.share == pytest.approx(is_so.sum())
    assert bins.n_rows @ bins.mean == pytest.approx(said.sum() / 4.0)
    assert np.all((bins.low <= bins.share + 1e-12) & (bins.share <= bins.high + 1e-12))
    assert 0.0 <= bins.error <= 1.0


def test_intervals_shrink_with_rows():
    low, high = wilson(np.full(3, 0.3), np.array([10.0, 100.0, 1e6]))
    assert np.all(np.diff(high - low) < 0)
    assert high[-1] - low[-1] < 0.002


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((TREE, X, Y), {"n_bins": 0}, "n_bins must be at least 1; got 0"),
        ((TREE, None, Y), {}, "X must be given with a model"),
        ((TREE, X, None), {}, "y must be given"),
        ((TREE, X, Y), {"proba": np.ones((200, 2)) / 2}, "X must be None if proba is given"),
        ((None, None, Y), {"proba": np.ones((200, 3)) / 3}, r"\[0, 1\]; got shape \(200, 3\)"),
        ((None, None, Y), {"proba": np.ones((200, 2))}, "that sum to 1 in each row"),
        ((None, None, Y), {"proba": np.full((200, 2), np.nan)}, "at least one row"),
        ((TREE, X, np.full(200, 7)), {}, r"classes \[0, 1\] only; got 7"),
        ((None, None, [0, 0]), {"proba": [[1.0], [1.0]]}, r"at least two; got \[0\]"),
    ],
)
def test_odd_input_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        plot_calibration(*arguments, **options)
    assert not plt.get_fignums()


def test_models_without_probabilities_are_refused():
    with pytest.raises(TypeError, match="which LinearSVC has not; pass proba="):
        plot_calibration(LinearSVC().fit(X, Y), X, Y)
