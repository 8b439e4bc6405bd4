"""Readers of data files: CSV, ARFF, KEEL and C4.5, each into a plain table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from os import PathLike
from pathlib import Path

from softwood.data.readers.arff import read_arff
from softwood.data.readers.c45 import read_c45
from softwood.data.readers.csv import MISSING, read_csv
from softwood.data.readers.keel import read_keel
from softwood.data.readers.recast import recast
from softwood.data.readers.text import file_error, read_lines
from softwood.data.table import Table

__all__ = ["MISSING", "read_arff", "read_c45", "read_csv", "read_keel", "read_table"]

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_DECLARED: dict[str, Callable[[Path], Table]] = {
    ".arff": read_arff,
    ".names": read_c45,
    ".data": read_c45,
    ".test": read_c45,
}


def read_table(
    path: str | PathLike[str],
    *,
    target: str | None = None,
    nominal: Collection[str] | None = None,
    numeric: Collection[str] | None = None,
    missing: Collection[str] = MISSING,
    delimiter: str | None = None,
) -> Table:
    r"""Read a data file of any known format.

    The format follows from the name: ``.csv`` and ``.tsv`` (see :func:`read_csv`),
    ``.arff`` (:func:`read_arff`), ``.names``, ``.data``, ``.test`` (:func:`read_c45`) and
    ``.dat`` (:func:`read_keel`). A ``.dat``, ``.data`` or ``.txt`` file that begins with
    ``@relation`` is read as KEEL. All but C4.5's may be compressed, ending in ``.gz``.

    Parameters
    ----------
    path : path-like
        The file.
    target : str, optional
        Column to move to the end, where the one to predict is expected.
    nominal, numeric : collection of str, optional
        Columns to take as categories, or as numbers, against the file's own types.
    missing : collection of str
        What stands for a missing value in CSV; the other formats have their own sign.
    delimiter : str, optional
        What separates fields of CSV, if not the comma (or, in ``.tsv``, the tab).

    Returns
    -------
    Table
        The columns, in the order of the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.csv")
    ...     _ = path.write_text("kind,height\n1,3.5\n2,4\n", encoding="utf-8")
    ...     table = read_table(path, target="kind", nominal=["kind"])
    >>> table.names, table["kind"].categories
    (['height', 'kind'], ('1', '2'))
    """
    path = Path(path)
    suffix = _format(path)
    if suffix in _DELIMITERS:
        separator = delimiter if delimiter is not None else _DELIMITERS[suffix]
        table = read_csv(
            path,
            nominal=nominal or (),
            numeric=numeric or (),
            missing=missing,
            delimiter=separator,
        )
    else:
        reader = read_keel if suffix == ".dat" else _DECLARED[suffix]
        table = recast(reader(path), nominal=nominal or (), numeric=numeric or (), where=str(path))
    return table if target is None else _with_last(table, target, path)


def _format(path: Path) -> str:
    """Return the suffix of the format, ``.dat`` for anything that KEEL wrote."""
    bare = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    suffix = bare.suffix.lower()
    if suffix in (".dat", ".data", ".txt"):
        lines = (line.strip() for line in read_lines(path))
        begins = next((line for line in lines if line and not line.startswith("%")), "")
        is_keel = begins.lower().startswith(("@relation", "@attribute"))
        if suffix == ".dat" and not is_keel:
            raise file_error(path, f"a KEEL file begins with @relation, this with {begins[:40]!r}")
        suffix = ".dat" if is_keel else (".csv" if suffix == ".txt" else suffix)
    if suffix not in _DELIMITERS and suffix not in _DECLARED and suffix != ".dat":
        known = ", ".join(sorted({*_DELIMITERS, *_DECLARED, ".dat", ".txt"}))
        raise file_error(path, f"the format {suffix!r} is not known; known: {known}")
    return suffix


def _with_last(table: Table, target: str, path: Path) -> Table:
    if target not in table.names:
        raise file_error(path, f"target={target!r}, but the columns are {table.names}")
    last = table[target]
    return Table((*table.drop([target]).columns, last))
