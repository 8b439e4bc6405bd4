"""Names of columns that are missing, padded or doubled, mended."""

from __future__ import annotations

from collections.abc import Sequence


def mended_names(header: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return names that differ and are not empty, and what was mended.

    Examples
    --------
    >>> from softwood.data.readers.names import mended_names
    >>> mended_names(["", " size ", "size"])[0]
    ['unnamed_1', 'size', 'size_2']
    """
    notes: list[str] = []
    names = [" ".join(name.split()) for name in header]
    padded = [new for old, new in zip(header, names, strict=True) if new and new != old]
    if padded:
        notes.append(f"blanks around names of columns are left out: {listed(padded)}")
    nameless = [j for j, name in enumerate(names) if not name]
    for j in nameless:
        names[j] = _new(f"unnamed_{j + 1}", names)
    if nameless:
        called = listed([names[j] for j in nameless])
        notes.append(f"columns without a name are called {called}")
    doubled = []
    for j, name in enumerate(names):
        if name in names[:j]:
            names[j] = _new(name, names)
            doubled.append(f"{name!r} is called {names[j]!r}")
    if doubled:
        notes.append(f"names that occur twice: the later {', '.join(doubled[:8])}")
    return names, notes


def _new(name: str, taken: Sequence[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names in quotes, the first of many."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
