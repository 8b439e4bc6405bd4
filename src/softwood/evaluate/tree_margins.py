"""Margins of a tree's tests, and what they promise about its error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.explain.labels import number_text
from softwood.explain.wording import subject_of
from softwood.refine.node_rows import NodeRows, compared, weights_of
from softwood.refine.widen import node_margins
from softwood.tree import NOMINAL, Tree


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """The margins of the numeric and oblique tests of a tree; prints as a table.

    Attributes
    ----------
    node : ndarray of shape (n_tests,)
        Ids of the nodes, ascending.
    margin : ndarray of shape (n_tests,)
        Euclidean distance of the nearest row to where the test changes sides; infinite where
        no row gets to.
    n_rows : ndarray of shape (n_tests,)
        Rows that reach the test and have the values it asks for.
    norm : ndarray of shape (n_tests,)
        Length of the weights of the test, 1 for a test of one feature: how much
        what it compares changes over a distance of 1.
    test : tuple of str
        The left branch, in words.
    """

    node: AnyArray
    margin: FloatArray
    n_rows: AnyArray
    norm: FloatArray
    test: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.node)

    def __str__(self) -> str:
        lines = [f"{'node':>6} {'rows':>7} {'margin':>10}  test"]
        for k in range(len(self)):
            margin = number_text(float(self.margin[k]), 4)
            lines.append(f"{self.node[k]:>6} {self.n_rows[k]:>7} {margin:>10}  {self.test[k]}")
        return "\n".join(lines)


def margins(model: Any, X: Any) -> Margins:
    """Return how far the nearest rows are from the boundaries of each test.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree.
    X : array-like or frame of shape (n_samples, n_features)
        Rows, usually those of training. For a bare tree, as the tree reads them.

    Returns
    -------
    Margins
        One entry for each numeric or oblique test; nominal tests have no margin.

    See Also
    --------
    margin_bound : What the margins promise about the error.
    softwood.widen_margins : Make them wider.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.evaluate import margins
    >>> X = [[0.0, 5.0], [1.0, 1.0], [4.0, 2.0], [6.0, 3.0]]
    >>> print(margins(CARTClassifier().fit(X, ["a", "a", "b", "c"]), X))
      node    rows     margin  test
         0       4        1.5  x0 <= 2.5
         2       2          1  x0 <= 5
    """
    subject = subject_of(model)
    tree = subject.tree
    rows = NodeRows.of(tree, _rows_of(model, X))
    values = rows.values(tree)
    tests = compared(tree)
    return Margins(
        node=np.array(tests, dtype=np.int64),
        margin=node_margins(tree, rows.X)[tests],
        n_rows=np.array(
            [np.count_nonzero(~np.isnan(values[rows.part(node)])) for node in tests], dtype=np.int64
        ),
        norm=np.array([np.linalg.norm(weights_of(tree, node)) for node in tests]),
        test=tuple(subject.test(node, 0) for node in tests),
    )


def margin_bound(model: Any, X: Any, delta: float = 0.05) -> float:
    """Return a bound on the error of a tree that classifies its training rows without error.

    With a probability of at least 1 - delta, the error on new rows is below the bound
    (theorem 3.10 of [1]_). It grows with the number of tests and with the square of the
    radius of the data over each margin. For data sets of the usual size it is far above 1:
    it tells trees of one size apart, and says nothing about their errors.

    Parameters
    ----------
    model : estimator or Tree
        A fitted softwood estimator with one tree, or a bare tree; without nominal tests.
    X : array-like or frame of shape (n_samples, n_features)
        The training rows, without missing values.
    delta : float, default=0.05
        How improbable it has to be that the bound fails.

    Returns
    -------
    float
        Infinite if a row lies on a boundary, as with thresholds that are values of rows.

    References
    ----------
    .. [1] D. Wu, K. P. Bennett, N. Cristianini, J. Shawe-Taylor (2000). Enlarging the
       margins in perceptron decision trees. Machine Learning 41.

    Examples
    --------
    >>> from softwood import CARTClassifier, widen_margins
    >>> from softwood.datasets import make_gaussians
    >>> from softwood.evaluate import margin_bound
    >>> X, y = make_gaussians(random_state=0)
    >>> model = CARTClassifier().fit(X, y)
    >>> wide = widen_margins(model, X, y, axis="turn")
    >>> margin_bound(wide, X) < margin_bound(model, X)
    True
    """
    tree = subject_of(model).tree
    rows = _rows_of(model, X)
    if np.any(tree.kind == NOMINAL):
        raise ValueError(
            "the bound is for trees of numeric and oblique tests; this one has "
            f"{np.count_nonzero(tree.kind == NOMINAL)} nominal tests"
        )
    if not np.isfinite(rows).all():
        raise ValueError("X must have no missing or infinite values; the bound does not know them")
    return bound_of(margins(tree, rows).margin, _radius(rows), len(rows), delta)


def bound_of(margin: AnyArray, radius: float, n_rows: int, delta: float = 0.05) -> float:
    """Return the bound of theorem 3.10 for margins at each of K tests.

    Parameters
    ----------
    margin : array-like of shape (n_tests,)
        The margins.
    radius : float
        Of a ball that holds all rows.
    n_rows : int
        Number of training rows.
    delta : float, default=0.05
        How improbable it has to be that the bound fails.

    Returns
    -------
    float

    Notes
    -----
    The logarithms are to the base 2, as in the proof, which counts to powers of 2.

    Examples
    --------
    >>> round(bound_of([0.5], radius=1.0, n_rows=1_000), 1)
    83.5
    """
    from scipy.special import gammaln

    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta must be between 0 and 1; got {delta!r}")
    if n_rows < 1:
        raise ValueError(f"n_rows must be at least 1; got {n_rows!r}")
    margin = np.asarray(margin, dtype=np.float64)
    if np.any(~(margin >= 0.0)):
        raise ValueError(f"margin must not be negative or NaN; got {margin.min()!r}")
    with np.errstate(divide="ignore"):
        steepness = radius**2 * float(np.sum(1.0 / margin**2))
    n_tests = margin.size
    log_4m, log_4em = np.log2(4.0 * n_rows), np.log2(4.0 * np.e * n_rows)
    log_binomial = (gammaln(2 * n_tests + 1) - 2.0 * gammaln(n_tests + 1)) / np.log(2.0)
    shapes = (n_tests + 1) * log_4m + log_binomial - np.log2((n_tests + 1) * delta)
    return float(2.0 / n_rows * (65.0 * steepness * log_4em * log_4m + shapes))


def _rows_of(model: Any, X: Any) -> FloatArray:
    if isinstance(model, Tree):
        return np.asarray(X, dtype=np.float64)
    rows: FloatArray = model._rows(X)
    return rows


def _radius(rows: FloatArray) -> float:
    """Return the radius of a ball around all rows; its centre is the mean or the mid-range."""
    centres = (rows.mean(axis=0), (rows.min(axis=0) + rows.max(axis=0)) / 2.0)
    return min(float(np.linalg.norm(rows - centre, axis=1).max()) for centre in centres)
