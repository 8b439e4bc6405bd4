import numpy as np
import pytest

from softwood import CoalescenceClassifier, VRForestClassifier, VRTreeClassifier
from softwood.data.training import TrainingSet
from softwood.ensemble.sampling import SAMPLINGS, Sampling
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.flow import Hard
from softwood.grow.distrusted import trusted_features
from softwood.grow.random import RandomGrower, VariableRandom
from softwood.tree import NOMINAL

# Such columns are told of, and rows of categories that were never seen too.
pytestmark = [
    pytest.mark.filterwarnings("ignore::softwood.errors.IdentifierWarning"),
    pytest.mark.filterwarnings("ignore::softwood.errors.UntestedColumnWarning"),
    pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning"),
]


def table(n_categories, n_rows=300, told=0.0, seed=0, regression=False):
    """A numeric column and a nominal one, which tells some of the classes."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, n_categories, n_rows)
    of_code = rng.integers(0, 2, n_categories)[code]
    x = rng.random(n_rows)
    label = np.where(rng.random(n_rows) < told, of_code, x > 0.5)
    X = np.column_stack([x, code])
    sizes = np.array([0, n_categories])
    if regression:
        return TrainingSet.of_target(X, label + rng.normal(0, 0.2, n_rows), n_categories=sizes)
    return TrainingSet.of_classes(X, label, n_classes=2, n_categories=sizes)


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("n_categories", [20, 30, 100, 299])
def test_what_tells_nothing_is_distrusted(n_categories, regression):
    kept = [
        trusted_features(table(n_categories, seed=seed, regression=regression))[1]
        for seed in range(40)
    ]
    assert sum(kept) <= 2


@pytest.mark.parametrize("regression", [False, True])
def test_what_tells_much_is_trusted(regression):
    for n_categories in (9, 30, 100):
        assert trusted_features(table(n_categories, told=0.9, regression=regression)).all()


def test_numbers_far_away_do_not_make_a_category_matter():
    """By squared error alone, one in eight columns of two rows per category would be trusted."""
    rng, kept = np.random.default_rng(0), 0
    for _ in range(100):
        X = rng.integers(0, 200, (300, 1)).astype(float)
        target = rng.exponential(size=300) ** 2
        X = np.column_stack([rng.random(300), X])
        data = TrainingSet.of_target(X, target, n_categories=np.array([0, 200]))
        kept += trusted_features(data)[1]
    assert kept <= 2


def test_few_categories_and_many_rows_are_trusted():
    assert trusted_features(table(8)).all()
    assert trusted_features(table(16, n_rows=320)).all()
    assert not trusted_features(table(16, n_rows=319)).all()
    assert trusted_features(table(20, n_rows=4000)).all()
    assert not trusted_features(table(20, n_rows=3999)).all()
    assert not trusted_features(table(1000, n_rows=20_000)).all()


def test_a_target_of_one_value_and_gaps_do_no_harm():
    data = table(30)
    data.X[::3, 1] = np.nan
    assert trusted_features(data).tolist() == [True, False]
    flat = TrainingSet.of_classes(data.X, np.zeros(300, int), n_categories=data.n_categories)
    assert trusted_features(flat).tolist() == [True, False]


@pytest.mark.parametrize("one_vs_rest", [False, True])
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_trees_do_not_test_it(one_vs_rest, sampling):
    data = table(100)
    shared = SharedTrainingData.of(
        data, Sampling(sampling, 0.5), seed=1, one_vs_rest=one_vs_rest, distrusts=True
    )
    trees = grow_trees([RandomGrower(VariableRandom(0.3, max_features=2))] * 5, shared)
    again = shared.again(data)
    assert trees == grow_trees([RandomGrower(VariableRandom(0.3, max_features=2))] * 5, again)
    for tree in trees:
        assert tree.n_features == 2
        assert set(tree.feature.tolist()) == {-1, 0}
        if sampling == "all":
            mass = np.asarray(Hard().reach(tree, data.X).todense())
            np.testing.assert_allclose(mass.sum(axis=0), tree.weight, atol=1e-9)


def frame(data):
    return np.array([[x, f"c{int(code)}"] for x, code in data.X], dtype=object)


@pytest.mark.parametrize("model", [VRTreeClassifier, VRForestClassifier, CoalescenceClassifier])
@pytest.mark.parametrize("nominal_split", ["multiway", "one_vs_rest"])
def test_estimators_count_and_answer_all_features(model, nominal_split):
    data = table(100)
    X = frame(data)
    fitted = model(nominal_split=nominal_split, max_features=2, random_state=0).fit(X, data.label)
    unknown = X.copy()
    unknown[:, 1] = "never seen"
    np.testing.assert_array_equal(fitted.predict_proba(unknown), fitted.predict_proba(X))
    assert fitted.feature_importances_.shape == (2,)
    with pytest.raises(ValueError, match="max_features must not be larger"):
        model(nominal_split=nominal_split, max_features=101).fit(X, data.label)


@pytest.mark.parametrize("model", [VRForestClassifier, CoalescenceClassifier])
def test_a_table_of_nothing_else_is_a_leaf(model):
    X = np.array([[f"n{i}"] for i in range(100)], dtype=object)
    fitted = model(5, random_state=0).fit(X, np.arange(100) % 2)
    assert all(tree.n_nodes == 1 for tree in fitted.trees_)


def test_a_branch_for_each_of_many_categories_needs_cases():
    """Trees of 1000 categories had a thousand leaves for every handful of cases."""
    data = table(500, n_rows=2000, told=0.9)
    tree = RandomGrower(VariableRandom(0.0)).grow(data, np.random.SeedSequence(0))
    wide = (tree.kind == NOMINAL) & (tree.feature == 1)
    assert (tree.weight[wide] >= 2 * 500).all()
