"""Types of calls are found once, and found as numba finds them."""

import operator
import os

import numpy as np
import pytest
from numba import njit, types
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack
from numba.core.typing import Context

from softwood._kernels._jit import borrowing, kernel
from softwood._kernels._typing import RememberingContext, remembering

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels"
)
VECTOR = types.Array(types.float64, 1, "C")
CALLS = [
    (operator.getitem, (VECTOR, types.intp)),
    (operator.add, (types.int64, types.float64)),
    (operator.lshift, (types.uint64, types.int32)),
    (operator.setitem, (VECTOR, types.intp, types.float64)),
    (operator.truediv, (VECTOR, VECTOR)),
    (operator.eq, (types.UniTuple(types.int64, 2), types.UniTuple(types.int64, 2))),
]


@pytest.fixture
def counted(monkeypatch):
    """Return a context with a memory of its own, and a list of what numba was asked."""
    own = cpu_target.typing_context
    own.refresh()
    asked, find = [], Context.resolve_function_type

    def note(context, func, args, kws):
        asked.append(func)
        return find(context, func, args, kws)

    monkeypatch.setattr(Context, "resolve_function_type", note)
    return RememberingContext(own), asked


@pytest.mark.parametrize(("func", "args"), CALLS)
def test_a_call_is_looked_for_once_and_found_as_by_numba(counted, func, args):
    context, asked = counted
    first = context.resolve_function_type(func, args, {})
    assert first == cpu_target.typing_context.resolve_function_type(func, args, {})
    n_asked = len(asked)
    assert n_asked >= 2
    assert context.resolve_function_type(func, args, {}) is first
    assert len(asked) == n_asked


def test_other_flags_and_other_types_are_other_calls(counted):
    context, asked = counted
    args = (VECTOR, types.intp)
    flags = Flags()
    flags.boundscheck = True
    context.resolve_function_type(operator.getitem, args, {})
    with ConfigStack().enter(flags):
        context.resolve_function_type(operator.getitem, args, {})
    context.resolve_function_type(operator.getitem, (VECTOR, types.int32), {})
    assert len(asked) == 3


def test_what_was_not_found_is_not_remembered(counted):
    context, asked = counted
    wrong = (VECTOR, types.unicode_type)
    for _ in range(2):
        with pytest.raises(Exception, match=r"No implementation|no match|Invalid"):
            context.resolve_function_type(operator.getitem, wrong, {})
    assert len(asked) == 2


def test_there_is_one_memory_and_numba_keeps_its_own_context():
    own = cpu_target.typing_context
    assert remembering(own) is remembering(own)
    assert remembering(remembering(own)) is remembering(own)
    assert type(cpu_target.typing_context) is not RememberingContext


@borrowing
def last_of(values):
    return values[values.size - 1]


@kernel
def halves(n: int) -> float:
    values = np.empty(n)
    for i in range(n):
        values[i] = i / 2
    return last_of(values)


def test_functions_of_others_are_compiled_as_before():
    assert halves(5) == 2.0

    @njit
    def of_another(n):  # the same calls, in numba's own context
        values = np.empty(n)
        for i in range(n):
            values[i] = i / 2
        return values[n - 1]

    assert of_another(5) == 2.0
