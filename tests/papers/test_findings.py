import numpy as np
import pytest

from softwood.papers.findings import Beside


def test_a_table_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"ours of 'errors' has shape \(1, 1\)"):
        Beside("errors", ("a", "b"), ("x",), np.zeros((2, 1)), np.zeros((1, 1)))
