"""When two values are the same category, whatever door they came in by.

A category that was ``True`` in a frame is ``True``, ``true`` or ``TRUE`` in a file, and 1 in an
array; 1 is ``1`` or ``1.0``. The rule, for a value and the categories of training:

1. *Equal*: the category that equals the value, as Python compares them, is its category. Bytes
   are the text they spell in UTF-8.
2. *Same number*: otherwise, if the value is a number or a plain way of writing one, it is the one
   category of which the same is true. False and True are the numbers 0 and 1. Plain is what
   programs write: ``1``, ``-2.50``, ``.5``, ``1e-07``; ``007``, ``+1``, ``1_000`` and ``" 1"`` are
   names. Whole numbers of any size are compared exactly.
3. *Same truth*: otherwise, where all categories are booleans or true and false in any mixture of
   capitals, a value that is so, too, is the one category that says the same.

Where two categories would do in step 2 or 3 (``"1"`` and ``"1.0"`` were both seen in training),
they were different things in training, and only equality counts. What has no category is unknown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

_PLAIN = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"-?[0-9]+")
_MOST_DIGITS = 400  # of a whole number; no float has more
_TRUTHS = {"true": True, "false": False}


def places(values: Sequence[Any], categories: Sequence[Any], unknown: int) -> list[int]:
    """Return the place of each value among ``categories``, by the rule of this module.

    Parameters
    ----------
    values : sequence
        What was found; distinct values are enough.
    categories : sequence
        What was seen in training. None, which stands for missing values, is nobody's category.
    unknown : int
        What to return for a value that is none of them.

    Returns
    -------
    list of int

    Examples
    --------
    >>> from softwood.data.identity import places
    >>> places(["True", "false", "0", "maybe"], (False, True), unknown=-2)
    [1, 0, 0, -2]
    >>> places([1.0, "2.0", "007"], (1, 2, 7), unknown=-2)
    [0, 1, -2]
    >>> places([1, "1", "1.00"], ("1", "1.0"), unknown=-2)  # which of the two would 1 be?
    [-2, 0, -2]
    """
    position = {category: place for place, category in enumerate(categories)}
    found = [position.get(value, unknown) for value in values]
    others = [k for k, place in enumerate(found) if place == unknown]
    if not others:
        return found
    known = [category for category in categories if category is not None]
    for kind in (text_of, number_of, *([truth_of] if _are_truths(known) else [])):
        meant = _claims(categories, kind)
        for k in others:
            key = kind(values[k])
            if found[k] == unknown and key is not None:
                found[k] = meant.get(key, unknown)
    return found


def _claims(
    categories: Sequence[Any], kind: Callable[[Any], Hashable | None]
) -> dict[Hashable, int]:
    """Return which category stands for what; what two stand for is left out."""
    claims: dict[Hashable, int] = {}
    doubled = set()
    for place, category in enumerate(categories):
        key = kind(category)
        if key is None:
            continue
        if key in claims:
            doubled.add(key)
        claims[key] = place
    return {key: place for key, place in claims.items() if key not in doubled}


def _are_truths(categories: Iterable[Any]) -> bool:
    return all(truth_of(category) is not None for category in categories)


def number_of(value: Any) -> int | float | None:
    """Return the number that a value is or plainly writes; None if it does not."""
    text = text_of(value)
    if text is not None:
        return _written(text) if _PLAIN.fullmatch(text) else None
    if isinstance(value, bool | np.bool_ | int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return None


def _written(text: str) -> int | float | None:
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else None
    number = float(text)
    return number if math.isfinite(number) else None


def truth_of(value: Any) -> bool | None:
    """Return whether a value says true or false, as a boolean or in letters; None if neither."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    return _TRUTHS.get((text_of(value) or "").lower())


def text_of(value: Any) -> str | None:
    """Return text as it is, and bytes as the text they spell; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return None
    return None
