import numpy as np
import pytest

from softwood.data.training import TrainingSet
from softwood.learn.vicinity import vicinity

X = np.array([[0.0, 0.0, 1.0, 5.0], [2.0, 1.0, 1.0, 5.0], [4.0, 1.0, 0.0, 5.0]])
DATA = TrainingSet.of_classes(X, [0, 1, 1], n_categories=np.array([0, 2, 2, 0], dtype=np.int32))


def test_noise_is_measured_in_deviations_of_the_column():
    flow = vicinity(DATA, 0.25)
    assert flow.scale == (1.0, 0.0, 0.0, 0.0)  # half of 2; categories and constants have none
    assert flow.exact


def test_categories_are_drawn_anew_in_their_shares():
    flow = vicinity(DATA, 0.25)
    assert flow.redraw == pytest.approx(0.125)
    assert flow.marginals[0] == flow.marginals[3] == ()
    np.testing.assert_allclose(flow.marginals[1], [1 / 3, 2 / 3])
    assert vicinity(DATA, 10.0).redraw == 1.0


def test_columns_may_have_variances_of_their_own():
    flow = vicinity(DATA, [1.0, 0.2, 0.0, 0.0])
    assert flow.scale[0] == 2.0
    assert flow.redraw == pytest.approx(0.1)
    assert [len(shares) for shares in flow.marginals] == [0, 2, 0, 0]
    assert vicinity(DATA, [1.0, 0.0, 0.0, 0.0]).redraw == 0.0


@pytest.mark.parametrize(
    ("sigma2", "says"),
    [
        (-0.1, "not negative"),
        (np.inf, "finite"),
        ([0.1, np.nan, 0.1, 0.1], "finite"),
        ([0.1, 0.1], "each of the 4 columns"),
        ([[0.1]], "each of the 4 columns"),
        ([0.1, 0.1, 0.2, 0.1], "the same for all nominal columns"),
    ],
)
def test_complaints_name_the_parameter(sigma2, says):
    with pytest.raises(ValueError, match=f"sigma2 must.*{says}"):
        vicinity(DATA, sigma2)
