import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.ensemble.jobs import Jobs


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_answers_come_in_the_order_of_the_arguments(n_jobs):
    assert Jobs(n_jobs).map(np.sqrt, [1.0, 4.0, 9.0]) == [1.0, 2.0, 3.0]
    assert Jobs(n_jobs).each(np.sqrt, [1.0, 4.0, 9.0]) == [1.0, 2.0, 3.0]


def test_progress_is_reported_once_for_each_answer():
    heard = []
    found = Jobs(2).map(np.sqrt, np.arange(7.0), lambda: heard.append(threading.get_ident()))
    assert found == np.sqrt(np.arange(7.0)).tolist()
    assert heard == [threading.get_ident()] * 7


@given(st.integers(0, 2000), st.integers(1, 300), st.integers(1, 4))
def test_parts_follow_each_other_and_are_large_enough(n_rows, least, n_jobs):
    parts = Jobs(n_jobs).parts(n_rows, least)
    assert np.concatenate([np.arange(n_rows)[part] for part in parts]).tolist() == [*range(n_rows)]
    assert 1 <= len(parts) <= n_jobs
    assert len(parts) == 1 or all(part.stop - part.start >= least for part in parts)
