"""A picture of a tree, read back from its artists."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch, PathPatch

import softwood
from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    soften,
)
from softwood.datasets import make_gaussians
from softwood.explain.labels import number_text
from softwood.plot import plot_tree
from softwood.plot._palette import COLOURS
from softwood.refine.widen import node_margins
from tests.strategies import WITHOUT_JIT, checked, trees

PLAY = pd.DataFrame(
    {
        "outlook": ["sunny", "sunny", "overcast", "rain", "rain", "rain", "overcast"] * 2,
        "humidity": [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 60],
    }
)
PLAYED = ["no", "no", "yes", "yes", "yes", "no", "yes"] * 2
X, Y = make_gaussians(120, random_state=0)


def written(ax):
    """The texts in the boxes, and those above them."""
    texts = [text.get_text() for text in ax.texts]
    return texts[: len(texts) // 2], texts[len(texts) // 2 :]


def boxes(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def edges(ax):
    return [patch for patch in ax.patches if isinstance(patch, PathPatch)]


def bars(ax):
    """The parts of each bar that has some, as shares of its width and colours."""
    found = []
    for white, parts in zip(ax.collections[::2], ax.collections[1::2], strict=True):
        (whole,) = white.get_paths()
        room = np.ptp(whole.vertices[:, 0])
        shares = [np.ptp(path.vertices[:, 0]) / room for path in parts.get_paths()]
        found.append(dict(zip(map(to_hex, parts.get_facecolors()), shares, strict=False)))
    return found


def overlapping(ax):
    """Pairs of texts that overlap when the figure is drawn, and texts outside of it."""
    figure = ax.figure
    figure.canvas.draw()
    texts = [text for text in ax.texts if text.get_text()]
    texts += ax.get_legend().get_texts() if ax.get_legend() else []
    extents = [text.get_window_extent() for text in texts]
    pairs = [
        (texts[a].get_text(), texts[b].get_text())
        for a in range(len(texts))
        for b in range(a)
        if extents[a].overlaps(extents[b])
    ]
    whole = figure.bbox
    outside = [
        text.get_text()
        for text, box in zip(texts, extents, strict=True)
        if not (whole.x0 <= box.x0 and box.x1 <= whole.x1)
        or not (whole.y0 <= box.y0 and box.y1 <= whole.y1)
    ]
    return pairs + outside


def test_categories_are_on_the_edges():
    ax = plot_tree(C45Classifier().fit(PLAY, PLAYED))
    inside, above = written(ax)
    assert inside[0] == "outlook"
    assert above[:4] == ["", "= overcast", "= rain", "= sunny"]
    assert inside[1] == "yes\nweight 4"
    assert overlapping(ax) == []


def test_sets_of_categories_are_on_the_edges():
    ax = plot_tree(CARTClassifier(max_depth=1).fit(PLAY[["outlook"]], PLAYED))
    inside, above = written(ax)
    assert (inside[0], above) == ("outlook", ["", "in {overcast, rain}", "= sunny"])


def test_numbers_bars_and_widths_of_a_stump():
    model = CARTClassifier(max_depth=1).fit(X, Y)
    tree = model.tree_
    ax = plot_tree(model)
    inside, above = written(ax)
    cut = number_text(tree.threshold[0], 3)
    assert inside[0] == f"x{tree.feature[0]}"
    assert above == ["", f"<= {cut}", f"> {cut}"]
    weights = [number_text(weight, 2) for weight in tree.weight[1:]]
    assert [text.split("\nweight ")[1] for text in inside[1:]] == weights
    for bar, shares in zip(bars(ax), tree.response[1:], strict=True):
        assert bar == pytest.approx(dict(zip([c.lower() for c in COLOURS], shares, strict=False)))
    left, right = (edge.get_linewidth() - 0.6 for edge in edges(ax))
    assert left / right == pytest.approx(tree.weight[1] / tree.weight[2])


def test_boxes_are_around_their_texts_and_edges_end_at_them():
    model = CARTClassifier(max_leaf_nodes=12).fit(X, Y)
    ax = plot_tree(model)
    ax.figure.canvas.draw()
    drawn = boxes(ax)
    for box, text in zip(drawn, ax.texts[: len(drawn)], strict=True):
        outer, inner = box.get_window_extent(), text.get_window_extent()
        assert outer.x0 <= inner.x0 < inner.x1 <= outer.x1
        assert outer.y0 <= inner.y0 < inner.y1 <= outer.y1
    for node, edge in enumerate(edges(ax), start=1):
        corners = edge.get_path().vertices
        above = drawn[model.tree_.parent[node]]
        assert corners[0, 1] == pytest.approx(above.get_y())
        assert corners[0, 0] == pytest.approx(above.get_x() + above.get_width() / 2)
        assert corners[-1, 0] == pytest.approx(drawn[node].get_x() + drawn[node].get_width() / 2)
        assert corners[-1, 1] > drawn[node].get_y() + drawn[node].get_height()


@pytest.mark.parametrize("model", [CARTClassifier, CARTRegressor])
def test_texts_of_a_tree_of_thirty_leaves_do_not_overlap(model):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 4))
    model = model(max_leaf_nodes=30).fit(rows, rng.integers(0, 3, 300))
    assert model.tree_.n_leaves == 30
    names = ["length of petals (cm)", "width", "colour of the petals", "age"]
    ax = plot_tree(model, feature_names=names, X=rows)
    assert overlapping(ax) == []
    assert ax.texts[0].get_fontsize() == plt.rcParams["font.size"]
    _, small = plt.subplots(figsize=(8, 4))
    assert plot_tree(model, feature_names=names, ax=small) is small
    assert small.texts[0].get_fontsize() < plt.rcParams["font.size"]
    assert small.figure.get_size_inches().tolist() == [8, 4]
    assert overlapping(small) == []


def test_figures_grow_with_the_tree_but_not_for_ever():
    rng = np.random.default_rng(0)
    rows, values = rng.normal(size=(600, 2)), rng.normal(size=600)
    widths = [
        plot_tree(CARTRegressor(max_leaf_nodes=n).fit(rows, values)).figure.get_figwidth()
        for n in (2, 10, 200)
    ]
    assert widths[0] < widths[1] < widths[2] < 41.0


def test_numbers_have_bars_between_the_least_and_the_greatest():
    values = np.array([1.0, 2.0, 5.0])
    ax = plot_tree(CARTRegressor().fit([[0.0], [1.0], [2.0]], values))
    colour = COLOURS[0].lower()
    found = {
        text.split("\n")[0]: bar.get(colour, 0.0)
        for text, bar in zip([t for t in written(ax)[0] if "weight" in t], bars(ax), strict=True)
    }
    assert found == pytest.approx({"1": 0.0, "2": 0.25, "5": 1.0})
    (key,) = ax.get_legend().get_texts()
    assert key.get_text() == "bar: empty at 1 (lowest leaf), full at 5 (highest)"
    assert plot_tree(CARTRegressor().fit([[0.0], [1.0]], [3.0, 3.0])).get_legend() is None


def test_the_sum_of_an_oblique_test_has_its_largest_terms():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(80, 5))
    labels = rows @ [5.0, 4.0, 3.0, 2.0, 1.0] > 0
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(rows, labels)
    node = int(np.argmax(np.diff(model.tree_.term_start)))
    n_terms = len(model.tree_.terms(node)[0])
    assert n_terms > 2
    text = written(plot_tree(model, max_terms=2))[0][node]
    assert text.endswith(f" + … {n_terms - 2} more")
    assert "\n" not in text
    names = ["first feature", "second feature", "third feature", "fourth feature", "fifth feature"]
    lines = written(plot_tree(model, max_terms=2, feature_names=names))[0][node].split("\n")
    assert len(lines) == 3  # a long sum has its terms below each other
    assert lines[-1] == f"+ … {n_terms - 2} more"
    assert "more" not in written(plot_tree(model, max_terms=None))[0][node]
    assert overlapping(plot_tree(model, max_terms=None, X=rows)) == []


def test_a_sign_stays_with_its_term():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(80, 3))
    labels = rows @ [3.0, -2.0, 1.0] > 0
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(rows, labels)
    node = int(np.argmax(np.diff(model.tree_.term_start)))
    names = ["a name without any blanks".replace(" ", "_") + str(k) for k in range(3)]
    lines = written(plot_tree(model, feature_names=names))[0][node].split("\n")
    assert len(lines) == 3
    assert all(line.endswith(("0", "1", "2")) for line in lines)
    assert [line[:2] in ("+ ", "- ") for line in lines] == [False, True, True]


def test_terms_are_compared_by_the_spread_of_their_columns():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 3)) * [1.0, 100.0, 0.01]
    labels = rows @ [1.0, 0.03, 50.0] > 0
    model = ObliqueTreeClassifier(pruning=None, random_state=0).fit(rows, labels)
    node = int(np.argmax(np.diff(model.tree_.term_start)))
    features, weights = model.tree_.terms(node)
    raw = plot_tree(model, max_terms=None)
    assert raw.get_legend().get_title().get_text() == "sums have raw weights"
    ax = plot_tree(model, X=rows, max_terms=None)
    note = "sums have weights per standard deviation of the column"
    assert ax.get_legend().get_title().get_text() == note
    text = written(ax)[0][node].split("\nmargin")[0].replace("\n", " ")
    terms = text.replace("- ", "+ -").split(" + ")
    shown = {int(t.split("x")[1]): t.split("x")[0].removesuffix("·") for t in terms}
    sizes = [abs(float(v) if v.strip("-") else 1.0) for v in shown.values()]
    assert sizes == sorted(sizes, reverse=True)
    expected = np.abs(weights * rows.std(axis=0)[features])
    assert list(shown) == features[np.argsort(-expected)].tolist()
    assert sorted(sizes) == pytest.approx(sorted(expected), rel=0.01)
    # The sum is the same, so the cut is.
    assert written(ax)[1] == written(raw)[1]
    assert overlapping(ax) == []


def test_soft_tests_say_where_they_are_soft():
    hard = CARTClassifier(max_leaf_nodes=3).fit(X, Y)
    tree = hard.tree_.replace(below=[0.25, 0.0, 0.0, 0.0, 0.0], above=[0.5, 0.0, 0.0, 0.0, 0.0])
    cut = tree.threshold[0]
    low, high = number_text(cut - 0.25, 3), number_text(cut + 0.5, 3)
    assert written(plot_tree(tree))[0][0].split("\n", 1)[1].replace("\n", " ") == (
        f"(soft from {low} to {high})"
    )


def test_blurred_tests_say_how_much():
    hard = CARTClassifier(max_leaf_nodes=3).fit(X, Y)
    model = soften(hard, X, Y, "perturb", smoothing=0.2)
    scale = model.flow_.scale[int(model.tree_.feature[0])]
    assert scale > 0.0
    assert written(plot_tree(model))[0][0].endswith(f"\n(± {number_text(scale, 3)})")


def test_margins_are_shown_if_rows_are_given():
    model = CARTClassifier(max_leaf_nodes=5).fit(X, Y)
    margins = node_margins(model.tree_, X)
    for shown in (model, model.tree_):
        inside, _ = written(plot_tree(shown, X=X))
        for node in np.flatnonzero(model.tree_.n_children):
            assert inside[node].endswith(f"\nmargin {number_text(margins[node], 3)}")
    assert "margin" not in "".join(written(plot_tree(model))[0])


def folds_of(inside):
    """Leaves and share of the weight in each folded branch."""
    found = []
    for text in inside:
        if "…" in text:
            *_, rows, leaves = text.split("\n")
            share = float(rows.removesuffix("% of rows").lstrip("<>")) / 100.0
            found.append((int(leaves.removeprefix("… ").split(" ")[0]), share))
    return found


def test_a_picture_that_is_cut_says_so():
    model = CARTClassifier(max_leaf_nodes=20).fit(X, Y)
    tree = model.tree_
    ax = plot_tree(model, max_depth=2)
    inside, _ = written(ax)
    assert len(inside) == np.count_nonzero(tree.node_depth <= 2)
    hidden = folds_of(inside)
    whole = sum("weight" in text for text in inside)
    assert sum(leaves for leaves, _ in hidden) + whole == tree.n_leaves
    dashed = [box.get_linestyle() == "--" for box in boxes(ax)]
    assert dashed == ["…" in text for text in inside]
    assert len(bars(ax)) == len(hidden) + whole
    (only,) = written(plot_tree(model, max_depth=0))[0]
    assert only.endswith(f"\n100% of rows\n… {tree.n_leaves} leaves")
    assert written(plot_tree(model, max_depth=99)) == written(plot_tree(model))


def magic_like(n_rows=3000):
    """Ten columns of numbers and two classes that overlap, as in MAGIC."""
    rng = np.random.default_rng(0)
    rows = rng.gamma(2.0, 20.0, size=(n_rows, 10))
    score = np.sin(rows[:, 0] / 15.0) + np.log(rows[:, 1] / rows[:, 2]) + rows[:, 8] / 40.0
    labels = np.where(score + rng.normal(size=n_rows) > 1.0, "gamma", "hadron")
    names = ["length", "width", "size", "conc", "conc1", "asym", "m3_long", "m3_trans"]
    return pd.DataFrame(rows, columns=[*names, "alpha", "dist"]), labels


def soft_tree_of_128_leaves():
    frame, labels = magic_like()
    tree = CARTClassifier(max_leaf_nodes=128).fit(frame, labels)
    return soften(tree, frame, labels, "perturb", smoothing=0.2)


def tree_of_30_categories():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "where it was bought": [f"place {k:02d}" for k in rng.zipf(1.3, 2000) % 30],
            "age": rng.normal(40.0, 10.0, 2000),
        }
    )
    odd = frame["where it was bought"].str[-2:].astype(int) % 2 * 20
    labels = np.where(frame["age"] + odd > 50, "yes", "no")
    return C45Classifier(pruning=None).fit(frame, labels)


def chain():
    rows = np.arange(40.0)[:, None]
    return CARTClassifier().fit(rows, np.arange(40) % 2, sample_weight=1.5 ** np.arange(40))


@pytest.mark.skipif(WITHOUT_JIT, reason="takes minutes in plain Python")
@pytest.mark.parametrize(
    ("make", "least"), [(soft_tree_of_128_leaves, 31), (tree_of_30_categories, 31), (chain, 17)]
)
def test_a_large_tree_is_folded_and_can_be_read(make, least):
    model = make()
    tree = model.tree_
    assert tree.n_leaves > 32
    ax = plot_tree(model)
    inside, _ = written(ax)
    hidden, whole = folds_of(inside), [text for text in inside if "\nweight " in text]
    assert least <= len(hidden) + len(whole) <= 32
    assert sum(leaves for leaves, _ in hidden) + len(whole) == tree.n_leaves
    kept = sum(float(text.split("\nweight ")[1]) for text in whole) / tree.weight[0]
    assert kept + sum(share for _, share in hidden) == pytest.approx(1.0, abs=0.02)
    assert overlapping(ax) == []
    assert ax.texts[0].get_fontsize() == plt.rcParams["font.size"]
    width, height = ax.figure.get_size_inches()
    assert width < 32.0
    assert height < 20.0


@pytest.mark.skipif(WITHOUT_JIT, reason="takes minutes in plain Python")
def test_all_leaves_can_be_asked_for():
    model = soft_tree_of_128_leaves()
    assert len(boxes(plot_tree(model, max_leaves=None))) == model.tree_.n_nodes
    assert len(boxes(plot_tree(model, max_leaves=1))) == 1
    assert len(boxes(plot_tree(model, max_leaves=5, max_depth=1))) == 3


def test_a_single_leaf():
    ax = plot_tree(CARTClassifier().fit(X[:5], ["only"] * 5))
    assert written(ax) == (["only\nweight 5"], [""])


def test_names_of_classes_are_those_given_and_have_colours():
    ax = plot_tree(CARTClassifier(max_depth=1).fit(X, Y), class_names=["_low$", "high $"])
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["_low$", "high $"]
    shades = [to_hex(patch.get_facecolor()) for patch in ax.get_legend().get_patches()]
    assert shades == [colour.lower() for colour in COLOURS[:2]]
    assert not any(text.get_parse_math() for text in ax.texts)


def test_many_classes_have_no_key():
    rows = np.arange(12.0)[:, None]
    ax = plot_tree(CARTClassifier().fit(rows, np.arange(12)))
    assert ax.get_legend() is None
    assert overlapping(ax) == []


@checked
@given(trees(max_tests=4))
def test_every_tree_can_be_drawn(tree):
    ax = plot_tree(tree)
    assert len(boxes(ax)) == tree.n_nodes
    assert len(edges(ax)) == tree.n_nodes - 1
    plt.close("all")


@pytest.mark.skipif(WITHOUT_JIT, reason="takes minutes in plain Python")
def test_evolved_and_trained_trees():
    evolved = EvolvedTreeClassifier(n_iter=500, population_size=20, random_state=0).fit(X, Y)
    ax = plot_tree(evolved, X=X)
    assert len(boxes(ax)) == evolved.tree_.n_nodes
    soft = SoftTreeClassifier(method="anneal", random_state=0).fit(X, Y)
    ax = plot_tree(soft)
    assert "(soft from" in written(ax)[0][0].replace("\n", " ")
    assert overlapping(ax) == []


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(TypeError, match=r"has 2 trees; choose one of them: model\.trees_\[0\]"):
        plot_tree(VRForestClassifier(2, random_state=0).fit(X, Y))
    with pytest.raises(ValueError, match="this CARTClassifier is not fitted yet"):
        plot_tree(CARTClassifier())
    model = CARTClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="max_depth must be at least 0; got -1"):
        plot_tree(model, max_depth=-1)
    with pytest.raises(ValueError, match="max_leaves must be at least 1; got 0"):
        plot_tree(model, max_leaves=0)
    with pytest.raises(ValueError, match="max_terms must be at least 1; got 0"):
        plot_tree(model, max_terms=0)
    with pytest.raises(ValueError, match="class_names must have 2 entries"):
        plot_tree(model, class_names=["a"])
    assert not plt.get_fignums()


def test_one_tree_of_a_forest():
    forest = VRForestClassifier(2, random_state=0).fit(X, Y)
    assert len(boxes(plot_tree(forest.trees_[1], max_depth=1))) == 3


def test_the_name_is_at_the_top():
    assert softwood.plot_tree is plot_tree
