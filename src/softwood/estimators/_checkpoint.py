"""Checkpoints of evolution: a file from which a run that was killed goes on.

The file is a container of arrays and JSON, as model files are; nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.errors import ModelFileError
from softwood.estimators._evolving_choices import Choice
from softwood.grow.evolve_state import DTYPES, PER_NODE
from softwood.persist.container import json_bytes, pack, parse_json, unpack

VERSION = 1
FACTS = "checkpoint.json"
KEYS = {"facts", "sigma2", "path", "history", "shapes"}
LEAST_SECONDS = 1.0  # between two writings
SHARE_OF_TIME = 0.05  # that writing may take

State = Mapping[str, AnyArray]


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds.

    Attributes
    ----------
    facts : dict
        What was fitted to what; a run goes on only if these are the same.
    choice : Choice
        The noise in use.
    history : dict
        Lists of numbers: what was noted after each part of the run.
    states : list of dict
        The arrays of each run.
    """

    facts: dict[str, Any]
    choice: Choice
    history: dict[str, list[Any]]
    states: Sequence[State]


class Checkpoint:
    """A file that is renewed now and then; without a path, nothing.

    Parameters
    ----------
    path : str, path-like or None
        The file.
    facts : dict
        What is fitted to what.
    """

    def __init__(self, path: PathLike | None, facts: dict[str, Any]) -> None:
        self.path = None if path is None else Path(path)
        self.facts = facts
        self._next = monotonic()
        if self.path is not None:
            check_place(self.path, streams=False)  # it is read as well, and renewed

    def read(self) -> Saved | None:
        """Return what the file holds; None if there is none. Complain if it is of another fit."""
        if self.path is None or not self.path.exists():
            return None
        try:
            saved = _unpacked(self.path.read_bytes())
        except (ModelFileError, ValueError) as error:
            raise ValueError(f"checkpoint {os.fspath(self.path)!r}: {error}") from error
        for name, value in self.facts.items():
            if saved.facts.get(name) != value:
                raise ValueError(
                    f"checkpoint {os.fspath(self.path)!r} is of another fit: its {name} is "
                    f"{saved.facts.get(name)!r}, and here it is {value!r}; remove the file, or "
                    "name another one"
                )
        return saved

    @property
    def is_due(self) -> bool:
        """Whether it is time to write again."""
        return self.path is not None and monotonic() >= self._next

    def write(self, saved: Saved) -> None:
        """Renew the file."""
        if self.path is None:
            return
        start = monotonic()
        write_atomically(self.path, _packed(saved))
        now = monotonic()
        self._next = now + max(LEAST_SECONDS, (now - start) / SHARE_OF_TIME)


def digest_of(data: TrainingSet) -> str:
    """Return a hash of a training set."""
    total = hashlib.sha256()
    for array in (data.X, data.label, data.weight, data.n_categories):
        total.update(str(array.shape).encode())
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def _packed(saved: Saved) -> bytes:
    shapes = [{name: list(state[name].shape) for name in DTYPES} for state in saved.states]
    said = {
        "facts": saved.facts,
        "sigma2": saved.choice.sigma2.tolist(),
        "path": _listed(saved.choice.path),
        "history": saved.history,
        "shapes": shapes,
    }
    members = {
        name: b"".join(state[name].astype(dtype).tobytes() for state in saved.states)
        for name, dtype in DTYPES.items()
    }
    return pack({FACTS: json_bytes(said), **members}, VERSION)


def _unpacked(content: bytes) -> Saved:
    _, members = unpack(content, VERSION)
    if set(members) != {FACTS, *DTYPES}:
        raise ModelFileError("it is not a checkpoint")
    said = parse_json(members[FACTS], FACTS)
    if not isinstance(said, dict) or set(said) != KEYS:
        raise ModelFileError(f"{FACTS} has the wrong keys")
    states: list[dict[str, AnyArray]] = [{} for _ in said["shapes"]]
    for name, dtype in DTYPES.items():
        flat, first = np.frombuffer(members[name], dtype), 0
        for state, shapes in zip(states, said["shapes"], strict=True):
            shape = tuple(int(size) for size in shapes[name])
            last = first + int(np.prod(shape))
            state[name] = flat[first:last].reshape(shape)
            first = last
        if first != flat.size:
            raise ModelFileError(f"{name} has {flat.size} entries, not {first}")
    n_nodes = {len(state[name]) - len(state["mass"]) for state in states for name in PER_NODE}
    if n_nodes - {0}:
        raise ModelFileError("its arrays of nodes differ in length")
    path = said["path"] and {name: np.array(values) for name, values in said["path"].items()}
    return Saved(said["facts"], Choice(np.array(said["sigma2"]), path), said["history"], states)


def _listed(path: dict[str, AnyArray] | None) -> dict[str, list[float]] | None:
    return None if path is None else {name: values.tolist() for name, values in path.items()}
