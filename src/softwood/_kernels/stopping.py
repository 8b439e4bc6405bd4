"""How a long kernel learns that it should stop.

A kernel that may run for more than some milliseconds asks :func:`stop_requested` in its
outer loops, and returns early; nobody reads what it returns then.
"""

import ctypes

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from softwood._kernels._linking import HELPER
from softwood._stopping import WORDS, should_stop

# By name and not by address: compiled code that was cached finds it again in another process.
_NAME = "softwood_stop_words"
llvmlite.binding.add_symbol(_NAME, ctypes.addressof(WORDS))


@intrinsic
def _word(typing_context, slot):
    def generate(context, builder, signature, arguments):
        words = builder.module.globals.get(_NAME)
        if words is None:
            kind = ir.ArrayType(ir.IntType(64), len(WORDS))
            words = ir.GlobalVariable(builder.module, kind, _NAME)
        place = builder.gep(words, [ir.Constant(ir.IntType(64), 0), arguments[0]])
        return builder.load_atomic(place, "monotonic", 8)

    return types.uint64(types.int64), generate


@intrinsic
def _thread_ident(typing_context):
    def generate(context, builder, signature, arguments):
        long = ir.IntType(8 * ctypes.sizeof(ctypes.c_ulong))
        ident = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(long, []), "PyThread_get_thread_ident"
        )
        return builder.zext(builder.call(ident, []), ir.IntType(64))

    return types.uint64(), generate


def stop_requested() -> bool:
    """Whether the thread that runs this was asked to stop."""
    return should_stop()


@overload(stop_requested, jit_options={"_nrt": False, **HELPER})
def _compiled_stop_requested():
    n_words = len(WORDS)

    def look():
        if _word(0) == 0:
            return False
        ident = _thread_ident()
        for slot in range(1, n_words):  # noqa: SIM110 - numba has no any()
            if _word(slot) == ident:
                return True
        return False

    return look
