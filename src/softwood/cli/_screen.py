"""What is said where: answers on standard output, all else on the other; or nothing, or JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class Screen:
    """How much the user wants to see; set once, by the command's own options."""

    is_quiet: bool = False
    is_json: bool = False
    has_traceback: bool = False


SCREEN = Screen()
SWITCHES = {"--quiet": "is_quiet", "-q": "is_quiet", "--json": "is_json"}
SWITCHES["--traceback"] = "has_traceback"


def set_switches(words: list[str]) -> list[str]:
    """Take the switches that every command has out of its words, and remember them.

    Examples
    --------
    >>> from softwood.cli._screen import set_switches
    >>> set_switches(["info", "m.softwood"])
    ['info', 'm.softwood']
    """
    SCREEN.is_quiet = SCREEN.is_json = SCREEN.has_traceback = False
    end = words.index("--") if "--" in words else len(words)
    kept = []
    for word in words[:end]:
        if word in SWITCHES:
            setattr(SCREEN, SWITCHES[word], True)
        else:
            kept.append(word)
    return [*kept, *words[end:]]


def say(text: Any = "") -> None:
    """Print something to read, unless JSON or nothing is wanted."""
    if not SCREEN.is_quiet and not SCREEN.is_json:
        print(text)


def show(text: Callable[[], Any], drawn: Callable[[], Any]) -> None:
    """Draw something on a terminal, in colours and as wide as it is; elsewhere print its text."""
    if SCREEN.is_quiet or SCREEN.is_json:
        return
    if not sys.stdout.isatty():
        print(text())
        return
    from rich.console import Console

    Console().print(drawn())


def note(text: str) -> None:
    """Say on the side what was guessed, or done besides."""
    if not SCREEN.is_quiet:
        print(f"softwood: {' '.join(text.split())}", file=sys.stderr)


def answer(facts: dict[str, Any]) -> None:
    """Print what a program wants to know, if it is a program that asks."""
    if SCREEN.is_json:
        print(json.dumps(facts, default=_plain, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def without_nan(value: Any) -> Any:
    """Return a value as JSON can hold it: None for what is no number."""
    if isinstance(value, dict):
        return {str(key): without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    if hasattr(value, "tolist"):  # of numpy
        return without_nan(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
