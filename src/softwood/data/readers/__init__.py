"""Readers of data files: text, Parquet, Arrow, JSON lines, workbooks, ARFF, KEEL, C4.5."""

from softwood.data.readers.arff import read_arff
from softwood.data.readers.c45 import read_c45
from softwood.data.readers.keel import read_keel
from softwood.data.readers.options import MISSING, ReadOptions
from softwood.data.readers.plain import read_table
from softwood.data.readers.rows import opened

__all__ = ["MISSING", "ReadOptions", "opened", "read_arff", "read_c45", "read_keel", "read_table"]
