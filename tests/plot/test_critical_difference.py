"""The diagram, read back from the artists."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softwood.plot import plot_critical_difference
from softwood.plot._rank_layout import bar_levels
from softwood.statistics import critical_difference, holm, mean_ranks

# Scores with the mean ranks of the example in Demšar (2006), section 3.2: four variants of
# C4.5 on fourteen data sets, higher is better.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def random_scores(n_methods, seed=0, n_datasets=15, slope=0.1):
    rng = np.random.default_rng(seed)
    return rng.random((n_datasets, n_methods)) + slope * np.arange(n_methods)


def lines(ax, gid):
    return [line.get_xydata() for line in ax.lines if line.get_gid() == gid]


def bars(ax):
    return sorted((xy[0, 0], xy[1, 0]) for xy in lines(ax, "bar"))


def names(ax):
    return [text for text in ax.texts if text.get_gid() == "name"]


def assert_legible(ax):
    """No two texts overlap, and none leaves the figure."""
    figure = ax.get_figure()
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert box.x0 >= figure.bbox.x0
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= figure.bbox.y0 - 1
        assert box.y1 <= figure.bbox.y1 + 1


def test_the_example_of_demsar():
    """Mean ranks 3.143, 2.000, 2.893, 1.964 and, at 0.10, a critical difference of 1.12."""
    ax = plot_critical_difference(-DEMSAR, NAMES, alpha=0.1)
    assert [text.get_text() for text in names(ax)] == [
        "C4.5+m+cf",
        "C4.5+m",
        "C4.5",
        "C4.5+cf",
    ]
    starts = sorted(xy[0, 0] for xy in lines(ax, "leader"))
    np.testing.assert_allclose(starts, [1.964, 2.0, 2.893, 3.143], atol=5e-4)
    ((ends, _),) = [xy.T for xy in lines(ax, "critical difference")]
    assert ends[1] - ends[0] == pytest.approx(1.12, abs=0.005)
    assert "CD = 1.12" in [text.get_text() for text in ax.texts]
    # C4.5 is worse than the two best; C4.5+cf may belong with either.
    np.testing.assert_allclose(bars(ax), [(1.964, 2.893), (2.893, 3.143)], atol=5e-4)


@pytest.mark.parametrize("n_methods", [2, 3, 5, 8, 13, 30])
@pytest.mark.parametrize("given_axes", [False, True])
def test_any_number_of_methods_is_legible(n_methods, given_axes):
    scores = random_scores(n_methods)
    labels = [f"method number {j}" for j in range(n_methods)]
    ax = plot_critical_difference(scores, labels, ax=plt.subplots()[1] if given_axes else None)
    assert sorted(text.get_text() for text in names(ax)) == sorted(labels)
    assert_legible(ax)


@pytest.mark.parametrize("given_axes", [False, True])
def test_long_names_are_legible(given_axes):
    labels = [f"a gradient boosted $forest$ of soft\ntrees, version {j}" for j in range(9)]
    ax = plot_critical_difference(
        random_scores(9), labels, ax=plt.subplots()[1] if given_axes else None
    )
    assert_legible(ax)
    assert {text.get_text() for text in names(ax)} == {" ".join(x.split()) for x in labels}


@given(
    n_methods=st.integers(2, 12),
    n_datasets=st.integers(2, 25),
    seed=st.integers(0, 99),
    ties=st.booleans(),
)
@settings(max_examples=25)
def test_bars_join_exactly_what_does_not_differ(n_methods, n_datasets, seed, ties):
    scores = random_scores(n_methods, seed, n_datasets)
    ax = plot_critical_difference(np.round(scores, 1) if ties else scores)
    ranks = mean_ranks(np.round(scores, 1) if ties else scores)
    difference = critical_difference(n_methods, n_datasets)
    found = bars(ax)
    plt.close("all")
    for low, high in found:
        assert high - low < difference
        assert {low, high} <= set(ranks)
        assert np.sum((ranks >= low) & (ranks <= high)) > 1
    for a, b in combinations(ranks, 2):
        joined = any(low <= min(a, b) and max(a, b) <= high for low, high in found)
        assert joined == (abs(a - b) < difference)
    for one, other in combinations(found, 2):
        assert not (one[0] <= other[0] and other[1] <= one[1]), "a bar within another"


def test_leaders_lead_from_the_rank_to_the_name():
    scores = random_scores(7)
    ax = plot_critical_difference(pd.DataFrame(scores, columns=list("abcdefg")))
    ranks = dict(zip("abcdefg", mean_ranks(scores), strict=True))
    leaders = {round(xy[2, 1], 6): xy for xy in lines(ax, "leader") if xy[2, 0] == 1.0}
    others = {round(xy[2, 1], 6): xy for xy in lines(ax, "leader") if xy[2, 0] == 7.0}
    for text in names(ax):
        side = leaders if text.get_ha() == "right" else others
        xy = side[round(text.get_position()[1], 6)]
        assert xy[0, 0] == xy[1, 0] == pytest.approx(ranks[text.get_text()])
    assert len(leaders) == 4
    assert len(others) == 3


def test_equal_methods_are_one_group():
    scores = np.tile([[0.2], [0.3], [0.1]], (1, 4))
    ax = plot_critical_difference(scores)
    assert bars(ax) == [(2.5, 2.5)]
    assert_legible(ax)


def test_bars_share_a_level_only_if_they_do_not_touch():
    assert bar_levels([(1, 2), (1.5, 3), (2.5, 4), (3.5, 5)], 0.1) == [0, 1, 0, 1]
    assert bar_levels([(1, 2), (2.05, 3)], 0.1) == [0, 1]


def test_bonferroni_dunn_shows_the_interval_around_the_control():
    scores = random_scores(6)
    ax = plot_critical_difference(
        scores, list("abcdef"), test="bonferroni_dunn", control="c", alpha=0.1
    )
    difference = critical_difference(6, 15, 0.1, "bonferroni_dunn")
    centre = mean_ranks(scores)[2]
    np.testing.assert_allclose(bars(ax), [(centre - difference, centre + difference)])
    assert [text.get_text() for text in names(ax) if text.get_weight() == "bold"] == ["c"]
    low, high = ax.get_xlim()
    assert low <= centre - difference
    assert high >= centre + difference


def test_holm_with_a_control():
    scores = random_scores(6, slope=0.15)
    ax = plot_critical_difference(scores, test="holm", control=2)
    adjusted = holm(scores, 2).adjusted
    ranks = mean_ranks(scores)
    alike = ranks[adjusted > 0.05]
    assert 1 < alike.size < 6
    np.testing.assert_allclose(bars(ax), [(alike.min(), alike.max())])
    assert not lines(ax, "critical difference")
    apart = np.tile([0.0, 1.0], (40, 1))
    assert bars(plot_critical_difference(apart, test="holm", control=0)) == []


def test_holm_for_all_pairs():
    scores = random_scores(5, slope=0.15)
    ax = plot_critical_difference(scores, test="holm")
    ranks, adjusted = mean_ranks(scores), holm(scores).adjusted
    for i, j in combinations(range(5), 2):
        joined = any(
            low <= min(ranks[i], ranks[j]) and max(ranks[i], ranks[j]) <= high
            for low, high in bars(ax)
        )
        assert joined == (adjusted[i, j] > 0.05)


def test_a_comparison_is_asked_for_its_table():
    class Comparison:
        def table(self):
            return pd.DataFrame(random_scores(3), columns=["x", "y", "z"])

    ax = plot_critical_difference(Comparison())
    assert sorted(text.get_text() for text in names(ax)) == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["a"]}, "names must have 3 entries"),
        ({"test": "tukey"}, "test must be one of"),
        ({"alpha": 2}, "alpha must lie between 0 and 1"),
        ({"control": 1}, "control must be left out if test='nemenyi'"),
        ({"test": "bonferroni_dunn"}, "control must be given"),
        ({"test": "holm", "control": "tree"}, "control must be one of the methods"),
        ({"test": "holm", "control": 3}, "control must be a column from 0 to 2"),
    ],
)
def test_odd_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        plot_critical_difference(random_scores(3), **options)
    assert not plt.get_fignums(), "nothing half-drawn remains"
