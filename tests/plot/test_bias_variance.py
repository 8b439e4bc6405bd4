"""Bars and curves, read back from the artists."""

from dataclasses import dataclass
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.plot import plot_bias_variance
from softwood.plot._labels import spread_out


@dataclass
class Result:
    bias: float
    variance: float
    noise: float = 0.0
    decomposition: str = "squared"
    noise_known: bool = False


def test_bars_stack_to_the_error():
    results = {
        "tree": Result(2.0, 7.0, 1.0, noise_known=True),
        "a bagged tree": Result(2.5, 1.0, 1.0, noise_known=True),
    }
    ax = plot_bias_variance(results)
    parts = [[(bar.get_x(), bar.get_width()) for bar in group] for group in ax.containers]
    assert parts == [
        [(0.0, 1.0), (0.0, 1.0)],
        [(1.0, 2.0), (1.0, 2.5)],
        [(3.0, 7.0), (3.5, 1.0)],
    ]
    assert [text.get_text() for text in ax.texts] == ["10", "4.5"]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(results)
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["noise", "bias²", "variance"]


def test_noise_is_not_drawn_if_not_known():
    ax = plot_bias_variance({"tree": Result(2.0, 7.0)})
    assert len(ax.containers) == 2
    assert ax.get_legend().get_texts()[0].get_text() == "bias² + noise"
    ax = plot_bias_variance({"tree": Result(0.2, 0.1, decomposition="domingos")})
    assert ax.get_legend().get_texts()[0].get_text() == "bias + noise"


def test_what_is_negative_goes_left():
    ax = plot_bias_variance({"stump": Result(0.5, -0.125, decomposition="domingos")})
    ((bias,), (variance,)) = ax.containers
    assert (bias.get_x(), bias.get_width()) == (0.0, 0.5)
    assert (variance.get_x(), variance.get_width()) == (0.0, -0.125)
    assert ax.texts[0].get_text() == "0.375"
    assert ax.get_xlim()[0] < -0.125


def test_curves_over_a_parameter():
    results = [Result(4.0, 1.0), Result(1.0, 5.0), Result(2.0, 2.0)]
    ax = plot_bias_variance(results, x=[0.0, 2.0, 1.0])
    drawn = {line.get_label(): line.get_xydata().tolist() for line in ax.lines}
    assert drawn == {
        "bias² + noise": [[0.0, 4.0], [1.0, 2.0], [2.0, 1.0]],
        "variance": [[0.0, 1.0], [1.0, 2.0], [2.0, 5.0]],
        "error": [[0.0, 5.0], [1.0, 4.0], [2.0, 6.0]],
    }


def test_labels_of_curves_that_meet_do_not_overlap():
    results = [Result(1.0, 0.001, 0.0, noise_known=True)] * 2
    ax = plot_bias_variance(results, x=[0, 1])
    ax.get_figure().canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(box.x1 <= ax.get_figure().bbox.x1 for box in boxes)


@given(
    st.lists(st.floats(-10, 10), min_size=1, max_size=8),
    st.floats(0.01, 3),
)
def test_labels_are_moved_apart_and_no_more(places, gap):
    given_places = np.array(places)
    moved = spread_out(given_places, gap)
    order = np.argsort(given_places, kind="stable")
    assert (np.diff(moved[order]) >= gap * (1 - 1e-9)).all()
    if (np.diff(given_places[order]) >= gap).all():
        np.testing.assert_allclose(moved, given_places, atol=1e-9)
    assert moved.mean() == pytest.approx(given_places.mean(), abs=1e-9)


def test_axes_can_be_given():
    ax = plt.subplots()[1]
    assert plot_bias_variance({"tree": Result(1.0, 1.0)}, ax=ax) is ax


@pytest.mark.parametrize(
    ("results", "x", "message"),
    [
        ({}, None, "at least one result"),
        ([Result(1.0, 1.0)], None, "must be a mapping"),
        ([Result(1.0, 1.0)], [1, 2], "x must have 1 values"),
        ({"a": Result(1, 1), "b": Result(1, 1, noise_known=True)}, None, "all with a truth"),
        ({"a": Result(1, 1), "b": Result(1, 1, 0, "domingos")}, None, "one decomposition"),
    ],
)
def test_odd_input_is_refused(results, x, message):
    with pytest.raises(ValueError, match=message):
        plot_bias_variance(results, x=x)
    assert not plt.get_fignums()
