"""Comma-separated values as ARFF and KEEL files quote them.

Quotes are single or double and open at the start of a value; inside them a backslash
escapes the next character. An unquoted ``?`` is a missing value, a quoted one is text.
"""

from __future__ import annotations

import re

# Three groups: in single quotes, in double quotes, bare (which may end in blanks).
_VALUE = r"""(?:'((?:[^'\\]|\\.)*)'\s*|"((?:[^"\\]|\\.)*)"\s*|((?!['"])%s))"""
_LISTED = re.compile(r"\s*+" + _VALUE % "[^,]*" + r"(,|$|%)", re.DOTALL)
_SPARSE = re.compile(r"\s*(\d+)\s++" + _VALUE % "[^,}]*" + r"(,|\})", re.DOTALL)
_COMMENT = re.compile(r"\s%.*")
_FIRST_WORD = re.compile(_VALUE % r"[^\s{]+", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}


def split_values(text: str) -> list[str | None]:
    r"""Return the values of a comma-separated list; None for a bare ``?``.

    >>> split_values(r"a b, 'it\'s', '', ?, '?'")
    ['a b', "it's", '', None, '?']
    """
    if not any(mark in text for mark in "'\"%"):
        return [None if value == "?" else value for value in map(str.strip, text.split(","))]
    values: list[str | None] = []
    position = 0
    may_end_early = "%" in text
    while True:
        match = _LISTED.match(text, position)
        if match is None:
            raise ValueError(f"a quote is not closed, or not followed by a comma: {text!r}")
        values.append(_value(match[1], match[2], match[3]))
        in_comment = may_end_early and match[3] and _COMMENT.search(match[3])
        if match[4] != "," or in_comment:
            return values
        position = match.end()


def split_sparse(text: str) -> tuple[dict[int, str | None], str]:
    """Return the ``{index value, ...}`` at the start of ``text``, and what comes after it.

    >>> split_sparse("{1 3.5, 4 'x y'} rest")
    ({1: '3.5', 4: 'x y'}, ' rest')
    """
    pairs: dict[int, str | None] = {}
    position = 1
    while text[position:].lstrip()[:1] != "}":
        match = _SPARSE.match(text, position)
        if match is None:
            raise ValueError(f"expected {{index value, ...}}, got {text!r}")
        if int(match[1]) in pairs:
            raise ValueError(f"index {match[1]} occurs twice in {text!r}")
        pairs[int(match[1])] = _value(match[2], match[3], match[4])
        if match[5] == "}":
            return pairs, text[match.end() :]
        position = match.end()
    return pairs, text[text.index("}", position) + 1 :]


def split_name(text: str) -> tuple[str, str]:
    """Return the possibly quoted first word, and the rest.

    >>> split_name("'leaf size' {big, small}")
    ('leaf size', '{big, small}')
    """
    match = _FIRST_WORD.match(text)
    if match is None:
        raise ValueError(f"expected a name, got {text!r}")
    name = _value(match[1], match[2], match[3])
    return name or match[0].strip(), text[match.end() :].strip()


def braced_list(text: str) -> list[str | None]:
    """Return the values inside ``{...}``, which a comment may follow.

    >>> braced_list("{low, 'very high'} % two levels")
    ['low', 'very high']
    """
    end = _closing_brace(text)
    if end < 0:
        raise ValueError(f"the list {text!r} has no closing brace")
    after = text[end + 1 :].strip()
    if after and not after.startswith("%"):
        raise ValueError(f"expected nothing after {text[: end + 1]!r}, got {after!r}")
    return split_values(text[1:end])


def _closing_brace(text: str) -> int:
    """Return where the first ``}`` outside quotes is, or -1."""
    quote, escaped = "", False
    opens_value = True  # a quote counts only where a value begins
    for position, character in enumerate(text):
        if quote:
            if not escaped and character == quote:
                quote = ""
            escaped = character == "\\" and not escaped
        elif character in "'\"" and opens_value:
            quote = character
        elif character == "}":
            return position
        opens_value = character in "{," or (opens_value and character.isspace())
    return -1


def _value(single: str | None, double: str | None, bare: str | None) -> str | None:
    quoted = single if single is not None else double
    if quoted is not None:
        return _ESCAPED.sub(lambda match: _CONTROLS.get(match[1], match[1]), quoted)
    text = _COMMENT.sub("", bare or "").strip()
    return None if text == "?" else text
