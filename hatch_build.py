"""What makes a wheel one of a platform: a folder of compiled kernels, if one is named.

``SOFTWOOD_COMPILED=folder python -m build --wheel``; without it, the wheel is for every system
and kernels are compiled where they run. See docs/decisions/015-compiled-wheels.md.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface):
    """Puts compiled kernels beside their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files, and the Python and system that they are for."""
        folder = os.environ.get("SOFTWOOD_COMPILED")
        if not folder or version == "editable":
            return
        kernels = sorted(Path(folder).rglob("*.nb[ci]"))
        if not kernels:
            raise FileNotFoundError(f"SOFTWOOD_COMPILED={folder} has no compiled kernels")
        for path in kernels:
            inside = path.relative_to(folder).as_posix()
            build_data["force_include"][str(path.absolute())] = (
                f"softwood/_kernels/_compiled/{inside}"
            )
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-none-{system}"
