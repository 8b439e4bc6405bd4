"""Shortcuts of the compiler give what numba's own ways give, and end with the compilation."""

import os
from types import SimpleNamespace

import numpy as np
import pytest
from llvmlite import ir as llvm
from numba.core import compiler, ir, registry
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import Flags
from numba.core.postproc import PostProcessor

from softwood._kernels import _shortcuts
from softwood._kernels._jit import kernel

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="about compiled kernels"
)


def some_loops(x, n, names=("a", "b")):
    total = 0.0
    for i in range(n):
        if x[i] > 0.5 or x[-1] < total:
            total += x[i] * max(n, 3) - len(names)
        while total > 10.0:
            total -= x[i : i + 2].sum()
    x[0] = total
    return total, [x, n]


def representation(function=some_loops):
    return compiler.run_frontend(function)


def test_variables_are_those_that_numba_lists():
    lines = [line for block in representation().blocks.values() for line in block.body]
    own = [line.list_vars() for line in lines]
    parts = [line.value for line in lines if isinstance(getattr(line, "value", None), ir.Inst)]
    own_of_parts = [part.list_vars() for part in parts]
    with _shortcuts.shortcuts():
        assert [line.list_vars() for line in lines] == own
        assert [part.list_vars() for part in parts] == own_of_parts
    assert sum(map(len, own)) > 20


@pytest.mark.parametrize("emit_dels", [True, False])
def test_code_is_processed_as_by_numba(emit_dels):
    one, other = representation(), representation()
    PostProcessor(one).run(emit_dels)
    with _shortcuts.shortcuts():
        PostProcessor(other).run(emit_dels)
    texts = [
        [str(line) for block in code.blocks.values() for line in block.body]
        for code in (one, other)
    ]
    assert texts[0] == texts[1]
    assert any(line.startswith("del ") for line in texts[0]) == emit_dels
    assert one.variable_lifetime.livemap == other.variable_lifetime.livemap


def test_generators_are_left_to_numba():
    def count(n):
        for i in range(n):
            yield i * i

    with _shortcuts.shortcuts():
        code = representation(count)
        PostProcessor(code).run()
    assert code.generator_info.yield_points


def test_flags_are_equal_where_all_their_values_are():
    def made(**values):
        flags = Flags()
        for name, value in values.items():
            setattr(flags, name, value)
        return flags

    default = Flags().nrt  # saying what is so anyway changes nothing
    some = [made(), made(nrt=default), made(nrt=not default), made(error_model="numpy"), Flags()]
    own = [[one == other for other in some] for one in some]
    hashes = [hash(one) for one in some]
    with _shortcuts.shortcuts():
        assert [[one == other for other in some] for one in some] == own
        assert [hash(one) for one in some] == hashes
        assert some[0] != "flags"
    assert own[0] == [True, True, False, False, True]


def test_types_have_their_sizes():
    target = registry.cpu_target.target_context.codegen().target_data
    byte, word = llvm.IntType(8), llvm.IntType(64)
    named = llvm.Context().get_identified_type("named")
    named.set_body(word, word, byte)
    kinds = [byte, word, llvm.DoubleType(), byte.as_pointer(), llvm.LiteralStructType([byte, word])]
    own = [kind.get_abi_size(target) for kind in kinds]
    with _shortcuts.shortcuts():
        for _ in range(2):
            assert [kind.get_abi_size(target) for kind in kinds] == own
    assert own == [1, 8, 8, 8, 16]
    assert ("%named", id(target)) not in _shortcuts._sizes


def in_force():
    return [owner.__dict__[name] for owner, name, _ in _shortcuts._IN_PLACE_OF_NUMBAS]


def fail_within(found):
    with _shortcuts.shortcuts():
        found.extend(in_force())
        raise RuntimeError


def test_they_end_with_the_compilation_also_with_one_that_fails():
    before, during = in_force(), []
    with pytest.raises(RuntimeError):
        fail_within(during)
    assert in_force() == before
    assert not set(map(id, before)) & set(map(id, during))


def test_functions_within_kernels_are_still_inlined():
    @kernel
    def with_inner(n):
        def twice(k):
            return 2 * k

        found = np.array([twice(k) for k in range(n)])
        return found.sum()

    @kernel
    def without(n):
        return 2 * n

    assert with_inner(4) == 12
    assert without(4) == 8


def test_what_may_hold_functions_is_searched(monkeypatch):
    searched = []
    monkeypatch.setattr(
        _shortcuts.InlineClosureLikes, "run_pass", lambda self, state: searched.append(1) or True
    )
    look = _shortcuts._InlineIfAny()
    for function, times in ((some_loops, 0), (lambda n: [k for k in range(n)], 1),
                            (lambda n: np.array([n]), 2)):  # fmt: skip
        identity = FunctionIdentity.from_function(function)
        look.run_pass(SimpleNamespace(func_id=identity))
        assert len(searched) == times
