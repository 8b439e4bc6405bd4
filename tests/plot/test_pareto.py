import numpy as np
import pytest

from softwood import EvolvedTreeClassifier
from softwood.datasets import make_gaussians
from softwood.plot import plot_pareto_front
from tests.strategies import WITHOUT_JIT

pytestmark = pytest.mark.skipif(WITHOUT_JIT, reason="evolution takes minutes in plain Python")


@pytest.fixture(scope="module")
def model():
    quick = EvolvedTreeClassifier(n_iter=500, population_size=20, random_state=0)
    return quick.fit(*make_gaussians(80, random_state=0))


def test_every_tree_of_the_front_is_a_point(model):
    ax = plot_pareto_front(model)
    steps, points, chosen = ax.lines
    np.testing.assert_array_equal(points.get_xdata(), model.pareto_front_.n_leaves)
    np.testing.assert_array_equal(points.get_ydata(), model.pareto_front_.risks)
    np.testing.assert_array_equal(steps.get_ydata(), points.get_ydata())
    assert chosen.get_xdata() == [model.tree_.n_leaves]
    assert chosen.get_ydata() == [model.risk_]
    assert [tick.get_text() for tick in ax.get_xticklabels()][:3] == ["1", "2", "4"]


def test_the_tree_that_was_selected_is_marked(model):
    small = model.select(n_leaves=3)
    assert plot_pareto_front(small).lines[2].get_xdata() == [small.tree_.n_leaves]


def test_a_front_alone_has_no_model_to_mark(model):
    ax = plot_pareto_front(model.pareto_front_)
    assert len(ax.lines) == 2
    assert plot_pareto_front(model.pareto_front_, ax) is ax


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="must be a ParetoFront or a fitted"):
        plot_pareto_front([1, 2])
