"""How much a learner's model changes when its sample does.

A tree that is read should not be another one next week. The learner is fitted to two samples of
the same rows, again and again, and the two models are compared: what they answer for rows that
neither has seen, and what their trees look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import is_classifier

from softwood._types import AnyArray, FloatArray
from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.ensemble.jobs import Jobs
from softwood.errors import missing_extra
from softwood.estimators._refitting import fit_again
from softwood.estimators._sklearn_compat import take_rows
from softwood.evaluate._seeds import RandomState, number_of_seed, seed_sequence
from softwood.evaluate._sketch import Sketch, jaccard, overlap
from softwood.evaluate.methods import seeded
from softwood.statistics._checks import check_choice, check_count

Sampling = Literal["half", "bootstrap", "thirds"]
SAMPLINGS = ("half", "bootstrap", "thirds")
LEAST_ROWS = 12


@dataclass(frozen=True, slots=True)
class PairOfModels:
    """Two models of two samples, compared.

    Attributes
    ----------
    n_rows : int
        Rows that neither has seen, on which they were compared.
    disagreement : float
        Share of them that are answered differently; of numbers, the root of the mean squared
        difference, in deviations of the target.
    variation : float
        Mean probability that goes to other classes; of numbers, the mean absolute difference, in
        deviations of the target. NaN if there are no probabilities.
    error : float
        Mean error of the two on these rows: the share of wrong answers, or the root of the mean
        squared error, in deviations of the target.
    columns : float
        Columns that both test, as a share of those that either does; NaN of models that are not
        trees, as all that follows.
    importances : float
        How much of their importances the two share.
    top : float
        Of single trees: tests on the same columns at the same places of the first three levels,
        as a share of all that either has there.
    first_leaves, second_leaves : float
        Leaves of all trees.
    first_root, second_root : tuple of int or None
        Columns that the first test looks at.
    first_cut, second_cut : float
        Where it cuts; NaN if that is not one number.
    first_left, second_left : float
        Share of the training weight that goes to its first branch.
    """

    n_rows: int
    disagreement: float
    variation: float
    error: float
    columns: float
    importances: float
    top: float
    first_leaves: float
    second_leaves: float
    first_root: tuple[int, ...] | None
    second_root: tuple[int, ...] | None
    first_cut: float
    second_cut: float
    first_left: float
    second_left: float


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """How much the models of a learner differ from sample to sample; prints as a summary.

    Attributes
    ----------
    disagreement, variation, error, columns, importances, top : float
        Means over the pairs; see :class:`PairOfModels`.
    standard_error : float
        Of the disagreement, over the pairs: these share rows, so it is rather too small.
    n_leaves, n_leaves_spread : float
        Mean and standard deviation of the number of leaves.
    root : float
        Of single trees: how often the first tests of a pair look at the same columns.
    root_cut_spread : float
        Standard deviation of where they cut, in shares of the rows: 0.1 is a cut that wanders
        over a tenth of them. Over the models whose root tests what most roots do.
    is_classifier : bool
        Whether the models answer classes.
    sampling : str
        How the samples were drawn.
    pairs : tuple of PairOfModels
        All pairs.
    """

    disagreement: float
    standard_error: float
    variation: float
    error: float
    columns: float
    importances: float
    top: float
    n_leaves: float
    n_leaves_spread: float
    root: float
    root_cut_spread: float
    is_classifier: bool
    sampling: str
    pairs: tuple[PairOfModels, ...]

    def frame(self) -> Any:
        """Return a table with a row for each pair; see :class:`PairOfModels`.

        Returns
        -------
        pandas.DataFrame
        """
        try:
            import pandas as pd
        except ImportError:
            raise missing_extra("pandas", "data") from None
        return pd.DataFrame([asdict(pair) for pair in self.pairs])

    def __str__(self) -> str:
        what = "of the answers" if self.is_classifier else "deviations of the target"
        lines = [
            f"{len(self.pairs)} pairs of models, samples by {self.sampling!r}, compared on rows "
            "that neither has seen",
            f"  disagreement  {self.disagreement:.4f} ± {self.standard_error:.4f} {what}",
        ]
        shown = (
            ("variation", self.variation, "of the probability" if self.is_classifier else what),
            ("error", self.error, "on the same rows"),
            ("columns", self.columns, "of those used by either are used by both"),
            ("importances", self.importances, "of them are shared"),
            ("top", self.top, "of the tests of the first three levels are on the same columns"),
            ("root", self.root, "of the pairs have it on the same columns"),
            ("root cut", self.root_cut_spread, "of the rows, its standard deviation"),
        )
        lines += [
            f"  {name:<12}  {value:.4f} {words}"
            for name, value, words in shown
            if not np.isnan(value)
        ]
        if not np.isnan(self.n_leaves):
            lines.append(f"  leaves        {self.n_leaves:.1f} ± {self.n_leaves_spread:.1f}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"<Stability: disagreement={self.disagreement:.4g}, error={self.error:.4g}, "
            f"{len(self.pairs)} pairs>"
        )


def stability(  # noqa: PLR0913  (an experiment has that many things to choose)
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_pairs: int = 20,
    sampling: Sampling = "half",
    sample_weight: Any = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Stability:
    """Measure how much a learner's model changes when its sample does.

    Parameters
    ----------
    estimator : scikit-learn estimator
        The learner; it is cloned. Each ``random_state`` of it that is None gets a seed of its
        own for each fit, so that its own chance counts, too; one that is set is kept.
    X : array or frame of shape (n_rows, n_features)
        The rows.
    y : array of shape (n_rows,)
        The target.
    n_pairs : int, default=20
        How many pairs of models are fitted and compared.
    sampling : {"half", "bootstrap", "thirds"}, default="half"
        How the two samples of a pair are drawn, each apart from the other: half of the rows, or
        as many as there are, with replacement. "thirds" are two that have no row in common.
        What neither has is compared on: a quarter, a seventh or a third of the rows.
    sample_weight : array of shape (n_rows,), optional
        Weights of the rows, if the estimator takes any.
    random_state : int, Generator, RandomState or None
        Makes the result repeatable. Equal integers give all learners equal samples.
    n_jobs : int, optional
        Pairs at a time, in threads, or as ``joblib.parallel_config`` says. The result does not
        depend on it.
    verbose : int, default=0
        How much joblib tells of the progress.

    Returns
    -------
    Stability
        Prints as a summary; ``frame()`` has a row for each pair.

    See Also
    --------
    softwood.diff : What changed between two models, in detail.
    softwood.evaluate.bias_variance : How much of the error comes from the sample.

    Notes
    -----
    Two models that answer a row wrongly half of the time, by chance, disagree on it half of the
    time; a model that always answers the same never disagrees. So read disagreement beside the
    error.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from softwood import CARTClassifier, CoalescenceClassifier, stability
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> for model in CARTClassifier(pruning="cv"), CoalescenceClassifier(30):
    ...     print(stability(model, X, y, n_pairs=5, random_state=0))
    5 pairs of models, samples by 'half', compared on rows that neither has seen
      disagreement  0.0738 ± 0.0231 of the answers
      variation     0.0881 of the probability
      error         0.0664 on the same rows
      columns       0.2557 of those used by either are used by both
      importances   0.1131 of them are shared
      top           0.0200 of the tests of the first three levels are on the same columns
      root          0.0000 of the pairs have it on the same columns
      root cut      0.0241 of the rows, its standard deviation
      leaves        7.4 ± 3.7
    5 pairs of models, samples by 'half', compared on rows that neither has seen
      disagreement  0.0328 ± 0.0046 of the answers
      variation     0.0428 of the probability
      error         0.0447 on the same rows
      columns       0.9933 of those used by either are used by both
      importances   0.6923 of them are shared
      leaves        417.5 ± 36.0
    """
    check_count("n_pairs", n_pairs, 1)
    check_choice("sampling", sampling, SAMPLINGS)
    X = X if hasattr(X, "shape") else np.asarray(X)
    y = np.asarray(y)
    if y.shape != (X.shape[0],):
        raise ValueError(f"y must have an entry for each of the {X.shape[0]} rows; got {y.shape}")
    if y.size < LEAST_ROWS:
        raise ValueError(f"X must have at least {LEAST_ROWS} rows to draw from; got {y.size}")
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    rows = _Rows(X, y, weight, is_classifier(estimator))
    seeds = seed_sequence(random_state).spawn(n_pairs)
    compare = partial(_compared, estimator, rows, sampling)
    found = Jobs(n_jobs, verbose).map(compare, seeds)
    return _summary(found, rows.is_vote, sampling)


class _Rows(NamedTuple):
    """All rows, and what is to be learnt of them."""

    X: Any
    y: AnyArray
    weight: FloatArray | None
    is_vote: bool

    def take(self, rows: AnyArray) -> Any:
        """Return some of the rows."""
        return self.X.take(rows) if isinstance(self.X, Table) else take_rows(self.X, rows)


def _compared(
    estimator: Any, rows: _Rows, sampling: str, seed: np.random.SeedSequence
) -> PairOfModels:
    """Fit a pair of models, and compare them."""
    drawing, *fitting = seed.spawn(3)
    samples, judged = _drawn(rows.y.size, sampling, np.random.default_rng(drawing))
    asked, truth = rows.take(judged), rows.y[judged]
    answers, shares, sketches = [], [], []
    with untold():  # a sample may lack categories that others have
        for sample, own in zip(samples, fitting, strict=True):
            weight = None if rows.weight is None else rows.weight[sample]
            model = seeded(estimator, number_of_seed(own))
            model = fit_again(model, rows.take(sample), rows.y[sample], weight)
            answers.append(np.asarray(model.predict(asked)))
            shares.append(_shares(model, asked, rows) if rows.is_vote else None)
            sketches.append(Sketch.of(model))
    one, two = sketches
    measured = _measured(answers, shares, truth, rows)
    return PairOfModels(
        n_rows=judged.size,
        **measured,
        columns=jaccard(one.columns, two.columns),
        importances=overlap(one.importance, two.importance),
        top=jaccard(one.top, two.top),
        first_leaves=one.n_leaves,
        second_leaves=two.n_leaves,
        first_root=one.root,
        second_root=two.root,
        first_cut=one.cut,
        second_cut=two.cut,
        first_left=one.left,
        second_left=two.left,
    )


def _drawn(n_rows: int, sampling: str, rng: np.random.Generator) -> tuple[list[AnyArray], AnyArray]:
    """Return two samples of the rows, and the rows that are in neither."""
    if sampling == "thirds":
        order, size = rng.permutation(n_rows), n_rows // 3
        samples = [order[:size], order[size : 2 * size]]
    elif sampling == "half":
        samples = [rng.permutation(n_rows)[: n_rows // 2] for _ in range(2)]
    else:
        samples = [rng.integers(0, n_rows, n_rows) for _ in range(2)]
    left = np.ones(n_rows, dtype=bool)
    for sample in samples:
        left[sample] = False
    if not left.any():  # of a dozen rows, two samples may have all
        return _drawn(n_rows, sampling, rng)
    return [np.sort(sample) for sample in samples], np.flatnonzero(left)


def _shares(model: Any, asked: Any, rows: _Rows) -> FloatArray | None:
    """Return probabilities, with a column for every class of all rows."""
    if not hasattr(model, "predict_proba"):
        return None
    classes, own = np.unique(rows.y), np.asarray(model.predict_proba(asked))
    found = np.zeros((len(own), classes.size))
    found[:, np.searchsorted(classes, model.classes_)] = own
    return found


def _measured(
    answers: Sequence[AnyArray],
    shares: Sequence[FloatArray | None],
    truth: AnyArray,
    rows: _Rows,
) -> dict[str, float]:
    """Return how far two models disagree, and how often they err."""
    first, second = answers
    if rows.is_vote:
        before, after = shares
        variation = np.nan
        if before is not None and after is not None:
            variation = float(0.5 * np.abs(before - after).sum(axis=1).mean())
        return {
            "disagreement": float(np.mean(first != second)),
            "variation": variation,
            "error": float(np.mean([np.mean(part != truth) for part in answers])),
        }
    unit = float(np.std(rows.y.astype(np.float64))) or 1.0
    errors = [np.sqrt(np.mean((part - truth) ** 2)) for part in answers]
    return {
        "disagreement": float(np.sqrt(np.mean((first - second) ** 2)) / unit),
        "variation": float(np.mean(np.abs(first - second)) / unit),
        "error": float(np.mean(errors) / unit),
    }


def _summary(pairs: Sequence[PairOfModels], is_vote: bool, sampling: str) -> Stability:
    def mean(name: str) -> float:
        return float(np.mean([getattr(pair, name) for pair in pairs]))

    disagreement = np.array([pair.disagreement for pair in pairs])
    spread = float(disagreement.std(ddof=1)) if len(pairs) > 1 else np.nan
    leaves = [n for pair in pairs for n in (pair.first_leaves, pair.second_leaves)]
    is_tree = all(pair.first_root is not None for pair in pairs)
    same = [pair.first_root == pair.second_root for pair in pairs]
    return Stability(
        disagreement=mean("disagreement"),
        standard_error=spread / len(pairs) ** 0.5,
        variation=mean("variation"),
        error=mean("error"),
        columns=mean("columns"),
        importances=mean("importances"),
        top=mean("top"),
        n_leaves=float(np.mean(leaves)),
        n_leaves_spread=float(np.std(leaves)),
        root=float(np.mean(same)) if is_tree else np.nan,
        root_cut_spread=_cut_spread(pairs),
        is_classifier=is_vote,
        sampling=sampling,
        pairs=tuple(pairs),
    )


def _cut_spread(pairs: Sequence[PairOfModels]) -> float:
    """Return how far the cuts of the commonest root wander, in shares of the rows."""
    left: dict[tuple[int, ...], list[float]] = {}
    for pair in pairs:
        for root, share in (
            (pair.first_root, pair.first_left),
            (pair.second_root, pair.second_left),
        ):
            if root:
                left.setdefault(root, []).append(share)
    if not left:
        return np.nan
    return float(np.std(left[max(left, key=lambda root: (len(left[root]), root))]))
