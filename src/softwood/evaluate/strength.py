"""How strong the trees of an ensemble are, and how much they agree.

Each tree votes for a class. An ensemble is good if its votes are often right (strength) and
its trees err on different rows (low correlation): the two bound its error.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.forest.sums import ALL_OUTPUTS, flow_of_trees
from softwood.forest.ties import most_probable


@dataclass(frozen=True, slots=True, eq=False)
class StrengthCorrelation:
    """Strength and correlation of the trees of an ensemble.

    Attributes
    ----------
    strength : float
        The mean margin, from -1 to 1.
    rho : float
        The mean correlation of two trees, from 0 to 1.
    rho_unsquared : float
        The same with a denominator that is not squared, as it is sometimes printed.
    bound : float
        What the error cannot exceed, ``rho * (1 - strength**2) / strength**2``. Infinite if
        the strength is not positive, as then there is no bound.
    n_trees : int
        Number of trees.
    margin : ndarray of shape (n_rows,)
        Share of the votes for the true class, less that for the strongest other class.
        Where it is negative, the vote of all trees is wrong.
    """

    strength: float
    rho: float
    rho_unsquared: float
    bound: float
    n_trees: int
    margin: FloatArray

    def __repr__(self) -> str:
        return (
            f"<StrengthCorrelation of {self.n_trees} tree{'s' * (self.n_trees != 1)}: "
            f"strength={self.strength:.4g}, rho={self.rho:.4g}, bound={self.bound:.4g}>"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Votes as codes of classes: one row for each tree, one column for each row of data."""

    codes: AnyArray
    classes: AnyArray


def strength_correlation(
    ensemble: Any, X: Any, y: Any, sample_weight: Any = None
) -> StrengthCorrelation:
    r"""Return strength and correlation of the trees of an ensemble (Breiman 2001).

    Parameters
    ----------
    ensemble : fitted classifier, or array of shape (n_rows, n_trees)
        An ensemble of softwood, a forest of scikit-learn, or its bagging of any classifiers;
        a single tree is an ensemble of one. Or the votes: the label each tree gives to each
        row.
    X : array-like or frame of shape (n_rows, n_features), or None
        Rows that the trees were not grown from. Not read if the votes are given.
    y : array-like of shape (n_rows,)
        Their classes.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; by default all count alike.

    Returns
    -------
    StrengthCorrelation
        The two numbers, and the bound of the error that follows from them.

    Notes
    -----
    A tree votes for the most probable class of its answer, of tied ones for the first. Let
    :math:`c_i` be the class other than :math:`y_i` with most votes, again the first of tied
    ones. Tree :math:`j` scores :math:`r_{ij} = 1` if it votes for :math:`y_i`, -1 if for
    :math:`c_i` and 0 otherwise. The margin :math:`s_i` is the mean score over the trees, and

    .. math:: s = \operatorname{mean}_i s_i, \qquad
              \rho = \frac{\operatorname{var}_i s_i}
                          {(\operatorname{mean}_j \operatorname{sd}_i r_{ij})^2} .

    The variance of a mean is the mean covariance of all pairs of trees, each tree with
    itself included, so :math:`0 \le \rho \le 1`, and equal trees have exactly 1. It is 1 by
    definition if the scores of no tree vary, as when all trees are always right; so it is
    for a single tree. Equation 5 of [2]_ lacks the square; ``rho_unsquared`` has what it
    says, which is the deviation of the score for equal trees.

    The error of the vote is at most :math:`\rho (1 - s^2) / s^2` if :math:`s > 0`: by
    Chebyshev's inequality it is at most :math:`\operatorname{var} s_i / s^2`, and
    :math:`\operatorname{sd}^2_i r_{ij}` is on average at most :math:`1 - s^2`.

    References
    ----------
    .. [1] L. Breiman (2001). Random forests. Machine Learning 45, section 2 and appendix II.
    .. [2] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random
       trees. Journal of Artificial Intelligence Research 32, appendix C.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from softwood.datasets import make_twonorm
    >>> from softwood.evaluate import strength_correlation
    >>> forest = RandomForestClassifier(random_state=0).fit(*make_twonorm(random_state=0))
    >>> strength_correlation(forest, *make_twonorm(1000, random_state=1))
    <StrengthCorrelation of 100 trees: strength=0.5491, rho=0.1103, bound=0.2556>

    Votes can come from anywhere:

    >>> votes = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]]
    >>> strength_correlation(votes, None, ["a", "b", "a"]).margin.round(3).tolist()
    [0.333, 1.0, -0.333]
    """
    truth = _labels(y)
    votes = _votes_of(ensemble, X) if hasattr(ensemble, "predict") else _given_votes(ensemble)
    n_trees, n_rows = votes.codes.shape
    if truth.size != n_rows:
        raise ValueError(f"y must have a label for each of the {n_rows} rows; got {truth.size}")
    weight = _weights(sample_weight, n_rows)
    codes = _codes_of(truth, votes.classes)
    margin, rival = _margins(votes.codes, codes, votes.classes.size)
    strength, spread = _moments(margin, weight)
    deviations = _deviations(votes.codes, codes, rival, weight)
    # Distances from the first: the mean of equal numbers is exactly that number.
    deviation = float(deviations[0] + (deviations - deviations[0]).mean())
    # No more than 1, but for rounding.
    rho = min(1.0, (sqrt(spread) / deviation) ** 2) if deviation > 0.0 else 1.0
    return StrengthCorrelation(
        strength=strength,
        rho=rho,
        rho_unsquared=spread / deviation if deviation > 0.0 else 0.0,
        bound=rho * (1.0 - strength**2) / strength**2 if strength > 0.0 else float("inf"),
        n_trees=n_trees,
        margin=margin,
    )


