"""Ensembles of variable-random trees with one alpha."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from softwood._types import FloatArray
from softwood.data.schema import HANDLE_MISSING
from softwood.ensemble.alphas import GRID
from softwood.ensemble.sampling import SAMPLINGS, Sampling
from softwood.estimators._forest_base import (
    ForestClassifier,
    ForestEstimator,
    ForestRegressor,
)
from softwood.estimators._limits import limit_of
from softwood.estimators._restored import check_array
from softwood.estimators._sklearn_compat import Interval, StrOptions, check_is_fitted
from softwood.estimators.vr_tree import ALPHA, LIMITS, random_policy
from softwood.learn.random_forest import OneAlphaForest

SAMPLES: dict[str, list[Any]] = {
    "handle_missing": [StrOptions(set(HANDLE_MISSING))],
    "sampling": [StrOptions(set(SAMPLINGS))],
    "subspace": [
        limit_of(1),
        Interval(Real, 0.0, 1.0, closed="right"),
    ],
    "max_samples": [Interval(Real, 0.0, 1.0, closed="neither"), "array-like"],
}


def _shares(max_samples: Any) -> float | tuple[float, float]:
    """Return the share of the rows in a subsample, or the least and the largest."""
    if isinstance(max_samples, Real):
        return float(max_samples)
    wanted = "max_samples must be a share, or two of them, 0 < low <= high <= 1"
    try:
        low, high = (float(end) for end in max_samples)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{wanted}; got {max_samples!r}") from error
    if not 0.0 < low <= high <= 1.0:
        raise ValueError(f"{wanted}; got {max_samples!r}")
    return low, high


class VariableRandomForest(ForestEstimator):
    """What all ensembles of variable-random trees share."""

    alphas_: FloatArray

    def _options(self) -> dict[str, Any]:
        """Return what all learners of such forests are told."""
        return {
            "n_trees": self.n_estimators,
            "sampling": Sampling(self.sampling, self.subspace, _shares(self.max_samples)),
            "smoothing": self.smoothing,
            "loss": getattr(self, "loss", None),
            "nominal_split": self.nominal_split,
        }

    def _check_restored(self) -> None:
        super()._check_restored()
        check_array(self, "alphas_", (self.forest_.n_trees,), 0.0, 1.0)
        losses = getattr(self, "alpha_losses_", {})
        numbers = [*losses, *losses.values()] if isinstance(losses, dict) else [None]
        if any(type(number) is not float or np.isnan(number) for number in numbers):
            raise ValueError("the attribute 'alpha_losses_' must have a loss for each alpha")


class _VRForest(VariableRandomForest):
    """What both estimators with one alpha share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LIMITS,
        **SAMPLES,
        "alpha": [ALPHA, StrOptions({"search"})],
    }

    alpha_losses_: dict[float, float]

    def _most_trees(self) -> int:
        searched = len(GRID) - 1 if self.alpha == "search" else 0
        return super()._most_trees() + searched * int(self.n_estimators)

    @property
    def alpha_(self) -> float:
        """The alpha that was given, or found."""
        check_is_fitted(self)
        return float(self.alphas_[-1])

    def _learner(self) -> OneAlphaForest:
        return OneAlphaForest(**self._options(), policy=random_policy(self), alpha=self.alpha)


