"""What the error of a learner is made of: noise, bias and variance.

The learner is fitted to many learning sets and asked about the same test rows each time.
How far its mean answer is off is bias; how far single answers stray from the mean is
variance; what no learner could know is noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import is_classifier

from softwood._types import AnyArray
from softwood.data.telling import untold
from softwood.evaluate._seeds import RandomState, number_of_seed, seed_sequence
from softwood.evaluate.error_parts import Parts, divide_classes, divide_numbers
from softwood.evaluate.methods import seeded
from softwood.statistics._checks import check_choice, check_count

Decomposition = Literal["auto", "squared", "kohavi_wolpert", "domingos"]
Sampling = Literal["bootstrap", "subsample", "halves"]
Maker = Callable[..., tuple[Any, Any]]
Seeds = Sequence[np.random.SeedSequence]
Draw = Callable[[Seeds, int], tuple[Any, Any]]

DECOMPOSITIONS = ("auto", "squared", "kohavi_wolpert", "domingos")
SAMPLINGS = ("bootstrap", "subsample", "halves")
N_TRAIN, N_TEST = 300, 2000  # generated rows, if the user does not say


@dataclass(frozen=True, slots=True, eq=False)
class BiasVariance:
    """The error of a learner and its parts, means over the test rows.

    Attributes
    ----------
    error : float
        The sum ``noise + bias + variance``.
    noise : float
        What is left to the best of all predictions; 0 if it is not known, and then part
        of the bias.
    bias : float
        For squared errors, the squared bias.
    variance : float
        What comes from the choice of the learning set.
    decomposition : str
        ``"squared"``, ``"kohavi_wolpert"`` or ``"domingos"``.
    noise_known : bool
        Whether a truth was given, so that noise and bias are apart.
    n_repeats : int
        Number of learning sets.
    by_row : Parts
        The parts for each test row, as arrays.
    """

    error: float
    noise: float
    bias: float
    variance: float
    decomposition: str
    noise_known: bool
    n_repeats: int
    by_row: Parts

    def __repr__(self) -> str:
        first = f"noise={self.noise:.4g}, bias" if self.noise_known else "bias_and_noise"
        return (
            f"<BiasVariance {self.decomposition}: error={self.error:.4g}, "
            f"{first}={self.bias:.4g}, variance={self.variance:.4g}>"
        )


def bias_variance(  # noqa: PLR0913  (an experiment has that many things to choose)
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    n_repeats: int = 50,
    decomposition: Decomposition = "auto",
    truth: Callable[[Any], Any] | None = None,
    sampling: Sampling = "bootstrap",
    train_size: float | None = None,
    test_size: float | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> BiasVariance:
    r"""Divide the error of a learner into noise, bias and variance.

    Parameters
    ----------
    estimator : scikit-learn estimator
        The learner; it is cloned. Each ``random_state`` of it that is None gets a seed of
        its own in each repeat; one that is set is kept, and its chance is not counted.
    X : array, frame or callable
        A table of rows; or ``make(n, random_state=seed) -> (X, y)``, such as
        :func:`softwood.datasets.make_friedman1`, which is called for each learning set
        and for the test rows. Its law must not depend on the seed.
    y : array of shape (n_rows,), optional
        The target; leave it out if ``X`` makes its own.
    n_repeats : int, default=50
        Number of learning sets, at least 2.
    decomposition : {"auto", "squared", "kohavi_wolpert", "domingos"}, default="auto"
        What is divided, and how: see the notes. ``"auto"`` is ``"kohavi_wolpert"`` for
        classifiers and ``"squared"`` for others.
    truth : callable, optional
        From test rows to what is true about them: the mean of ``y``, or for classes
        their probabilities, one column for each class, sorted. It sets noise and bias
        apart.
    sampling : {"bootstrap", "subsample", "halves"}, default="bootstrap"
        How to draw learning sets from a table: with replacement; without; or as the two
        halves of the rows in random order, so that each two sets have no row in common.
    train_size : int or float, optional
        Rows of a learning set, as a number or as a share of the rows that are not for
        testing: by default all of them for bootstrap, half for subsamples, and 300 if
        generated.
    test_size : int or float, optional
        Rows held out for testing, as a number or a share: by default a third, and 2000 if
        generated.
    random_state : int, Generator, RandomState or None
        Makes the result repeatable. Equal integers give all learners equal learning sets
        and test rows.
    n_jobs : int, optional
        Repeats at a time, through joblib. The result does not depend on it.

    Returns
    -------
    BiasVariance
        Error, noise, bias and variance.

    Notes
    -----
    For a test row let :math:`h_1, \dots, h_M` be the answers and :math:`\bar h` their mean.

    - ``"squared"`` divides squared error: the variance is
      :math:`s^2 = \sum (h_m - \bar h)^2 / (M - 1)`, the squared bias
      :math:`(f - \bar h)^2 - s^2 / M`, without the part that is due to finite
      :math:`M`; so it can fall a little below zero. :math:`f` is the truth, or ``y`` if
      none is given. The noise is :math:`(y - f)^2`. A classifier is judged by its
      probabilities of all classes: this is the Brier score, summed over classes.
    - ``"kohavi_wolpert"`` [1]_ divides the error rate: it is half of the above with each
      vote as an indicator of its class. All parts are positive but for chance.
    - ``"domingos"`` [2]_ divides the error rate by the main answer, the most frequent
      one: the bias of a row is 1 if that is not the best class and 0 otherwise. Variance
      is the net effect of other answers, negative where they mend a wrong main answer.
      Noise is the net effect of labels that are not the best.

    Noise, bias and variance sum to the mean error of all models on all test rows. With a
    truth, the error is its expectation over what the truth leaves open: for squared error
    the product of residual and bias is left out, for classes the labels are.

    References
    ----------
    .. [1] R. Kohavi, D. Wolpert (1996). Bias plus variance decomposition for zero-one
       loss functions. ICML.
    .. [2] P. Domingos (2000). A unified bias-variance decomposition. ICML.

    Examples
    --------
    >>> from softwood import CARTRegressor
    >>> from softwood.datasets import make_friedman1
    >>> bias_variance(CARTRegressor(), make_friedman1, n_repeats=10, random_state=0)
    <BiasVariance squared: error=11.67, bias_and_noise=3.598, variance=8.073>
    """
    check_count("n_repeats", n_repeats, 2)
    check_choice("sampling", sampling, SAMPLINGS)
    kind = _kind(decomposition, estimator)
    test_seed, *seeds = seed_sequence(random_state).spawn(1 + n_repeats)
    if callable(X):
        draw, X_test, y_test = _from_generator(X, y, train_size, test_size, test_seed)
    else:
        pool, X_test, y_test = _hold_out(X, y, test_size, test_seed)
        draw = _from_pool(*pool, sampling, train_size)
    drawing, fitting = zip(*(seed.spawn(2) for seed in seeds), strict=True)
    answers = Parallel(n_jobs=n_jobs)(
        delayed(_answers)(estimator, *draw(drawing, repeat), X_test, kind, fitting[repeat])
        for repeat in range(n_repeats)
    )
    divide = divide_classes if is_classifier(estimator) else divide_numbers
    parts = divide(answers, kind, y_test, None if truth is None else truth(X_test))
    noise, bias, variance = (float(part.mean()) for part in parts)
    return BiasVariance(
        error=noise + bias + variance,
        noise=noise,
        bias=bias,
        variance=variance,
        decomposition=kind,
        noise_known=truth is not None,
        n_repeats=n_repeats,
        by_row=parts,
    )


def _kind(decomposition: str, estimator: Any) -> str:
    check_choice("decomposition", decomposition, DECOMPOSITIONS)
    if decomposition == "auto":
        return "kohavi_wolpert" if is_classifier(estimator) else "squared"
    if decomposition != "squared" and not is_classifier(estimator):
        raise ValueError(
            f"decomposition={decomposition!r} is for classifiers, which "
            f"{type(estimator).__name__} is not; use 'squared'"
        )
    return decomposition


def _from_generator(
    make: Maker, y: Any, train_size: Any, test_size: Any, test_seed: np.random.SeedSequence
) -> tuple[Draw, Any, Any]:
    """Return how to make a learning set, and the test rows."""
    if y is not None:
        raise ValueError("y must be left out if X is a callable, as that makes its own")
    n_train = check_count("train_size", N_TRAIN if train_size is None else train_size, 1)
    n_test = check_count("test_size", N_TEST if test_size is None else test_size, 1)

    def draw(seeds: Seeds, repeat: int) -> tuple[Any, Any]:
        return make(n_train, random_state=number_of_seed(seeds[repeat]))

    return draw, *make(n_test, random_state=number_of_seed(test_seed))


def _hold_out(
    X: Any, y: Any, test_size: float | None, test_seed: np.random.SeedSequence
) -> tuple[tuple[Any, AnyArray], Any, AnyArray]:
    """Return the rows to learn from and those to test on."""
    X = X if hasattr(X, "shape") else np.asarray(X)
    n_rows, y = X.shape[0], np.asarray(y)
    if y.shape[:1] != (n_rows,):
        raise ValueError(f"y must have an entry for each of the {n_rows} rows; got {y.shape}")
    n_test = _n_rows("test_size", 1 / 3 if test_size is None else test_size, n_rows, spare=2)
    order = np.random.default_rng(test_seed).permutation(n_rows)
    test, rest = order[:n_test], order[n_test:]
    return (_take(X, rest), y[rest]), _take(X, test), y[test]


def _from_pool(X: Any, y: AnyArray, sampling: Sampling, train_size: float | None) -> Draw:
    """Return how to draw a learning set from the rows of ``X``."""
    n_pool, usual = len(y), 1.0 if sampling == "bootstrap" else 0.5
    if sampling == "halves" and train_size is not None:
        raise ValueError(f"train_size must be left out if sampling='halves'; got {train_size!r}")
    n_train = _n_rows("train_size", usual if train_size is None else train_size, n_pool)

    def draw(seeds: Seeds, repeat: int) -> tuple[Any, Any]:
        if sampling == "halves":
            # Two repeats share an order of the rows, and each has a half of it.
            order = np.random.default_rng(seeds[repeat - repeat % 2]).permutation(n_pool)
            rows = order[repeat % 2 :: 2][:n_train]
        else:
            rng = np.random.default_rng(seeds[repeat])
            rows = rng.choice(n_pool, n_train, replace=sampling == "bootstrap")
        return _take(X, rows), y[rows]

    return draw


def _n_rows(name: str, size: float, total: int, spare: int = 0) -> int:
    """Return a size, a number of rows or a share of ``total``, as a number."""
    most = total - spare
    n_rows = int(size * total) if isinstance(size, float) and 0 < size <= 1 else size
    if not 1 <= n_rows <= most or n_rows != int(n_rows):
        raise ValueError(
            f"{name} must be a share of the {total} rows, or a number from 1 to {most}; "
            f"got {size!r}"
        )
    return int(n_rows)


def _take(X: Any, rows: AnyArray) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _answers(
    estimator: Any, X: Any, y: Any, X_test: Any, kind: str, seed: np.random.SeedSequence
) -> tuple[AnyArray, AnyArray]:
    """Return the classes, and what a model fitted to ``(X, y)`` says about the test rows."""
    with untold():  # a sample may lack categories that the test rows have
        model = seeded(estimator, number_of_seed(seed)).fit(X, y)
        if kind == "squared" and is_classifier(model):
            return model.classes_, model.predict_proba(X_test)
        predicted = np.asarray(model.predict(X_test))
    return np.unique(predicted), predicted
