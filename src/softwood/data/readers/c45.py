r"""C4.5's pair of files: ``STEM.names`` declares, ``STEM.data`` and ``STEM.test`` hold rows.

A names file is a list of entries, each ended by a period or by the end of its line::

    fir, oak.                     | the classes come first
    height:   continuous.
    bark:     smooth, rough, deeply furrowed.
    forest:   discrete 30.        | at most 30 values, found in the data
    inspector: ignore.

A backslash makes the next character an ordinary one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal

from softwood.data.readers.cells import (
    Records,
    declared_column,
    nominal_column,
    numeric_column,
)
from softwood.data.readers.text import file_error, read_lines
from softwood.data.table import Column, Table

# Escapes hide as noncharacters of Unicode while entries are cut at , : | and periods.
_SPECIAL = ",:|.?\\"
_HIDE = {character: chr(0xFDD0 + i) for i, character in enumerate(_SPECIAL)}
_SHOW = {ord(hidden): character for character, hidden in _HIDE.items()}
_ESCAPED = re.compile(r"\\(.)")
_PERIOD = re.compile(r"\.(?=\s|$)")
_DISCRETE = re.compile(r"discrete\s+(\d+)", re.IGNORECASE)
_ORDERED = re.compile(r"^\[ordered\]\s*", re.IGNORECASE)
_Kind = Literal["continuous", "discrete", "listed", "skipped"]
_Row = list[str | None]


@dataclass(frozen=True)
class NamedAttribute:
    """An entry of the names file; ``categories`` is empty where the data tells them."""

    name: str
    kind: _Kind
    categories: tuple[str, ...] = ()
    most: int = 0  # of a discrete attribute: how many values it may have


@dataclass(frozen=True)
class Names:
    """What a names file declares: one attribute per field of a row, and which is the class."""

    attributes: tuple[NamedAttribute, ...]
    target: str


def read_c45(
    path: str | PathLike[str], *, part: Literal["data", "test", "all"] | None = None
) -> Table:
    r"""Read the rows of a C4.5 (or C5.0) data set; the class is the last column.

    Parameters
    ----------
    path : path-like
        Any one of the files, ``STEM.names``, ``STEM.data`` or ``STEM.test``.
    part : {"data", "test", "all"}, optional
        Which rows; by default those of the file named, ``STEM.data`` for a names file.
        ``"all"`` is the data followed by the test rows, if there are any.

    Returns
    -------
    Table
        Attributes declared ``ignore`` or ``label`` are left out. The class is called
        ``class``, or by its own name where the names file begins with an attribute's.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "woods.names")
    ...     _ = path.write_text("fir, oak.\nheight: continuous.\n", encoding="utf-8")
    ...     _ = path.with_suffix(".data").write_text("12.5, oak\n?, fir\n", encoding="utf-8")
    ...     table = read_c45(path)
    >>> table["height"].values.tolist(), table["class"].as_objects().tolist()
    ([12.5, nan], ['oak', 'fir'])
    """
    path = Path(path)
    names = path.with_suffix(".names")
    if not names.is_file():
        raise file_error(path, f"{names.name} must be beside it, to declare its columns")
    declared = _read_names(names)
    if part is None:
        part = "test" if path.suffix.lower() == ".test" else "data"
    files = [path.with_suffix(".data" if part == "all" else f".{part}")]
    if part == "all" and path.with_suffix(".test").is_file():
        files.append(path.with_suffix(".test"))
    records = _read_rows(files, len(declared.attributes))
    columns = [
        _column(attribute, position, records)
        for position, attribute in enumerate(declared.attributes)
        if attribute.kind != "skipped"
    ]
    columns.sort(key=lambda column: column.name == declared.target)  # stable: the class last
    return Table(tuple(columns))


def _read_names(path: Path) -> Names:
    entries = _entries(path)
    line, first = next(entries, (1, ""))
    if ":" in first or not first:
        raise file_error(path, f"expected the classes, got {first!r}; list them first", line)
    classes = _items(first)
    attributes = []
    for line, entry in entries:
        try:
            attributes.append(_attribute(entry))
        except ValueError as error:
            raise file_error(path, str(error), line) from None
    names = [attribute.name for attribute in attributes]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled or not names:
        raise file_error(path, f"attributes must be there and differ; seen twice: {doubled}")
    if len(classes) == 1 and classes[0] in names:  # C5.0: the class is one of the attributes
        return Names(tuple(attributes), classes[0])
    target = "class" if "class" not in names else "class_"
    return Names((*attributes, NamedAttribute(target, "listed", classes)), target)


def _entries(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, entry) without comments, escapes still hidden."""
    pending = ""
    for line, text in enumerate(read_lines(path), start=1):
        pending = f"{pending} {_hide_escapes(text).split('|')[0]}".strip()
        if pending.endswith((",", ":")):
            continue  # the entry goes on in the next line
        for entry in _PERIOD.split(pending):
            if entry.strip():
                yield line, entry.strip()
        pending = ""
    if pending:
        raise file_error(path, f"the last entry is not finished: {pending!r}")


