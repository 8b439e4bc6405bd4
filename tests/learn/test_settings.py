"""Ensembles in several settings: what is shared out, and which trees grow."""

from dataclasses import replace

import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.ensemble.alphas import coalescing_alphas, missing_alphas
from softwood.ensemble.jobs import Jobs
from softwood.ensemble.sampling import Sampling, seed_of_tree
from softwood.ensemble.shared_data import SharedTrainingData, grow_trees
from softwood.forest.packed import PackedTrees
from softwood.grow.random import VariableRandom
from softwood.learn.random_forest import CoalescenceForest
from softwood.learn.settings import MOST_ROWS, Setting, n_pilots, shared_out

USUAL = VariableRandom(n_random_tests=3)
SETTINGS = (
    Setting("usual", (0.25, 1.0), USUAL),
    Setting("stumps", (0.25, 1.0), replace(USUAL, max_depth=1)),
    Setting("random", (0.0, 0.2), USUAL),
)
SOME = Sampling("subsample", max_samples=(0.5, 0.9))


def learner(n_trees=60, **options):
    return CoalescenceForest(n_trees, SOME, policy=USUAL, settings=SETTINGS, **options)


def checkers(n_rows=300):
    """Rows whose class takes two tests to tell: stumps know nothing."""
    X = np.random.default_rng(0).uniform(size=(n_rows, 2))
    return TrainingSet.of_classes(X, (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5))


def test_settings_that_lose_have_no_trees():
    fitted = learner().fit(checkers(), 0)
    choice = fitted.facts["choice"]
    assert list(choice) == ["usual", "stumps", "random"]
    assert choice["stumps"]["trees"] == []
    assert choice["stumps"]["loss"] > 1.5 * choice["usual"]["loss"]
    owned = sorted(number for facts in choice.values() for number in facts["trees"])
    assert owned == list(range(60))


def test_every_tree_is_the_one_of_its_number_alpha_and_setting():
    data = checkers()
    fitted = learner().fit(data, 7)
    shared = SharedTrainingData.of(data, SOME, 7)
    rows = SOME.rows([seed_of_tree(7, number) for number in range(60)], data.weight)
    assert len({tuple(line) for line in rows}) == 60
    settings = {setting.name: setting for setting in SETTINGS}
    for place, (name, facts) in enumerate(fitted.facts["choice"].items()):
        own, is_pilot = (
            fitted.facts["alphas"][facts["trees"]],
            np.isin(facts["trees"], np.arange(20 * place, 20 * place + 20)),
        )
        first = coalescing_alphas(20, *facts["alpha_range"])[: 20 * bool(own.size)]
        np.testing.assert_allclose(own[is_pilot], first, atol=1e-12)
        wanted = missing_alphas(first, coalescing_alphas(own.size, *facts["alpha_range"]))
        np.testing.assert_allclose(own[~is_pilot], wanted, atol=1e-12)
        for number, alpha in zip(facts["trees"], own, strict=True):
            alone = grow_trees([settings[name].grower(alpha)], shared, first=number)
            assert alone[0] == fitted.forest.trees[number]
    assert isinstance(fitted.forest.trees, PackedTrees)


@pytest.mark.parametrize("n_trees", [60, 61, 200])
def test_the_answer_does_not_depend_on_jobs(n_trees):
    data = checkers(120)
    one, two = (learner(n_trees).fit(data, 1, Jobs(n_jobs)) for n_jobs in (1, 2))
    assert one.forest == two.forest
    assert one.facts["choice"] == two.facts["choice"]
    assert one.forest.n_trees == n_trees


def test_where_nothing_is_chosen_trees_are_the_usual_ones():
    plain = CoalescenceForest(59, SOME, policy=USUAL)
    few = learner(59).fit(checkers(), 0)
    assert few.facts["choice"] == {}
    assert few.forest == plain.fit(checkers(), 0).forest


def test_how_many_pilots_there_are():
    def of(n_rows, sampling=SOME):
        data = TrainingSet.of_classes(np.zeros((n_rows, 1)), np.arange(n_rows) % 2)
        return SharedTrainingData.of(data, sampling, 0)

    assert n_pilots(100, 5, SOME, of(MOST_ROWS)) == 20
    assert n_pilots(1000, 5, SOME, of(MOST_ROWS)) == 50
    assert n_pilots(99, 5, SOME, of(MOST_ROWS)) == 0
    assert n_pilots(100, 5, SOME, of(MOST_ROWS + 1)) == 0
    assert n_pilots(100, 5, SOME, None) == 0
    assert n_pilots(100, 5, Sampling("all"), of(100)) == 0
    assert n_pilots(100, 1, SOME, of(100)) == 0


def test_many_rows_have_a_policy_of_their_own():
    stump = replace(USUAL, max_depth=1)
    for n_rows, depth in ((MOST_ROWS, 2), (MOST_ROWS + 1, 1)):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n_rows, 2))
        data = TrainingSet.of_classes(X, (X > 0).sum(axis=1))
        kept = CoalescenceForest(2, SOME, policy=replace(USUAL, max_depth=2), of_many_rows=stump)
        fitted = kept.fit(data, 0)
        assert max(tree.depth for tree in fitted.forest.trees) == depth


def test_a_warm_start_goes_on_in_the_settings_that_stayed():
    data = checkers()
    first = learner(60).fit(data, 0)
    more = learner(80).fit(data, 0, earlier=first)
    assert list(more.forest.trees[:60]) == list(first.forest.trees)
    kept = [name for name, facts in first.facts["choice"].items() if facts["trees"]]
    assert [name for name, facts in more.facts["choice"].items() if facts["trees"]] == kept
    for name, facts in more.facts["choice"].items():
        assert facts["loss"] == first.facts["choice"][name]["loss"]
        assert (
            facts["trees"][: len(first.facts["choice"][name]["trees"])]
            == (first.facts["choice"][name]["trees"])
        )
    owned = [number for facts in more.facts["choice"].values() for number in facts["trees"]]
    assert sorted(owned) == list(range(80))


def test_a_warm_start_in_other_settings_goes_on_in_the_usual_one():
    data = checkers()
    first = learner(60).fit(data, 0)
    plain = CoalescenceForest(70, SOME, policy=USUAL).fit(data, 0, earlier=first)
    assert plain.facts["choice"] == {}
    assert plain.facts["alphas"].size == 70


def test_free_trees_are_shared_evenly():
    owner = shared_out(np.array([1, 2]), np.array([-1, -1, 1, 1, 2, 2]), 11)
    assert owner.tolist() == [1, 1, 1, 1, 2, 2, 1, 1, 2, 2, 2]
