"""Pictures of differences, read back from their artists."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch

from softwood import (
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    ObliqueTreeClassifier,
    VRForestRegressor,
    diff,
    refresh,
    soften,
)
from softwood.datasets import make_gaussians
from softwood.plot import plot_diff
from softwood.plot._tree_shapes import MARKED
from softwood.plot.diff import COLOUR_OF

X, Y = make_gaussians(200, random_state=0)


def boxes(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def marked(ax):
    """The last lines and the colours of boxes with thick frames."""
    drawn = boxes(ax)
    return [
        (text.get_text().splitlines()[-1], to_hex(box.get_edgecolor()).upper())
        for box, text in zip(drawn, ax.texts[: len(drawn)], strict=True)
        if box.get_linewidth() > 0.5 * MARKED
    ]


def test_tests_that_changed_are_framed_and_say_how():
    old = CARTClassifier(max_depth=2).fit(X[:100], Y[:100])
    new = CARTClassifier(max_depth=3).fit(X[80:], Y[80:])
    found = diff(old, new, X)
    before, after = plot_diff(found)
    for ax, node, own in ((before, "old_node", "old_test"), (after, "new_node", "new_test")):
        told = {
            getattr(t, node): t for t in found.trees.tests if getattr(t, own) and t.change != "same"
        }
        seen = marked(ax)
        assert len(seen) == len(told) > 0
        colours = sorted(COLOUR_OF[test.change] for test in told.values())
        assert sorted(colour for _, colour in seen) == colours
    (moved,) = [t for t in found.trees.tests if t.change == "moved"][:1]
    assert any(f"by {moved.by:+.3g}" in words for words, _ in marked(after))
    assert before.get_title() == "old: CARTClassifier, 4 leaves"


def test_nothing_is_framed_where_nothing_changed():
    model = CARTClassifier(max_depth=3).fit(X, Y)
    axes = plot_diff(diff(model, model, X))
    assert [marked(ax) for ax in axes] == [[], []]
    assert len(boxes(axes[0])) == model.tree_.n_nodes


def test_leaves_say_what_they_were():
    old = CARTClassifier(max_depth=2).fit(X, Y)
    new = refresh(old, X, 1 - Y)
    _, after = plot_diff(diff(old, new, X))
    assert {words for words, _ in marked(after)} == {"was 0", "was 1"}


def test_widths_and_planes_have_words():
    old = CARTClassifier(max_depth=1).fit(X, Y)
    before, after = plot_diff(diff(old, soften(old, X, Y, smoothing=0.3), X))
    assert marked(before)[0][0].startswith("width becomes ")
    assert marked(after)[0][0] == "width was 0"
    assert "(±" in after.texts[0].get_text()
    plane = ObliqueTreeClassifier(random_state=0, pruning=None).fit(X, Y)
    before, _ = plot_diff(diff(old, plane, X))
    assert marked(before)[0][0] == "becomes a weighted sum"


def test_given_axes_are_used():
    model = CARTClassifier(max_depth=2).fit(X, Y)
    found = diff(model, model, X)
    figure, axes = plt.subplots(2, 1, figsize=(6, 6))
    assert plot_diff(found, axes=axes) == list(axes)
    assert figure.get_size_inches().tolist() == [6, 6]
    with pytest.raises(ValueError, match="axes must have 2 entries, one for each tree; got 1"):
        plot_diff(found, axes=[axes[0]])
    with pytest.raises(TypeError, match=r"use plot_diff\(diff\(old, new, X\)\)"):
        plot_diff(model)


def test_wide_trees_stand_one_above_the_other_and_are_folded():
    wide = CARTClassifier().fit(X, Y)
    stump = CARTClassifier(max_depth=1).fit(X, Y)
    before, after = plot_diff(diff(wide, stump, X), max_leaves=None)
    assert before.get_position().y0 > after.get_position().y0
    before, _ = plot_diff(diff(wide, stump, X), max_leaves=4)
    ends = [text for text in before.texts if "weight" in text.get_text() or "…" in text.get_text()]
    assert len(ends) == 4
    small, large = plot_diff(diff(stump, stump, X))
    assert small.get_position().y1 == pytest.approx(large.get_position().y1)


def test_ensembles_show_their_answers():
    tree = CARTClassifier(max_depth=2).fit(X, Y)
    forest = CoalescenceClassifier(5, random_state=0).fit(X, Y)
    found = diff(tree, forest, X)
    (ax,) = plot_diff(found)
    counts = np.array([float(text.get_text()) for text in ax.texts]).reshape(2, 2)
    for a in (0, 1):
        for b in (0, 1):
            assert counts[a, b] == np.sum((tree.predict(X) == a) & (forest.predict(X) == b))
    assert ax.get_title() == f"{found.n_changed} of 200 answers change"


def test_numbers_lie_beside_the_diagonal():
    target = X[:, 0] + X[:, 1]
    tree = CARTRegressor(max_depth=2).fit(X, target)
    forest = VRForestRegressor(4, random_state=0).fit(X, target)
    (ax,) = plot_diff(diff(tree, forest, X))
    points = ax.collections[0].get_offsets()
    np.testing.assert_allclose(points, np.column_stack([tree.predict(X), forest.predict(X)]))


def test_many_classes_are_not_all_shown():
    label = np.arange(200) % 25
    forests = [CoalescenceClassifier(3, random_state=seed).fit(X, label) for seed in (0, 1)]
    (ax,) = plot_diff(diff(*forests, X))
    assert len(ax.get_xticks()) == 20
    assert "(without 5 further classes)" in ax.get_title()
