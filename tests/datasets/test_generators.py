"""Generators against the laws they claim to follow."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from softwood import datasets
from softwood.datasets.generators.classic import _SEGMENTS

RANDOM = {
    "separable": ({}, 2),
    "gaussians": ({"n_features": 10}, 10),
    "twonorm": ({}, 20),
    "mixture": ({}, 2),
    "friedman1": ({}, 10),
    "waveform": ({"noise": True}, 40),
    "led": ({"irrelevant": True}, 24),
    "hwang": ({"function": "f2"}, 2),
    "concept": ({"n_irrelevant": 8}, 10),
}


def make(name, **options):
    return getattr(datasets, f"make_{name}")(**options)


@pytest.mark.parametrize("name", RANDOM)
def test_shapes_and_repeatability(name):
    options, width = RANDOM[name]
    X, y = make(name, n_samples=31, random_state=7, **options)
    assert X.shape == (31, width)
    assert y.shape == (31,)
    again, _ = make(name, n_samples=31, random_state=np.random.default_rng(7), **options)
    np.testing.assert_array_equal(X, again)
    other, _ = make(name, n_samples=31, random_state=8, **options)
    assert not np.array_equal(X, other)


def test_what_random_state_may_be():
    rng = np.random.default_rng(0)
    first, second = (datasets.make_twonorm(5, random_state=rng)[0] for _ in range(2))
    assert not np.array_equal(first, second), "a generator moves on"
    old = [np.random.RandomState(3) for _ in range(2)]
    one, two = (datasets.make_twonorm(5, random_state=state)[0] for state in old)
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(datasets.make_twonorm(5, random_state=old[0])[0], one), (
        "an old-style state moves on as well"
    )
    assert datasets.make_twonorm(5)[0].shape == (5, 20)


@pytest.mark.parametrize("name", ["separable", "gaussians", "mixture"])
def test_balanced_classes(name):
    _, y = make(name, n_samples=41, random_state=0)
    assert np.bincount(y).tolist() == [21, 20]
    assert sorted(y) != y.tolist(), "rows are in random order"


@pytest.mark.parametrize("n_features", [2, 10])
def test_gaussians_have_the_bayes_error_of_the_paper(n_features):
    X, y = datasets.make_gaussians(100_000, n_features=n_features, random_state=0)
    means = np.array([X[y == c].mean(axis=0) for c in (0, 1)])
    np.testing.assert_allclose(means[0], 0, atol=0.02)
    assert np.linalg.norm(means[1] - means[0]) == pytest.approx(1, abs=0.02)
    guessed = X.sum(axis=1) / np.sqrt(n_features) > 0.5
    assert (guessed != y).mean() == pytest.approx(NormalDist().cdf(-0.5), abs=0.005)


def test_twonorm_has_bayes_error_of_two_percent():
    X, y = datasets.make_twonorm(200_000, random_state=0)
    assert ((X.sum(axis=1) < 0) != y).mean() == pytest.approx(NormalDist().cdf(-2), abs=0.0015)
    np.testing.assert_allclose(X[y == 0].mean(axis=0), 2 / np.sqrt(20), atol=0.02)
    np.testing.assert_allclose(X.std(axis=0), np.sqrt(1.2), atol=0.02)


def test_separable_keeps_its_margin_and_is_uniform():
    X, y = datasets.make_separable(100_000, margin=0.1, random_state=0)
    signed = (X[:, 1] - X[:, 0]) / np.sqrt(2)
    assert np.abs(signed).min() >= 0.1
    np.testing.assert_array_equal(y, signed > 0)
    assert X.min() >= 0
    assert X.max() <= 1
    # On a triangle, the distance from its long side has a density that falls to zero.
    height = np.sqrt(0.5) - 0.1
    depth = (np.abs(signed) - 0.1) / height
    np.testing.assert_allclose(
        np.quantile(depth, [0.25, 0.5, 0.75]), 1 - np.sqrt([0.75, 0.5, 0.25]), atol=0.01
    )


def test_mixture_clouds():
    X, y = datasets.make_mixture(20_000, n_centres=1, spread=0.2, random_state=0)
    for label in (0, 1):
        np.testing.assert_allclose(X[y == label].var(axis=0), 0.2, atol=0.02)
    more, labels = datasets.make_mixture(40_000, n_centres=1, random_state=0)
    same = more[labels == 0].mean(axis=0) - X[y == 0].mean(axis=0)
    np.testing.assert_allclose(same, 0, atol=0.02)
    many, labels = datasets.make_mixture(20_000, n_centres=5_000, random_state=1)
    np.testing.assert_allclose(many[labels == 0].mean(axis=0), [1, 0], atol=0.07)
    np.testing.assert_allclose(many[labels == 1].mean(axis=0), [0, 1], atol=0.07)


def test_friedman1_formula():
    X, y = datasets.make_friedman1(50_000, random_state=0)
    signal = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    noise = y - signal - 10 * X[:, 3] - 5 * X[:, 4]
    assert noise.mean() == pytest.approx(0, abs=0.02)
    assert noise.std() == pytest.approx(1, abs=0.02)
    assert datasets.make_friedman1(3, n_features=5, random_state=0)[0].shape == (3, 5)


def test_waveform_means_and_variances():
    X, y = datasets.make_waveform(90_000, noise=True, random_state=0)
    i = np.arange(1, 22)
    h = [np.maximum(6 - np.abs(i - centre), 0) for centre in (11, 15, 7)]
    assert h[0][10] == h[1][14] == h[2][6] == 6
    for label, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
        rows = X[y == label]
        np.testing.assert_allclose(rows[:, :21].mean(axis=0), (h[a] + h[b]) / 2, atol=0.06)
        spread = 1 + (h[a] - h[b]) ** 2 / 12
        np.testing.assert_allclose(rows[:, :21].var(axis=0), spread, rtol=0.05)
    np.testing.assert_allclose(X[:, 21:].var(axis=0), 1, atol=0.03)
    np.testing.assert_allclose(np.bincount(y) / len(y), 1 / 3, atol=0.01)


def test_led_flips_a_tenth_of_the_segments():
    X, y = datasets.make_led(50_000, irrelevant=True, random_state=0)
    shapes = np.array([[int(bit) for bit in digit] for digit in _SEGMENTS.split()])
    assert len({tuple(shape) for shape in shapes.tolist()}) == 10
    flips = (X[:, :7] != shapes[y]).mean(axis=0)
    np.testing.assert_allclose(flips, 0.1, atol=0.01)
    np.testing.assert_allclose(X[:, 7:].mean(axis=0), 0.5, atol=0.015)
    np.testing.assert_allclose(np.bincount(y) / len(y), 0.1, atol=0.01)


@pytest.mark.parametrize(
    ("function", "sd"), [("f1", 0.966), ("f2", 0.995), ("f3", 0.916), ("f4", 0.987), ("f5", 0.994)]
)
def test_hwang_surfaces_are_scaled(function, sd):
    X, y = datasets.make_hwang(function, 50_000, noise=0.0, random_state=0)
    assert y.std() == pytest.approx(sd, abs=0.01)
    _, noisy = datasets.make_hwang(function, 50_000, random_state=0)
    assert (noisy - y).std() == pytest.approx(0.25, abs=0.01)
    assert X.min() >= 0
    assert X.max() <= 1


def test_concepts():
    X, y = datasets.make_concept("A", 2_000, n_irrelevant=3, random_state=0)
    np.testing.assert_array_equal(y, X[:, 0] > X[:, 1])
    assert X.min() >= -1
    X, y = datasets.make_concept("B", 50_000, noise=0.4, random_state=0)
    assert (y != (X[:, 0] > 0)).mean() == pytest.approx(0.4, abs=0.01)
    X, y = datasets.make_concept("A", 10_000, lattice=True, random_state=0)
    assert sorted(set(X[:, 0].tolist()))[:2] == pytest.approx([-0.99, -0.97])
    assert y.sum() == 100 * 99 / 2


@pytest.mark.parametrize(
    ("name", "options", "word"),
    [
        ("twonorm", {"n_samples": 0}, "n_samples"),
        ("twonorm", {"n_samples": 2.5}, "n_samples"),
        ("gaussians", {"n_features": 0}, "n_features"),
        ("separable", {"margin": 0.8}, "margin"),
        ("mixture", {"spread": -1}, "spread"),
        ("friedman1", {"n_features": 4}, "n_features"),
        ("friedman1", {"noise": float("nan")}, "noise"),
        ("led", {"noise": 1.5}, "noise"),
        ("hwang", {"function": "f9"}, "f9"),
        ("concept", {"concept": "C"}, "'C'"),
        ("concept", {"n_samples": 10, "lattice": True}, "n_samples=10"),
        ("concept", {"n_irrelevant": -1}, "n_irrelevant"),
        ("monks", {"problem": 4}, "4"),
    ],
)
def test_bad_parameters_are_named(name, options, word):
    with pytest.raises(ValueError, match=word):
        make(name, **options)
