"""KEEL's format: ARFF with ranges, and with inputs and outputs named in the header."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from softwood.data.readers.arff import build_table, parse_header, parse_rows
from softwood.data.readers.text import file_error, read_lines
from softwood.data.table import Table

_MISSING = ("<null>",)  # besides the bare "?" of ARFF


def read_keel(path: str | PathLike[str]) -> Table:
    r"""Read a KEEL file (``.dat``).

    Where the header has ``@inputs`` and ``@outputs``, the table holds the inputs and then
    the outputs, and no other column; otherwise all columns, in declared order.

    Parameters
    ----------
    path : path-like
        UTF-8 text, possibly compressed (``.gz``).

    Returns
    -------
    Table
        Nominal columns keep their categories in declared order.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '''@relation woods
    ... @attribute kind {fir, oak}
    ... @attribute height real [0.0, 40.0]
    ... @inputs height
    ... @outputs kind
    ... @data
    ... oak, 12.5
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "woods.dat")
    ...     _ = path.write_text(text, encoding="utf-8")
    ...     table = read_keel(path)
    >>> table.names, table["kind"].as_objects().tolist()
    (['height', 'kind'], ['oak'])
    """
    path = Path(path)
    lines = read_lines(path)
    header = parse_header(path, lines)
    table = build_table(header.attributes, parse_rows(path, lines, header, _MISSING))
    wanted = [*header.inputs, *header.outputs] if header.inputs else table.names
    unknown = [name for name in wanted if name not in table.names]
    if unknown:
        raise file_error(path, f"@inputs or @outputs name {unknown}, not declared above")
    return Table(tuple(table[name] for name in wanted))
