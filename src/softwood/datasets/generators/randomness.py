"""What ``random_state`` may be, and the checks every generator shares."""

from __future__ import annotations

import numpy as np

from softwood.data.seeds import drawn_seed

RandomState = int | np.random.Generator | np.random.RandomState | None


def generator_from(random_state: RandomState) -> np.random.Generator:
    """Return a numpy Generator; an old-style RandomState lends one of its draws as seed."""
    if isinstance(random_state, np.random.RandomState):
        random_state = drawn_seed(random_state)
    return np.random.default_rng(random_state)


def check_count(name: str, value: int, least: int = 1) -> None:
    """Raise ValueError unless ``value`` is a whole number of at least ``least``."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number, at least {least}; got {value!r}")


def check_share(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` is a probability."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be a probability, between 0 and 1; got {value!r}")


def check_scale(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` is zero or positive, and finite."""
    if not 0 <= value < np.inf:
        raise ValueError(f"{name} must be zero or positive; got {value!r}")
