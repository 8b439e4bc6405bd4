"""C45Classifier against the real J48: 14 data sets, six option sets each."""

import numpy as np
import pytest

from softwood import C45Classifier, export_text
from softwood.data.schema import Feature, Schema
from softwood.data.training import TrainingSet
from softwood.grow.greedy import C45, GreedyGrower
from softwood.refine.collapse import Collapse
from softwood.refine.pessimistic import PrunePessimistic
from tests.golden import J48_SETS, printed_tree, read_j48

OPTIONS = {
    "default": {},
    "-U": {"pruning": None},
    "-C 0.1": {"confidence": 0.1},
    "-M 5": {"min_samples_leaf": 5},
    "-S": {"subtree_raising": False},
    "-A": {"laplace": True},
}


def grown(golden, pruning="pessimistic", confidence=0.25, min_samples_leaf=2, **rest):
    """The tree with classes in J48's declared order, which decides printed ties."""
    data = TrainingSet.of_classes(
        golden.X[golden.train],
        golden.label[golden.train],
        n_classes=len(golden.classes),
        n_categories=golden.n_categories,
    )
    tree = Collapse().refine(GreedyGrower(C45(min_samples_leaf)).grow(data))
    if pruning is None:
        return tree
    raising = rest.get("subtree_raising", True)
    return PrunePessimistic(confidence, raising).refine(tree, data)


def named(tree, golden):
    """The tree as a fitted model, with the names of the data set."""
    model = C45Classifier()
    model.tree_, model.classes_ = tree, np.array(golden.classes)
    pairs = zip(golden.features, golden.categories, strict=True)
    model.schema_ = Schema(tuple(Feature(name, levels and tuple(levels)) for name, levels in pairs))
    return model


@pytest.mark.parametrize("name", J48_SETS)
def test_the_tree_is_the_one_j48_prints(name):
    golden = read_j48(name)
    for run in golden.runs:
        tree = grown(golden, **OPTIONS[run["options"]])
        text = export_text(named(tree, golden))
        assert [line.strip() for line in text.splitlines()] == printed_tree(run["tree"]), run[
            "options"
        ]
        assert tree.n_nodes == run["n_nodes"]


@pytest.mark.parametrize("name", J48_SETS)
def test_test_rows_get_j48s_distributions(name):
    golden = read_j48(name)
    for run in golden.runs:
        model = C45Classifier(**OPTIONS[run["options"]])
        model.fit(golden.frame(golden.train), golden.y(golden.train))
        assert model.tree_.n_nodes == run["n_nodes"]
        columns = [golden.classes.index(label) for label in model.classes_]
        expected = np.array([row["distribution"] for row in run["test_predictions"]])
        # J48 prints three decimals.
        ours = model.predict_proba(golden.frame(golden.test))
        np.testing.assert_allclose(ours, expected[:, columns], atol=5.1e-4)
