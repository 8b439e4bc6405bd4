"""The same table in many formats, packed or not."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile

import polars as pl

from tests.cli.messy.case import (
    N_ROWS,
    PLAIN,
    Messy,
    lines,
    plain,
    text,
)


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, raw in members.items():
            archive.writestr(zipfile.ZipInfo(name), raw)
    return packed.getvalue()


def framed(method: str) -> bytes:
    out = io.BytesIO()
    frame = pl.DataFrame({name: [cell(i) for i in range(N_ROWS)] for name, cell in PLAIN.items()})
    getattr(frame, method)(out)
    return out.getvalue()


DECLARED = (
    "@relation w\n@attribute size real\n@attribute wood {oak, fir, elm}\n@attribute y {a, b}\n"
)


def formats() -> list[Messy]:
    rows = "\n".join(lines(PLAIN)[1:]) + "\n"
    return [
        plain("packed.csv.gz", gzip.compress(text(PLAIN), mtime=0)),
        plain("packed.csv.bz2", bz2.compress(text(PLAIN))),
        plain("packed.csv.xz", lzma.compress(text(PLAIN))),
        plain("packed.zip", zipped(**{"deep/table.csv": text(PLAIN), "__MACOSX/x": b"x"})),
        plain("outside.zip", zipped(**{"../../x.csv": text(PLAIN)})),
        plain("long-name.zip", zipped(**{"x" * 300 + ".csv": text(PLAIN)})),
        plain("unlabelled-gzip.csv", gzip.compress(text(PLAIN), mtime=0)),
        plain("table.parquet", framed("write_parquet")),
        plain("table.feather", framed("write_ipc")),
        plain("table.jsonl", framed("write_ndjson")),
        plain("table.json", framed("write_json")),
        plain("lines.json", framed("write_ndjson")),
        plain("table.arff", (DECLARED + "@data\n" + rows).encode()),
        plain("table.dat", (DECLARED + "@inputs size, wood\n@outputs y\n@data\n" + rows).encode()),
    ]
