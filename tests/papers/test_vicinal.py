import numpy as np
import pytest

from softwood.datasets import load_dataset
from softwood.papers.setting import Setting
from softwood.papers.vicinal import table3, table4


def test_draws_are_scaled_by_the_training_rows_and_repeatable():
    X, y = table3.draw("2-D Gaussian", 90, 500, seed=1)
    np.testing.assert_allclose(X[:90].std(axis=0, ddof=1), 1.0)
    assert X.shape == (590, 2)
    assert y[:90].sum() == 45
    again, _ = table3.draw("2-D Gaussian", 90, 500, seed=1)
    np.testing.assert_array_equal(X, again)


def test_categories_become_numbers():
    X, y = table4.as_numbers(load_dataset("tic-tac-toe"))
    assert not any(column.is_nominal for column in X.columns)
    assert set(np.unique(X.columns[0].values)) == {0.0, 1.0, 2.0}
    assert set(y) == {"negative", "positive"}


def test_a_set_that_is_not_there_is_reported_not_fatal(monkeypatch):
    def only_iris_like(names):
        return {"pima-ripley": _small_problem()}, {n: "gone" for n in names if n != "pima-ripley"}

    monkeypatch.setattr(table4, "load_available", only_iris_like)
    finding = table4.run(Setting())
    ours = finding.tables[0].ours[:, 0]
    assert np.isfinite(ours).sum() == 1
    assert len(finding.missing) == 17


def test_no_data_at_all_is_a_verdict(monkeypatch):
    monkeypatch.setattr(table4, "load_available", lambda names: ({}, dict.fromkeys(names, "gone")))
    assert table4.run(Setting()).claims[0].verdict == "not run: data"


def _small_problem():
    from types import SimpleNamespace

    from softwood.data.table import Column, Table

    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    label = (x > 0).astype(np.int32)
    target = Column("class", label, ("a", "b"))
    table = Table((Column("x", x), target))
    return SimpleNamespace(table=table, target_name="class", target=target)


@pytest.mark.slow
def test_c45_on_the_synthetic_problems():
    finding = table3.run(Setting(n_jobs=2))
    assert all(claim.verdict == "holds" for claim in finding.claims)
