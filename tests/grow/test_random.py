import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import entropy

from softwood._kernels.growth.random_tests import MOST_JUDGES, random_test
from softwood._kernels.randomness import below, random_state, uniform
from softwood.data.training import TrainingSet
from softwood.flow import Hard, leaf_of
from softwood.forest import Forest
from softwood.forest.packed import PackedForest, PackedTrees
from softwood.grow.greedy import C45, GreedyGrower, columns_of
from softwood.grow.random import RandomGrower, VariableRandom, grow_packed
from softwood.grow.ranks import rank_table
from softwood.grow.scratch import Scratch
from softwood.tree import NUMERIC
from tests.grow.test_greedy import training_sets
from tests.strategies import checked

SEED = np.random.SeedSequence(7)


def grower(alpha, **options):
    return RandomGrower(VariableRandom(alpha, **options))


def table(n_rows=400, n_features=5, n_classes=3, seed=0, decimals=2):
    """Noisy classes, some columns with ties and one that is mostly zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)).round(decimals)
    X[:, 0] = np.where(rng.random(n_rows) < 0.7, 0.0, np.abs(X[:, 0]))
    X[:, 1] = rng.integers(0, 4, n_rows)
    label = (X[:, 2] + X[:, 3] * X[:, 0] + rng.normal(size=n_rows) > 0) + (X[:, 1] > 2)
    return TrainingSet.of_classes(X, label % n_classes, n_classes=n_classes)


@given(data=training_sets())
@checked
def test_by_gain_alone_it_is_c45(data):
    tree, want = grower(1.0, curtail=-1.0).grow(data, SEED), GreedyGrower(C45()).grow(data)
    for name in ("n_children", "kind", "feature", "threshold", "set_child"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(want, name))
    # Parts of cases are added up in another order.
    np.testing.assert_allclose(tree.weight, want.weight, rtol=1e-12)
    np.testing.assert_allclose(tree.response, want.response, atol=1e-12)


@pytest.mark.parametrize("n_rows", [30, 400, 3000])
@pytest.mark.parametrize("decimals", [0, 2, 8])
def test_the_quick_scan_is_c45_too(n_rows, decimals):
    data = table(n_rows, decimals=decimals)
    tree = grower(1.0, curtail=-1.0).grow(data, SEED)
    assert tree == GreedyGrower(C45()).grow(data)


def test_values_too_close_to_part():
    rng = np.random.default_rng(0)
    X = rng.random((500, 3)) * np.array([1e-3, 1e-4, 1.0])  # many gaps below 1e-5
    data = TrainingSet.of_classes(X, (X[:, 0] > 5e-4) ^ (rng.random(500) < 0.2))
    tree = grower(1.0, curtail=-1.0).grow(data, SEED)
    assert tree == GreedyGrower(C45()).grow(data)


@pytest.mark.parametrize("most", [5, 40])  # a key counts to 16
@pytest.mark.parametrize("n_rows", [30, 400, 3000])
@pytest.mark.parametrize("decimals", [0, 2])
def test_rows_drawn_twice_count_twice(n_rows, decimals, most):
    data, rng = table(n_rows, decimals=decimals), np.random.default_rng(1)
    rows = np.repeat(rng.permutation(n_rows), rng.integers(0, most, n_rows))[:n_rows]
    drawn = grower(1.0, curtail=-1.0).grow(data, SEED, rows=rows)
    alone = GreedyGrower(C45()).grow(data.take(np.sort(rows)))
    # Cuts are at values of the whole table, so they may differ where no row was drawn.
    for name in ("n_children", "feature", "weight", "response"):
        np.testing.assert_array_equal(getattr(drawn, name), getattr(alone, name))
    np.testing.assert_array_equal(leaf_of(drawn, data.X[rows]), leaf_of(alone, data.X[rows]))


@given(
    data=training_sets(),
    alpha=st.sampled_from([0.0, 0.5, 1.0]),
    looked=st.sampled_from([None, "sqrt"]),
    n_random=st.sampled_from([1, 3]),
    seed=st.integers(0, 99),
)
@checked
def test_a_tree_is_what_its_rows_say(data, alpha, looked, n_random, seed):
    """Every node holds the rows that flow to it, whatever was drawn."""
    grow = grower(alpha, curtail=-1.0, max_features=looked, n_random_tests=n_random)
    tree = grow.grow(data, np.random.SeedSequence(seed))
    reach = np.asarray(Hard().reach(tree, data.X).todense())
    weight = reach * data.weight[:, None]
    np.testing.assert_allclose(weight.sum(axis=0), tree.weight, atol=1e-9)
    classes = np.eye(data.n_classes)[data.label]
    full = tree.weight > 0
    want = (weight.T @ classes)[full] / tree.weight[full, None]
    np.testing.assert_allclose(tree.response[full], want, atol=1e-9)


@given(data=training_sets(), seed=st.integers(0, 99))
@checked
def test_a_nominal_column_is_tested_once_on_a_path(data, seed):
    tree = grower(0.3).grow(data, np.random.SeedSequence(seed))
    for leaf in tree.leaves:
        nominal = [tree.feature[k] for k in tree.path(leaf) if tree.kind[k] == 2]
        assert len(nominal) == len(set(nominal))


@pytest.mark.parametrize("regression", [False, True])
def test_the_best_of_some_features(regression):
    """Of four features, pairs are looked at: the k-th best wins in as many as it can."""
    rng = np.random.default_rng(0)
    y = rng.random(200)
    X = y[:, None] + rng.normal(size=(200, 4)) * [0.1, 0.3, 0.6, 1.2]
    data = TrainingSet.of_target(X, y)
    if not regression:
        data = TrainingSet.of_classes(X, y > 0.5)
    trees = [
        grower(1.0, max_features=2, max_depth=1).grow(data, np.random.SeedSequence(k))
        for k in range(600)
    ]
    share = np.bincount([tree.feature[0] for tree in trees], minlength=4) / 600
    np.testing.assert_allclose(share, [3 / 6, 2 / 6, 1 / 6, 0.0], atol=0.07)
    assert share[3] == 0.0


def test_looking_at_all_features_is_not_looking_at_some():
    data = table()
    for seed in SEED.spawn(5):
        assert grower(0.6, max_features=5).grow(data, seed) == grower(0.6).grow(data, seed)


def test_features_that_do_not_divide_are_passed_over():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.zeros((50, 8)), rng.normal(size=50), np.repeat([0.0, 1.0], [49, 1])])
    data = TrainingSet.of_classes(X, X[:, 8] > 0)
    for seed in SEED.spawn(20):
        tree = grower(1.0, max_features=1).grow(data, seed)
        assert tree.feature.tolist() == [8, -1, -1]


def side_of_rows(test, data):
    """Branch of each row by a random test, -1 where its value is missing."""
    x = data.X[:, test.feature]
    if data.is_nominal[test.feature]:
        return np.where(np.isnan(x), -1, x).astype(int)
    return np.where(np.isnan(x), -1, x > test.threshold).astype(int)


def gain_by_definition(side, data):
    """Information over both entropies, or squared error taken off, of the rows that are known."""
    known = side >= 0
    held, weight = side[known], data.weight[known]
    branches = [held == b for b in np.unique(held)]
    if data.is_regression:

        def error(part):
            mean = np.average(data.target[known][part], weights=weight[part])
            return (weight[part] * (data.target[known][part] - mean) ** 2).sum()

        return error(np.ones(held.size, bool)) - sum(error(part) for part in branches)
    table = np.array(
        [np.bincount(data.label[known][b], weight[b], data.n_classes) for b in branches]
    )
    of_class, of_test = entropy(table.sum(axis=0)), entropy(table.sum(axis=1))
    if of_class + of_test == 0.0:
        return 0.0
    information = of_class + of_test - entropy(table.ravel())
    return information / (of_class + of_test) * weight.sum() / data.weight.sum()


def drawn_by_root(n, data, seed):
    """The tests that a root by chance draws one after the other, and who judges them."""
    ranks, state = rank_table(data), random_state(seed)
    uniform(state)  # the coin
    line, active = np.arange(data.n_rows), np.arange(data.X.shape[1])
    n_active, tests, judges = active.size, [], line
    for _ in range(n):
        test, n_active = random_test(
            line, 0, line.size, active, n_active, ranks.rank, columns_of(data, ranks), state
        )
        if not tests and data.n_rows > MOST_JUDGES:
            judges = np.array([below(state, data.n_rows) for _ in range(MOST_JUDGES)])
        tests.append(test)
    return tests, data.take(judges)


@pytest.mark.parametrize("criterion", ["gain_ratio", "squared_error"])
@given(draw=st.data(), seed=st.integers(0, 99), times=st.sampled_from([1, 99]))
@checked
def test_of_some_random_tests_the_best_is_taken(criterion, draw, seed, times):
    """If there are many cases, some of them judge."""
    data, seed = draw.draw(training_sets(criterion=criterion)), np.random.SeedSequence(seed)
    data = data.take(np.tile(np.arange(data.n_rows), times))
    tree = grower(0.0, max_depth=1, n_random_tests=3).grow(data, seed)
    assume(tree.n_nodes > 1)
    tests, judges = drawn_by_root(3, data, seed)
    gains = [gain_by_definition(side_of_rows(test, judges), judges) for test in tests]
    best = [t for t, gain in zip(tests, gains, strict=True) if gain > max(gains) - 1e-9]
    taken = tree.feature[0], (tree.kind[0] == NUMERIC) * tree.threshold[0]
    assert taken in [(test.feature, test.threshold) for test in best]


def test_the_more_random_tests_the_more_they_tell():
    data, leaves = table(1000), []
    for n in (1, 3, 30):
        trees = [grower(0.0, n_random_tests=n).grow(data, seed) for seed in SEED.spawn(20)]
        leaves.append(np.mean([tree.n_leaves for tree in trees]))
    assert leaves[0] > 1.15 * leaves[1] > 1.3 * leaves[2]


@pytest.mark.parametrize("n_random", [1, 3])
@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_alpha_is_the_share_of_gain(alpha, n_random):
    from softwood._kernels.growth.node_buffers import N_CHILDREN
    from softwood._kernels.growth.random_buffers import BY_GAIN

    data = table(2000)
    scratch = Scratch(data, rank_table(data))
    inner, by_gain = 0, 0
    for seed in np.random.SeedSequence(7).spawn(20):
        book = scratch.grown(VariableRandom(alpha, n_random_tests=n_random), seed).node
        inner += np.count_nonzero(book[:, N_CHILDREN])
        by_gain += book[:, BY_GAIN].sum()
    # A node without a test of gain is a leaf, so a little fewer than alpha are seen.
    assert by_gain / inner <= alpha + 0.02
    assert by_gain / inner >= alpha - 0.12
    assert (alpha not in (0.0, 1.0)) or by_gain / inner == alpha


def test_small_leaves_answer_as_above():
    data = table()
    plain = grower(0.0, curtail=-1.0).grow(data, SEED)
    tree = grower(0.0, curtail=1.0).grow(data, SEED)
    light = tree.is_leaf & (tree.weight <= 1.0)
    assert light.any()
    np.testing.assert_array_equal(tree.response[~light], plain.response[~light])
    np.testing.assert_array_equal(tree.response[light], plain.response[plain.parent[light]])


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("curtail", [-1.0, 1.0, 3.0])
def test_packed_or_not_a_tree_is_the_same(regression, curtail):
    data = table()
    if regression:
        data = TrainingSet.of_target(data.X, data.X[:, 2] + 100.0)
    grow = grower(0.3, curtail=curtail)
    scratch = Scratch(data, rank_table(data))
    packed = grow_packed([grow] * 5, scratch, np.random.SeedSequence(7).spawn(5))
    trees = [grow.grow(data, seed) for seed in np.random.SeedSequence(7).spawn(5)]
    stacked = PackedTrees(PackedForest.of_packed(packed, data.X.shape[1], regression))
    rows = np.vstack([data.X, np.full((1, data.X.shape[1]), np.nan)])
    assert (Forest.average(stacked).raw(rows) == Forest.average(trees).raw(rows)).all()
    for one, other in zip(stacked, trees, strict=True):
        np.testing.assert_array_equal(one.threshold, other.threshold)
        np.testing.assert_array_equal(one.weight, other.weight)
        leaf = one.is_leaf
        np.testing.assert_array_equal(one.response[leaf], other.response[leaf])
        np.testing.assert_allclose(one.response, other.response, rtol=1e-12)


def test_a_bench_forgets_the_last_tree():
    rng = np.random.default_rng(0)
    data = table()
    X = data.X.copy()
    X[rng.random(X.shape) < 0.1] = np.nan
    for values in (data.X, X):
        again = TrainingSet.of_classes(values, data.label, n_classes=3)
        scratch = Scratch(again, rank_table(again))
        for alpha in (0.9, 0.0, 0.4):
            books = scratch.grown(VariableRandom(alpha), SEED)
            fresh = Scratch(again, rank_table(again)).grown(VariableRandom(alpha), SEED)
            for one, other in zip(books, fresh, strict=True):
                np.testing.assert_array_equal(one, other)


def test_only_the_features_given_are_tested():
    tree = grower(0.5).grow(table(), SEED, features=np.array([4, 2]))
    assert set(tree.feature[~tree.is_leaf]) == {2, 4}


@given(data=training_sets(criterion="squared_error", missing=False, weighted=False))
@checked
def test_the_best_cut_of_a_number(data):
    """By gain, the root takes off as much squared error as the best of all tests."""
    tree = grower(1.0, min_leaf=1.0, min_split=2.0, curtail=-1.0).grow(data, SEED)

    def error(part):
        return ((data.target[part] - data.target[part].mean()) ** 2).sum() if part.any() else 0.0

    gains = [0.0]
    for f in range(2):
        gains += [
            error(np.ones(data.n_rows, bool))
            - error(data.X[:, f] <= cut)
            - error(data.X[:, f] > cut)
            for cut in np.unique(data.X[:, f])[:-1]
        ]
    for f in (2, 3):
        codes = np.unique(data.X[:, f])
        if codes.size > 1:
            parts = sum(error(data.X[:, f] == code) for code in codes)
            gains.append(error(np.ones(data.n_rows, bool)) - parts)
    taken = 0.0
    if tree.n_nodes > 1:
        child = tree.children(0)
        spread = sum(tree.weight[k] * tree.response[k, 0] ** 2 for k in child)
        taken = spread - tree.weight[0] * tree.response[0, 0] ** 2
    assert taken == pytest.approx(max(gains), abs=1e-8)


def test_a_bench_serves_trees_that_need_less_room_than_the_last():
    """Cases in parts make the books longer; the next tree starts from a short line again."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 6, 300), rng.integers(0, 6, 300), rng.normal(size=300)])
    X[rng.random(X.shape) < 0.4] = np.nan
    data = TrainingSet.of_classes(
        X, rng.integers(0, 3, 300), n_classes=3, n_categories=np.array([6, 6, 0], dtype=np.int32)
    )
    scratch = Scratch(data, rank_table(data))
    for seed in np.random.SeedSequence(7).spawn(20):
        (tree,) = grow_packed([grower(0.2)], scratch, [seed])
        assert tree == grower(0.2).grow(data, seed)


@pytest.mark.parametrize("rows", [[], [-1, 2], [0, 400], [*range(400), 0]])
def test_rows_that_the_kernel_could_not_hold_are_refused(rows):
    with pytest.raises(ValueError, match="rows must be 1 to 400 numbers from 0 to 399"):
        grower(0.5).grow(table(), SEED, rows=np.array(rows, dtype=int))


def test_without_room_for_keys_the_tree_is_the_same(monkeypatch):
    monkeypatch.setattr("softwood._kernels.growth.sort_keys.KEY_BITS", 4)
    data = table()
    tree = grower(1.0, curtail=-1.0).grow(data, SEED)
    assert tree == GreedyGrower(C45()).grow(data)
