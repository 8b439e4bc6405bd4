"""Seeds of experiments: a sequence that others are spawned from."""

from __future__ import annotations

import numpy as np

from softwood.data.seeds import drawn_seed

RandomState = int | np.random.Generator | np.random.RandomState | None


def seed_sequence(random_state: RandomState) -> np.random.SeedSequence:
    """Return the sequence that a ``random_state`` stands for; a generator goes on by one draw."""
    if isinstance(random_state, np.random.RandomState):
        random_state = drawn_seed(random_state)
    elif isinstance(random_state, np.random.Generator):
        random_state = int(random_state.integers(np.iinfo(np.int64).max))
    return np.random.SeedSequence(random_state)


def number_of_seed(seed: np.random.SeedSequence) -> int:
    """Return a number that scikit-learn, too, accepts as a seed."""
    return int(seed.generate_state(1)[0])
