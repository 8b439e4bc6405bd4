import numpy as np
import pytest

from softwood.papers.findings import Beside, Verdict, judge


@pytest.mark.parametrize(
    ("holds", "in_sign", "verdict"),
    [
        (True, False, Verdict.HOLDS),
        (True, True, Verdict.HOLDS),
        (False, True, Verdict.IN_SIGN),
        (False, False, Verdict.FAILS),
        (None, True, Verdict.NO_DATA),
    ],
)
def test_verdicts(holds, in_sign, verdict):
    assert judge("Table 1", "a", "b", holds=holds, in_sign=in_sign).verdict is verdict


def test_a_table_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"ours of 'errors' has shape \(1, 1\)"):
        Beside("errors", ("a", "b"), ("x",), np.zeros((2, 1)), np.zeros((1, 1)))
