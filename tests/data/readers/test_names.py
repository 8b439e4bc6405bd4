"""Names of columns, mended."""

from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers.names import listed, mended_names

names = st.text(st.sampled_from("ab_12 \n"), max_size=5) | st.sampled_from(["unnamed_1", "a_2"])


@given(header=st.lists(names, min_size=1, max_size=8))
def test_mended_names_differ_and_are_not_empty(header):
    mended, notes = mended_names(header)
    assert len(mended) == len(header) == len(set(mended))
    assert all(name and name == " ".join(name.split()) for name in mended)
    assert bool(notes) == (mended != header)
    assert mended_names(mended) == (mended, [])


def test_names_that_are_right_are_kept():
    header = ["a", "a_2", "a", ""]
    assert mended_names(header)[0] == ["a", "a_2", "a_3", "unnamed_4"]


def test_lists_are_short():
    assert listed(["a", "b"]) == "'a', 'b'"
    assert listed(list("abc"), 2) == "'a', 'b' and 1 more"
