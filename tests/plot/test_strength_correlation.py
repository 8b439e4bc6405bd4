"""Points, contours and shades, read back from the artists."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from scipy.stats import norm

from softwood.plot import plot_strength_correlation

ALPHAS = [0.0, 0.5, 1.0]
AGG = [(0.15, 0.4), (0.2, 0.5), (1.0, 0.55)]
BAG = [(0.12, 0.45), (0.18, 0.52), (0.3, 0.56)]


def result(rho, strength):
    return SimpleNamespace(rho=rho, strength=strength)


def contours(ax):
    """The points of each contour, by what its label says."""
    drawn = [line.get_xydata() for line in ax.lines if line.get_gid() == "contour"]
    labels = [float(text.get_text()) for text in ax.texts]
    return dict(zip(labels, drawn, strict=True))


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_correlation_goes_right_and_strength_up():
    ax = plot_strength_correlation({"Agg": (ALPHAS, [result(*pair) for pair in AGG])})
    assert ax.collections[0].get_offsets().tolist() == [list(pair) for pair in AGG]
    assert (ax.get_xlabel(), ax.get_ylabel()) == (r"correlation $\rho$", "strength $s$")
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < 0.15 < 1.0 < right
    assert bottom < 0.4 < 0.55 < top


def test_points_are_joined_in_the_order_of_alpha():
    ax = plot_strength_correlation({"Agg": ([0.5, 1.0, 0.0], [AGG[1], AGG[2], AGG[0]])})
    joined = next(line for line in ax.lines if line.get_gid() != "contour")
    assert joined.get_xydata().tolist() == [list(pair) for pair in AGG]


def test_shades_go_from_white_to_the_colour_of_the_ensemble():
    ax = plot_strength_correlation({"Agg": (ALPHAS, AGG), "Bag": (ALPHAS, BAG)})
    edges = [tuple(points.get_edgecolors()[0]) for points in ax.collections]
    assert edges[0] != edges[1]
    for points, edge in zip(ax.collections, edges, strict=True):
        first, _, last = points.get_facecolors()
        assert tuple(first) == to_rgba("white")
        np.testing.assert_allclose(last, edge)
    shapes = [len(points.get_paths()[0].vertices) for points in ax.collections]
    assert shapes[0] != shapes[1]


def test_points_without_alpha_are_plain():
    ax = plot_strength_correlation({"forest": [result(*pair) for pair in BAG]})
    assert len(ax.collections[0].get_facecolors()) == 1
    assert len(ax.get_figure().axes) == 1
    assert legend(ax) == ["forest", "bound of the error"]


def test_the_alpha_that_is_marked_has_larger_points():
    ax = plot_strength_correlation({"Agg": (ALPHAS, AGG), "forest": BAG})
    sizes = ax.collections[0].get_sizes()
    assert sizes[1] > sizes[0] == sizes[2]
    assert np.unique(ax.collections[1].get_sizes()).tolist() == [sizes[0]]
    assert legend(ax) == ["Agg", "forest", r"$\alpha$ = 0.5", "bound of the error"]
    for mark in (None, 0.3):
        ax = plot_strength_correlation({"Agg": (ALPHAS, AGG)}, mark=mark)
        assert np.unique(ax.collections[0].get_sizes()).size == 1
        assert legend(ax) == ["Agg", "bound of the error"]


def test_the_bound_is_the_same_along_a_contour():
    lines = contours(plot_strength_correlation({"Agg": (ALPHAS, AGG)}))
    assert len(lines) > 3
    for bound, line in lines.items():
        rho, strength = line.T
        np.testing.assert_allclose(rho * (1 - strength**2) / strength**2, bound)


def test_the_error_of_normal_margins_is_the_same_along_a_contour():
    ax = plot_strength_correlation({"Agg": (ALPHAS, AGG)}, contours="error")
    assert len(contours(ax)) > 3
    for error, line in contours(ax).items():
        rho, strength = line.T
        deviation = np.sqrt(rho * (1 - strength**2))
        np.testing.assert_allclose(norm.cdf(0.0, strength, deviation), error)
    assert legend(ax)[-1] == "error of normal margins"


@pytest.mark.parametrize("points", [AGG, BAG, [(0.5, 0.9), (0.9, 1.0)], [(0.3, -0.2), (0.6, 0.4)]])
def test_labels_sit_on_their_contours_inside_the_axes(points):
    ax = plot_strength_correlation({"one": points})
    places = []
    for (bound, _), text in zip(contours(ax).items(), ax.texts, strict=True):
        to_data = ax.transAxes + ax.transData.inverted()
        rho, strength = to_data.transform(text.xy)
        assert rho * (1 - strength**2) / strength**2 == pytest.approx(bound)
        places.append(text.xy)
    assert len(places) > 1
    assert np.all((np.array(places) > 0) & (np.array(places) < 1))
    gaps = np.abs(np.diff(places, axis=0)).sum(axis=1)
    assert (gaps > 0.08).all()


def test_where_no_contour_comes_none_is_promised():
    ax = plot_strength_correlation({"weak": [(0.3, -0.3), (0.6, -0.1)]})
    assert not contours(ax)
    assert legend(ax) == ["weak"]


def test_contours_can_be_left_out():
    ax = plot_strength_correlation({"Agg": (ALPHAS, AGG)}, contours=None)
    assert not contours(ax)
    assert legend(ax) == ["Agg", r"$\alpha$ = 0.5"]


def test_the_colour_bar_can_be_left_out():
    assert len(plot_strength_correlation({"a": (ALPHAS, AGG)}).get_figure().axes) == 2
    ax = plot_strength_correlation({"a": (ALPHAS, AGG)}, colour_bar=False)
    assert len(ax.get_figure().axes) == 1


def test_a_single_point_has_room():
    ax = plot_strength_correlation({"one": [(0.2, 0.5)]})
    assert np.ptp(ax.get_xlim()) == pytest.approx(0.1)
    assert np.ptp(ax.get_ylim()) == pytest.approx(0.1)


def test_axes_can_be_given():
    ax = plt.subplots()[1]
    assert plot_strength_correlation({"Agg": (ALPHAS, AGG)}, ax=ax) is ax
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("points", "options", "message"),
    [
        ({}, {}, "at least one ensemble"),
        ({"a": []}, {}, r"points\['a'\] must hold at least one result"),
        ({"a": (ALPHAS, AGG, BAG)}, {}, "got a tuple of 3"),
        ({"a": (ALPHAS, AGG[:2])}, {}, "alphas of 'a' must be 2 numbers"),
        ({"a": ([1, 5, 9], AGG)}, {}, "from 0 to 1, one a result; got"),
        ({"a": [0.1, 0.2]}, {}, r"pairs \(rho, strength\); got 0.1"),
        ({"a": [(0.1, np.nan)]}, {}, r"points\['a'\] must be finite"),
        ({"a": AGG}, {"contours": "rho"}, "contours must be one of 'bound', 'error'"),
    ],
)
def test_odd_input_is_refused(points, options, message):
    with pytest.raises(ValueError, match=message):
        plot_strength_correlation(points, **options)
    assert not plt.get_fignums()


def test_what_has_no_names_is_refused():
    with pytest.raises(TypeError, match="mapping from names; got list"):
        plot_strength_correlation(AGG)
