from types import SimpleNamespace

import numpy as np
import pytest

from softwood.datasets import load_dataset
from softwood.papers.setting import Setting
from softwood.papers.vicinal import figure10, figure11, figure12, surfaces, table3, table4
from softwood.papers.vicinal.methods import medians, methods, nodes


@pytest.fixture
def small(monkeypatch):
    """Problems, runs and draws that take no time."""
    for name in table3.PROBLEMS:
        tiny = table3.Problem(40, 200, 200, 200, 2, 2, 6)
        monkeypatch.setitem(table3.PROBLEMS, name, tiny)
    monkeypatch.setitem(table4.N_ITER, "quick", 200)
    monkeypatch.setattr(surfaces, "N_DRAWS", {"quick": 1, "full": 1})
    for module, name, value in (
        (figure10, "N_ITER", 200),
        (figure10, "N_RUNS", 2),
        (figure10, "N_DRAWS", 2),
        (figure11, "N_ITER", 200),
        (figure11, "N_RUNS", 3),
        (figure12, "STAGES", (0, 50)),
    ):
        monkeypatch.setattr(module, name, {"quick": value, "full": value})


def test_the_median_is_of_the_runs_of_one_method():
    scores = np.array([[[0.5], [0.1], [0.3], [0.2], [0.9]]])
    comparison = SimpleNamespace(
        methods=["C4.5", "ERM 1", "ERM 2", "ERM 3", "VRM 1"], split_scores=lambda metric: scores
    )
    assert medians(comparison, "error").ravel().tolist() == [0.5, 0.2, 0.9]


def test_runs_have_the_papers_parameters_and_seeds_of_their_own():
    chosen = methods(n_iter=300, n_runs=2)
    assert [chosen[f"VRM {k}"].random_state for k in (1, 2)] == [0, 1]
    assert {chosen[name].risk for name in ("ERM 1", "ERM 2")} == {"empirical"}
    model = chosen["VRM 1"]
    assert (model.population_size, model.max_depth, model.sigma2) == (100, 10, 0.1)
    tree = SimpleNamespace(n_nodes=7)
    assert nodes(SimpleNamespace(model=SimpleNamespace(tree_=tree))) == 7.0
    assert nodes(SimpleNamespace(model=SimpleNamespace(tree_=tree, n_nodes_evolved_=9))) == 9.0


def test_table3_has_all_methods_beside_the_printed_numbers(small):
    finding = table3.run(Setting())
    errors, sizes, kept, defaults = finding.tables
    assert defaults.columns == ("error", "nodes")
    assert np.isfinite(defaults.ours).all()
    assert errors.columns == ("C4.5", "ERM", "VRM")
    assert errors.theirs[0].tolist() == [0.1064, 0.0689, 0.0245]
    assert sizes.theirs[1].tolist() == [5.0, 31.0, 53.0]
    assert np.isfinite(errors.ours).all()
    assert (kept.ours <= sizes.ours).all()
    assert len(finding.claims) == 9
    assert "6 draws, median of 2 runs of 200 iterations" in finding.notes[0]


@pytest.mark.parametrize("part", [surfaces.separable, surfaces.gaussian])
def test_surfaces_of_all_methods(small, part):
    finding = part(Setting())
    assert finding.tables[0].rows == surfaces.METHODS
    assert len(finding.pictures["surfaces"]().axes) == len(surfaces.METHODS)
    assert np.all(finding.tables[0].ours[:, 1] < 0.5)


def test_the_best_rule_is_nowhere_wrong_beyond_the_margins():
    diagonal = SimpleNamespace(predict=lambda X: X[:, 1] > X[:, 0])
    assert surfaces._wrong_area(diagonal, "Separable") == 0.0
    bayes = SimpleNamespace(predict=lambda X: X.sum(axis=1) > np.sqrt(0.5))
    assert surfaces._wrong_area(bayes, "2-D Gaussian") == 0.0
    never = SimpleNamespace(predict=lambda X: np.zeros(len(X), bool))
    assert surfaces._wrong_area(never, "Separable") == pytest.approx(0.4, abs=0.01)


