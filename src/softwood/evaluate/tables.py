"""Tables as text, Markdown, LaTeX and CSV: one formatter for all that we print."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Collection, Sequence

Rows = Sequence[Sequence[str]]
Bold = Collection[tuple[int, int]]
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "±": "$\\pm$",
}
_MARKDOWN = {
    **{sign: f"\\{sign}" for sign in "\\|`*[]~"},
    **{"&": "&amp;", "<": "&lt;", ">": "&gt;"},
}
# Line breaks of every kind and other control characters: a cell is one line.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_LOOSE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # within a word it means nothing


def render(rows: Rows, header: Sequence[str], format: str = "text", bold: Bold = ()) -> str:
    """Return a table in a format.

    Parameters
    ----------
    rows : sequence of sequences of str
        The cells. The first column is flush left, the others are flush right.
    header : sequence of str
        Names of the columns.
    format : {"text", "markdown", "latex", "csv"}, default="text"
        How to write it.
    bold : collection of (row, column)
        Cells to stress: in bold or, in text, with an asterisk. CSV has no such thing.

    Returns
    -------
    str
        Lines, the last one without an end of line.

    Examples
    --------
    >>> from softwood.evaluate.tables import render
    >>> rows = [["iris", "0.05", "0.06"], ["wine", "0.1", "0.09"]]
    >>> print(render(rows, ["data set", "ours", "theirs"], bold={(0, 1), (1, 2)}))
    data set   ours  theirs
    iris      0.05*   0.06
    wine       0.1    0.09*
    >>> print(render(rows, ["data set", "ours", "theirs"], "markdown", bold={(0, 1)}))
    | data set | ours | theirs |
    |---|--:|--:|
    | iris | **0.05** | 0.06 |
    | wine | 0.1 | 0.09 |
    """
    if format not in _WRITERS:
        raise ValueError(f"format must be one of {', '.join(_WRITERS)}; got {format!r}")
    widths = {len(header), *map(len, rows)}
    if len(widths) > 1:
        raise ValueError(f"rows must be as long as the header, {len(header)}; got {widths}")
    if format == "csv":
        return _csv(rows, header, bold)
    shown = [[one_line(cell) for cell in row] for row in (header, *rows)]
    return _WRITERS[format](shown[1:], shown[0], bold)


def one_line(text: str) -> str:
    """Return text without line breaks and other control characters, of which blanks are made."""
    return _CONTROL.sub(" ", text)


def markdown_text(text: str) -> str:
    r"""Return text that Markdown shows as it is: no HTML, no links, nothing stressed.

    Examples
    --------
    >>> from softwood.evaluate.tables import markdown_text
    >>> markdown_text("min_size|<b>*two\nlines*</b>")
    'min_size\\|&lt;b&gt;\\*two lines\\*&lt;/b&gt;'
    """
    safe = "".join(_MARKDOWN.get(sign, sign) for sign in one_line(text))
    return _LOOSE_UNDERSCORE.sub(r"\\_", safe)


def _text(rows: Rows, header: Sequence[str], bold: Bold) -> str:
    marked = any(bold)
    shown = [list(header)] + [
        [
            cell + ("*" if (i, j) in bold else " " if j and marked else "")
            for j, cell in enumerate(row)
        ]
        for i, row in enumerate(rows)
    ]
    widths = [max(len(row[j]) for row in shown) for j in range(len(header))]
    lines = []
    for row in shown:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _markdown(rows: Rows, header: Sequence[str], bold: Bold) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    lines = [line(list(map(markdown_text, header))), f"|---|{'--:|' * (len(header) - 1)}"]
    for i, row in enumerate(rows):
        cells = map(markdown_text, row)
        lines.append(line([f"**{c}**" if (i, j) in bold else c for j, c in enumerate(cells)]))
    return "\n".join(lines)


def _latex(rows: Rows, header: Sequence[str], bold: Bold) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"{' & '.join(cells)} \\\\"

    def cell(text: str, stressed: bool) -> str:
        safe = "".join(_LATEX.get(sign, sign) for sign in text)
        return f"\\textbf{{{safe}}}" if stressed else safe

    body = [
        line([cell(text, (i, j) in bold) for j, text in enumerate(row)])
        for i, row in enumerate(rows)
    ]
    return "\n".join(
        [
            f"\\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
            "\\hline",
            line([cell(text, False) for text in header]),
            "\\hline",
            *body,
            "\\hline",
            "\\end{tabular}",
        ]
    )


def _csv(rows: Rows, header: Sequence[str], bold: Bold) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return file.getvalue().rstrip("\n")


_WRITERS: dict[str, Callable[[Rows, Sequence[str], Bold], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
}


def number_texts(values: Sequence[float]) -> list[str]:
    """Return numbers that are to be compared: with equally many decimals, as few as will do.

    Examples
    --------
    >>> from softwood.evaluate.tables import number_texts
    >>> number_texts([0.05, 0.1234]), number_texts([12.3, 4.0]), number_texts([2e-7, 1e-6])
    (['0.0500', '0.1234'], ['12.30', '4.00'], ['2e-07', '1e-06'])
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if 0 < largest < 1e-3:
        return [f"{value:.3g}" for value in values]
    magnitude = math.floor(math.log10(largest)) if largest else 0
    decimals = min(max(3 - magnitude, 0), 4)
    return [f"{value:.{decimals}f}" for value in values]
