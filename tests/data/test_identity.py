"""What is the same category: a rule that must hold for every door."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.identity import number_of, places

UNKNOWN = -2


@pytest.mark.parametrize(
    ("categories", "values", "expected"),
    [
        (
            (False, True),
            [True, "True", "true", "TRUE", "False", 1, 0.0, "1"],
            [1, 1, 1, 1, 0, 1, 0, 1],
        ),
        (("FALSE", "TRUE"), [True, False, "true", "False"], [1, 0, 1, 0]),
        (("False",), [False, "false", True], [0, 0, UNKNOWN]),
        (("true", "false", "maybe"), [True, "TRUE", "maybe"], [UNKNOWN, UNKNOWN, 2]),
        ((1, 2), [1, 1.0, "1", "1.0", np.int64(1), "1e0", "2."], [0, 0, 0, 0, 0, 0, 1]),
        ((1, 2), ["01", "+1", " 1", "1_0", "one", "nan"], [UNKNOWN] * 6),
        ((7,), ["007", "7"], [UNKNOWN, 0]),
        (("007",), ["007", 7, "7"], [0, UNKNOWN, UNKNOWN]),
        (("1", "1.0"), ["1", "1.0", 1, "1.00"], [0, 1, UNKNOWN, UNKNOWN]),
        ((0.1, 1e-7, 1e16), ["0.1", "1e-07", "1e+16", ".1"], [0, 1, 2, 0]),
        ((2**53, 2**53 + 1), ["9007199254740992", "9007199254740993"], [0, 1]),
        (("red", None), ["red", "None", "Red"], [0, UNKNOWN, UNKNOWN]),
        (("red", 1), [b"red", b"1", b"\xff"], [0, 1, UNKNOWN]),
        ((), ["true", 1], [UNKNOWN, UNKNOWN]),
    ],
)
def test_the_rule(categories, values, expected):
    assert places(values, categories, UNKNOWN) == expected


@pytest.mark.parametrize(
    "value", [10**400, "1e400", "9" * 5000, np.inf, np.nan, "", None, object()]
)
def test_what_is_no_number_of_a_category_does_not_disturb(value):
    assert places([value], (1, "a"), UNKNOWN) == [UNKNOWN]
    assert places(["a"], (1, "a", value), UNKNOWN) == [1]


scalars = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=3))


@given(st.lists(scalars, min_size=1, max_size=8, unique_by=lambda value: value))
def test_every_category_is_itself(categories):
    assert places(categories, categories, UNKNOWN) == list(range(len(categories)))


@given(st.one_of(st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False)))
def test_what_python_writes_is_the_number(number):
    assert number_of(repr(number)) == number
    assert places([repr(number)], ["other", number], UNKNOWN) == [1]