def _attribute(entry: str) -> NamedAttribute:
    name, colon, rest = entry.partition(":")
    is_formula = rest.startswith("=")
    name, rest = _shown(name), rest.strip()
    if not colon or not name or is_formula:
        raise ValueError(f"expected NAME: TYPE, got {_shown(entry)!r}; formulas are not read")
    if count := _DISCRETE.fullmatch(rest):
        return NamedAttribute(name, "discrete", most=int(count[1]))
    items = _items(_ORDERED.sub("", rest, count=1))
    kind = items[0].lower() if len(items) == 1 else ""
    if kind == "continuous":
        return NamedAttribute(name, "continuous")
    if kind in ("ignore", "label"):
        return NamedAttribute(name, "skipped")
    if kind in ("date", "time", "timestamp") or not items:
        raise ValueError(
            f"attribute {name!r} is of type {rest!r}; use continuous, discrete N, "
            "ignore, label or a list of values"
        )
    return NamedAttribute(name, "listed", items)


def _items(text: str) -> tuple[str, ...]:
    """Return the listed values, without the ``?`` that some files list as one."""
    items = [item for item in map(str.strip, text.split(",")) if item not in ("", "?")]
    if len(set(items)) < len(items):
        raise ValueError(f"a value is listed twice in {_shown(text)!r}")
    return tuple(map(_shown, items))


def _read_rows(files: list[Path], width: int) -> Records:
    kept: list[_Row] = []
    places: list[tuple[Path, int]] = []
    for path in files:
        for line, text in enumerate(read_lines(path), start=1):
            bare = _hide_escapes(text).split("|")[0].strip()
            if not bare:
                continue
            row = [_cell(field) for field in bare.removesuffix(".").split(",")]
            if len(row) != width:
                raise file_error(
                    path, f"{len(row)} fields where the names file declares {width}", line
                )
            kept.append(row)
            places.append((path, line))
    if not kept:
        raise file_error(files[0], "there are no rows")
    return Records(tuple(zip(*kept, strict=True)), places.__getitem__)


def _column(attribute: NamedAttribute, position: int, records: Records) -> Column:
    if attribute.kind == "continuous":
        return numeric_column(attribute.name, position, records)
    if attribute.kind == "listed":
        return declared_column(attribute.name, position, records, attribute.categories)
    column = nominal_column(attribute.name, records.columns[position])
    found = len(column.categories or ())
    if found > attribute.most:
        raise records.error(
            0, f"{attribute.name!r} is declared discrete {attribute.most}, but has {found} values"
        )
    return column


def _hide_escapes(text: str) -> str:
    return _ESCAPED.sub(lambda match: _HIDE.get(match[1], match[1]), text)


def _shown(text: str) -> str:
    """Return the text with its escapes resolved and runs of blanks made one."""
    return " ".join(text.split()).translate(_SHOW)


def _cell(field: str) -> str | None:
    text = " ".join(field.split())
    return None if text == "?" else text.translate(_SHOW)
