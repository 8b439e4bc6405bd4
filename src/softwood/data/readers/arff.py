"""Attribute-Relation File Format: a declared type for every column, then the rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from softwood.data.readers.cells import (
    Cells,
    Records,
    declared_column,
    nominal_column,
    numeric_column,
)
from softwood.data.readers.quoting import braced_list, split_name, split_sparse, split_values
from softwood.data.readers.text import file_error, read_lines
from softwood.data.table import Column, Table

_NUMERIC = frozenset({"numeric", "real", "integer"})
_KEYWORD = re.compile(r"@(\w+)\s*(.*)", re.DOTALL)
_TYPE = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Attribute:
    """One declared column; ``categories`` is None for numbers and for free text."""

    name: str
    is_numeric: bool
    categories: tuple[str, ...] | None = None


@dataclass
class Header:
    """What a file says above its rows; KEEL files also name inputs and outputs."""

    attributes: list[Attribute] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    first_row: int = 0  # index of the line below @data


def read_arff(path: str | PathLike[str]) -> Table:
    r"""Read an ARFF file, dense or sparse.

    Nominal columns keep their categories in declared order. A string column becomes
    nominal with its texts sorted. Only a bare ``?`` is missing: ``'?'``, ``''`` and
    ``NA`` are categories like any other.

    Parameters
    ----------
    path : path-like
        UTF-8 text, possibly compressed (``.gz``).

    Returns
    -------
    Table
        The columns, in declared order.

    Raises
    ------
    ValueError
        On what the format does not allow, and on instance weights, dates and relational
        attributes, which have no place in a table.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = "@relation woods\n@attribute size {small, 'very big'}\n@data\n'very big'\n?\n"
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "woods.arff")
    ...     _ = path.write_text(text, encoding="utf-8")
    ...     column = read_arff(path)["size"]
    >>> column.categories, column.values.tolist()
    (('small', 'very big'), [1, -1])
    """
    path = Path(path)
    lines = read_lines(path)
    header = parse_header(path, lines)
    records = parse_rows(path, lines, header)
    return build_table(header.attributes, records)


def parse_header(path: Path, lines: Sequence[str]) -> Header:
    """Return the declarations above ``@data``."""
    header = Header()
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        match = _KEYWORD.match(line)
        if match is None:
            raise file_error(path, f"expected @attribute or @data, got {line!r}", number)
        keyword, rest = match[1].lower(), match[2]
        if keyword == "data":
            header.first_row = number
            break
        try:
            _declare(header, keyword, rest)
        except ValueError as error:
            raise file_error(path, str(error), number) from None
    else:
        raise file_error(path, "there is no @data line, so there are no rows")
    _check_attributes(path, header.attributes)
    return header


def _declare(header: Header, keyword: str, rest: str) -> None:
    if keyword == "attribute":
        header.attributes.append(_attribute(rest))
    elif keyword in ("inputs", "input"):
        header.inputs = [name for name in split_values(rest) if name]
    elif keyword in ("outputs", "output"):
        header.outputs = [name for name in split_values(rest) if name]
    elif keyword != "relation":
        raise ValueError(f"@{keyword} is not a keyword; known: @relation, @attribute, @data")


def _attribute(text: str) -> Attribute:
    name, rest = split_name(text)
    if rest.startswith("{"):
        categories = tuple(value for value in braced_list(rest) if value is not None)
        doubled = sorted({text for text in categories if categories.count(text) > 1})
        if doubled:
            raise ValueError(f"attribute {name!r} declares categories twice: {doubled}")
        return Attribute(name, False, categories)
    word = _TYPE.match(rest)
    kind = word[0].lower() if word else rest
    if kind in _NUMERIC:  # KEEL and old ARFF files add a range, which binds nobody
        return Attribute(name, True)
    if kind == "string":
        return Attribute(name, False)
    raise ValueError(
        f"attribute {name!r} is of type {kind!r}; numeric, string and {{...}} can be read"
    )


def _check_attributes(path: Path, attributes: Sequence[Attribute]) -> None:
    names = [attribute.name for attribute in attributes]
    if not names:
        raise file_error(path, "there is no @attribute line above @data")
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise file_error(path, f"attribute names must differ, but {doubled} occur twice")


def parse_rows(
    path: Path, lines: Sequence[str], header: Header, missing: Sequence[str] = ()
) -> Records:
    """Return the rows under ``@data``; texts in ``missing`` count as ``?`` does."""
    kept: list[list[str | None]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines[header.first_row :], start=header.first_row + 1):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        try:
            kept.append(_row(line, header.attributes))
        except ValueError as error:
            raise file_error(path, str(error), number) from None
        numbers.append(number)
    if not kept:
        raise file_error(path, "there are no rows below @data")
    columns: list[Cells] = [
        [None if cell in missing else cell for cell in column] if missing else column
        for column in zip(*kept, strict=True)
    ]
    return Records(tuple(columns), lambda row: (path, numbers[row]))


def _row(line: str, attributes: Sequence[Attribute]) -> list[str | None]:
    if line.startswith("{"):
        return _sparse_row(line, attributes)
    values = split_values(line)
    if len(values) == 1 < len(attributes):
        values = split_values(",".join(line.split()))  # some writers separate by blanks
    if len(values) == len(attributes):
        return values
    if len(values) == len(attributes) + 1 and (values[-1] or "").startswith("{"):
        raise ValueError(f"instance weights such as {values[-1]} are not read; remove them")
    raise ValueError(
        f"{len(values)} values where {len(attributes)} attributes are declared; "
        "quote a value that contains a comma"
    )


def _sparse_row(line: str, attributes: Sequence[Attribute]) -> list[str | None]:
    """Return a full row: what a sparse row leaves out is 0, or the first category."""
    pairs, after = split_sparse(line)
    if after.strip().startswith(","):
        raise ValueError(f"instance weights such as {after.strip(' ,')} are not read; remove them")
    if pairs and max(pairs) >= len(attributes):
        raise ValueError(f"index {max(pairs)}, but attributes are 0 to {len(attributes) - 1}")
    return [
        pairs[index] if index in pairs else _left_out(attribute)
        for index, attribute in enumerate(attributes)
    ]


def _left_out(attribute: Attribute) -> str:
    if attribute.is_numeric:
        return "0"
    if attribute.categories:
        return attribute.categories[0]
    raise ValueError(f"a sparse row must spell out the string attribute {attribute.name!r}")


def build_table(attributes: Sequence[Attribute], records: Records) -> Table:
    """Return the table of the declared columns."""
    return Table(tuple(_column(a, i, records) for i, a in enumerate(attributes)))


def _column(attribute: Attribute, position: int, records: Records) -> Column:
    if attribute.is_numeric:
        return numeric_column(attribute.name, position, records)
    if attribute.categories is None:
        return nominal_column(attribute.name, records.columns[position])
    return declared_column(attribute.name, position, records, attribute.categories)
