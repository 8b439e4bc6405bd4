"""What bytes a text file is made of: UTF-8, or what can be made of the rest."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from softwood.data.readers.text import file_error

CHUNK = 1 << 22
UTF8 = "utf-8"
# The longer mark first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = "cp1252"  # what Windows writes where it does not write UTF-8


def encoding_of(path: Path) -> tuple[str, str | None]:
    """Return the encoding of a file, and what is to be said of it; None if it is plain UTF-8.

    A byte order mark decides. Without one, a file that is not UTF-8 is taken for Windows' 1252.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            said = None if encoding == "utf-8-sig" else f"its text is {encoding.upper()}"
            return encoding, said
    if b"\0" in head:
        half = head[::2].count(0), head[1::2].count(0)
        if max(half) > len(head) // 3:
            guess = "utf-16-be" if half[0] > half[1] else "utf-16-le"
            return guess, f"its text looks like {guess.upper()}, and is read so"
        raise _no_text(path)
    place = first_byte_that_is_not(path, UTF8)
    if place is None:
        return UTF8, None
    line, byte = place
    return _WESTERN, (
        f"byte 0x{byte:02x} in line {line} is not UTF-8: the text is read as Windows-1252; "
        "say --encoding if it is another"
    )


def first_byte_that_is_not(path: Path, encoding: str) -> tuple[int, int] | None:
    """Return line and value of the first byte that is not of an encoding; None if all are.

    A byte of 0 is of none: texts do not have it.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    for chunk in chunks(path):
        if b"\0" in chunk:
            raise _no_text(path, line + chunk.count(b"\n", 0, chunk.index(b"\0")))
        if not (chunk.isascii() and not decoder.getstate()[0]):
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError as error:
                whole = error.object[: error.start]
                return line + whole.count(b"\n"), error.object[error.start]
        line += chunk.count(b"\n")
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        return line, error.object[error.start]
    return None


def _no_text(path: Path, line: int | None = None) -> ValueError:
    return file_error(path, "this is no text: it has a byte of 0; what kind of file is it?", line)


def offset_of_line(path: Path, n_lines: int) -> int:
    """Return how many bytes the first lines of a file have."""
    with path.open("rb") as file:
        return sum(len(line) for line in islice(file, n_lines))


def chunks(path: Path, start: int = 0) -> Iterator[bytes]:
    """Yield the bytes of a file, some at a time."""
    with path.open("rb") as file:
        file.seek(start)
        while chunk := file.read(CHUNK):
            yield chunk


def recode(path: Path, encoding: str, copy: Path) -> None:
    """Write the text of a file as plain UTF-8, with its lines ended by line feeds."""
    try:
        with (
            path.open(encoding=encoding, newline=None) as file,
            copy.open("w", encoding="utf-8", newline="\n") as out,
        ):
            while text := file.read(CHUNK):
                out.write(text)
    except LookupError:
        raise ValueError(
            f"there is no encoding {encoding!r}; utf-8, cp1252, utf-16 and latin-1 are some"
        ) from None
    except UnicodeError as error:
        raise file_error(
            path, f"it is not {encoding} ({error}); name its encoding by --encoding"
        ) from None
