"""OC1, FAT, MOC1 and MOC2: the runs, and what is read off them."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris

from softwood.papers.margins import figures, runs, table1, table2
from softwood.papers.margins.methods import FAT, MOC1, MOC2, NAMES, OC1, methods
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Verdict

N_SPLITS = 10
WOBBLE = np.array([-0.02, 0.02] * 5)


def made_up(title, accuracy, leaves=(5.0, 5.0, 4.0, 6.0)):
    """Return runs with the mean accuracies given, in percent, and a spread of their own.

    Softwood's defaults, the last, do as OC1 does.
    """
    error = 1.0 - np.array((*accuracy, accuracy[0]))[:, None] / 100.0
    order = np.arange(len(NAMES) + 1)[:, None]
    leaves = (*leaves, leaves[0])
    return runs.Runs(
        title,
        {
            "error": error + WOBBLE * (order + 1) / 10,
            "leaves": np.repeat(leaves, N_SPLITS).reshape(-1, N_SPLITS),
            "depth": np.repeat(leaves, N_SPLITS).reshape(-1, N_SPLITS) - 2.0,
        },
    )


@pytest.fixture
def three_sets(monkeypatch):
    made = [
        made_up("Bupa", (65.0, 67.0, 68.0, 70.0)),
        made_up("Iris", (95.0, 96.0, 95.0, 96.0), (3.0, 3.0, 4.0, 3.0)),
        made_up("WDBC", (93.0, 94.0, 92.0, 91.0), (4.0, 4.0, 5.0, 5.0)),
    ]
    for module in (table1, table2, figures):
        monkeypatch.setattr(module, "all_runs", lambda setting, *search: (made, {"Dim": "gone"}))
    return made


def verdicts(finding):
    return [claim.verdict for claim in finding.claims]


# -- what is read off ---------------------------------------------------------------


def test_table1_sets_sizes_beside_the_printed_ones(three_sets):
    finding = table1.run(Setting())
    leaves, depth, defaults = finding.tables
    np.testing.assert_array_equal(defaults.ours, [[5, 3], [3, 1], [4, 2]])
    assert leaves.rows == ("Bupa", "Iris", "WDBC")
    assert leaves.columns == (OC1, MOC1, MOC2)
    np.testing.assert_array_equal(leaves.theirs[:2], [[5.0, 2.1, 7.4], [3.2, 3.2, 3.0]])
    assert np.isnan(leaves.theirs[2]).all()
    np.testing.assert_array_equal(leaves.ours, [[5, 4, 6], [3, 4, 3], [4, 5, 5]])
    np.testing.assert_array_equal(depth.ours, leaves.ours - 2)
    assert verdicts(finding) == [Verdict.HOLDS, Verdict.HOLDS]  # three sets tell no direction
    assert finding.claims[1].ruling.enough is False
    assert finding.missing == {"Dim": "gone"}


def test_table1_notices_trees_that_differ(three_sets):
    three_sets[0].scores["leaves"][NAMES.index(FAT), 3] += 1
    assert table1.run(Setting()).claims[0].verdict == Verdict.FAILS


def test_table2_sets_accuracies_beside_the_printed_ones(three_sets):
    finding = table2.run(Setting())
    accuracy, pvalues, defaults = finding.tables
    np.testing.assert_allclose(accuracy.ours[0], [65.0, 67.0, 68.0, 70.0])
    np.testing.assert_array_equal(accuracy.theirs[0], [65.22, 66.09, 68.41, 70.14])
    np.testing.assert_array_equal(pvalues.theirs[1], [0.17, np.nan, np.nan])
    np.testing.assert_allclose(defaults.ours, [[65.0, 5.0], [95.0, 3.0], [93.0, 4.0]])
    # FAT is better on three, MOC1 on as many as it is worse, MOC2 on two.
    assert verdicts(finding)[:3] == [Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]
    assert "higher on 1, equal on 1, lower on 1 of 3 sets" in finding.claims[1].evidence
    assert finding.claims[-1].verdict == Verdict.HOLDS  # OC1 is never the best


def test_p_values_are_those_of_the_corrected_test(three_sets):
    d = three_sets[0].difference(FAT)
    t = d.mean() / np.sqrt((1 / N_SPLITS + 1 / 9) * d.var(ddof=1))
    assert three_sets[0].test(FAT).pvalue == pytest.approx(2 * stats.t.sf(abs(t), N_SPLITS - 1))
    assert three_sets[0].outcome(FAT) == 1
    assert three_sets[2].outcome(MOC2) == -1
    assert three_sets[1].outcome(MOC1) == 0


def test_the_best_method_may_be_two(three_sets):
    assert three_sets[0].best == (MOC2,)
    assert three_sets[1].best == (FAT, MOC2)
    three_sets.append(made_up("Sonar", (80.0, 70.0, 70.0, 70.0)))
    claim = table2.run(Setting()).claims[-1]
    assert claim.verdict == Verdict.FAILS
    assert claim.evidence == "it is on Sonar"


@pytest.mark.parametrize(
    ("run", "where", "gain"),
    [
        (figures.run_fat, "Figure 2", [2.0, 1.0, 1.0]),
        (figures.run_moc1, "Figure 3", [3.0, 0.0, -1.0]),
        (figures.run_moc2, "Figure 4", [5.0, 1.0, -2.0]),
    ],
)
def test_figures_show_each_set_against_oc1(three_sets, run, where, gain):
    finding = run(Setting())
    (table,) = finding.tables
    np.testing.assert_allclose(table.ours[:, 0], gain, atol=1e-9)
    assert finding.claims[0].where == where
    (draw,) = finding.pictures.values()
    ax = draw().axes[0]
    points = np.concatenate([line.get_xydata() for line in ax.lines[1:]])
    expected = [
        [s.accuracy(OC1), s.accuracy(OC1) + g] for s, g in zip(three_sets, gain, strict=True)
    ]
    np.testing.assert_allclose(points[points[:, 0].argsort()], sorted(expected))
    assert {text.get_text() for text in ax.texts} == {"Bupa", "Iris", "WDBC"}


def test_nothing_to_run_is_said(monkeypatch):
    for module, run in ((table1, table1.run), (table2, table2.run), (figures, figures.run_fat)):
        monkeypatch.setattr(module, "all_runs", lambda setting, *search: ([], {"Iris": "gone"}))
        finding = run(Setting())
        assert finding.missing == {"Iris": "gone"}
        assert not finding.tables
        assert not finding.claims


# -- the runs -----------------------------------------------------------------------


def test_gaps_are_filled_and_categories_are_codes():
    from softwood.data.table import Column, Table
    from softwood.datasets.dataset import Dataset

    table = Table(
        (
            Column("size", np.array([1.0, np.nan, 3.0])),
            Column("kind", np.array([1, 0, 1], dtype=np.int32), ("a", "b")),
            Column("class", np.array([0, 1, 0], dtype=np.int32), ("no", "yes")),
        )
    )
    X, y = runs.as_numbers(Dataset(table, None, "class"))
    np.testing.assert_array_equal(X, [[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]])
    assert y.tolist() == ["no", "yes", "no"]


@pytest.fixture
def iris_only(monkeypatch):
    """The runs on iris alone, by small trees of another kind, counted."""
    from softwood import CARTClassifier

    compared = []
    real = Setting.compare

    def counted(self, name, *rest):
        compared.append((self.experiment, name))
        return real(self, name, *rest)

    depths = dict(zip(NAMES, (1, 1, 2, 3), strict=True))
    monkeypatch.setattr(Setting, "compare", counted)
    monkeypatch.setattr(runs, "problems", lambda: (runs.Problem("Iris", "iris"),))
    monkeypatch.setattr(
        runs, "methods", lambda search: {n: CARTClassifier(max_depth=d) for n, d in depths.items()}
    )
    runs._made_once.cache_clear()
    yield compared
    runs._made_once.cache_clear()


def test_parts_share_their_runs(iris_only):
    for part in table1.run, table2.run, figures.run_moc2:
        part(Setting("margins/some part"))
    assert iris_only == [("margins/classic", "iris")]
    table2.run_exact(Setting("margins/exact"))
    assert iris_only[1:] == [("margins/exact", "iris")]
    (made,), missing = runs.all_runs(Setting())
    assert missing == {}
    np.testing.assert_array_equal(made.scores["depth"][:4, 0], [1, 1, 2, 3])
    assert made.scores["error"].shape == (5, 10)  # softwood's defaults are the fifth


def test_a_method_that_fails_is_named(iris_only, monkeypatch):
    from softwood import CARTClassifier

    broken = {n: CARTClassifier(criterion="gini" if n == OC1 else "no such") for n in NAMES}
    monkeypatch.setattr(runs, "methods", lambda search: broken)
    made, missing = runs.all_runs(Setting())
    assert not made
    assert missing == {"Iris": "failed: FAT, MOC1, MOC2"}


@pytest.mark.parametrize("search", ["classic", "exact"])
def test_fat_is_the_tree_of_oc1(search):
    chosen = methods(search)
    assert tuple(chosen) == NAMES
    X, y = load_iris(return_X_y=True)
    oc1, fat = (chosen[name].set_params(random_state=3).fit(X, y) for name in (OC1, FAT))
    for name in ("n_children", "weight", "response"):
        np.testing.assert_array_equal(getattr(fat.tree_, name), getattr(oc1.tree_, name))
    inner = ~np.isnan(oc1.margins_)
    assert np.all(fat.margins_[inner] >= oc1.margins_[inner])
