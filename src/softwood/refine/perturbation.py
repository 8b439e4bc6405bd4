"""A perturbation: what lambda multiplies, and the flow it makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Gaussian, Hard, Sampled
from softwood.flow.sampled import check_copies
from softwood.refine.column_spread import spread_of_columns

FLOWS = ("exact", "product", "sampled")
DROP = 1e-9  # mass that may be neglected on the way to a leaf


@dataclass(frozen=True, slots=True)
class Perturbation:
    r"""Noise of :math:`\lambda` deviations, and nominal values drawn anew.

    The noise of a numeric attribute is normal, its deviation :math:`\lambda` times the
    attribute's ``scale``. A nominal value is drawn anew, from the training shares of its
    attribute, with probability :math:`\min(1, \lambda^2 / 2)`: a number treated so would
    move, in the mean square, as far as by the noise.

    Parameters
    ----------
    scale : sequence of float
        Deviation of each attribute: of the learning sample, or of an error of measurement
        that is known. An attribute with 0 is not perturbed.
    marginals : sequence of sequences of float, optional
        For each attribute the shares of its categories; empty for those that are numeric
        or are to be left alone.
    flow : {"exact", "product", "sampled"}, default="exact"
        Whether all tests of an attribute see the same perturbation (exact), each test one
        of its own (product, as in the paper of Geurts and Wehenkel), or the mean over
        random perturbations is taken (sampled).
    n : int, default=256
        Number of random perturbations; see :class:`softwood.flow.Sampled`.
    random_state : int, default=0
        Their seed.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.refine.perturbation import Perturbation
    >>> X = np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]])
    >>> noise = Perturbation.of(TrainingSet.of_target(X, [0.0, 1.0, 2.0]))
    >>> noise.scale
    (1.0, 0.0)
    >>> noise.at(0.5)
    Gaussian(scale=(0.5, 0.0), exact=True, drop=1e-09, redraw=0.0, marginals=())
    >>> noise.at(0.0)
    Hard()
    """

    scale: tuple[float, ...]
    marginals: tuple[tuple[float, ...], ...] = ()
    flow: str = "exact"
    n: int = 256
    random_state: int = 0

    def __post_init__(self) -> None:
        if self.flow not in FLOWS:
            raise ValueError(f"flow must be one of {', '.join(FLOWS)}; got {self.flow!r}")
        check_copies(self.n, self.random_state)
        checked = Gaussian(self.scale, marginals=self.marginals)  # what it takes is what we take
        if isinstance(checked.scale, float):
            raise ValueError(f"scale must have one entry for each feature; got {self.scale!r}")
        object.__setattr__(self, "scale", checked.scale)
        object.__setattr__(self, "marginals", checked.marginals)

    @classmethod
    def of(
        cls,
        data: TrainingSet,
        scale: Sequence[float] | FloatArray | None = None,
        nominal: bool = True,
        **options: Any,
    ) -> Perturbation:
        """Return the perturbation that fits a learning sample.

        Parameters
        ----------
        data : TrainingSet
            The learning sample.
        scale : sequence of float, optional
            Deviations the user knows; by default :func:`deviations` of ``data``.
        nominal : bool, default=True
            Whether nominal values are drawn anew. If not, their tests stay hard.
        **options
            The other fields of :class:`Perturbation`.

        Returns
        -------
        Perturbation
        """
        redrawn = nominal and bool(data.is_nominal.any())
        return cls(
            scale=tuple(deviations(data) if scale is None else scale),
            marginals=shares_of_categories(data) if redrawn else (),
            **options,
        )

    def at(self, smoothing: float) -> Flow:
        """Return the flow for a lambda; the hard flow for 0."""
        if not 0.0 <= smoothing < np.inf:
            raise ValueError(f"smoothing must be finite and not negative; got {smoothing!r}")
        if smoothing == 0.0:
            return Hard()
        scale = tuple(smoothing * deviation for deviation in self.scale)
        redraw = redraw_of(smoothing) if self.marginals else 0.0
        if self.flow == "sampled":
            return Sampled(scale, self.n, self.random_state, redraw, self.marginals)
        return Gaussian(scale, self.flow == "exact", DROP, redraw, self.marginals)


def redraw_of(smoothing: float) -> float:
    r"""Return how likely a nominal value is drawn anew: :math:`\min(1, \lambda^2 / 2)`.

    A number that is replaced, with probability p, by another one of its distribution
    moves by :math:`2 p \sigma^2` in the mean square; noise moves it by
    :math:`\lambda^2 \sigma^2`.
    """
    return min(1.0, 0.5 * smoothing * smoothing)


def deviations(data: TrainingSet) -> FloatArray:
    """Return the standard deviation of each numeric column, with the divisor n - 1.

    A column that is constant, nominal or empty gets 0.
    """
    return np.where(data.is_nominal, 0.0, spread_of_columns(data, correction=1)[1])


def shares_of_categories(data: TrainingSet) -> tuple[tuple[float, ...], ...]:
    """Return the share of each category of each nominal column, by weight; () for numeric ones."""
    shares: list[tuple[float, ...]] = []
    for feature, n_categories in enumerate(data.n_categories):
        code = data.X[:, feature]
        known = (code >= 0) & (code < n_categories)
        count = np.bincount(code[known].astype(np.int64), data.weight[known], int(n_categories))
        total = count.sum()
        shares.append(tuple((count / total).tolist()) if n_categories and total > 0.0 else ())
    return tuple(shares)
