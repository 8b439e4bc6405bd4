"""Normal noise on the row, by sampling: perturbed copies go down the hard tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.flow import spreading as parts
from softwood.flow.base import Spreading
from softwood.flow.spreading import LARGEST, frozen, spread_hard
from softwood.tree import NOMINAL, Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_COPIES = 100_000  # of a row: with so many a mass is sure to 0.0016
COPIED_VALUES = 2**20  # numbers that the perturbed copies of a block may hold


@dataclass(frozen=True, slots=True)
class Sampled(Spreading):
    """The mean of the hard tree over randomly perturbed copies of the row.

    Its limit is the exact :class:`Gaussian` flow, or better: it is right for oblique
    tests in any direction. All rows and all trees see the same perturbations.

    Parameters
    ----------
    scale : float or sequence of float
        Standard deviation of the noise, one for all features or one for each.
    n : int, default=256
        Number of copies, at most 100 000: they take memory and time, and if they are not
        enough, the exact :class:`Gaussian` flow is what they come to.
    random_state : int, default=0
        Seed of the perturbations.
    redraw, marginals
        As of :class:`Gaussian`.
    """

    scale: float | Sequence[float]
    n: int = 256
    random_state: int = 0
    redraw: float = 0.0
    marginals: Sequence[Sequence[float]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", parts.canonical_scale(self.scale))
        object.__setattr__(self, "marginals", parts.canonical_marginals(self.marginals))
        object.__setattr__(self, "redraw", parts.checked_redraw(self.redraw, self.marginals))
        check_copies(self.n, self.random_state)

    def spread(self, tree: Tree, X: Any) -> csr_array:
        """Return the mass of each row at each leaf; see :meth:`Flow.spread`."""
        from scipy.sparse import vstack

        return vstack(list(self._blocks(tree, X)), format="csr")

    def predict(self, tree: Tree, X: Any, response: FloatArray | None = None) -> FloatArray:
        """Return the mean response of the leaves, by mass; see :meth:`Flow.predict`."""
        at_leaves = parts.checked_response(tree, response)[tree.leaves]
        return np.vstack([mass @ at_leaves for mass in self._blocks(tree, X)])

    def _blocks(self, tree: Tree, X: Any) -> Iterator[csr_array]:
        rng = np.random.default_rng(self.random_state)
        noise = rng.standard_normal((self.n, tree.n_features))
        with np.errstate(over="ignore"):  # what is too far out counts as the largest number
            noise *= parts.scale_of_features(self.scale, tree)
        marginals = parts.marginals_of_features(self.marginals, tree)
        codes = drawn_codes(rng, self.n, self.redraw, marginals)
        return sampled_blocks(tree, parts.checked_rows(tree, X), noise, codes)


def check_copies(n: int, random_state: int) -> None:
    """Complain unless ``n`` copies of a row can be drawn, with this seed."""
    if index(n) < 1:
        raise ValueError(f"n must be at least 1; got {n!r}")
    if n > MOST_COPIES:
        raise ValueError(f"n must be at most {MOST_COPIES}; got {n!r}")
    if index(random_state) < 0:
        raise ValueError(f"random_state must not be negative; got {random_state!r}")


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
