"""What numba works out at every turn while it compiles a kernel, worked out once, or not at all.

Nothing of it changes what is compiled. It is in force only while a kernel of ours is compiled (then
numba's lock keeps all other threads from compiling), and code of others is compiled as ever.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from llvmlite.ir.types import IdentifiedStructType, Type
from numba.core import ir, transforms
from numba.core.compiler_machinery import register_pass
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import TargetConfig
from numba.core.untyped_passes import InlineClosureLikes

_SEARCHED_FOR = frozenset({"array", "reduce", "stencil"})
_PLAIN = frozenset({ir.Loc, ir.Scope, str, int, bool, float, type(None)})


def _vars_of(val: Any) -> list[Any]:
    """Return the variables in a value, as ``ir.Inst._rec_list_vars`` does."""
    kind = type(val)
    if kind is ir.Var:
        return [val]
    if kind in _PLAIN:
        return []
    if isinstance(val, dict):
        val = val.values()
    elif isinstance(val, ir.Inst):
        return val.list_vars()  # type: ignore[no-any-return]
    elif not isinstance(val, (list, tuple)):
        return [val] if isinstance(val, ir.Var) else []
    found: list[Any] = []
    for part in val:
        kind = type(part)
        if kind is ir.Var:
            found.append(part)
        elif kind not in _PLAIN:
            found.extend(_vars_of(part))
    return found


def _list_vars(self: Any, val: Any) -> list[Any]:
    return _vars_of(val)


def _process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Process as numba does, without what only generators and slow Python code ask for."""
    code = self.func_ir
    if code.is_generator:
        _PROCESS(self, emit_dels, extend_lifetimes)
        return
    code.blocks = transforms.canonicalize_cfg(code.blocks)
    code.variable_lifetime = VariableLifetime(code.blocks)  # found when it is asked for
    code.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _same_flags(self: Any, other: Any) -> Any:
    """Compare flags that are set; those that neither has set have their defaults."""
    if self is other:
        return True
    if type(self) is not type(other):
        return _EQUAL(self, other)
    ours, theirs = self._values, other._values
    return all(getattr(self, name) == getattr(other, name) for name in {**ours, **theirs})


_hashes: dict[type, int] = {}


def _hash_of_flags(self: Any) -> int:
    """Return numba's hash, which is that of the names of all flags."""
    known = _hashes.get(type(self))
    if known is None:
        known = _hashes[type(self)] = _HASH(self)
    return known


_sizes: dict[tuple[str, int], int] = {}


def _size_of_type(self: Any, target_data: Any, context: Any = None) -> int:
    """Return how many bytes a type of LLVM's takes: it is asked thousands of times, of a few."""
    if isinstance(self, IdentifiedStructType):  # its text is no more than its name
        return _SIZE(self, target_data, context)  # type: ignore[no-any-return]
    key = str(self), id(target_data)
    if key not in _sizes:
        _sizes[key] = _SIZE(self, target_data, context)
        _asked_with.append(target_data)  # kept alive, for its place in memory is part of the key
    return _sizes[key]


_asked_with: list[Any] = []
_PROCESS, _EQUAL, _HASH = PostProcessor.run, TargetConfig.__eq__, TargetConfig.__hash__
_SIZE = Type.get_abi_size
_IN_PLACE_OF_NUMBAS: tuple[tuple[type, str, Any], ...] = (
    (ir.Inst, "_rec_list_vars", _list_vars),
    (PostProcessor, "run", _process),
    (TargetConfig, "__eq__", _same_flags),
    (TargetConfig, "__hash__", _hash_of_flags),
    (Type, "get_abi_size", _size_of_type),
)


@contextmanager
def shortcuts() -> Iterator[None]:
    """Let numba take them, on the thread that has its lock."""
    own = [(owner, name, getattr(owner, name)) for owner, name, _ in _IN_PLACE_OF_NUMBAS]
    for owner, name, shorter in _IN_PLACE_OF_NUMBAS:
        setattr(owner, name, shorter)
    try:
        yield
    finally:
        for owner, name, before in own:
            setattr(owner, name, before)


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlineIfAny(InlineClosureLikes):  # type: ignore[misc]
    """numba's search for functions within the function, and for arrays that are made of lists."""

    _name = "softwood_inline_if_any"

    def run_pass(self, state: Any) -> bool:
        """Search, if there may be any."""
        code = state.func_id.code
        has_inner = any(isinstance(constant, CodeType) for constant in code.co_consts)
        if has_inner or not _SEARCHED_FOR.isdisjoint(code.co_names):
            return bool(super().run_pass(state))
        return False


def without_searches(passes: Any) -> None:
    """Let a pipeline search for what is to be inlined only where there may be any."""
    passes.passes = [
        (_InlineIfAny if kind is InlineClosureLikes else kind, title)
        for kind, title in passes.passes
    ]
