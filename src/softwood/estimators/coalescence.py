"""Coalescence: trees from random to deterministic, in one ensemble."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from softwood.estimators._forest_base import ForestClassifier, ForestRegressor
from softwood.estimators._settings import (
    AUTO,
    CHOSEN,
    OF_CLASSES,
    OF_MANY_ROWS,
    OF_NUMBERS,
    USUAL_OF_CLASSES,
    USUAL_OF_NUMBERS,
    check_choice,
    setting_of,
    settings_of,
)
from softwood.estimators._sklearn_compat import StrOptions
from softwood.estimators.vr_forest import SAMPLES, VariableRandomForest
from softwood.estimators.vr_tree import LIMITS
from softwood.learn.random_forest import CoalescenceForest
from softwood.learn.settings import MOST_PILOTS

AS_PRINTED: dict[str, Any] = {
    "alpha_range": (0.0, 0.5),
    "sampling": "all",
    "max_features": None,
    "n_random_tests": 1,
    "nominal_split": "multiway",
    "handle_missing": "spread",
    "min_samples_split": 4,
    "min_samples_leaf": 2,
}


class Coalescence(VariableRandomForest):
    """What both Coalescence estimators share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LIMITS,
        **SAMPLES,
        **{name: [*LIMITS[name], StrOptions({AUTO})] for name in CHOSEN[1:]},
        "alpha_range": ["array-like", StrOptions({AUTO})],
    }
    _usual: ClassVar[dict[str, Any]]
    _tried: ClassVar[dict[str, dict[str, Any]]]
    _of_many_rows: ClassVar[dict[str, Any]] = {}

    choice_: dict[str, dict[str, Any]]

    @classmethod
    def paper(cls, n_estimators: int = 100, **options: Any) -> Self:
        """Return Coalescence as Liu, Ting, Yu and Zhou printed it.

        They printed it for classes. For numbers it is the same, with the squared error in place
        of the gain ratio.

        Parameters
        ----------
        n_estimators : int, default=100
            Number of trees.
        **options
            Further parameters, or others than the paper's.

        Returns
        -------
        CoalescenceClassifier or CoalescenceRegressor
            Not yet fitted.

        Examples
        --------
        >>> from softwood import CoalescenceClassifier
        >>> CoalescenceClassifier.paper(random_state=0).alpha_range
        (0.0, 0.5)
        """
        printed = {**AS_PRINTED, "curtail": cls._usual["curtail"]}
        return cls(n_estimators, **{**printed, **options})

    def _learner(self) -> CoalescenceForest:
        settings = settings_of(self, self._usual, self._tried)
        return CoalescenceForest(
            **self._options(),
            policy=settings[0].policy,
            alpha_range=settings[0].alpha_range,
            settings=tuple(settings) if len(settings) > 1 else (),
            of_many_rows=setting_of(self, "usual", {**self._usual, **self._of_many_rows}).policy,
        )

    def _most_trees(self) -> int:
        losers = max(0, len(self._learner().settings) - 1)
        return super()._most_trees() + losers * min(MOST_PILOTS, int(self.n_estimators))

    def _check_restored(self) -> None:
        super()._check_restored()
        check_choice(getattr(self, "choice_", {}), self.forest_.n_trees)


