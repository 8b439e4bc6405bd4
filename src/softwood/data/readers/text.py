"""The text of a data file, and the one-line errors of every reader."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path


def file_error(path: Path, problem: str, line: int | None = None) -> ValueError:
    """Return the error to raise: where it is, what was seen and what would do."""
    place = str(path) if line is None else f"{path}, line {line}"
    return ValueError(f"{place}: {problem}")


def read_text(path: Path) -> str:
    """Return the file's text, decompressed if it ends in ``.gz``.

    The text is UTF-8, with or without a byte order mark; anything else is a ValueError
    that names the first line which is not, and so is a file of blanks only.
    """
    raw = path.read_bytes()
    if path.suffix.lower() == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise file_error(path, f"not a complete gzip file ({error}); fetch it again") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        seen = f"0x{raw[error.start]:02x}"
        raise file_error(
            path, f"byte {seen} is not UTF-8; save the file again as UTF-8", line
        ) from None
    if not text.strip():
        raise file_error(path, "the file is empty; expected rows of data")
    return text


def read_lines(path: Path) -> list[str]:
    """Return the file's lines; only line ends split them, not every Unicode separator."""
    return read_text(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
