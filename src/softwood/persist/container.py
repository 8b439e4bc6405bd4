"""The container: named members in a zip, with a manifest that seals them.

``manifest.json`` comes first and says the format's version, the size of every member,
and one SHA-256 over itself and all of them.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from softwood import __version__
from softwood._files import PathLike
from softwood.errors import ModelFileError

FORMAT = "softwood model"
MANIFEST = "manifest.json"
MAX_MANIFEST = 2**16
MAX_MEMBERS = 64
MAX_DIRECTORY = 2**17  # bytes of the list of members, and of a comment behind it
# A small file must not unfold into more memory than its size makes credible.
ALWAYS_ALLOWED = 2**26
MAX_RATIO = 100
MAX_BYTES = 2**32  # that the members of a file may have together; who trusts a file raises it
JSON_GROWS = 32  # times its size is what parsed text may take
LEVEL = 4  # beyond it the files hardly shrink, and take twice as long
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes


def pack(members: Mapping[str, bytes], version: int) -> bytes:
    """Return a sealed zip of ``members``."""
    manifest = {
        "format": FORMAT,
        "version": version,
        "written_by": f"softwood {__version__}",
        "members": {name: len(data) for name, data in members.items()},
    }
    manifest["sha256"] = _digest(manifest, members)
    everything = {MANIFEST: json_bytes(manifest), **members}
    content = _zipped(everything, zipfile.ZIP_DEFLATED)
    if sum(map(len, everything.values())) > _allowance(len(content)):
        content = _zipped(everything, zipfile.ZIP_STORED)
    return content


def read_content(path: PathLike, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file of ours; no more are read than it may have."""
    with open(path, "rb") as file:
        _check_beginning(begins := file.read(2))
        # What is packed is not larger than what it unfolds to, but for the lists.
        most = max_bytes + MAX_DIRECTORY + MAX_MANIFEST
        content = begins + file.read(most)
    if len(content) > most:
        raise ModelFileError(_too_large(f"it has more than {most} bytes", max_bytes))
    return content


def _check_beginning(begins: bytes) -> None:
    if begins[:1] == b"\x80":
        raise ModelFileError("it looks like a pickle, which softwood never reads")
    if begins != b"PK":
        raise ModelFileError("not a softwood model file")


def unpack(content: bytes, newest: int, max_bytes: int = MAX_BYTES) -> tuple[int, dict[str, bytes]]:
    """Return the format's version, ``newest`` at most, and the members of a sealed zip.

    Members that have more than ``max_bytes`` together are refused before they unfold.
    """
    _check_beginning(content[:2])
    with _zip_errors(), zipfile.ZipFile(source := _Source(content)) as archive:
        source.is_listed = True
        listed = _listed(archive, len(content), max_bytes)
        manifest = _checked_manifest(_member(archive, listed.pop(MANIFEST)), newest)
        if {name: info.file_size for name, info in listed.items()} != manifest["members"]:
            raise ModelFileError("its members are not those the manifest lists")
        members = {name: _member(archive, info) for name, info in listed.items()}
    seal = manifest.pop("sha256")
    if seal != _digest(manifest, members):
        raise ModelFileError("its checksum is wrong: it was edited or damaged")
    return manifest["version"], members


# -- JSON ----------------------------------------------------------------------


