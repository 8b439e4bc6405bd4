"""The one decorator: how every kernel is compiled, and the notice when it is."""

import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from softwood._kernels._cache import compiled_for_python
from softwood._kernels._linking import HELPER, HOT
from softwood._lean import collection_paused
from softwood._progress import is_watched, tell_progress
from softwood._stopping import stop_if_asked
from softwood._threads import in_main_thread, run_aside

with collection_paused():
    from numba.core import event
    from numba.extending import overload, register_jitable

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a short kernel: cached on disk, GIL released, IEEE arithmetic.

    It returns nothing, numbers or one array. What else Python would have to build, and what
    may take longer than some milliseconds, is a :func:`long_kernel`.
    """
    compiled = compiled_for_python(function)
    if compiled is function:  # compilation is switched off
        return function

    @wraps(function)
    def call(*arguments: Any) -> Any:
        if not compiled.overloads and in_main_thread():  # it will be compiled: that takes long
            return run_aside(compiled, arguments)
        return compiled(*arguments)

    return _callable_from_kernels(call, function, compiled)


def long_kernel(function: Function) -> Function:
    """Compile a kernel that may take long, or returns tuples: the main thread only waits for it.

    So Ctrl-C ends it as soon as it looks at :func:`softwood._kernels.stopping.stop_requested`.
    """
    compiled = compiled_for_python(function)
    if compiled is function:
        return function
    _long.add(function.__name__)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        if in_main_thread():
            return run_aside(compiled, arguments)
        answer = compiled(*arguments)
        stop_if_asked()  # then the answer is of half of the work
        return answer

    return _callable_from_kernels(call, function, compiled)


def _callable_from_kernels(call: Any, function: Function, compiled: Any) -> Function:
    """Return ``call`` for Python; in other kernels its name stands for the function itself."""
    overload(call, jit_options=HELPER, strict=False)(lambda *arguments: function)
    call.compiled = compiled
    return cast(Function, call)


def inlined(function: Function) -> Function:
    """Compile a helper only where kernels call it; LLVM inlines it there.

    From Python it stays the plain function it is. It is not cached on its own: the
    machine code lives in the kernels that call it.
    """
    return cast(Function, register_jitable(**HELPER)(function))


def borrowing(function: Function) -> Function:
    """Compile a helper of kernels that borrows its arrays: it allocates and returns none.

    Without this, a call counts a reference to every array in its arguments, atomically,
    there and back, which can cost far more than the work.
    """
    return cast(Function, register_jitable(_nrt=False, **HELPER)(function))


def hot(function: Function) -> Function:
    """Compile a helper that borrows its arrays and has an innermost loop where time is spent.

    It is optimised by itself, before it is linked into others; that makes it quicker now and
    then, and compilation a little slower.
    """
    return cast(Function, register_jitable(_nrt=False, **HOT)(function))


def pasted(function: Function) -> Function:
    """Compile a helper that borrows its arrays into its caller, whatever its size.

    For work so short that handing over the arguments would take as long.
    """
    return cast(Function, register_jitable(_nrt=False, forceinline=True, **HELPER)(function))


def by_type(bodies: Mapping[type, Any], *, allocate: bool = False, **options: Any) -> Any:
    """Return a helper of kernels that is one of several, by the type of its first argument.

    Parameters
    ----------
    bodies : mapping
        What it is for each type of named tuple. All take the same arguments, by position.
    allocate : bool, default=False
        Whether some of them allocate or return arrays; else they only borrow them.
    **options
        Of the compiler, such as ``forceinline``.
    """

    def call(*arguments: Any) -> Any:
        return bodies[type(arguments[0])](*arguments)

    options = {"_nrt": allocate, **HELPER, **options}
    overload(call, jit_options=options, strict=False)(
        lambda *arguments: bodies[arguments[0].instance_class]
    )
    return call


# CPU seconds that the longest kernels take to compile, about, helpers included; others take one
# to five. See benchmarks/README.md.
SECONDS = {
    "grow_packed": 13,
    "split_node": 8,
    "evolve": 7,
    "grow_tree": 6,
}
_long: set[str] = set()  # names of long kernels


class _CompilationNotice(event.Listener):  # type: ignore[misc]
    """Says what is being compiled, and how long that takes: a silent wait looks like a hang."""

    def __init__(self) -> None:
        self.n_compiled = 0
        self._depth = 0  # helpers are compiled within kernels; only one thread compiles at a time
        self._told: set[str] = set()

    def on_start(self, event: Any) -> None:
        function, self._depth = event.data["dispatcher"].py_func, self._depth + 1
        module, name = function.__module__ or "", function.__name__
        if not module.startswith("softwood."):
            return
        if is_watched():
            tell_progress(f"compiling {name}", self.n_compiled, None)
        elif self._depth == 1:
            self._tell(name)

    def on_end(self, event: Any) -> None:
        self.n_compiled += 1
        self._depth -= 1

    def _tell(self, name: str) -> None:
        if name not in _long or name in self._told or os.environ.get("SOFTWOOD_QUIET"):
            return
        hint = "" if self._told else "; `softwood warmup` compiles ahead"
        self._told.add(name)
        seconds = f"about {SECONDS[name]} s" if name in SECONDS else "a few seconds"
        how_long = f"{seconds}, then it is kept"
        sys.stderr.write(f"softwood: compiling {name} for this machine, {how_long}{hint}\n")


event.register("numba:compile", _CompilationNotice())