def test_figure10_without_and_with_glass(small, monkeypatch):
    monkeypatch.setattr(figure10, "load_available", lambda names: ({}, {"glass-float": "gone"}))
    finding = figure10.run(Setting())
    assert len(finding.tables) == 1
    assert list(finding.missing) == ["glass-float"]
    monkeypatch.setattr(
        figure10, "load_available", lambda names: ({"glass-float": _small_problem()}, {})
    )
    finding = figure10.run(Setting())
    assert finding.tables[1].rows[-1] == "ERM"
    line = finding.pictures["glass"]().axes[0].lines[1]
    np.testing.assert_array_equal(line.get_ydata(), finding.tables[1].ours[:-1, 0])


def test_figure11_counts_every_run(small):
    finding = figure11.run(Setting())
    assert finding.tables[0].rows == ("ERM", "VRM")
    bars = finding.pictures["runs"]().axes[0].patches
    assert sum(bar.get_height() for bar in bars) == 6


def test_figure12_has_a_point_for_every_member(small):
    finding = figure12.run(Setting())
    left, right = finding.pictures["clouds"]().axes
    assert left.lines[0].get_xdata().size == right.lines[0].get_xdata().size == 200
    assert np.isfinite(finding.tables[0].ours).all()


def test_draws_are_scaled_by_the_training_rows_and_repeatable():
    X, y = table3.draw("2-D Gaussian", 90, 500, seed=1)
    np.testing.assert_allclose(X[:90].std(axis=0, ddof=1), 1.0)
    assert X.shape == (590, 2)
    assert y[:90].sum() == 45
    again, _ = table3.draw("2-D Gaussian", 90, 500, seed=1)
    np.testing.assert_array_equal(X, again)


def test_evolution_is_run_on_all_splits_and_then_again(monkeypatch):
    """What is stopped has whole runs; the median is of all of them."""
    asked = []

    class Told(Setting):
        def compare(self, name, methods, *rest):
            asked.append((name, [getattr(m, "random_state", None) for m in methods.values()]))
            k = len(asked)
            return SimpleNamespace(split_scores=lambda metric: np.full((1, len(methods), 2), k))

    monkeypatch.setitem(table4.N_RUNS, "quick", 3)
    found = table4.errors_of(Told(), {"one": None})
    assert [name for name, _ in asked] == [
        "half splits", "half splits, run 1", "half splits, beyond",
        "half splits, run 2", "half splits, run 3",
    ]  # fmt: skip
    assert [seeds for name, seeds in asked if "run" in name] == [[0, 0], [1, 1], [2, 2]]
    # C4.5, the median of runs that came to 2, 4 and 5, what is beyond, softwood's defaults.
    assert found[0, :, 0].tolist() == [1, 4, 4, 3, 1]


def test_categories_become_numbers():
    X, y = table4.as_numbers(load_dataset("tic-tac-toe"))
    assert not any(column.is_nominal for column in X.columns)
    assert set(np.unique(X.columns[0].values)) == {0.0, 1.0, 2.0}
    assert set(y) == {"negative", "positive"}


def test_a_set_that_is_not_there_is_reported_not_fatal(small, monkeypatch):
    def only_iris_like(names):
        return {"pima-ripley": _small_problem()}, {n: "gone" for n in names if n != "pima-ripley"}

    monkeypatch.setattr(table4, "load_available", only_iris_like)
    finding = table4.run(Setting())
    ours = finding.tables[0].ours[:, 0]
    assert np.isfinite(ours).sum() == 1
    assert len(finding.missing) == 17
    assert np.isnan(finding.tables[1].ours).all()  # means of one set are none


def test_means_and_ranks_are_over_sets():
    found = table4._summary(np.array([[0.1, 0.3, 0.2], [0.3, 0.3, 0.1]]))
    np.testing.assert_allclose(found, [[0.2, 0.3, 0.15], [1.75, 2.75, 1.5]])


def test_no_data_at_all_is_a_verdict(monkeypatch):
    monkeypatch.setattr(table4, "load_available", lambda names: ({}, dict.fromkeys(names, "gone")))
    assert table4.run(Setting()).claims[0].verdict == "not run: data"


def _small_problem():
    from softwood.data.table import Column, Table

    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    label = (x > 0).astype(np.int32)
    target = Column("class", label, ("a", "b"))
    table = Table((Column("x", x), target))
    return SimpleNamespace(table=table, target_name="class", target=target)


@pytest.mark.slow
def test_all_methods_on_the_synthetic_problems():
    finding = table3.run(Setting(n_jobs=2))
    assert all(claim.verdict != "does not hold" for claim in finding.claims)
