"""Which machine code any processor of a kind can run: kernels of a wheel are compiled for a level.

A level is named as LLVM names it. It stands for processors, in place of the name of one.
"""

from __future__ import annotations

import platform
from typing import NamedTuple

import llvmlite.binding
from numba import config


class Level(NamedTuple):
    """A kind of processors, and what all of them can do."""

    name: str
    abilities: frozenset[str]


_X86_V3 = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3"
_LEVELS = {
    "x86_64": Level("x86-64-v3", frozenset(_X86_V3.split())),
    "aarch64": Level("generic", frozenset()),
}
_LEVELS["amd64"], _LEVELS["arm64"] = _LEVELS["x86_64"], _LEVELS["aarch64"]


def level_here() -> Level | None:
    """Return the level of this kind of machine, if there is one."""
    return _LEVELS.get(platform.machine().lower())


def usable_level() -> str | None:
    """Return the level whose code may run here; None if there is none, or another was asked for.

    Who sets numba's ``NUMBA_CPU_NAME`` plays another processor; ``NUMBA_BOUNDSCHECK`` and
    others ask for code that no wheel has.
    """
    level = level_here()
    if level is None or config.BOUNDSCHECK or int(config.OPT) != 3 or config.DEBUGINFO_DEFAULT:
        return None
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        is_compiled_for = level.name == config.CPU_NAME and not config.CPU_FEATURES
        return level.name if is_compiled_for and config.CPU_FEATURES is not None else None
    abilities = llvmlite.binding.get_host_cpu_features()
    has_all = all(abilities.get(ability, False) for ability in level.abilities)
    return level.name if has_all else None


def settings() -> tuple[object, ...]:
    """Return what else changes the machine code of a kernel."""
    vectors = config.LOOP_VECTORIZE, config.SLP_VECTORIZE
    return config.BOUNDSCHECK, int(config.OPT), config.DEBUGINFO_DEFAULT, *vectors
