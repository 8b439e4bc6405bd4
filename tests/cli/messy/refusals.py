"""Files that nobody could read."""

from __future__ import annotations

import gzip

from tests.cli.messy.case import (
    PLAIN,
    Refused,
    lines,
    size,
    text,
    y,
)
from tests.cli.messy.cells import moment
from tests.cli.messy.formats import DECLARED, framed, zipped


def refused() -> list[Refused]:
    long, unclosed = lines(PLAIN), lines(PLAIN)
    long[6] += ",more"
    unclosed[6] = unclosed[6].replace(",", ',"', 1)
    after = [*lines(PLAIN)[:4], '1,"oak"s,a', *lines(PLAIN)[4:]]
    join = "\n".join
    return [
        Refused("empty.csv", b"", ("empty",)),
        Refused("blank.csv", b"\n \n\n", ("empty",)),
        Refused("empty.csv.gz", gzip.compress(b"", mtime=0), ("empty.csv.gz", "empty")),
        Refused("header-only.csv", b"size,wood,y\n", ("line 1", "no rows")),
        Refused("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), ("no text",)),
        Refused("late-zero.csv", text(PLAIN) * 100 + b"1,\0,a\n", ("line 2501", "no text")),
        Refused("long-row.csv", join(long).encode(), ("line 7", "4 fields", "3 columns")),
        Refused(
            "long-quoted.csv", (join(long) + '\n1,5" pipe,a\n').encode(), ("line 7", "4 fields")
        ),
        Refused("unclosed.csv", join(unclosed).encode(), ("line 7", "never closed")),
        Refused("after-quote.csv", join(after).encode(), ("line 5", "closing quote")),
        Refused("two.zip", zipped(**{"a.csv": b"x", "b.csv": b"y"}), ("a.csv, b.csv", "one table")),
        Refused("none.zip", zipped(), ("nothing",)),
        Refused("not.zip", text(PLAIN), ("zip",)),
        Refused("cut.csv.gz", gzip.compress(text(PLAIN), mtime=0)[:-9], ("complete gzip",)),
        Refused("cut.parquet", framed("write_parquet")[:-20], ("parquet",)),
        Refused("text.parquet", text(PLAIN), ("does not begin", ".csv")),
        Refused("text.xlsx", text(PLAIN), ("workbook", "does not begin")),
        Refused("broken.json", b'[{"size": 1,', ("json",)),
        Refused("columns.json", b'{"size": [1, 2], "y": ["a", "b"]}', ("one record",)),
        Refused("deep.json", b"[" * 100_000, ("json",)),
        Refused("wrong.arff", (DECLARED + "@data\n1,oak\n").encode(), ("line 6", "2 values")),
        Refused(
            "utf8.csv",
            "größe,y\n1,a\n".encode("cp1252"),
            ("line 1", "UTF-8"),
            ("--encoding", "utf-8"),
        ),
        Refused("unknown.csv", text(PLAIN), ("klingon",), ("--encoding", "klingon")),
        Refused("delimiter.csv", text(PLAIN), ("delimiter",), ("--delimiter", "ab")),
        Refused(
            "infinite.csv",
            text({"size": lambda i: ["1e999", "1"][i % 2], "y": y}),
            ("'size'", "inf"),
        ),
        Refused(
            "infinite-target.csv",
            text({"size": size, "y": lambda i: "inf" if i == 3 else i / 7}),
            ("'y'", "inf"),
        ),
        Refused(
            "date-target.csv",
            text({"size": size, "y": lambda i: moment(i).date()}),
            ("dates", "--nominal y"),
        ),
        Refused(
            "id-target.csv",
            ("\n".join(lines({"size": size, "y": lambda i: f"u{i}"}, n_rows=60))).encode(),
            ("60 different texts",),
        ),
        Refused("no-target.csv", text({"size": size, "z": y}), ("no column 'y'", "size, z")),
        Refused("empty-target.csv", text({"size": size, "y": lambda i: ""}), ("'y' is empty",)),
        Refused("alone.csv", text({"y": y}), ("besides 'y'",)),
        Refused(
            "only-ids.csv",
            ("\n".join(lines({"mail": lambda i: f"u{i}@x", "y": y}, n_rows=60))).encode(),
            ("--keep", "mail"),
        ),
        Refused("keep.csv", text(PLAIN), ("'zzz'",), ("--keep", "zzz")),
    ]
