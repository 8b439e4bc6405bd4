"""Names that libraries give to columns that have none."""

import pytest

from softwood.estimators._diff_columns import is_named


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["x0", "x1", "x2"], False),
        (["Column_0", "Column_1"], False),
        (["f0"], False),
        (["x1", "x0"], True),
        (["x0", "age"], True),
        (["x00"], False),
    ],
)
def test_numbers_are_no_names(names, expected):
    assert is_named(names) is expected
