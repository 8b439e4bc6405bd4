"""How probable it is that one method is better: Bayesian counterparts of the tests.

They follow Benavoli, Corani, Demšar and Zaffalon (2017). Differences within the *rope*,
the region of practical equivalence, count as no difference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.statistics._checks import check_count, paired_differences
from softwood.statistics.paired import corrected_t_test

# Samples are weighed in blocks, to bound the memory of many data sets.
BLOCK = 4096
PRIOR = 0.5  # weight of the pseudo-observation among signed ranks


class Verdict(NamedTuple):
    """Probabilities that sum to 1.

    Attributes
    ----------
    a_better : float
        That the first method is better by more than the rope.
    equivalent : float
        That the methods are equivalent in practice; 0 if there is no rope.
    b_better : float
        That the second method is better by more than the rope.
    """

    a_better: float
    equivalent: float
    b_better: float


def bayes_correlated_t_test(
    a: Any, b: Any | None = None, *, test_over_train: float, rope: float = 0.0
) -> Verdict:
    """Return how probable it is that either method is better on one data set.

    The posterior of the mean difference is Student's t with the error of
    :func:`corrected_t_test`.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,)
        Scores of both methods on the same splits, lower is better; or the differences in
        ``a`` alone.
    test_over_train : float
        Number of test cases over that of training cases, ``1 / (K - 1)`` for ``K`` folds.
    rope : float, default=0
        Mean differences up to this size are no difference in practice.

    Returns
    -------
    Verdict
        Probabilities of the first being better, of equivalence, of the second.

    Examples
    --------
    >>> from softwood.statistics import bayes_correlated_t_test
    >>> a, b = [0.21, 0.30, 0.14, 0.25], [0.22, 0.35, 0.17, 0.29]
    >>> verdict = bayes_correlated_t_test(a, b, test_over_train=1 / 3, rope=0.01)
    >>> print(f"{verdict.a_better:.3f} {verdict.equivalent:.3f} {verdict.b_better:.3f}")
    0.909 0.068 0.024
    """
    from scipy.stats import t

    _check_rope(rope)
    found = corrected_t_test(a, b, test_over_train=test_over_train)
    mean, error = found.difference, found.standard_error
    if error == 0:
        if rope == 0 and mean == 0:
            return Verdict(0.5, 0.0, 0.5)
        lower, higher = float(mean < -rope), float(mean > rope)
    else:
        lower = float(t.cdf((-rope - mean) / error, found.df))
        higher = float(t.sf((rope - mean) / error, found.df))
    return Verdict(lower, max(0.0, 1.0 - lower - higher), higher)


def bayes_sign_test(
    a: Any,
    b: Any | None = None,
    *,
    rope: float = 0.0,
    n_samples: int = 50_000,
    random_state: int | np.random.Generator = 0,
) -> Verdict:
    """Return how probable it is that either method is better on most data sets.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of both methods, lower is better; or the differences in ``a`` alone.
    rope : float, default=0
        Differences up to this size are no difference in practice.
    n_samples : int, default=50000
        Size of the sample of the posterior.
    random_state : int or numpy.random.Generator, default=0
        Seed of the sample.

    Returns
    -------
    Verdict
        Probabilities that a next data set is most likely won by the first method, lies
        within the rope, or is won by the second. Without a rope, ties count for neither.

    Notes
    -----
    The posterior is a Dirichlet distribution. Its prior is one pseudo-observation of no
    difference.

    Examples
    --------
    >>> from softwood.statistics import bayes_sign_test
    >>> verdict = bayes_sign_test([-0.02, -0.03, 0.0, -0.05, -0.04, -0.01], rope=0.005)
    >>> print(f"{verdict.a_better:.2f} {verdict.b_better:.2f}")
    0.89 0.00
    """
    _check_rope(rope)
    side = _sides(paired_differences(a, b), rope)
    counts = np.array([np.sum(side < 0), np.sum(side == 0) + 1, np.sum(side > 0)])
    check_count("n_samples", n_samples, 1)
    # A gamma of shape 0 is 0: a side never seen has no mass.
    masses = np.random.default_rng(random_state).standard_gamma(counts, (n_samples, 3))
    return _verdict(masses, rope)


def bayes_signed_rank_test(
    a: Any,
    b: Any | None = None,
    *,
    rope: float = 0.0,
    n_samples: int = 50_000,
    random_state: int | np.random.Generator = 0,
) -> Verdict:
    """Return how probable it is that either method is better, by signed ranks.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of both methods, lower is better; or the differences in ``a`` alone.
    rope : float, default=0
        Differences up to this size are no difference in practice.
    n_samples : int, default=50000
        Size of the sample of the posterior.
    random_state : int or numpy.random.Generator, default=0
        Seed of the sample.

    Returns
    -------
    Verdict
        As in :func:`bayes_sign_test`, for the mean of two differences drawn at random.

    Notes
    -----
    The posterior is a Dirichlet process over the differences. Its prior is half a
    pseudo-observation of no difference.

    Examples
    --------
    >>> from softwood.statistics import bayes_signed_rank_test
    >>> verdict = bayes_signed_rank_test([-0.02, -0.03, 0.0, -0.05, -0.04, 0.01], rope=0.005)
    >>> print(f"{verdict.a_better:.2f} {verdict.b_better:.2f}")
    0.95 0.00
    """
    _check_rope(rope)
    check_count("n_samples", n_samples, 1)
    differences = np.append(0.0, paired_differences(a, b))
    side = _sides(np.add.outer(differences, differences) / 2.0, rope)
    concentration = np.append(PRIOR, np.ones(differences.size - 1))
    rng = np.random.default_rng(random_state)
    masses = np.empty((n_samples, 3))
    for start in range(0, n_samples, BLOCK):
        block = masses[start : start + BLOCK]
        weight = rng.dirichlet(concentration, len(block))
        for column, sign in enumerate((-1, 0, 1)):
            block[:, column] = np.sum((weight @ (side == sign)) * weight, axis=1)
    return _verdict(masses, rope)


def _check_rope(rope: float) -> None:
    if not 0.0 <= rope < np.inf:
        raise ValueError(f"rope must be 0 or more; got {rope!r}")


def _sides(differences: FloatArray, rope: float) -> AnyArray:
    """Return -1, 0 or 1: below the rope, within it, above it."""
    return np.where(np.abs(differences) <= rope, 0, np.sign(differences)).astype(int)


def _verdict(masses: FloatArray, rope: float) -> Verdict:
    """Return how often each of three masses is the largest."""
    if rope == 0:
        won = np.mean(masses[:, 0] > masses[:, 2]) + np.mean(masses[:, 0] == masses[:, 2]) / 2.0
        return Verdict(float(won), 0.0, float(1.0 - won))
    shares = np.bincount(masses.argmax(axis=1), minlength=3) / len(masses)
    return Verdict(*(float(share) for share in shares))
