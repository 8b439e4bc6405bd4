"""Helpers are linked into kernels, and only kernels are compiled."""

import os

import numpy as np
import pytest
from numba import njit
from numba.core.codegen import JITCodeLibrary

from softwood._kernels._jit import borrowing, hot, inlined, kernel
from softwood._kernels._linking import KERNEL

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels"
)


@borrowing
def square(x):
    return x * x


@hot
def sum_of_squares(values):
    total = 0.0
    for i in range(values.size):
        total += square(values[i])
    return total


@inlined
def first(n):
    return np.arange(n).astype(np.float64)


@inlined
def checked(n):
    if n > 100:
        raise ValueError("too many", n)  # what it says is an object of Python's
    return first(n)


@kernel
def squares_below(n: int) -> float:
    return sum_of_squares(checked(n)) + square(0.5)


@kernel
def twice(n: int) -> float:
    return 2.0 * squares_below(n)


def test_a_kernel_calls_helpers_of_helpers_and_other_kernels():
    assert squares_below(4) == 14.25
    assert twice(4) == 28.5


def test_helpers_raise_what_kernels_let_through():
    with pytest.raises(ValueError, match="too many") as caught:
        squares_below(101)
    assert caught.value.args == ("too many", 101)


def test_only_kernels_have_machine_code(monkeypatch):
    made = []
    finish = JITCodeLibrary._finalize_specific

    def noted(library):
        made.append(library.name.rpartition(".")[2])
        finish(library)

    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", noted)
    anew = njit(**KERNEL)(squares_below.compiled.py_func)
    assert anew(4) == 14.25
    assert "squares_below" in made
    assert not {"square", "sum_of_squares", "first", "checked"}.intersection(made)


def test_a_kept_kernel_is_found_again():
    twice(2)
    from softwood._kernels._cache import KernelCache

    cache = KernelCache(twice.compiled.py_func)
    (signature,) = twice.compiled.overloads
    found = cache.load_overload(signature, twice.compiled.targetctx)
    assert found is not None
    assert found.entry_point(3) == 2.0 * (5 + 0.25)
