"""The one decorator: how every kernel is compiled, and the notice when it is."""

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a kernel: cached on disk, GIL released, IEEE arithmetic."""
    compiled = njit(cache=True, nogil=True, fastmath=False, error_model="numpy")
    return cast(Function, compiled(function))


def inlined(function: Function) -> Function:
    """Compile a helper that only kernels call; LLVM inlines it where it is used.

    It is not cached on its own: the machine code lives in the kernels that call it.
    """
    compiled = njit(nogil=True, fastmath=False, error_model="numpy")
    return cast(Function, compiled(function))


def borrowing(function: Function) -> Function:
    """Compile a helper of kernels that borrows its arrays: it allocates and returns none.

    Without this, a call counts a reference to every array in its arguments, atomically,
    there and back, which can cost far more than the work.
    """
    compiled = njit(nogil=True, fastmath=False, error_model="numpy", _nrt=False)
    return cast(Function, compiled(function))


class _CompilationNotice(event.Listener):  # type: ignore[misc]
    """Says once that kernels are being compiled: a silent wait looks like a hang."""

    told = False

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__
        if self.told or not module.startswith("softwood.") or os.environ.get("SOFTWOOD_QUIET"):
            return
        type(self).told = True
        sys.stderr.write("softwood: compiling kernels for this machine (once; some seconds)\n")

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _CompilationNotice())
