"""Flows by sampling: perturbed copies of the rows go down the hard tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from softwood._flow_parts import LARGEST, frozen, spread_hard
from softwood._types import FloatArray
from softwood.tree import NOMINAL, Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

COPIED_VALUES = 2**20  # numbers that the perturbed copies of a block may hold


def drawn_codes(
    rng: np.random.Generator, n: int, redraw: float, marginals: Sequence[Sequence[float]]
) -> FloatArray | None:
    """Return the categories that n copies draw, by feature; NaN keeps the row's own."""
    if redraw == 0.0:
        return None
    codes = np.full((n, len(marginals)), np.nan)
    for feature, shares in enumerate(marginals):
        if shares:
            drawn = rng.choice(len(shares), size=n, p=np.array(shares) / sum(shares))
            codes[:, feature] = np.where(rng.random(n) < redraw, drawn, np.nan)
    return codes


def sampled_blocks(
    tree: Tree, X: FloatArray, noise: FloatArray, codes: FloatArray | None
) -> Iterator[csr_array]:
    """Yield the mean leaf mass over copies of the rows, one for each row of ``noise``."""
    n_copies = noise.shape[0]
    # Nominal tests see no noise, so they read columns of their own.
    nominal = tree.kind == NOMINAL
    n_noisy = tree.n_features
    n_columns = 2 * n_noisy if nominal.any() else n_noisy
    tree = tree.replace(
        n_features=n_columns, feature=np.where(nominal, tree.feature + n_noisy, tree.feature)
    )
    size = max(1, COPIED_VALUES // max(1, n_copies * n_columns))
    for start in range(0, max(X.shape[0], 1), size):
        rows = X[start : start + size, None, :]
        copies = np.empty((rows.shape[0], n_copies, n_columns))
        with np.errstate(over="ignore"):
            np.add(rows, noise, out=copies[:, :, :n_noisy])
        # Infinity is a number for no oblique test.
        np.clip(copies[:, :, :n_noisy], -LARGEST, LARGEST, out=copies[:, :, :n_noisy])
        if n_columns > n_noisy:
            keeps = True if codes is None else np.isnan(codes) | np.isnan(rows)
            copies[:, :, n_noisy:] = np.where(keeps, rows, np.nan if codes is None else codes)
        yield _mean_of_copies(tree, copies)


def _mean_of_copies(tree: Tree, copies: FloatArray) -> csr_array:
    from scipy.sparse import csr_array

    n_rows, n_copies, n_features = copies.shape
    X = frozen(copies.reshape(n_rows * n_copies, n_features))
    each = spread_hard(tree, X)
    total = csr_array(
        (each.data, each.indices, each.indptr[::n_copies]), shape=(n_rows, tree.n_leaves)
    )
    total.sum_duplicates()
    total.data /= n_copies
    return total
