"""Figures 1 and 4: smooth trees of one variable, and the parts of their error."""

import numpy as np
import pytest

from softwood.papers.perturb import figure1, figure4
from softwood.papers.perturb.methods import methods
from softwood.papers.printed import printed
from softwood.papers.setting import Setting


def test_without_smoothing_the_curve_is_the_trees():
    from sklearn.tree import DecisionTreeRegressor

    found = figure1.curves(np.random.SeedSequence(3))
    peer = DecisionTreeRegressor(min_samples_split=5, random_state=0)
    steps = peer.fit(found.x[:, None], found.y).predict(figure1.GRID[:, None])
    # The peer compares in single precision, so points next to a cut may change side.
    assert np.isclose(found.answers[0], steps).mean() > 0.99


def test_a_smooth_curve_is_the_mean_over_noise():
    found = figure1.curves(np.random.SeedSequence(3))
    rng = np.random.default_rng(0)
    width = figure1.LAMBDAS[1] * found.x.std(ddof=1)
    tree = found.tuned.harden()
    at = figure1.GRID[::100]
    noisy = at[:, None] + rng.normal(0.0, width, (at.size, 20_000))
    mean = tree.predict(noisy.reshape(-1, 1)).reshape(noisy.shape).mean(axis=1)
    # One attribute, tested often: the product of probabilities is near the mean, not equal.
    np.testing.assert_allclose(found.answers[1][::100], mean, atol=0.1)


def test_figure1_finds_what_the_paper_shows(monkeypatch):
    monkeypatch.setattr(figure1, "DRAWS", {"quick": 8, "full": 8})
    finding = figure1.run(Setting())
    assert [claim.verdict for claim in finding.claims] == ["holds"] * 3
    crisp, little, much = finding.tables[0].ours[:, 0]
    assert little < crisp < much


def test_figure1_pictures(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(figure1, "DRAWS", {"quick": 2, "full": 2})
    pictures = figure1.run(Setting()).pictures
    (ax,) = pictures["curves"]().axes
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names[2:] == ["tree, λ = 0", "λ = 0.09", "λ = 0.5"]
    (ax,) = pictures["tuning"]().axes
    assert ax.texts[0].get_text().startswith("λ = ")


def test_parts_add_up_to_the_mean_squared_error():
    rng = np.random.default_rng(0)
    answers, y = rng.normal(size=(2, 5, 30)), rng.normal(size=30)
    for of_models, parts in zip(answers, figure4._divided(answers, y), strict=True):
        assert parts.error == pytest.approx(np.mean((of_models - y) ** 2))
        assert parts.variance == pytest.approx(of_models.var(axis=0, ddof=1).mean())


def test_trees_are_those_of_the_reference_run():
    model = methods("regression", with_bagging=False)["ST"]
    found = figure4.curves(Setting(), model, 30, (0.0, 0.4))
    reference = printed("perturb", "figure4_reference")
    for value, row in ((0.0, "0"), (0.4, "0.4")):
        theirs = reference.values[reference.rows.index(row), :3]
        ours = [getattr(found[value], part) for part in figure4.PARTS]
        np.testing.assert_allclose(ours, theirs, rtol=0.1)


def test_figure4_tables_claims_and_picture(monkeypatch):
    eight = {"quick": 8, "full": 8}
    monkeypatch.setattr(figure4, "REPEATS", {"tree": eight, "bag": eight})
    monkeypatch.setattr(figure4, "N_TEST", 300)
    monkeypatch.setattr(
        figure4, "methods", lambda *args, **kwargs: {m: _small(m) for m in ("ST", "TB")}
    )
    finding = figure4.run(Setting())
    tree, bag = finding.tables
    assert tree.rows == ("0", "0.1", "0.2", "0.4", "0.5", "0.8", "1.6")
    np.testing.assert_allclose(tree.ours[:, 0], tree.ours[:, 1] + tree.ours[:, 2])
    assert (bag.ours[0, 2] < tree.ours[0, 2] / 2).all()  # bagging takes off variance
    assert finding.claims[0].verdict == "holds"
    pytest.importorskip("matplotlib")
    left, right = finding.pictures["curves"]().axes
    assert left.get_ylim() == right.get_ylim()
    assert left.get_ylim()[1] > tree.ours[:, 0].max()
    assert [len(ax.lines) for ax in (left, right)] == [4, 4]  # three curves and the best lambda


def _small(name):
    from sklearn.ensemble import BaggingRegressor
    from sklearn.tree import DecisionTreeRegressor

    tree = DecisionTreeRegressor(min_samples_split=5)
    return tree if name == "ST" else BaggingRegressor(tree, 5)
