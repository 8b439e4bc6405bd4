"""One row on its way, read back and held against what the model says."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import PathPatch
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier

from softwood import (
    BaggedTreesRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    VRForestClassifier,
    soften,
)
from softwood.plot import plot_flow
from softwood.plot._tree_shapes import BAND, POINTS
from tests.plot.test_tree import PLAY, PLAYED, boxes, overlapping, written
from tests.strategies import WITHOUT_JIT

X, Y = load_iris(return_X_y=True, as_frame=True)
Y = Y.map({0: "setosa", 1: "versicolor", 2: "virginica"})
XD, YD = load_diabetes(return_X_y=True, as_frame=True)


def number(text):
    return float(text.removesuffix("%").lstrip("<>"))


def parts(ax):
    """Answer, share of the row and what it adds, of each end that gets some."""
    inside, _ = written(ax)
    ends = [text.split("\n") for text in inside if "\nadds " in text]
    return [(lines[0], number(lines[1]), float(lines[2].removeprefix("adds "))) for lines in ends]


def widths(ax):
    """Of the bands, in shares of the row."""
    scale = POINTS * BAND
    drawn = [patch for patch in ax.patches if isinstance(patch, PathPatch)]
    return [patch.get_linewidth() / scale for patch in drawn if patch.get_linestyle() != ":"]


def check_sum(ax, total):
    """What the ends add is the prediction, up to the digits that are shown."""
    found = parts(ax)
    assert sum(added for *_, added in found) == pytest.approx(total, rel=0.01, abs=0.01)
    assert sum(share for _, share, _ in found) == pytest.approx(100.0, abs=1.5)
    assert overlapping(ax) == []


def test_all_of_a_row_goes_one_way_in_a_crisp_tree():
    model = C45Classifier().fit(X, Y)
    ax = plot_flow(model, X.iloc[70])
    proba = model.predict_proba(X.iloc[[70]]).max()
    assert ax.get_title() == f"virginica: probability {proba:.3f}"
    assert parts(ax) == [("virginica", 100.0, pytest.approx(proba, abs=1e-3))]
    inside, above = written(ax)
    assert inside[0] == "petal width (cm)\nis 1.8\n100%"
    assert above[:3] == ["", "<= 0.6", "> 0.6"]
    assert inside[1] == "1 leaf\n0%"
    assert widths(ax) == pytest.approx([1.0] * model.tree_.node_depth[model.apply(X)[70]])
    assert overlapping(ax) == []


def test_a_missing_value_divides_the_row():
    model = C45Classifier(max_depth=2).fit(X, Y)
    row = X.iloc[70].copy()
    row["petal width (cm)"] = np.nan
    ax = plot_flow(model, row)
    assert written(ax)[0][0] == "petal width (cm)\nis missing\n100%"
    tree = model.tree_
    leaves = (tree.weight / tree.weight[0])[tree.leaves]
    assert [share for _, share, _ in parts(ax)] == pytest.approx(100 * leaves, abs=0.06)
    assert sorted(widths(ax)) == pytest.approx(sorted((tree.weight / tree.weight[0])[1:]))
    check_sum(ax, model.predict_proba(row.to_frame().T.astype(float)).max())


@pytest.mark.skipif(WITHOUT_JIT, reason="takes minutes in plain Python")
@pytest.mark.parametrize("method", ["perturb", "gradient", "anneal"])
def test_soft_trees_divide_rows_and_the_parts_add_up(method):
    model = SoftTreeClassifier(method=method, random_state=0).fit(X, Y)
    for row in (70, 106):
        ax = plot_flow(model, X.iloc[row], max_leaves=None)
        check_sum(ax, model.predict_proba(X.iloc[[row]]).max())
        plt.close("all")


def test_numbers_add_up_to_the_predicted_one():
    model = soften(CARTRegressor(max_leaf_nodes=8).fit(XD, YD), XD, YD, "perturb", smoothing=0.5)
    ax = plot_flow(model, XD.iloc[3])
    predicted = model.predict(XD.iloc[[3]])[0]
    assert ax.get_title() == f"prediction {predicted:.3f}"
    check_sum(ax, predicted)
    assert ax.get_legend().get_texts()[0].get_text().startswith("bar: empty at ")


def test_sums_and_categories_show_what_the_row_has():
    model = ObliqueTreeClassifier(random_state=0).fit(X, Y)
    ax = plot_flow(model, X.iloc[70])
    assert any("·" in text and "\nis " in text for text in written(ax)[0])
    assert ax.get_legend().get_title().get_text() == "sums have raw weights"
    ax = plot_flow(C45Classifier().fit(PLAY, PLAYED), {"outlook": "rain", "humidity": 75})
    inside, above = written(ax)
    assert inside[0] == "outlook\nis rain\n100%"
    assert above[1:3] == ["= rain", "2 other values"]
    assert inside[2] == "2 leaves\n0%"
    assert overlapping(ax) == []
    with pytest.warns(UserWarning, match="hail"):
        C45Classifier().fit(PLAY, PLAYED).predict(
            pd.DataFrame({"outlook": ["hail"], "humidity": 1})
        )
    ax = plot_flow(C45Classifier().fit(PLAY, PLAYED), {"outlook": "hail", "humidity": 75})
    assert written(ax)[0][0].replace("\n", " ") == "outlook is unknown category 'hail' 100%"
    check_sum(ax, float(ax.get_title().split("probability ")[1]))


def test_laplace_counts_in_what_leaves_add():
    model = C45Classifier(laplace=True).fit(X, Y)
    ax = plot_flow(model, X.iloc[0])
    assert parts(ax)[0][2] == pytest.approx(model.predict_proba(X.iloc[[0]]).max(), abs=1e-3)


def test_the_smallest_parts_are_folded():
    model = SoftTreeClassifier(method="perturb", smoothing=1.0, random_state=0).fit(X, Y)
    whole = plot_flow(model, X.iloc[70], max_leaves=None)
    ax = plot_flow(model, X.iloc[70], max_leaves=2)
    assert len(parts(ax)) == 2 < len(parts(whole))
    assert any("… " in text for text in written(ax)[0])
    check_sum(ax, model.predict_proba(X.iloc[[70]]).max())
    assert len(boxes(plot_flow(model, X.iloc[70], max_leaves=1))) == 1


def test_one_tree_of_an_ensemble():
    forest = VRForestClassifier(5, random_state=0).fit(X, Y)
    for tree in (0, 4):
        ax = plot_flow(forest, X.iloc[70], tree=tree)
        leaf = forest.apply(X)[70, tree]
        answer = forest.trees_[tree].response[leaf]
        name = forest.classes_[answer.argmax()]
        assert ax.get_title().startswith(
            f"tree {tree} of 5: {name}: probability {answer.max():.3g}"
        )
        assert parts(ax)[0][2] == pytest.approx(answer.max(), abs=1e-3)
    bag = BaggedTreesRegressor(3, smoothing=0.3, random_state=0).fit(XD, YD)
    ax = plot_flow(bag, XD.iloc[3], tree=1, max_leaves=None)
    alone = bag.flow_.predict(bag.trees_[1], XD.to_numpy()[[3]])[0, 0]
    assert sum(added for *_, added in parts(ax)) == pytest.approx(alone, rel=0.1)


@pytest.mark.parametrize("size", [(4, 3), (9, 2)])
def test_a_given_room_is_kept(size):
    model = SoftTreeClassifier(method="perturb", random_state=0).fit(X, Y)
    _, ax = plt.subplots(figsize=size, layout="constrained")
    assert plot_flow(model, X.iloc[70], ax=ax) is ax
    assert ax.figure.get_size_inches().tolist() == list(size)
    assert overlapping(ax) == []
    title = ax.title.get_window_extent()
    assert ax.figure.bbox.x0 <= title.x0 < title.x1 <= ax.figure.bbox.x1


def test_the_title_fits_a_new_figure():
    model = CARTClassifier(max_depth=1).fit(X, np.where(Y == "setosa", "s" * 60, "$b$"))
    ax = plot_flow(model, X.iloc[0])
    ax.figure.canvas.draw()
    title = ax.title.get_window_extent()
    assert ax.figure.bbox.x0 <= title.x0 < title.x1 <= ax.figure.bbox.x1
    assert title.y1 <= ax.figure.bbox.y1
    assert not ax.title.get_parse_math()


def test_what_cannot_be_drawn_is_refused():
    forest = VRForestClassifier(2, random_state=0).fit(X, Y)
    row = X.iloc[0]
    with pytest.raises(TypeError, match="has 2 trees; choose one"):
        plot_flow(forest, row)
    with pytest.raises(ValueError, match="tree must be from 0 to 1; got 2"):
        plot_flow(forest, row, tree=2)
    with pytest.raises(TypeError, match="which can read x; got a Tree"):
        plot_flow(forest.trees_[0], row)
    with pytest.raises(ValueError, match="this CARTClassifier is not fitted yet"):
        plot_flow(CARTClassifier(), row)
    with pytest.raises(TypeError, match="CARTClassifier is none"):
        plot_flow(CARTClassifier().fit(X, Y), row, tree=0)
    with pytest.raises(ValueError, match="max_leaves must be at least 1; got 0"):
        plot_flow(CARTClassifier().fit(X, Y), row, max_leaves=0)
    boosted = GradientBoostingClassifier(n_estimators=2).fit(X, Y)
    with pytest.raises(ValueError, match="add up to a score"):
        plot_flow(soften(boosted, X, Y, smoothing=0.1), row, tree=0)
    assert not plt.get_fignums()
