import numpy as np
import pytest

from softwood.export._leaves import only_answers
from softwood.export.source import source_of
from softwood.interop import import_model
from tests.view.explorer.models import MAKE, made


@pytest.mark.parametrize("name", MAKE)
def test_a_source_has_all_of_a_model(name):
    source = source_of(made(name)[0])
    forest = source.imported.forest
    assert len(source.trees) == len(source.flows) == len(source.gates) == forest.n_trees
    assert source.divisor.shape == (forest.n_outputs,)
    assert source_of(source.imported).imported is source.imported


def test_leaves_with_one_answer():
    from softwood._kernels.flow.spread_blocks import only_responses

    tree = import_model(made("1000 leaves")[0]).forest.trees[0]
    assert np.array_equal(only_answers(tree), only_responses(tree.nodes, tree.response))
