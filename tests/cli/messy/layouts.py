"""How fields, lines and names are written."""

from __future__ import annotations

from tests.cli.messy.case import (
    CATEGORY,
    KINDS,
    N_ROWS,
    NUMBER,
    PLAIN,
    Messy,
    lines,
    plain,
    size,
    text,
    wood,
    y,
)


def layouts() -> list[Messy]:
    ragged = lines(PLAIN)
    ragged[5] = ragged[5].split(",")[0]
    commented = text(PLAIN, above="# measured by hand, 2024\n# do not edit; really\n\n")
    with_index = text({"": lambda i: i, **PLAIN})
    r_names = "\n".join(
        ["size,wood,y", *(f'"row {i}",{line}' for i, line in enumerate(lines(PLAIN)[1:]))]
    )
    blank = [
        "",
        *lines(PLAIN)[:1],
        "",
        *lines(PLAIN)[1:9],
        "",
        "  ,  , ",
        *lines(PLAIN)[9:],
        "",
        "",
    ]
    twice = text({" size ": size, "size": lambda i: i % 4, "wood": wood, "y": y})
    quoted = text({"size": size, "wood": lambda i: f'"{wood(i)}\n(seen ""twice"")"', "y": y})
    inches = text({"size": size, "wood": lambda i: f'{i % 3 + 1}" plank', "y": y})
    spaced = (
        "size, wood, y\n"
        + "\n".join(f'{size(i)}, "{wood(i)}, dry", {y(i)}' for i in range(N_ROWS))
        + "\n"
    )
    in_blanks = "\n".join(
        f"{line.replace(',', '   ')}"
        for line in lines({"size": size, "w": lambda i: i % 7, "y": y})
    )
    return [
        plain("semicolons.csv", text(PLAIN, ";"), "separated by ';'"),
        plain("tabs.tsv", text(PLAIN, "\t")),
        plain("tabs.txt", text(PLAIN, "\t"), "separated by tabs"),
        plain("pipes.csv", text(PLAIN, "|"), "separated by '|'"),
        plain(
            "blanks.txt",
            in_blanks.encode(),
            "separated by blanks",
            kinds={"size": NUMBER, "w": NUMBER},
            values={"w": [0.0, 1.0]},
        ),
        plain("utf8-mark.csv", b"\xef\xbb\xbf" + text(PLAIN)),
        plain(
            "windows.csv",
            text({"größe": size, "wood": lambda i: ("Föhre", "Eiche")[i % 2], "y": y})
            .decode()
            .encode("cp1252"),
            "Windows-1252",
            kinds={"größe": NUMBER, "wood": CATEGORY},
            values={"wood": ["Föhre", "Eiche"]},
        ),
        plain(
            "utf16.csv",
            text({"größe": size, "y": y}, "\t").decode().encode("utf-16"),
            "UTF-16",
            kinds={"größe": NUMBER},
            values={},
        ),
        plain("crlf.csv", text(PLAIN, end="\r\n")),
        plain("old-mac.csv", text(PLAIN, end="\r")),
        plain("excel-sep.csv", text(PLAIN, ";", "\r\n", above="sep=;\r\n"), "1 line above"),
        plain("comments.csv", commented, "3 lines above"),
        plain("blank-lines.csv", "\n".join(blank).encode()),
        plain(
            "no-header.csv",
            "\n".join(lines({"s": lambda i: size(i) / 2, "wood": wood, "y": y})[1:]).encode(),
            "first row holds data",
            target="column_3",
            kinds={"column_1": NUMBER, "column_2": CATEGORY},
            values={"column_1": [0.0, 2.5]},
        ),
        plain(
            "pandas-index.csv",
            with_index,
            "without a name",
            kinds={"unnamed_1": "identifier", **KINDS},
        ),
        plain(
            "r-names.csv",
            r_names.encode(),
            "without a name",
            kinds={"unnamed_1": "identifier", **KINDS},
        ),
        plain(
            "doubled-names.csv",
            twice,
            "occur twice",
            "blanks around names",
            kinds={"size": NUMBER, "size_2": NUMBER, "wood": CATEGORY},
            values={"size": [0.0, 5.0], "size_2": [0.0, 1.0]},
        ),
        plain(
            "trailing.csv",
            "\n".join([lines(PLAIN)[0], *(f"{line}," for line in lines(PLAIN)[1:])]).encode(),
            "without a name",
            kinds={**KINDS, "unnamed_4": "empty"},
        ),
        plain(
            "short-rows.csv",
            "\n".join(ragged).encode(),
            "1 row has fewer than 3 fields (the first in line 6)",
            "1 of 24 rows have no 'y'",
            n_rows=N_ROWS - 1,
        ),
        plain(
            "quoted-lines.csv",
            quoted,
            values={"wood": ['oak\n(seen "twice")', 'fir\n(seen "twice")']},
        ),
        plain(
            "inches.csv",
            inches,
            kinds={"size": NUMBER, "wood": NUMBER},
            values={"wood": [1.0, 2.0, 3.0]},
        ),
        plain("blank-before-quote.csv", spaced.encode(), values={"wood": ["oak, dry", "fir, dry"]}),
        plain("no-suffix", text(PLAIN)),
        plain("strange.log", text(PLAIN)),
    ]
