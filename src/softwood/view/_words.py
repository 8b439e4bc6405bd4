"""Numbers and texts as a reader wants them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from softwood.explain.labels import ELLIPSIS, MISSING, number_text, value_text

LONG = 60  # characters; what is longer is cut
DIGITS = 4  # significant ones
NOTHING = "\N{EN DASH}"  # where there is no number


def shown(value: Any, limit: int = LONG) -> str:
    r"""Return a text from data on one line, with nothing invisible in it, and not too long.

    It is not escaped: templates do that.

    Examples
    --------
    >>> shown("two\nlines"), shown("a" * 80, limit=8), shown(None), shown(3.14159265)
    ('two\\nlines', 'aaaaaaa…', '(missing)', '3.142')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return MISSING
    text = short(value) if isinstance(value, float) else value_text(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}{ELLIPSIS}"


def short(value: float, digits: int = DIGITS) -> str:
    """Return a number with so many significant digits, whole ones in full.

    Examples
    --------
    >>> [short(x) for x in (0.123456, 1234567.8, 2.0, 1e-9)]
    ['0.1235', '1234568', '2', '1e-09']
    """
    if not math.isfinite(value):
        return NOTHING if math.isnan(value) else ("∞" if value > 0 else "-∞")
    if value == 0 or 1e-4 <= abs(value) < 1e15:
        magnitude = math.floor(math.log10(abs(value))) if value else 0
        return number_text(value, max(digits - 1 - magnitude, 0))
    return f"{value:.{digits}g}"


def aligned(values: Sequence[float], digits: int = 3) -> list[str]:
    """Return numbers with equally many decimals: so many that the largest has ``digits`` digits.

    Examples
    --------
    >>> aligned([60.71, 77.0, 4.7]), aligned([0.00227, 10.6])
    (['60.7', '77.0', '4.7'], ['0.0', '10.6'])
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    magnitude = math.floor(math.log10(largest)) if largest else 0
    if not -4 <= magnitude < 15:
        return [short(value, digits) for value in values]
    decimals = max(digits - 1 - magnitude, 0)
    return [f"{value:.{decimals}f}" if math.isfinite(value) else short(value) for value in values]


def percent(share: float, decimals: int = 1) -> str:
    """Return a share in percent; what is not nothing does not become nothing.

    Examples
    --------
    >>> [percent(x) for x in (0.0, 0.0001, 0.1234, 0.9999, 1.0)]
    ['0 %', '<0.1 %', '12.3 %', '>99.9 %', '100 %']
    """
    if math.isnan(share):
        return NOTHING
    least = 10.0**-decimals
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    if 100 * share < least / 2:
        return f"<{least:.{decimals}f} %"
    if 0 < 100 * (1 - share) < least / 2:
        return f">{100 - least:.{decimals}f} %"
    return f"{100 * share:.{decimals}f} %"


def counted(n: int, thing: str, things: str | None = None) -> str:
    r"""Return a number of things, in groups of three digits.

    Examples
    --------
    >>> counted(1, "row"), counted(12345, "row"), counted(2, "class", "classes")
    ('1 row', '12\u202f345 rows', '2 classes')
    """
    return f"{grouped(n)} {thing if n == 1 else things or thing + 's'}"


def grouped(n: int) -> str:
    r"""Return a whole number in groups of three digits, held together on a line.

    Examples
    --------
    >>> grouped(1234567)
    '1\u202f234\u202f567'
    """
    return f"{n:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def told_apart(names: Sequence[str]) -> list[str]:
    """Return names of which no two are the same, as they may become when they are cut.

    Examples
    --------
    >>> told_apart(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    taken: dict[str, int] = {}
    apart = []
    for name in names:
        taken[name] = taken.get(name, 0) + 1
        apart.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return apart


def listed(texts: Sequence[str]) -> str:
    """Return texts as a sentence lists them.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
