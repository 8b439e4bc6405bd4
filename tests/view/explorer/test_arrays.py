import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.view.explorer.arrays import ALIGNMENT, TYPES, Block

arrays = st.lists(
    st.tuples(st.sampled_from(sorted(TYPES)), st.lists(st.integers(0, 200), max_size=9)), max_size=6
)


@given(arrays)
def test_arrays_are_where_the_page_looks_for_them(written):
    block = Block()
    places = [block.add(values, kind) for kind, values in written]
    data = zlib.decompress(base64.b64decode(block.text()))
    assert len(data) == block.n_bytes
    for (kind, values), (said, start, size) in zip(written, places, strict=True):
        assert said == kind
        assert start % ALIGNMENT == 0
        found = np.frombuffer(data, np.dtype(TYPES[kind]).newbyteorder("<"), size, start)
        assert found.tolist() == values


def test_numbers_keep_all_their_digits():
    block, values = Block(), np.array([0.1, np.nan, -np.inf, 5e-324])
    block.add(values, "f8")
    data = zlib.decompress(base64.b64decode(block.text()))
    assert np.frombuffer(data, "<f8").tobytes() == values.tobytes()


def test_other_kinds_are_refused():
    with pytest.raises(KeyError):
        Block().add([1], "f4")
