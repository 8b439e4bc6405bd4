"""Text from data, made fit for a terminal: visible, on one line, within its width."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from rich.cells import cell_len, set_cell_size

# Our own signs where an encoding has no better ones.
PLAIN_SIGNS = str.maketrans({"…": "..", "·": "*", "±": "+-"})
ISOLATE, END = "\u2068", "\u2069"
RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
    "(?:.*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff])?"
)


def visible(value: Any) -> str:
    r"""Return text in which nothing acts on a terminal: what is not printable is spelled out.

    Examples
    --------
    >>> print(visible("\x1b[31mred\nline\u202e"))
    \x1b[31mred\nline\u202e
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable(value: Any, encoding: str = "utf-8") -> str:
    r"""Return :func:`visible` text that an encoding can hold; right to left stays where it is.

    Letters that run from right to left would pull the text around them along: they are put
    between marks that end their direction.

    Examples
    --------
    >>> printable("naïve … plan", "ascii")
    'na\\xefve .. plan'
    >>> printable("\u05d0\u05d1 <= 1") == "\u2068\u05d0\u05d1\u2069 <= 1"
    True
    """
    text = visible(value)
    if encoding.startswith("utf"):
        return RIGHT_TO_LEFT.sub(lambda run: f"{ISOLATE}{run.group()}{END}", text)
    return text.translate(PLAIN_SIGNS).encode(encoding, "backslashreplace").decode(encoding)


def shortened(text: str, width: int, ellipsis: str = "…") -> str:
    """Return a text of at most so many cells; what is too long loses its middle.

    Examples
    --------
    >>> shortened("average_monthly_balance", 12)
    'averag…lance'
    >>> shortened("balance", 12)
    'balance'
    """
    if cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    if room < 1:
        return ellipsis[: max(width, 0)]
    head = set_cell_size(text, room - room // 2).rstrip()
    return f"{head}{ellipsis}{_last_cells(text, room // 2)}"


def _last_cells(text: str, width: int) -> str:
    """Return the end of a text, of at most so many cells; accents stay with their letter."""
    start, used = len(text), 0
    while start and used + cell_len(text[start - 1]) <= width:
        start -= 1
        used += cell_len(text[start])
    while start < len(text) and unicodedata.combining(text[start]):
        start += 1
    return text[start:]
