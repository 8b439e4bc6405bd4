import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from softwood._kernels.growth.columns import CASE_MASK, RANK_SHIFT, class_of, sorted_entries
from softwood.data.training import TrainingSet
from softwood.grow.ranks import rank_table


@pytest.fixture(autouse=True, scope="module", params=[0, 1000], ids=["by kernels", "by numpy"])
def few_rows(request):
    """Large tables are ranked by kernels; here small ones are, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("softwood.grow.ranks.FEW_ROWS", request.param)
        yield


values = st.one_of(
    st.floats(-1e9, 1e9), st.integers(-5, 5).map(float), st.just(float("nan")), st.just(-0.0)
)


@given(X=hnp.arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=values))
def test_ranks_are_positions_among_distinct_values(X):
    data = TrainingSet.of_classes(X, np.zeros(len(X), dtype=int))
    ranks = rank_table(data)
    for j in range(X.shape[1]):
        known = ~np.isnan(X[:, j])
        distinct, expected = np.unique(X[known, j], return_inverse=True)
        assert ranks.rank[j, known].tolist() == expected.tolist()
        assert (ranks.rank[j, ~known] == -1).all()
        own = ranks.values[ranks.value_start[j] : ranks.value_start[j + 1]]
        assert own.tolist() == distinct.tolist()
    assert ranks.has_missing == bool(np.isnan(X).any())


@given(X=hnp.arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=values))
def test_entries_are_sorted_by_rank_and_then_by_case(X):
    ranks = rank_table(TrainingSet.of_classes(X, np.zeros(len(X), dtype=int)))
    rows = np.arange(len(X), dtype=np.int32)
    label = (rows % 7).astype(np.uint16)
    entries, lengths = sorted_entries(ranks.rank, ranks.n_levels, rows, label, ranks.has_missing)
    for j in range(X.shape[1]):
        line = entries[j, : lengths[j]]
        assert (np.diff(line >> RANK_SHIFT) >= 0).all()
        same_rank = np.diff(line >> RANK_SHIFT) == 0
        assert (np.diff(line & CASE_MASK)[same_rank] > 0).all()
        assert (class_of(line) == label[line & CASE_MASK]).all()
        assert (ranks.rank[j, line & CASE_MASK] == line >> RANK_SHIFT).all()
        assert lengths[j] == np.count_nonzero(~np.isnan(X[:, j]))


def test_large_whole_numbers_do_not_overflow_the_counting_table():
    X = np.array([[-(2.0**60)], [2.0**60], [0.0], [2.0**60]])
    ranks = rank_table(TrainingSet.of_classes(X, np.zeros(4, dtype=int)))
    assert ranks.rank[0].tolist() == [0, 2, 1, 2]


def test_columns_ranked_side_by_side_are_ranked_alike(monkeypatch):
    monkeypatch.setattr("softwood.grow.ranks.WORTH_THREADS", 0)
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 6)) < 0.1, np.nan, rng.normal(size=(200, 6)).round(1))
    X[:, 4] = rng.integers(0, 3, 200)
    data = TrainingSet.of_classes(X, rng.integers(0, 2, 200), n_categories=[0, 0, 0, 0, 3, 0])
    one, two = rank_table(data), rank_table(data, n_threads=2)
    for name in ("rank", "n_levels", "values", "value_start", "has_missing"):
        np.testing.assert_array_equal(getattr(two, name), getattr(one, name))
