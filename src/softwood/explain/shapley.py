"""Exact interventional SHAP values of hard and soft trees with axis-parallel tests.

Under every flow the mass of a row at a leaf is a product of one factor per feature. The
Shapley value of such a product is the integral of a polynomial, and a quadrature rule of
a few points gives it without error: no sampling, and no walk over all subsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.errors import SoftwoodError
from softwood.explain._members import Member, Subject, subject_of
from softwood.flow import Flow
from softwood.flow.spreading import frozen
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.shapley import Rules

PAIRS_AT_ONCE = 2**24  # of rows, background rows and leaves: between blocks one can interrupt
LEAST_ROWS = 16  # of a block: each block looks at the whole background anew
ROUNDING = 1e-9  # relative to the largest prediction


@dataclass(frozen=True, slots=True, eq=False)
class ShapValues:
    """SHAP values of some rows, under the names that ``shap.Explanation`` gives its parts.

    ``expected_value`` plus the values of a row, summed over the features, is what the
    model predicts for it. ``np.asarray`` of this is ``values``.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features) or (n_rows, n_features, n_classes)
        What each feature adds to the prediction; three axes for a classifier.
    expected_value : float or ndarray of shape (n_classes,)
        Mean prediction over the background.
    data : ndarray of shape (n_rows, n_features)
        The rows, as numbers: categories are codes.
    feature_names : tuple of str
        Names of the features.
    output_names : tuple of str or None
        Names of the classes; None for one output.
    """

    values: AnyArray
    expected_value: float | FloatArray
    data: FloatArray
    feature_names: tuple[str, ...]
    output_names: tuple[str, ...] | None

    @property
    def base_values(self) -> FloatArray:
        """The expected value, once for each row."""
        return np.repeat(np.asarray(self.expected_value)[None], len(self), axis=0)

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"ShapValues(shape={self.values.shape})"


def shap_values(
    model: Any,
    X: Any,
    background: Any,
    *,
    flow: Flow | Sequence[Flow] | None = None,
    check_additivity: bool = True,
) -> ShapValues:
    r"""Share out the difference between a prediction and the mean prediction.

    The value of feature j is its mean contribution over all orders in which the features
    of a background row are exchanged for those of the row (interventional SHAP [1]_),
    averaged over the background. For a leaf that the row and the background row would
    reach with factors :math:`a_i` and :math:`b_i` of the tested features, it is

    .. math:: \int_0^1 (a_j - b_j) \prod_{i \ne j} (t a_i + (1 - t) b_i) \, dt

    times the response of the leaf. The integral is exact, for hard and soft trees alike.

    Parameters
    ----------
    model : estimator, Tree or Forest
        A fitted softwood estimator with one tree, or bare trees. All tests must be
        numeric or nominal.
    X : array-like or frame of shape (n_rows, n_features)
        Rows to explain; NaN and None are missing.
    background : array-like or frame of shape (n_background, n_features)
        Rows to compare with, of equal weight: the training rows, or about a hundred of
        them. The time grows with rows x background rows x leaves.
    flow : Hard, Ramp or Gaussian, or a sequence of them, optional
        How rows spread; a forest may have one flow for each tree. The default is the
        model's own, and bare trees are hard.
    check_additivity : bool, default=True
        Whether to make sure that the values of a row add up to its prediction.

    Returns
    -------
    ShapValues
        ``values`` explain ``predict`` for regression, with the shape (n_rows, n_features),
        and ``predict_proba`` for classifiers, with one more axis for the classes. Of a
        forest they explain ``raw``, the sum before the link. Bare trees have the third
        axis if they have several outputs. ``expected_value`` is the mean prediction over
        the background.

    Notes
    -----
    For the plots of the package shap, write
    ``shap.Explanation(found.values, found.base_values, found.data,
    feature_names=found.feature_names)``.

    Masses that a flow's ``drop`` neglects are counted here, down to 1e-15.

    References
    ----------
    .. [1] S. M. Lundberg et al. (2020). From local explanations to global understanding
       with explainable AI for trees. Nature Machine Intelligence 2, 56-67.

    Examples
    --------
    The mean of the four targets is 4.5. In the last row the first feature adds 3.5 to it
    and the second adds 2, which makes 10:

    >>> from softwood import CARTRegressor
    >>> from softwood.explain import shap_values
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> model = CARTRegressor().fit(X, [1.0, 2.0, 5.0, 10.0])
    >>> found = shap_values(model, X, background=X)
    >>> found.expected_value
    4.5
    >>> found.values.round(2)
    array([[-2.5, -1. ],
           [-3.5,  1. ],
           [ 2.5, -2. ],
           [ 3.5,  2. ]])
    """
    subject = subject_of(model, flow)
    rows, behind = subject.rows(X, "X"), subject.rows(background, "background")
    if behind.shape[0] == 0:
        raise ValueError(f"background must have at least one row; got shape {behind.shape}")
    values = np.zeros((*rows.shape, subject.base.size))
    for member in subject.members:
        values[:, :, member.columns] += _values_of(member, rows, behind)
    expected = subject.predict(behind).mean(axis=0)
    if check_additivity:
        _check_additivity(subject, rows, values, expected)
    is_number = subject.output_names is None
    return ShapValues(
        values=values[:, :, 0] if is_number else values,
        expected_value=float(expected[0]) if is_number else expected,
        data=rows,
        feature_names=subject.feature_names,
        output_names=subject.output_names,
    )


def _values_of(member: Member, rows: FloatArray, background: FloatArray) -> FloatArray:
    """Return the values for one tree, rows by features by outputs."""
    from softwood._kernels.shapley import add_shapley

    tree = member.tree
    gates, parent, rules = member.flow._gates(tree), tree.parent, _rules_for(tree)
    values = np.zeros((*rows.shape, member.response.shape[1]))
    size = max(LEAST_ROWS, PAIRS_AT_ONCE // (background.shape[0] * tree.n_leaves))
    for start in range(0, rows.shape[0], size):
        block = slice(start, start + size)
        add_shapley(
            tree.nodes,
            gates,
            parent,
            member.response,
            rows[block],
            background,
            rules,
            tree.depth,
            values[block],
        )
    return values


def _rules_for(tree: Tree) -> Rules:
    """Return rules that are exact for as many features as a path of ``tree`` can test."""
    n_tested = min(tree.depth, np.unique(tree.feature[~tree.is_leaf]).size)
    return _legendre_rules((n_tested + 1) // 2)


@lru_cache(maxsize=32)
def _legendre_rules(n_rules: int) -> Rules:
    """Return the Gauss-Legendre rules with up to ``n_rules`` points."""
    from softwood._kernels.shapley import Rules

    point, weight = np.zeros((2, n_rules + 1, n_rules))
    for n in range(1, n_rules + 1):
        x, w = np.polynomial.legendre.leggauss(n)  # on [-1, 1]
        point[n, :n], weight[n, :n] = (1.0 + x) / 2.0, w / 2.0
    return Rules(frozen(point), frozen(weight))


def _check_additivity(
    subject: Subject, rows: FloatArray, values: FloatArray, expected: FloatArray
) -> None:
    gap = np.abs(values.sum(axis=1) + expected - subject.predict(rows))
    allowed = ROUNDING * max(1.0, subject.size)
    if not (gap <= allowed).all():
        row = int(gap.max(axis=1).argmax())
        raise SoftwoodError(
            f"the SHAP values of row {row} miss its prediction by {gap[row].max():.3g}, and "
            f"rounding explains {allowed:.3g}; please report this. check_additivity=False "
            "returns the values all the same"
        )
