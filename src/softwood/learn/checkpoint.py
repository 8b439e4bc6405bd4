"""Checkpoints of evolution: a file from which a run that was killed goes on.

The file is a container of arrays and JSON, as model files are; nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.errors import ModelFileError
from softwood.grow.evolve_state import DTYPES
from softwood.learn.evolving_choices import Choice
from softwood.persist.container import json_bytes, pack, parse_json, read_content, unpack

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
        with self.explained():
            saved = unpacked(read_content(self.path))
        for name, value in self.facts.items():
            if saved.facts.get(name) != value:
                raise ValueError(
                    f"checkpoint {os.fspath(self.path)!r} is of another fit: its {name} is "
                    f"{saved.facts.get(name)!r}, and here it is {value!r}; remove the file, or "
                    "name another one"
                )
        return saved

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say which file it is that cannot be gone on from."""
        try:
            yield
        except (ModelFileError, RecursionError, ValueError) as error:
            raise ValueError(
                f"checkpoint {os.fspath(self.path or '')!r}: {error}; remove the file to begin anew"
            ) from error

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


def unpacked(content: bytes) -> Saved:
    """Return what the bytes of a checkpoint say; what it means for the run is not checked."""
    _, members = unpack(content, VERSION)
    if set(members) != {FACTS, *DTYPES}:
        raise ModelFileError("it is not a checkpoint")
    said = parse_json(members[FACTS], FACTS)
    if not isinstance(said, dict) or set(said) != KEYS or not isinstance(said["facts"], dict):
        raise ModelFileError(f"{FACTS} has the wrong keys")
    states = _states(said["shapes"], members)
    choice = Choice(_numbers(said["sigma2"], "sigma2"), _checked_path(said["path"]))
    return Saved(said["facts"], choice, _checked_history(said["history"], len(states)), states)


def _states(shapes: Any, members: Mapping[str, bytes]) -> list[dict[str, AnyArray]]:
    """Return the arrays of each run, which stand one after the other."""
    if not isinstance(shapes, list) or not shapes:
        raise ModelFileError("shapes must list those of each run")
    states: list[dict[str, AnyArray]] = [{} for _ in shapes]
    for name, dtype in DTYPES.items():
        if len(members[name]) % np.dtype(dtype).itemsize:
            raise ModelFileError(f"{name} has {len(members[name])} bytes, not whole numbers")
        flat, first = np.frombuffer(members[name], dtype), 0
        for state, of_run in zip(states, shapes, strict=True):
            shape = of_run.get(name) if isinstance(of_run, dict) else None
            if not isinstance(shape, list) or not all(_is_size(size) for size in shape):
                raise ModelFileError(f"shapes must have whole numbers for {name}")
            last = first + math.prod(shape)
            state[name] = flat[first:last].reshape(shape if last <= flat.size else [-1])
            first = last
        if first != flat.size:
            raise ModelFileError(f"{name} has {flat.size} entries, not {first}")
    return states


def _is_size(size: Any) -> bool:
    return type(size) is int and 0 <= size < 2**31


def _checked_path(path: Any) -> dict[str, FloatArray] | None:
    """Return what cross-validation came to, if it was asked."""
    if path is None:
        return None
    if not isinstance(path, dict) or set(path) != {"sigma2", "error"}:
        raise ModelFileError("path must have sigma2 and error")
    made = {name: _numbers(values, name) for name, values in path.items()}
    if made["sigma2"].size != made["error"].size or not made["error"].size:
        raise ModelFileError("path must have an error for each sigma2")
    return made


def _numbers(values: Any, name: str) -> FloatArray:
    if not isinstance(values, list) or any(type(value) is not float for value in values):
        raise ModelFileError(f"{name} must be a list of numbers")
    return np.array(values, dtype=np.float64)


def _checked_history(history: Any, n_runs: int) -> dict[str, list[Any]]:
    """Return what was noted after each part of the run, of every one of its runs."""
    if not isinstance(history, dict) or set(history) != {"iteration", "risk", "n_nodes"}:
        raise ModelFileError("history must have iteration, risk and n_nodes")
    columns = list(history.values())
    if any(not isinstance(column, list) for column in columns) or len(set(map(len, columns))) != 1:
        raise ModelFileError("history must have equally many iterations, risks and sizes")
    for name, kind in (("risk", float), ("n_nodes", int)):
        for of_part in history[name]:
            if not isinstance(of_part, list) or [type(v) for v in of_part] != [kind] * n_runs:
                raise ModelFileError(f"history must have {name} of each of {n_runs} runs")
    steps = history["iteration"]
    if not steps or any(type(step) is not int for step in steps) or sorted(steps) != steps:
        raise ModelFileError("the iterations of history must ascend")
    return history


def _listed(path: dict[str, AnyArray] | None) -> dict[str, list[float]] | None:
    return None if path is None else {name: values.tolist() for name, values in path.items()}
