"""A call does not pass through more files than it did."""

import numpy as np
import pytest

from tests.architecture.ways import files_of, ways
from tests.strategies import WITHOUT_JIT


@pytest.mark.skipif(WITHOUT_JIT, reason="kernels that are not compiled call each other")
def test_no_way_has_become_longer():
    longer = {name: files for name, most, files in ways() if len(files) > most}
    assert not longer, "does a reader have to come by all of these? then raise the number in ways"


def test_files_of_a_call_are_those_whose_functions_run():
    from softwood.forest.ties import most_probable

    assert files_of(lambda: None) == []
    assert files_of(lambda: most_probable(np.eye(2))) == ["forest/ties.py"]
