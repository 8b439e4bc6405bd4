"""How kernels become machine code: helpers are linked into them, and only kernels are compiled.

Left alone, numba optimises every helper by itself, with all that it calls, makes machine code of
it, and does so again in each of its callers: most of that work is thrown away. Here a helper stays
as it was written down for LLVM. A kernel is linked with the helpers below it, and
optimised once. Helpers with the innermost loops are optimised by themselves before that
(not compiled), because LLVM sees less in a loop after it was pasted into a long function.

This is numba's way to customise its compiler: a class of pipelines, and passes of our own in it.
"""

from collections.abc import Iterator
from typing import Any

from llvmlite.binding import parse_assembly
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

from softwood._kernels._shortcuts import shortcuts, without_searches
from softwood._kernels._typing import remembering
from softwood._lean import collection_paused

_ENVIRONMENT = "_ZN08NumbaEnv"  # how numba's names of environments begin


class HelperLibrary(JITCodeLibrary):
    """What a helper was lowered to, and the libraries below it: to be linked into others."""

    def add_linking_library(self, library: Any) -> None:
        """Note a library that this one calls."""
        library._ensure_finalized()
        self._linking_libraries.append(library)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Take no more code; there is nothing to compile."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def below(self) -> Iterator[Any]:
        """Yield the libraries that whoever links this one has to link, too."""
        yield from self._linking_libraries


class HotLibrary(HelperLibrary):
    """The same of a helper that is optimised, with all that it calls, before it is linked."""

    def finalize(self) -> None:
        """Optimise; and take no more code."""
        for library in _all_below(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._optimize_final_module()
        super().finalize()

    def below(self) -> Iterator[Any]:
        """Yield nothing: what it calls is in it."""
        yield from ()


class KernelLibrary(JITCodeLibrary):
    """The machine code of a kernel, with all helpers below it."""

    _linking_libraries: list[Any]

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout  # all is optimised once it is linked

    def finalize(self) -> None:
        """Link what is below, and compile."""
        self._linking_libraries = _all_below(self._linking_libraries)
        super().finalize()

    def serialize_using_object_code(self) -> Any:
        """Return machine code and names: what else numba keeps is for linking, which none does."""
        self._ensure_finalized()
        module = self._final_module
        functions = [f.name for f in module.functions if not f.is_declaration]
        variables = [v.name for v in module.global_variables if not v.is_declaration]
        lines = [f'define void @"{name}"() {{ unreachable }}' for name in functions]
        lines += [f'@"{name}" = global i8 0' for name in variables]
        names = parse_assembly("\n".join(lines)).as_bitcode()
        return self.name, "object", (self._get_compiled_object(), names)


def _all_below(libraries: list[Any]) -> list[Any]:
    """Return libraries with those that have to be linked with them, each once."""
    found: dict[Any, None] = {}
    waiting = list(reversed(libraries))
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            if isinstance(library, HelperLibrary):
                waiting.extend(library.below())
    return list(found)


@register_pass(mutates_CFG=True, analysis_only=False)
class _EnterHelper(LoweringPass):  # type: ignore[misc]
    """Let kernels call a helper that has no machine code, as numba does for one that has."""

    _name = "softwood_enter_helper"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        lowered, library = state["cr"], state.library
        described = lowered.fndesc
        # The dispatcher wants a function; this one has no address and is never called.
        entry = _dynfunc.make_function(
            described.lookup_module(), described.qualname, "", 0, lowered.env, (library,)
        )
        state.targetctx.insert_user_function(entry, described, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EnterEnvironments(LoweringPass):  # type: ignore[misc]
    """Give the helpers in a kernel their environments: constants that are Python's objects."""

    _name = "softwood_enter_environments"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        library = state.library
        for variable in library._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    library.codegen.set_env(variable.name, environment)
        return True


class HelperCompiler(Compiler):  # type: ignore[misc]
    """Compiles a helper as far as it can be linked into kernels."""

    library_class: type = HelperLibrary

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipeline, which stops before there is machine code."""
        self.state.flags.no_compile = True
        return [_pipeline(self.state, self.library_class, _EnterHelper)]


class HotCompiler(HelperCompiler):
    """The same, for a helper that is optimised by itself."""

    library_class: type = HotLibrary


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel with all helpers below it."""

    def compile_extra(self, func: Any) -> Any:
        """Compile; what that makes is small, many, and hardly ever garbage."""
        with collection_paused(), shortcuts():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipeline, with a library of our own."""
        return [_pipeline(self.state, KernelLibrary, _EnterEnvironments)]


def _pipeline(state: Any, library_class: type, after_lowering: type) -> Any:
    state.typingctx = remembering(state.typingctx)
    state.library = library_class(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()
    passes = DefaultPassBuilder.define_nopython_pipeline(state)
    without_searches(passes)
    passes.add_pass_after(after_lowering, NativeLowering)
    passes.finalize()
    return passes


# Options of a helper. It needs no entry point of its own: compilation is shorter without.
HELPER = {
    "fastmath": False,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "pipeline_class": HelperCompiler,
}
HOT = {**HELPER, "pipeline_class": HotCompiler}
KERNEL = {
    "nogil": True,
    "fastmath": False,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "pipeline_class": KernelCompiler,
}
