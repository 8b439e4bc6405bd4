"""The smoothing curve, read back from the artists."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from softwood.plot import plot_smoothing
from softwood.refine.perturbation import Perturbation
from softwood.refine.smoothing import SmoothingPath


def path(smoothing=0.2, loss="error"):
    return SmoothingPath(
        smoothing=smoothing,
        lambdas=np.array([0.0, 0.1, 0.2, 0.4]),
        losses=np.array([0.5, 0.4, 0.3, 0.45]),
        standard_errors=np.array([0.01, 0.02, 0.03, 0.04]),
        loss_name=loss,
        best=smoothing,
        parsimonious=smoothing,
        perturbation=Perturbation((1.0,)),
    )


def drawn(ax):
    return {line.get_label(): line.get_xydata().tolist() for line in ax.lines}


def test_the_curve_and_the_choice_are_drawn():
    ax = plot_smoothing(path())
    lines = drawn(ax)
    assert lines["smoothed"] == [[0.0, 0.5], [0.1, 0.4], [0.2, 0.3], [0.4, 0.45]]
    assert lines["chosen"] == [[0.2, 0.3]]
    assert [y for _, y in lines["hard"]] == [0.5, 0.5]
    assert [text.get_text() for text in ax.texts] == ["λ = 0.2"]
    assert ax.get_ylabel() == "error"
    (band,) = ax.collections
    corners = band.get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(0.27)
    assert corners[:, 1].max() == pytest.approx(0.51)


def test_zero_has_a_place_on_the_scale():
    ax = plot_smoothing(path(smoothing=0.0))
    low, high = ax.get_xlim()
    assert low < 0.0 < 0.4 < high
    places = ax.transData.transform([(x, 0.4) for x in (0.0, 0.1, 0.2, 0.4)])[:, 0]
    assert np.all(np.diff(places) > 20)
    assert ax.texts[0].get_text() == "λ = 0"


def test_a_model_can_be_given_and_axes_too():
    ax = plt.subplots()[1]
    assert plot_smoothing(SimpleNamespace(smoothing_path_=path(loss="log_loss")), ax) is ax
    assert ax.get_ylabel() == "log loss"


def test_what_has_no_path_is_refused():
    with pytest.raises(TypeError, match=r"a SmoothingPath or a model with.*got int"):
        plot_smoothing(3)
    assert not plt.get_fignums()
