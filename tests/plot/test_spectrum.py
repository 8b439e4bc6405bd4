"""Curves over alpha, read back from the artists."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from softwood.evaluate import compare
from softwood.plot import plot_spectrum
from softwood.statistics import mean_ranks

ALPHAS = [0.0, 0.5, 1.0]
AGG = np.array([[0.10, 0.08, 0.20], [0.50, 0.46, 0.54], [0.30, 0.30, 0.40]])
BAG = np.array([[0.12, 0.09, 0.10], [0.55, 0.44, 0.45], [0.32, 0.28, 0.27]])
COALESCENCE = np.array([0.07, 0.45, 0.29])
RESULT = {"Agg": (ALPHAS, AGG), "Bag": (ALPHAS, BAG)}


def lines(ax):
    """Points of each line by its label; of a reference its height."""
    return {
        line.get_label(): line.get_xydata().tolist()
        for line in ax.lines
        if not line.get_label().startswith("_")
    }


def best(ax):
    return [line.get_xydata()[0].tolist() for line in ax.lines if line.get_label() == "_best"]


def test_means_over_alpha_and_the_best_of_each():
    ax = plot_spectrum(RESULT)
    drawn = lines(ax)
    assert list(drawn) == ["Agg", "Bag"]
    np.testing.assert_allclose(drawn["Agg"], np.column_stack([ALPHAS, AGG.mean(axis=0)]))
    np.testing.assert_allclose(drawn["Bag"], np.column_stack([ALPHAS, BAG.mean(axis=0)]))
    np.testing.assert_allclose(best(ax), [[0.5, 0.28], [0.5, 0.27]])
    assert "by gain" in ax.get_xlabel()
    assert ax.get_ylabel() == "error"


def test_alphas_come_in_any_order():
    mixed = plot_spectrum({"Agg": ([1.0, 0.0, 0.5], AGG[:, [2, 0, 1]])})
    assert lines(mixed) == lines(plot_spectrum({"Agg": (ALPHAS, AGG)}))


def test_references_are_flat():
    ax = plot_spectrum(RESULT, references={"Coalescence": COALESCENCE, "forest": 0.3})
    for name, height in (("Coalescence", 0.27), ("forest", 0.3)):
        np.testing.assert_allclose(lines(ax)[name], [[0.0, height], [1.0, height]])
    assert [text.get_text() for text in ax.texts] == ["Agg", "Bag", "Coalescence", "forest"]


def test_the_band_is_the_standard_error_of_differences():
    """How hard a data set is must not matter: a shift of it moves the curves, not the band."""
    one = plot_spectrum(RESULT, references={"Coalescence": COALESCENCE})
    shift = np.array([[0.0], [0.1], [0.2]])
    other = plot_spectrum(
        {"Agg": (ALPHAS, AGG + shift), "Bag": (ALPHAS, BAG + shift)},
        references={"Coalescence": COALESCENCE + shift[:, 0]},
    )
    assert len(one.collections) == len(other.collections) == 2
    for first, second in zip(one.collections, other.collections, strict=True):
        np.testing.assert_allclose(widths(first), widths(second), atol=1e-12)
    level = np.column_stack([AGG, BAG, COALESCENCE]).mean(axis=1)
    for band, errors in zip(one.collections, (AGG, BAG), strict=True):
        expected = np.std(errors.T - level, axis=1, ddof=1) / np.sqrt(3)
        np.testing.assert_allclose(widths(band), 2 * expected, atol=1e-12)


def widths(band):
    """The height of a band at each alpha."""
    vertices = band.get_paths()[0].vertices
    return [np.ptp(vertices[vertices[:, 0] == alpha, 1]) for alpha in ALPHAS]


def test_means_alone_have_no_band():
    ax = plot_spectrum({"Agg": (ALPHAS, AGG.mean(axis=0)), "Bag": (ALPHAS, BAG)})
    assert len(ax.collections) == 1
    assert not plot_spectrum({"Agg": (ALPHAS, AGG[:1])}).collections


def test_ranks_are_among_all_that_is_drawn():
    ax = plot_spectrum(RESULT, references={"Coalescence": COALESCENCE}, show="rank")
    ranks = mean_ranks(np.column_stack([AGG, BAG, COALESCENCE]))
    drawn = lines(ax)
    found = [y for name in ("Agg", "Bag") for _, y in drawn[name]] + [drawn["Coalescence"][0][1]]
    np.testing.assert_allclose(found, ranks)
    assert ax.get_ylabel() == "mean rank"
    assert not ax.collections


def test_a_table_with_alphas_in_its_names():
    """A method without a data set's score takes that data set out."""
    table = pd.DataFrame(
        np.column_stack([AGG[:, ::-1], BAG, COALESCENCE, COALESCENCE]),
        columns=[
            *("Agg 1", "Agg 0.5", "Agg 0"),
            *("Bag, alpha=0.0", "Bag, alpha=.5", "Bag, alpha = 1.0"),
            *("C4.5", "forest 100"),
        ],
    )
    table.loc[3] = [np.nan, *[0.9] * 7]
    ax = plot_spectrum(table)
    expected = plot_spectrum(RESULT, references={"C4.5": COALESCENCE, "forest 100": COALESCENCE})
    assert lines(ax) == lines(expected)