class CoalescenceClassifier(Coalescence, ForestClassifier):
    """Trees from mostly random to deterministic, in one ensemble: the flagship.

    How random the trees of an ensemble should be depends on the data: see
    :class:`VRForestClassifier`. Coalescence takes them all. Its first tree takes random tests at
    three of four nodes, each one after it a little less often, and the last takes the best test
    throughout. Trees of all kinds err differently, and their mean is nearly as good as the
    best kind alone.

    The paper's Coalescence, which goes from random to half deterministic on all rows, is
    :meth:`paper`.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees, N.
    alpha_range : "auto" or (float, float), default="auto"
        Tree i, from 0 to N - 1, takes the best test with probability
        ``low + (high - low) * i / N``. Usually (0.25, 1.0); the paper's go from 0 to 0.5.
    sampling : str, default="subsample"
        What a tree sees; see :class:`VRForestClassifier`. The paper's Coalescence sees "all":
        then there are no rows out of bag that could judge.
    max_samples : float or (float, float), default=(0.6, 1.0)
        As in :class:`VRForestClassifier`: every tree draws how many of the rows it sees.
    subspace, max_depth
        As in :class:`VRForestClassifier`.
    min_samples_split, min_samples_leaf, curtail : "auto" or float, default="auto"
        As in :class:`VRForestClassifier`; usually 4, 2 and 1. See the notes on "auto".
    max_features : {"auto", "sqrt", "log2"}, int, float or None, default="auto"
        As in :class:`VRForestClassifier`; usually 1/3, and 1/4 of more than
        4000 rows. The paper's trees take the best test of
        all features (None), which takes 20 to 70 % longer; the best of a third errs as much.
        "sqrt" is faster still, and errs more on nominal tables.
    n_random_tests : int, default=6
        How many random tests a node draws that does not look for the best one; it takes the
        one of them that tells most. The paper draws one (1). With more, trees have fewer nodes
        and predict faster, and their probabilities are better.
    nominal_split : {"multiway", "one_vs_rest"}, default="one_vs_rest"
        As in :class:`VRForestClassifier`. The paper's trees have a branch for each category
        ("multiway"). Tests of one category against all others err less where few categories
        matter, about as much elsewhere, and the trees are smaller and faster.
    smoothing, loss, oob_score
        As in :class:`VRForestClassifier`.
    warm_start : bool, default=False
        Whether ``fit`` adds trees to those that are there. They get the alphas that the
        larger ensemble has and the smaller one lacks; so the alphas of 50 trees and then 50
        more are those of 100 at once, in another order.
    handle_missing : {"category", "spread"}, default="category"
        Rows that lack a category are a category of their own, or go down all branches.
        Random tests on columns with gaps would tear rows to pieces if they spread.
    categorical_features, handle_unknown, class_weight, n_jobs, verbose, random_state
        As in :class:`VRForestClassifier`.

    Attributes
    ----------
    trees_, forest_, flow_, smoothing_, smoothing_path_
        As in :class:`VRForestClassifier`.
    alphas_ : ndarray of shape (n_estimators,)
        Alpha of each tree.
    choice_ : dict of dict
        What rows out of bag chose from, by name: its parameters, its "loss" and the numbers of
        its "trees", none if it was left out. Empty where the usual was taken unasked.
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`VRForestClassifier`.
    oob_score_, oob_decision_function_, estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestClassifier`.

    Notes
    -----
    Parameters that are "auto" have their usual values, or those that suit the table better: half
    of the trees (at most 50) grow as usual, as many with larger leaves (``min_samples_split=10,
    curtail=4``), and rows out of bag compare their Brier scores. If larger leaves lose less, both
    kinds stay; if that is sure, by two standard errors, only larger leaves do; else only the usual
    ones. Trees of a kind that leaves grow again in one that stays. Nothing is compared on more than
    4000 rows, for fewer than 40 trees, where trees see all rows, or on Dask collections. What is
    given is taken in any case. The rows that choose are those that ``oob_score_`` asks.

    References
    ----------
    .. [1] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random
       trees. JAIR 32.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from softwood import CoalescenceClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> scores = cross_val_score(CoalescenceClassifier(50, random_state=0), X, y, cv=5)
    >>> bool(scores.mean() > 0.94)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Coalescence._parameter_constraints,
        **ForestClassifier._parameter_constraints,
    }
    _importance_criterion = "entropy"
    _usual, _tried, _of_many_rows = USUAL_OF_CLASSES, OF_CLASSES, OF_MANY_ROWS

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        alpha_range: Any = AUTO,
        sampling: str = "subsample",
        subspace: float = 0.5,
        max_samples: Any = (0.6, 1.0),
        min_samples_split: Any = AUTO,
        min_samples_leaf: Any = AUTO,
        max_depth: int | None = None,
        curtail: Any = AUTO,
        max_features: Any = AUTO,
        n_random_tests: int = 6,
        nominal_split: str = "one_vs_rest",
        smoothing: Any = None,
        loss: str = "brier",
        oob_score: bool = False,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        handle_missing: str = "category",
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.alpha_range = alpha_range
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


class CoalescenceRegressor(Coalescence, ForestRegressor):
    """Trees of all degrees of randomness, for a number.

    As :class:`CoalescenceClassifier`, with defaults of its own: the whole spectrum, and random
    tests that are chosen from more. They were chosen on one half of 48 tables and checked on the
    other half; see ``docs/guide/how-random.md``.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees, N.
    alpha_range : "auto" or (float, float), default="auto"
        As in :class:`CoalescenceClassifier`; usually (0.0, 1.0).
    sampling, subspace, max_samples, warm_start
        As in :class:`CoalescenceClassifier`.
    max_depth
        As in :class:`VRTreeRegressor`.
    min_samples_split, min_samples_leaf, curtail : "auto" or float, default="auto"
        As in :class:`VRTreeRegressor`; usually 4, 2 and 0. See the notes on "auto".
    max_features : {"auto", "sqrt", "log2"}, int, float or None, default="auto"
        As in :class:`VRTreeRegressor`; usually 2/3.
    n_random_tests : int, default=12
        How many random tests a node draws that does not look for the best one; it takes the
        one of them that decreases the squared error most.
    nominal_split : {"multiway", "one_vs_rest"}, default="one_vs_rest"
        As in :class:`CoalescenceClassifier`.
    smoothing, oob_score
        As in :class:`VRForestRegressor`.
    handle_missing : {"category", "spread"}, default="category"
        As in :class:`CoalescenceClassifier`.
    categorical_features, handle_unknown, n_jobs, verbose, random_state
        As in :class:`VRForestClassifier`.

    Attributes
    ----------
    trees_, forest_, flow_, alphas_, choice_, smoothing_, smoothing_path_
        As in :class:`CoalescenceClassifier`.
    schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`CoalescenceClassifier`.
    oob_score_, oob_prediction_, estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestRegressor`.

    Notes
    -----
    What is "auto" is chosen as in :class:`CoalescenceClassifier`, by the squared error, from five
    settings of 20 trees each (for 100 trees): the usual one, ``min_samples_split=2,
    min_samples_leaf=1`` for numbers without noise, ``min_samples_split=20, curtail=9`` for mostly
    noise, ``alpha_range=(0.0, 0.5)``, and ``alpha_range=(0.5, 1.0), max_features=None`` for a few
    columns that matter among many. Of those that are better than the usual one the best counts.
    Nothing is compared for fewer than 100 trees.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from softwood import CoalescenceRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = CoalescenceRegressor(50, oob_score=True, random_state=0)
    >>> model.fit(X, y).oob_score_ > 0.35
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Coalescence._parameter_constraints,
        **ForestRegressor._parameter_constraints,
    }
    _usual, _tried = USUAL_OF_NUMBERS, OF_NUMBERS

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        alpha_range: Any = AUTO,
        sampling: str = "subsample",
        subspace: float = 0.5,
        max_samples: Any = (0.6, 1.0),
        min_samples_split: Any = AUTO,
        min_samples_leaf: Any = AUTO,
        max_depth: int | None = None,
        curtail: Any = AUTO,
        max_features: Any = AUTO,
        n_random_tests: int = 12,
        nominal_split: str = "one_vs_rest",
        smoothing: Any = None,
        oob_score: bool = False,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        handle_missing: str = "category",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.alpha_range = alpha_range
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
