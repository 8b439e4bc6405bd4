"""The one decorator: how every kernel is compiled, and the notice when it is."""

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

from softwood._lean import collection_paused

with collection_paused():
    from numba import njit
    from numba.core import event
    from numba.extending import register_jitable

# A helper needs no entry point of its own: leaving it out makes compilation shorter.
_HELPER = {"fastmath": False, "error_model": "numpy", "no_cfunc_wrapper": True}

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a kernel: cached on disk, GIL released, IEEE arithmetic."""
    compiled = njit(cache=True, nogil=True, fastmath=False, error_model="numpy")
    return cast(Function, compiled(function))


def inlined(function: Function) -> Function:
    """Compile a helper only where kernels call it; LLVM inlines it there.

    From Python it stays the plain function it is. It is not cached on its own: the
    machine code lives in the kernels that call it.
    """
    return cast(Function, register_jitable(**_HELPER)(function))


def borrowing(function: Function) -> Function:
    """Compile a helper of kernels that borrows its arrays: it allocates and returns none.

    Without this, a call counts a reference to every array in its arguments, atomically,
    there and back, which can cost far more than the work.
    """
    return cast(Function, register_jitable(_nrt=False, **_HELPER)(function))


def pasted(function: Function) -> Function:
    """Compile a helper that borrows its arrays into its caller, whatever its size.

    For work so short that handing over the arguments would take as long.
    """
    return cast(Function, register_jitable(_nrt=False, forceinline=True, **_HELPER)(function))


class _CompilationNotice(event.Listener):  # type: ignore[misc]
    """Says once that kernels are being compiled: a silent wait looks like a hang."""

    told = False

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__ or ""
        if self.told or not module.startswith("softwood.") or os.environ.get("SOFTWOOD_QUIET"):
            return
        type(self).told = True
        sys.stderr.write("softwood: compiling kernels for this machine (once, under a minute)\n")

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _CompilationNotice())