def test_a_comparison_is_asked_for_its_table():
    methods = {
        "tree 0": DummyClassifier(),
        "tree 1": DecisionTreeClassifier(max_depth=2),
        "stump": DecisionTreeClassifier(max_depth=1),
    }
    found = compare(methods, ["iris", "wine"], "kfold:2")
    drawn = lines(plot_spectrum(found))
    means = found.scores().mean(axis=0)
    np.testing.assert_allclose(drawn["tree"], [[0.0, means[0]], [1.0, means[1]]])
    assert drawn["stump"][0][1] == pytest.approx(means[2])


def test_names_do_not_overlap_and_stay_on_the_figure():
    flat = {f"method {i}": (ALPHAS, [0.1, 0.2, 0.3 + i / 1000]) for i in range(5)}
    ax = plot_spectrum(flat)
    ax.get_figure().canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(box.x1 <= ax.get_figure().bbox.x1 for box in boxes)


def test_axes_and_label_can_be_given():
    ax = plt.subplots()[1]
    assert plot_spectrum(RESULT, label="log loss", ax=ax) is ax
    assert ax.get_ylabel() == "log loss"
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize(
    ("result", "options", "message"),
    [
        ({}, {}, "at least one curve"),
        ({"a": AGG}, {}, "must be a pair"),
        ({"a": (ALPHAS, AGG[:, :2])}, {}, "each of its 3 alphas, at least one; got 2"),
        ({"a": ([], [])}, {}, "at least one; got 0"),
        ({"a": (ALPHAS, [[0.1, 0.2], [0.3]])}, {}, "errors of 'a' must hold numbers only"),
        ({"a": (ALPHAS, [0.1, np.nan, 0.2])}, {}, "errors of 'a' must be finite; got nan"),
        ({"a": ([0, np.inf, 1], AGG)}, {}, "alphas of 'a' must be finite"),
        (RESULT, {"references": {"c": [0.1, np.nan, 0.1]}}, r"references\['c'\] must be finite"),
        (RESULT, {"references": {"c": [0.1, 0.2]}}, r"the same data sets; got.*'c': 2"),
        (RESULT, {"show": "both"}, "show must be one of 'error', 'rank'"),
        (RESULT, {"references": {"c": 0.1}, "show": "rank"}, "only one row for 'c'"),
        (pd.DataFrame({"CART": [0.1], "C4.5": [0.2]}), {}, r"got \['CART', 'C4.5'\]"),
        (pd.DataFrame({"Agg 0": [0.1], "Agg 1": [np.nan]}), {}, "every method has a score"),
    ],
)
def test_odd_input_is_refused(result, options, message):
    with pytest.raises(ValueError, match=message):
        plot_spectrum(result, **options)
    assert not plt.get_fignums()


def test_what_is_no_result_is_refused_by_name():
    with pytest.raises(TypeError, match="or a Comparison; got list"):
        plot_spectrum([AGG])