def json_bytes(value: Any) -> bytes:
    """Return ``value`` as JSON; ASCII, so that any text survives."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"), sort_keys=True).encode("ascii")


def parse_json(data: bytes, name: str) -> Any:
    """Return what ``data`` says in strict JSON: no NaN, no key twice."""
    try:
        return json.loads(
            data.decode("ascii"), object_pairs_hook=_no_key_twice, parse_constant=_no_constant
        )
    except ValueError as error:
        raise ModelFileError(f"{name} is not proper JSON: {error}") from error


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key comes twice")
    return made


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


# -- zip -----------------------------------------------------------------------


def _zipped(members: Mapping[str, bytes], method: int) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, date_time=EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16  # on every system alike
            archive.writestr(info, data, method, LEVEL)
    return buffer.getvalue()


@contextmanager
def _zip_errors() -> Iterator[None]:
    """Turn what zipfile raises on damaged input, which is of many kinds, into one error."""
    try:
        yield
    except (ModelFileError, RecursionError):
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        ArithmeticError,
        EOFError,
        LookupError,
        OSError,
        RuntimeError,  # encrypted; its child NotImplementedError: an unknown method
        ValueError,
    ) as error:
        raise ModelFileError(f"it is damaged: {error}") from error


class _Source(BytesIO):
    """The bytes of a zip, whose list of members must not be longer than makes sense."""

    is_listed = False

    def read(self, size: int | None = -1, /) -> bytes:
        left = len(self.getbuffer()) - self.tell()
        wanted = left if size is None or size < 0 else size
        if not self.is_listed and wanted > MAX_DIRECTORY:
            raise ModelFileError("not a softwood model file: its list of members is too long")
        return super().read(size)


def _listed(archive: zipfile.ZipFile, n_bytes: int, max_bytes: int) -> dict[str, zipfile.ZipInfo]:
    infos = archive.infolist()
    listed = {info.filename: info for info in infos}
    if len(listed) != len(infos):
        raise ModelFileError("a member comes twice")
    if MANIFEST not in listed:
        raise ModelFileError(f"not a softwood model file: it has no {MANIFEST}")
    for name in listed:
        _check_name(name)
    total = sum(info.file_size for info in infos)
    if total > _allowance(n_bytes):
        raise ModelFileError(f"refused: it claims to unfold from {n_bytes} to {total} bytes")
    texts = [info.file_size for info in infos if info.filename.endswith(".json")]
    if total + (JSON_GROWS - 1) * sum(texts) > max_bytes:
        unfolded = f"it unfolds to {total} bytes, {sum(texts)} of them text"
        raise ModelFileError(_too_large(unfolded, max_bytes))
    if len(infos) > MAX_MEMBERS or listed[MANIFEST].file_size > MAX_MANIFEST:
        raise ModelFileError("not a softwood model file: its list of members is too long")
    return listed


def _too_large(what: str, max_bytes: int) -> str:
    return (
        f"refused: {what} (text counts {JSON_GROWS} times), and {max_bytes} are allowed; if you "
        "trust it, use load with a larger max_bytes"
    )


def _check_name(name: str) -> None:
    parts = re.split(r"[/\\]", name)
    if not name or ".." in parts or parts[0] == "" or ":" in name:
        raise ModelFileError(f"a member has the name {name[:80]!r}, which leads elsewhere")


def _allowance(n_bytes: int) -> int:
    return max(ALWAYS_ALLOWED, MAX_RATIO * n_bytes)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
        raise ModelFileError(f"member {info.filename!r} is encrypted or oddly compressed")
    with archive.open(info) as member:
        # A size is asked for: without one, zipfile unfolds up to 2 GiB before it checks.
        data = member.read(info.file_size)
    if len(data) != info.file_size:
        raise ModelFileError(f"member {info.filename!r} is cut short")
    return data


# -- manifest ------------------------------------------------------------------


def _checked_manifest(data: bytes, newest: int) -> dict[str, Any]:
    manifest = parse_json(data, MANIFEST)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelFileError("not a softwood model file: its manifest is of another kind")
    version = manifest.get("version")
    if type(version) is not int or version < 1:
        raise ModelFileError(f"its format version must be a positive integer; got {version!r}")
    if version > newest:
        raise ModelFileError(
            f"written by {manifest.get('written_by')} in format {version}, and softwood "
            f"{__version__} reads formats up to {newest}: upgrade softwood to read it"
        )
    if set(manifest) != {"format", "version", "written_by", "members", "sha256"}:
        raise ModelFileError(f"its manifest has the wrong keys: {sorted(manifest)}")
    return manifest


def _digest(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> str:
    """Return the hash of the manifest, which has names and sizes, and of all contents."""
    total = hashlib.sha256(json_bytes(dict(manifest)))
    for name in sorted(members):
        total.update(members[name])
    return total.hexdigest()
