"""A paper is a title and its parts; a part is a table or a figure that can be run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from softwood.papers.findings import Finding
from softwood.papers.setting import Setting

KEYS = ("vicinal", "anneal", "perturb", "margins", "spectrum")


@dataclass(frozen=True)
class Part:
    """One table or figure.

    Attributes
    ----------
    key : str
        How it is asked for, such as "table4".
    title : str
        What it shows.
    run : callable
        Takes a :class:`Setting`, returns a :class:`Finding`.
    """

    key: str
    title: str
    run: Callable[[Setting], Finding]


@dataclass(frozen=True)
class Paper:
    """A paper whose tables and figures can be run again."""

    key: str
    citation: str
    parts: tuple[Part, ...]

    def parts_named(self, names: list[str]) -> tuple[Part, ...]:
        """Return the parts asked for; all if none is named."""
        known = {part.key: part for part in self.parts}
        return tuple(known[_known(name, known, f"part of {self.key}")] for name in names) or (
            self.parts
        )


def load_paper(key: str) -> Paper:
    """Return a paper by its short name.

    Examples
    --------
    >>> [part.key for part in load_paper("anneal").parts]
    ['table1', 'table2']
    """
    module = import_module(f"softwood.papers.{_known(key, KEYS, 'paper')}")
    paper: Paper = module.PAPER
    return paper


def _known(name: str, known: object, kind: str) -> str:
    names = list(known)  # type: ignore[call-overload]
    if name in names:
        return name
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
    raise ValueError(f"no {kind} is called {name!r}; {hint}")
