"""The seed that a ``random_state`` stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST = np.iinfo(np.int32).max  # the largest that scikit-learn, too, accepts everywhere


def drawn_seed(random_state: Any) -> int:
    """Return a seed, drawn from what scikit-learn understands by ``random_state``.

    Parameters
    ----------
    random_state : int, RandomState or None
        None draws from numpy's global state. A generator goes on by one draw.

    Returns
    -------
    int

    Examples
    --------
    >>> drawn_seed(0)
    209652396
    >>> state = np.random.RandomState(0)
    >>> drawn_seed(state) == drawn_seed(0), drawn_seed(state) == drawn_seed(0)
    (True, False)
    """
    if random_state is None:
        return int(np.random.randint(MOST))  # noqa: NPY002 - what None means to scikit-learn
    if not isinstance(random_state, np.random.RandomState):
        random_state = np.random.RandomState(random_state)
    return int(random_state.randint(MOST))
