"""Surfaces against the model asked point by point."""

from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood.datasets import make_gaussians, make_hwang
from softwood.plot import plot_surface
from softwood.plot._surface_grid import grid_over

X, Y = make_gaussians(120, random_state=0)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 1.0])]


class Recorder:
    """A model that keeps what it was asked."""

    def predict(self, rows):
        self.asked = rows
        return np.arange(len(rows), dtype=float)


def image(ax):
    (found,) = ax.get_images()
    return found


def boundary(ax):
    """All points of the lines where the class changes."""
    from matplotlib.contour import ContourSet

    sets = [item for item in ax.collections if isinstance(item, ContourSet)]
    return np.concatenate([path.vertices for item in sets for path in item.get_paths()])


def inside(ax, places):
    """The places in the picture; lines are carried on a little beyond it."""
    low, high, bottom, top = image(ax).get_extent()
    x, y = places.T
    return places[(low < x) & (x < high) & (bottom < y) & (y < top)]


def points(ax):
    from matplotlib.collections import PathCollection

    return [item for item in ax.collections if type(item) is PathCollection]


def test_probabilities_at_the_centres_of_the_cells():
    model = LogisticRegression().fit(X, Y)
    ax = plot_surface(model, X, Y, grid=10)
    shown = image(ax)
    low, high, bottom, top = shown.get_extent()
    for i in (0, 4, 9):
        for j in (0, 5, 9):
            at = [[low + (j + 0.5) * (high - low) / 10, bottom + (i + 0.5) * (top - bottom) / 10]]
            assert shown.get_array()[i, j] == pytest.approx(model.predict_proba(at)[0, 1])
    assert shown.get_clim() == (0.0, 1.0)
    assert shown.origin == "lower"
    assert shown.get_interpolation() == "nearest"


def test_a_step_has_its_line_at_the_threshold():
    model = DecisionTreeClassifier(max_depth=1).fit(X, Y)
    feature, threshold = model.tree_.feature[0], model.tree_.threshold[0]
    ax = plot_surface(model, X, Y)
    extent = image(ax).get_extent()
    cell = (extent[2 * feature + 1] - extent[2 * feature]) / 200
    line = boundary(ax)
    assert np.abs(line[:, feature] - threshold).max() <= cell / 2 + 1e-9
    assert np.ptp(line[:, feature]) == pytest.approx(0.0, abs=1e-9)
    edge = (line[0, feature] - extent[2 * feature]) / cell
    assert edge == pytest.approx(round(edge), abs=0.01), "no cell is cut"
    other = 1 - feature
    assert line[:, other].min() <= extent[2 * other]
    assert line[:, other].max() >= extent[2 * other + 1]


def test_the_line_of_a_linear_model_is_straight():
    model = LogisticRegression().fit(X, Y)
    ax = plot_surface(model, X, Y, grid=50)
    line = inside(ax, boundary(ax))
    assert len(line) > 50
    assert np.abs(model.decision_function(line)).max() < 0.01


def test_three_classes_are_mixed_by_their_probabilities():
    model = LogisticRegression(max_iter=500).fit(X, THREE)
    ax = plot_surface(model, X, THREE, grid=40)
    assert image(ax).get_array().shape == (40, 40, 3)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b", "c"]
    assert [len(item.get_offsets()) for item in points(ax)] == [
        np.sum(name == THREE) for name in "abc"
    ]
    best = np.sort(model.predict_proba(inside(ax, boundary(ax))), axis=1)
    np.testing.assert_allclose(best[:, -1], best[:, -2], atol=0.02)


def test_one_class_of_three():
    model = LogisticRegression(max_iter=500).fit(X, THREE)
    ax = plot_surface(model, X, positive="b", grid=20)
    rows = grid_over(X, (0, 1), "median", 20).rows
    expected = model.predict_proba(rows)[:, 1].reshape(20, 20)
    np.testing.assert_allclose(image(ax).get_array(), expected)
    assert ax.get_figure().axes[1].get_ylabel() == "probability of b"


def test_predicted_classes():
    model = LinearSVC().fit(X, THREE)
    ax = plot_surface(model, X, THREE, grid=25)
    rows = grid_over(X, (0, 1), "median", 25).rows
    predicted = model.predict(rows).reshape(25, 25)
    pixels = np.asarray(image(ax).get_array())
    for name in np.unique(predicted):
        assert len(np.unique(pixels[predicted == name], axis=0)) == 1
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) == len(np.unique(predicted))


def test_regression_shares_one_scale_with_the_points():
    rows, values = make_hwang(n_samples=100, random_state=0)
    model = DecisionTreeRegressor(max_depth=3).fit(rows, values)
    ax = plot_surface(model, rows, values, grid=30)
    asked = grid_over(rows, (0, 1), "median", 30).rows
    np.testing.assert_allclose(image(ax).get_array().ravel(), model.predict(asked))
    (scatter,) = points(ax)
    np.testing.assert_allclose(scatter.get_array(), values)
    assert scatter.get_clim() == image(ax).get_clim() == (values.min(), values.max())