# -- votes ---------------------------------------------------------------------


def _given_votes(votes: Any) -> _Votes:
    array = np.asarray(votes)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(
            "ensemble must be a fitted classifier, or votes with a row for each row of data and a "
            f"column for each tree, at least one of both; got {type(votes).__name__} of shape "
            f"{array.shape}"
        )
    classes, codes = np.unique(array, return_inverse=True)
    return _Votes(np.ascontiguousarray(codes.reshape(array.shape).T), classes)


def _votes_of(model: Any, X: Any) -> _Votes:
    if X is None:
        raise ValueError("X must be given with a classifier; it may be None only with votes")
    from sklearn.ensemble import BaggingClassifier
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    classes = getattr(model, "classes_", None)
    if classes is None or isinstance(classes, list):
        raise TypeError(
            f"ensemble must predict one class for each row, which {type(model).__name__} does "
            "not; only classes can be voted for"
        )
    of_members = _votes_of_bagging if isinstance(model, BaggingClassifier) else _votes_of_trees
    return _Votes(of_members(model, X), np.asarray(classes))


def _votes_of_trees(model: Any, X: Any) -> AnyArray:
    from softwood.interop import import_model

    imported = import_model(model)
    forest = imported.forest
    if forest.link != "identity" or (forest.output != ALL_OUTPUTS).any():
        raise TypeError(
            f"ensemble must have trees that vote, each for a class; those of {imported.kind} "
            "add up to a score"
        )
    rows = imported.encode(X)
    flows = flow_of_trees(imported.flow, forest.n_trees)
    pairs = zip(forest.trees, flows, strict=True)
    return np.array([most_probable(flow.predict(tree, rows)) for tree, flow in pairs])


def _votes_of_bagging(model: Any, X: Any) -> AnyArray:
    """Return the votes of members of any kind, whose classes are codes."""
    from sklearn.utils.validation import validate_data

    rows = validate_data(model, X, reset=False, dtype=None, ensure_all_finite=False)
    members = zip(model.estimators_, model.estimators_features_, strict=True)
    return np.array([_vote(member, rows[:, columns]) for member, columns in members])


def _vote(member: Any, rows: AnyArray) -> AnyArray:
    if hasattr(member, "predict_proba"):
        best = most_probable(member.predict_proba(rows))
        return np.asarray(member.classes_[best]).astype(np.intp)
    return np.asarray(member.predict(rows)).astype(np.intp)


# -- truth and weights ---------------------------------------------------------


def _labels(y: Any) -> AnyArray:
    labels = np.asarray(y)
    if labels.ndim != 1 or labels.size == 0:
        raise ValueError(f"y must be 1-D and hold at least one label; got shape {labels.shape}")
    return labels


def _codes_of(labels: AnyArray, classes: AnyArray) -> AnyArray:
    """Return the code of each label; those no tree knows have one more, which gets no vote."""
    code = {label: k for k, label in enumerate(classes.tolist())}
    codes = np.array([code.get(label, classes.size) for label in labels.tolist()])
    if (codes == classes.size).all():
        raise ValueError(
            f"y must hold classes that are voted for, such as {classes.tolist()[0]!r}; "
            f"got none of them, but {labels.tolist()[0]!r}"
        )
    return codes


def _weights(sample_weight: Any, n_rows: int) -> FloatArray:
    if sample_weight is None:
        return np.ones(n_rows)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n_rows,):
        raise ValueError(f"sample_weight must have shape ({n_rows},); got {weight.shape}")
    if not (np.isfinite(weight).all() and (weight >= 0.0).all() and weight.any()):
        raise ValueError("sample_weight must be finite, not negative, and not all zero")
    return weight


# -- arithmetic ----------------------------------------------------------------


def _margins(votes: AnyArray, truth: AnyArray, n_classes: int) -> tuple[FloatArray, AnyArray]:
    """Return the margin of each row, and the other class with most votes.

    The class that nobody votes for is the rival where there is no other.
    """
    rows = np.arange(truth.size)
    counts = np.zeros((truth.size, n_classes + 1))
    for vote in votes:
        counts[rows, vote] += 1.0
    right = counts[rows, truth]
    counts[rows, truth] = -1.0  # so that it is not the rival
    rival = counts.argmax(axis=1)
    return (right - counts[rows, rival]) / len(votes), rival


def _deviations(
    votes: AnyArray, truth: AnyArray, rival: AnyArray, weight: FloatArray
) -> FloatArray:
    """Return the standard deviation of each tree's score."""
    scores = ((vote == truth).astype(np.float64) - (vote == rival) for vote in votes)
    return np.sqrt([_moments(score, weight)[1] for score in scores])


def _moments(values: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Return mean and variance. Equal values give equal bits, and constant ones exactly 0."""
    total = weight.sum()
    mean = (values * weight).sum() / total
    return float(mean), float(((values - mean) ** 2 * weight).sum() / total)
