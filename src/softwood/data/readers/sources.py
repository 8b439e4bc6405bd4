"""Where rows come from: files, patterns, standard input; packed or not."""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import shutil
import sys
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any

from softwood.data.readers.text import file_error
from softwood.errors import missing_extra

STDIN = "-"
_CHUNK = 1 << 20
_PACKED = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd", ".zip": "zip"}
_MAGIC = (
    (b"\x1f\x8b", ".gz"),
    (b"BZh", ".bz2"),
    (b"\xfd7zXZ\x00", ".xz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)
_LONGEST_SUFFIX = 10
_NOT_ROWS = ("__MACOSX/", ".DS_Store")


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file that is not packed: where it is, what users call it, and how its name ends."""

    path: Path
    called: Path
    suffix: str


def expanded(names: Sequence[str | PathLike[str]]) -> list[Path]:
    """Return the files of names, of which some may be patterns such as ``part-*.csv``.

    Raises
    ------
    FileNotFoundError
        If a name is no file, or nothing fits a pattern.
    """
    found: list[Path] = []
    for name in names:
        path = Path(name)
        if str(name) == STDIN or path.is_file():
            found.append(path)
            continue
        fitting = sorted(glob.glob(str(name), recursive=True)) if glob.has_magic(str(name)) else []
        fitting = [each for each in fitting if Path(each).is_file()]
        if not fitting:
            what = "no file fits the pattern" if glob.has_magic(str(name)) else "is not a file"
            said = f"{what} {name}" if what.startswith("no") else f"{name} {what}"
            raise FileNotFoundError(said)
        found += [Path(each) for each in fitting]
    return found


def local_file(path: Path, folder: Path) -> LocalFile:
    """Return a file as it can be read; what is packed, or comes by a pipe, goes to ``folder``."""
    called = path
    if str(path) == STDIN:
        called, path = Path("<stdin>"), _copied(sys.stdin.buffer, folder / "stdin")
    packing = _packing(path)
    name = path.name
    if packing is not None:
        if name.lower().endswith(packing):
            name = name[: -len(packing)]
        path = _unpacked(path, packing, folder, name)
        name = path.name
    return LocalFile(path, called, Path(name).suffix.lower())


def _packing(path: Path) -> str | None:
    suffix = path.suffix.lower()
    if suffix in _PACKED:
        return suffix
    with path.open("rb") as file:
        head = file.read(8)
    return next((packing for magic, packing in _MAGIC if head.startswith(magic)), None)


def _copied(stream: IO[bytes], place: Path) -> Path:
    with place.open("wb") as out:
        shutil.copyfileobj(stream, out, _CHUNK)
    return place


def _unpacked(path: Path, packing: str, folder: Path, name: str) -> Path:
    if packing == ".zip":
        return _only_member(path, folder)
    place = folder / f"unpacked{_suffix(name)}"
    open_, *wrong = _opener(packing)
    try:
        with open_(path) as stream:
            return _copied(stream, place)
    except (OSError, EOFError, *wrong) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk's, not the file's
        kind = _PACKED[packing]
        raise file_error(path, f"not a complete {kind} file ({error}); fetch it again") from None


def _opener(packing: str) -> tuple[Any, ...]:
    """Return what opens packed files, and the errors it has for damaged ones."""
    if packing == ".gz":
        return gzip.open, zlib.error
    if packing == ".bz2":
        return bz2.open, ValueError
    if packing == ".xz":
        return lzma.open, lzma.LZMAError
    zstd = _zstd()
    return zstd.open, zstd.ZstdError


def _suffix(name: str) -> str:
    """Return how a name ends; nothing else of what an archive calls its files is trusted."""
    suffix = Path(name).suffix
    return suffix if suffix[1:].isalnum() and len(suffix) <= _LONGEST_SUFFIX else ""


def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        try:
            from backports import zstd  # type: ignore[import-not-found,unused-ignore,no-redef]
        except ImportError:
            raise missing_extra("backports.zstd", "files") from None
    return zstd


def _only_member(path: Path, folder: Path) -> Path:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir() and not member.filename.startswith(_NOT_ROWS)
            ]
            if len(members) != 1:
                names = ", ".join(member.filename for member in members[:5]) or "nothing"
                raise file_error(
                    path, f"a zip file must hold one table; this holds {names}; unpack it"
                )
            place = folder / f"unpacked{_suffix(members[0].filename)}"
            with archive.open(members[0]) as stream:
                return _copied(stream, place)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise file_error(path, f"not a complete zip file ({error}); fetch it again") from None
