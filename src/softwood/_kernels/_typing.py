"""Types of calls are found once: numba looks through all templates of an operator at every use.

Its search for ``a[i]``, say, tries dozens of templates, each of which may be a function of its own.
Kernels are made of the same few calls on the same few types, so what was found is remembered.
"""

from typing import Any, NamedTuple

from numba.core import types
from numba.core.targetconfig import ConfigStack
from numba.core.typing import Context
from numba.core.typing.templates import Signature


class _Found(NamedTuple):
    """What numba found, and the function that will be called: it depends on flags, too."""

    signature: Any
    implementation: Any
    function: Any  # kept alive, for its place in memory is part of the key


class RememberingContext(Context):  # type: ignore[misc]
    """A typing context that shares everything with numba's own, and asks it once for each call."""

    __slots__ = ("_found", "_own")

    def __init__(self, own: Context) -> None:
        object.__setattr__(self, "__dict__", own.__dict__)
        self._own = own
        self._found: dict[tuple[Any, ...], _Found] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call, as numba does."""
        function: Any = self._lookup_global(func) or func
        if kws or not _is_builtin(function):
            return self._own.resolve_function_type(func, args, kws)
        key = id(function), tuple(args), _flags()
        found = self._found.get(key)
        if found is not None:
            function._impl_keys[found.signature.args] = found.implementation
            return found.signature
        signature = self._own.resolve_function_type(func, args, kws)
        if _is_settled(signature, args):
            implementation = function._impl_keys.get(signature.args)
            if implementation is not None:
                self._found[key] = _Found(signature, implementation, function)
        return signature


def _is_builtin(function: Any) -> bool:
    return type(function) is types.Function


def _is_settled(signature: Any, args: Any) -> bool:
    """Return whether a call would be found alike later: nothing in it is still open."""
    is_plain = isinstance(signature, Signature) and signature.recvr is None
    return is_plain and all(kind.is_precise() for kind in (*args, signature.return_type))


_known_flags: dict[int, tuple[Any, str]] = {}


def _flags() -> str:
    """Return the flags of what is being compiled, in a word."""
    flags = ConfigStack.top_or_none()
    known = _known_flags.get(id(flags))
    if known is None or known[0] is not flags:
        known = _known_flags[id(flags)] = flags, repr(flags)
    return known[1]


_contexts: dict[int, RememberingContext] = {}


def remembering(context: Any) -> Any:
    """Return numba's context with a memory; one for each."""
    if type(context) is not Context:
        return context
    return _contexts.setdefault(id(context), RememberingContext(context))
