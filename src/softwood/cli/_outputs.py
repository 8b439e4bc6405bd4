"""What a command writes: places that are looked at before the work begins."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from softwood._files import check_place, write_atomically

_OF_ONE_SET = (".names", ".data", ".test")  # C4.5 keeps a data set in files side by side


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path]) -> None:
    """Complain, before minutes of work, about outputs that cannot be written.

    Nor may an output be one of the files that are read, or two outputs the same file.
    """
    read = list(_all_files(inputs))
    seen: dict[Path, Path] = {}
    for output in outputs:
        if output is None:
            continue
        check_place(output, read)
        place = output.resolve()
        if place in seen and (place.is_file() or not place.exists()):
            raise ValueError(f"{output} is named for two outputs; give each a file of its own")
        seen[place] = output


@contextmanager
def solvers_to_stderr() -> Iterator[None]:
    """Send what compiled libraries print to standard error, so that answers can be read.

    scipy's HiGHS prints a line of its own now and then, and cannot be told not to.
    """
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        if os.name == "posix":  # what C has printed may still wait in its buffer
            ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)


def check_picture(path: Path) -> None:
    """Complain about a picture that matplotlib cannot draw, or if there is no matplotlib."""
    from softwood.errors import missing_extra

    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise missing_extra("matplotlib", "plot") from None
    known = FigureCanvasBase.get_supported_filetypes()
    if _format(path) not in known:
        raise ValueError(f"a picture must end in .{', .'.join(sorted(known))}; got {path}")


def check_report() -> None:
    """Complain now if a report could not be drawn."""
    from softwood.errors import missing_extra

    for package in ("matplotlib", "jinja2"):
        if find_spec(package) is None:
            raise missing_extra(package, "plot")


def save_figure(figure: Any, path: Path, **options: Any) -> None:
    """Write a figure, in the format that the name ends in, wholly or not at all."""
    drawn = BytesIO()
    figure.savefig(drawn, format=_format(path), **options)
    write_atomically(path, drawn.getvalue())


def _format(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def _all_files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield path
        if path.suffix.lower() in _OF_ONE_SET:
            yield from (path.with_suffix(suffix) for suffix in _OF_ONE_SET)