def test_a_model_of_one_class_has_no_line():
    model = DecisionTreeClassifier().fit(X, np.zeros(120))
    ax = plot_surface(model, X, np.zeros(120), grid=5)
    assert len(ax.collections) == 1
    steady = DecisionTreeClassifier(max_depth=1, min_samples_leaf=60).fit(X, Y)
    plot_surface(steady, X, Y, grid=5)


def frame():
    return pd.DataFrame(
        {
            "age": np.array([20, 30, 41, 50], dtype=np.int16),
            "kind": pd.Categorical(["b", "b", "a", None], categories=["c", "b", "a"]),
            "size": np.array([1.0, np.nan, 3.0, 4.0], dtype=np.float32),
            "count": np.array([1, 2, 3, 8]),
            "flag": [True, False, True, True],
            "text": ["u", "v", "v", "w"],
        }
    )


def test_a_frame_stays_a_frame():
    model = Recorder()
    ax = plot_surface(model, frame(), features=("size", 0), grid=7)
    asked = model.asked
    assert asked.columns.tolist() == frame().columns.tolist()
    assert len(asked) == 49
    for name in ("kind", "count", "flag", "text"):
        assert asked[name].dtype == frame()[name].dtype
        assert asked[name].nunique() == 1
    assert asked.iloc[0][["kind", "count", "flag", "text"]].tolist() == ["b", 2, True, "v"]
    assert asked["size"].nunique() == asked["age"].nunique() == 7
    assert asked["size"].tolist()[:2] != asked["size"].tolist()[1:3], "the first goes fastest"
    assert asked["age"].dtype == np.float64
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("size", "age")


def test_others_can_be_held_elsewhere():
    model = Recorder()
    plot_surface(model, frame(), features=("size", "age"), at=[0, "c", 0, 5, False, "z"], grid=3)
    assert model.asked.iloc[4][["kind", "count", "flag", "text"]].tolist() == ["c", 5, False, "z"]
    assert model.asked["kind"].dtype == frame()["kind"].dtype
    rows = np.column_stack([X, X[:, 0]])
    plot_surface(model, rows, grid=3)
    np.testing.assert_allclose(model.asked[:, 2], np.median(X[:, 0]))
    plot_surface(model, rows, at=[0, 0, 5.0], features=(1, 0), grid=3)
    np.testing.assert_allclose(model.asked[:, 2], 5.0)


def test_other_frames_are_read_as_well():
    model = DecisionTreeClassifier().fit(pl.DataFrame(X, schema=["u", "v"]), Y)
    ax = plot_surface(model, pl.DataFrame(X, schema=["u", "v"]), pl.Series(Y), grid=5)
    assert ax.get_xlabel() == "u"


def test_files_stay_small():
    rows = np.random.default_rng(0).random((20_000, 2))
    model = DecisionTreeRegressor(max_depth=6).fit(rows, rows[:, 0])
    ax = plot_surface(model, rows[:500], rows[:500, 0])
    file = BytesIO()
    ax.get_figure().savefig(file, format="pdf")
    assert len(file.getvalue()) < 60_000  # 40 000 cells drawn one by one would take a megabyte
    (few,), (many,) = points(ax), points(plot_surface(model, rows, grid=2))
    assert not few.get_rasterized()
    assert many.get_rasterized()


def test_axes_can_be_given():
    ax = plt.subplots()[1]
    assert plot_surface(Recorder(), X, grid=3, ax=ax) is ax


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": (0,)}, "features must be two columns"),
        ({"features": (0, 0)}, "two different columns"),
        ({"features": (0, 2)}, "a column from 0 to 1; got 2"),
        ({"features": (0, "size")}, "a column from 0 to 1; got 'size'"),
        ({"grid": 1}, "grid must be a whole number of at least 2"),
        ({"at": "mean"}, "at must be 'median' or a row of 2 values"),
        ({"at": [1.0]}, "at must be 'median' or a row of 2 values"),
        ({"response": "logit"}, "response must be one of"),
        ({"response": "value"}, r"one of \['proba', 'class'\] for LogisticRegression"),
        ({"positive": 5}, r"positive must be one of the classes \[0, 1\]"),
        ({"positive": 1, "response": "class"}, "with response 'proba'"),
        ({"y": Y[:5]}, "y must have 120 entries"),
        ({"X": X[0]}, "X must have rows and columns"),
        ({"X": np.full((3, 2), np.nan)}, "at least one finite value"),
    ],
)
def test_odd_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        plot_surface(LogisticRegression().fit(X, Y), **{"X": X, **options})
    assert not plt.get_fignums()


def test_features_must_be_numeric():
    with pytest.raises(ValueError, match="column 'kind' is not"):
        plot_surface(Recorder(), frame(), features=("age", "kind"))
    with pytest.raises(ValueError, match="or one of"):
        plot_surface(Recorder(), frame(), features=("age", "weight"))
