"""What scores rank, and what they leave alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from softwood.conformal import class_scores, relative_spread

shares = st.lists(st.floats(0.0, 1.0), min_size=2, max_size=4)


@given(shares)
def test_probable_classes_fit_better(listed):
    share = np.array([listed])
    score = class_scores(share)
    assert (
        np.argsort(-share, kind="stable").tolist() == np.argsort(score, kind="stable").tolist()
        or (np.diff(np.sort(share)) < 1e-15).any()
    )


def test_blur_divides_rows_of_one_leaf_and_does_not_depose_a_pure_one():
    share = np.array([[1.0, 0.0], [1.0, 0.0]])
    blurred = np.array([[0.9, 0.1], [0.2, 0.8]])
    score = class_scores(share, blurred)
    assert score[0, 0] < score[1, 0] < score[1, 1] < score[0, 1]


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=9))
def test_the_average_row_is_as_wide_as_it_was(listed):
    spread = np.array(listed)
    found = relative_spread(spread, float(spread.mean()))
    np.testing.assert_allclose(found.mean(), 1.0)
    assert (found >= 0.5).all()
