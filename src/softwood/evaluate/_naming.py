"""What to say when a name is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the known names closest to ``name`` as a question, or all of them."""
    names = list(known)
    close = get_close_matches(name.lower(), names, n=3)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    return f"there are {', '.join(names)}"
