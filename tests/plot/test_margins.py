"""Margins in the plane, read back from the artists."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.contour import QuadContourSet

from softwood import CARTClassifier, CARTRegressor, VRForestClassifier, widen_margins
from softwood.plot import plot_margins
from softwood.refine.widen import node_margins

X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [4.0, 5.0], [3.5, 0.5]])
Y = np.array(["a", "a", "b", "a", "b"])


def drawn(ax):
    """The lines of the tests, and the bands, as sets of corners."""
    sets = [artist for artist in ax.get_children() if isinstance(artist, QuadContourSet)]
    lines = [s.get_paths()[0].vertices for s in sets if not s.filled and s.levels.tolist() == [0.0]]
    bands = [s for s in sets if s.filled]
    return lines, bands


def rings(ax):
    points = [c for c in ax.collections if isinstance(c, PathCollection)]
    (found,) = [c for c in points if c.get_facecolors().size == 0]
    return found.get_offsets()


def test_lines_bands_and_rings_of_a_stump():
    model = CARTClassifier(max_depth=1).fit(X, Y)
    (ax,) = plot_margins(model, X, Y, grid=100)
    threshold, margin = model.tree_.threshold[0], node_margins(model.tree_, X)[0]
    lines, bands = drawn(ax)
    feature = int(model.tree_.feature[0])
    cell = np.ptp(X[:, feature]) * 1.1 / 100
    # The last line is that of the test; the surface has drawn its own before.
    assert np.allclose(lines[-1][:, feature], threshold, atol=1e-9)
    (band,) = bands
    corners = band.get_paths()[0].vertices[:, feature]
    assert corners.min() == pytest.approx(threshold - margin, abs=cell)
    assert corners.max() == pytest.approx(threshold + margin, abs=cell)
    nearest = np.abs(X[:, feature] - threshold) <= margin * (1 + 1e-9)
    assert sorted(rings(ax).tolist()) == sorted(X[nearest].tolist())


def test_each_model_has_a_panel_and_a_title():
    model = CARTClassifier().fit(X, Y)
    wide = widen_margins(model, X, Y, axis="turn")
    panels = plot_margins({"before": model, "after": wide}, X, Y, grid=40)
    assert [ax.get_title() for ax in panels] == ["before", "after"]
    assert panels[0].figure is panels[1].figure
    assert len(drawn(panels[1])[1]) == np.count_nonzero(model.tree_.n_children)


def test_tests_end_where_their_node_ends():
    model = CARTClassifier().fit(X, Y)
    tree = model.tree_
    (ax,) = plot_margins(model, X, grid=200)
    deepest = int(np.flatnonzero(tree.n_children)[-1])
    assert deepest > 0  # there is a test above it
    line = drawn(ax)[0][-1]
    above = int(tree.parent[deepest])
    other = line[:, int(tree.feature[above])]
    is_left = deepest == int(tree.first_child[above])
    cell = 0.05
    assert np.all(
        other <= tree.threshold[above] + cell if is_left else other >= tree.threshold[above] - cell
    )


def test_numbers_and_more_columns_can_be_shown():
    wide_rows = np.column_stack([X, np.arange(5.0)])
    model = CARTRegressor().fit(wide_rows, np.arange(5.0))
    (ax,) = plot_margins(model, wide_rows, features=(2, 0), grid=30)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x2", "x0")


def test_axes_can_be_given():
    model = CARTClassifier().fit(X, Y)
    _, axes = plt.subplots(1, 2)
    assert plot_margins({"a": model, "b": model}, X, Y, grid=20, axes=axes) == list(axes)
    with pytest.raises(ValueError, match="axes must have 1 entries, one for each model; got 2"):
        plot_margins(model, X, Y, axes=axes)


def test_what_is_not_one_tree_is_refused():
    with pytest.raises(TypeError, match="estimators with one tree each; got VRForestClassifier"):
        plot_margins(VRForestClassifier(2, random_state=0).fit(X, Y), X)
    with pytest.raises(TypeError, match="got CARTClassifier"):
        plot_margins(CARTClassifier(), X)
    assert not plt.get_fignums()