class VRForestClassifier(_VRForest, ForestClassifier):
    """Many variable-random trees that predict classes by the mean of their probabilities.

    Alpha says how random the trees are. With 0 they do not look at the classes at all and
    differ as much as trees can; with 1 and ``sampling="bootstrap"`` they are bagged C4.5
    trees. What is best in between depends on the data: irrelevant features ask for more of
    the best tests, few rows and smooth borders for fewer.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    alpha : float or "search", default=0.5
        Chance that a node takes the best test and not a random one. "search" tries 0, 0.1,
        ..., 0.5 and takes the one whose ensembles of the first 1, 2, ... trees have the
        least training error on average; it grows six times as many trees.
    sampling : str, default="all"
        What a tree sees: everything ("all"); as many rows as there are, drawn with replacement
        ("bootstrap"); some of the rows ("subsample"); some of the features ("subspace"); or
        "bootstrap+subspace", "subsample+subspace".
    subspace : float or int, default=0.5
        Share of the features that a tree sees, at least one; an int is their number.
    max_samples : float or (float, float), default=0.8
        Share of the rows in a subsample; the others are out of bag. Of two, every tree draws
        a share between them, and the rows of a small subsample come twice, until it has as
        many as the largest.
    min_samples_split : float, default=4
        Fewest cases of a node that is split. A row is a case, or w cases if it has the
        weight w and all weights are whole numbers; its parts are added up where a missing
        value has sent it to several branches.
    min_samples_leaf : float, default=2
        Fewest cases of at least two branches of a test that was chosen as the best.
    max_depth : int, optional
        Most tests on a path.
    curtail : float, default=1
        A leaf that does not weigh more than this answers as the nearest node above that
        does.
    max_features : {"sqrt", "log2"}, int, float or None, default=None
        Of how many features the best test is taken, drawn anew at every node that looks for
        it, and more if none of them divides; a float is their share. None looks at all.
    n_random_tests : int, default=1
        How many random tests a node draws that does not look for the best one; it takes the
        one of them that tells most. See :class:`VRTreeClassifier`.
    nominal_split : {"multiway", "one_vs_rest"}, default="multiway"
        A branch for each category, or tests of one category against all others. See
        :class:`VRTreeClassifier`.
    smoothing : {"oob", "holdout"}, float or None, default=None
        How much to blur rows, by noise of so many deviations of each feature (lambda). A
        number is lambda itself. "oob" chooses it by the rows that each tree has not seen,
        which takes a bootstrap; for classes it is 0 unless they are sure that it pays.
        "holdout" chooses it by a third of the rows, for trees that were grown on the others;
        then all rows are grown on. At most 2000 rows judge.
    loss : {"brier", "log_loss", "error"}, default="brier"
        What lambda is chosen by. Errors alone are few, and follow chance: lambda comes out
        too large, and probabilities suffer.
    oob_score : bool, default=False
        Whether to note how well rows are predicted by the trees that have not seen them.
    warm_start : bool, default=False
        Whether ``fit`` adds trees to those that are there. 50 trees and then 50 more are
        the same as 100 at once.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    handle_missing : {"spread", "category"}, default="spread"
        Whether rows that lack a category go down all branches, by training weight, or are a
        category of their own: the better where a value is lacking for a reason, as where
        it does not apply. A number that is missing always spreads.
    class_weight : dict, "balanced", or None, default=None
        Factors of the weights of classes, finite and positive.
    n_jobs : int, optional
        Trees that grow at once, and parts of the rows that are predicted at once; -1 for
        all processors. The result does not depend on it.
    verbose : int, default=0
        How much joblib tells while trees grow.
    random_state : int, RandomState or None, default=None
        Seed of all that is drawn.

    Attributes
    ----------
    trees_ : list of Tree
        The trees.
    forest_ : Forest
        The trees, and how their answers are added up.
    flow_ : Flow
        How rows flow through them.
    alphas_ : ndarray of shape (n_estimators,)
        Alpha of each tree.
    alpha_ : float
        The alpha that was given, or found.
    alpha_losses_ : dict
        Mean training error for each alpha that was tried; only after a search.
    smoothing_ : float
        Lambda; 0 if nothing was smoothed.
    smoothing_path_ : SmoothingPath or None
        The loss for every lambda that was tried.
    classes_, schema_, n_features_in_, feature_names_in_
        As in :class:`CARTClassifier`.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in what tests gain on rows their tree has not seen, so that columns
        of noise get nothing; where trees see all rows, in the decrease of impurity. See also
        :meth:`permutation_importances`.
    impurity_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the decrease of impurity in training.
    oob_importances_ : ndarray of shape (n_features,)
        What tests add to the probability of the true class, out of bag; for bootstraps.
    oob_score_ : float
        Share of right classes among rows that ask only trees that have not seen them.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        What these trees answer; NaN for rows that every tree has seen, or of weight 0.
    estimators_samples_ : list of ndarray
        The rows of each bootstrap sample.
    seed_ : int
        From whose children the trees got their random numbers.
    n_samples_fit_ : int
        Number of training rows with positive weight.

    See Also
    --------
    CoalescenceClassifier : alphas of all sizes, and nothing to choose.

    References
    ----------
    .. [1] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random
       trees. JAIR 32.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from softwood import VRForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = VRForestClassifier(30, sampling="bootstrap", oob_score=True, random_state=0)
    >>> model.fit(X, y).oob_score_ > 0.94
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_VRForest._parameter_constraints,
        **ForestClassifier._parameter_constraints,
    }
    _importance_criterion = "entropy"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        alpha: Any = 0.5,
        sampling: str = "all",
        subspace: float = 0.5,
        max_samples: Any = 0.8,
        min_samples_split: float = 4,
        min_samples_leaf: float = 2,
        max_depth: int | None = None,
        curtail: float = 1.0,
        max_features: Any = None,
        n_random_tests: int = 1,
        nominal_split: str = "multiway",
        smoothing: Any = None,
        loss: str = "brier",
        oob_score: bool = False,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        handle_missing: str = "spread",
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.alpha = alpha
        self.sampling = sampling
        self.subspace = subspace
        self.max_samples = max_samples
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.curtail = curtail
        self.max_features = max_features
        self.n_random_tests = n_random_tests
        self.nominal_split = nominal_split
        self.smoothing = smoothing
        self.loss = loss
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.handle_missing = handle_missing
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state


class VRForestRegressor(_VRForest, ForestRegressor):
    """Many variable-random trees that predict a number by the mean of their answers.

    Parameters
    ----------
    n_estimators, alpha, sampling, subspace, max_samples
        As in :class:`VRForestClassifier`; "search" looks at the squared error.
    min_samples_split, min_samples_leaf, max_depth, curtail
        As in :class:`VRTreeRegressor`.
    max_features, n_random_tests, nominal_split
        As in :class:`VRTreeRegressor`.
    smoothing, oob_score, warm_start
        As in :class:`VRForestClassifier`; lambda is chosen by the squared error.
    categorical_features, handle_unknown, handle_missing, n_jobs, verbose, random_state
        As in :class:`VRForestClassifier`.

    Attributes
    ----------
    trees_, forest_, flow_, alphas_, alpha_, alpha_losses_, smoothing_, smoothing_path_
        As in :class:`VRForestClassifier`.
    schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`VRForestClassifier`.
    oob_score_ : float
        R², for rows that ask only trees that have not seen them.
    oob_prediction_ : ndarray of shape (n_samples,)
        What these trees answer; NaN for rows that every tree has seen, or of weight 0.
    estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestClassifier`.

    Examples
    --------
    >>> from softwood import VRForestRegressor
    >>> from softwood.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> X_test, y_test = make_friedman1(1000, random_state=1)
    >>> VRForestRegressor(30, random_state=0).fit(X, y).score(X_test, y_test) > 0.7
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_VRForest._parameter_constraints,
        **ForestRegressor._parameter_constraints,
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        alpha: Any = 0.5,
        sampling: str = "all",
        subspace: float = 0.5,
        max_samples: Any = 0.8,
        min_samples_split: float = 4,
        min_samples_leaf: float = 2,
        max_depth: int | None = None,
        curtail: float = 1.0,
        max_features: Any = None,
        n_random_tests: int = 1,
        nominal_split: str = "multiway",
        smoothing: Any = None,
        oob_score: bool = False,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        handle_missing: str = "spread",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.alpha = alpha
        self.sampling = sampling
        self.subspace = subspace
        self.max_samples = max_samples
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.curtail = curtail
        self.max_features = max_features
        self.n_random_tests = n_random_tests
        self.nominal_split = nominal_split
        self.smoothing = smoothing
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.handle_missing = handle_missing
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
