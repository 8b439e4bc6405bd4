"""Coalescence: trees from random to deterministic, in one ensemble."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

from softwood.estimators._forest_base import ForestClassifier, ForestRegressor
from softwood.estimators._sklearn_compat import StrOptions
from softwood.estimators.vr_forest import SAMPLES, VariableRandomForest
from softwood.estimators.vr_tree import LIMITS
from softwood.grow.random import VariableRandom
from softwood.learn.random_forest import CoalescenceForest
from softwood.learn.settings import MOST_PILOTS, Setting

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
AUTO = "auto"
CHOSEN = ("alpha_range", "max_features", "min_samples_split", "min_samples_leaf", "curtail")
LARGE_LEAVES = {"min_samples_split": 20, "curtail": 9.0}
# What rows out of bag choose from, as it differs from the usual setting.
OF_CLASSES: dict[str, dict[str, Any]] = {
    "random": {"alpha_range": (0.0, 0.5)},
    "greedy": {"alpha_range": (0.5, 1.0)},
    "all features": {"alpha_range": (0.5, 1.0), "max_features": None},
    "large leaves": LARGE_LEAVES,
}
OF_NUMBERS: dict[str, dict[str, Any]] = {
    "small leaves": {"min_samples_split": 2, "min_samples_leaf": 1},
    "random": {"alpha_range": (0.0, 0.5)},
    "all features": {"alpha_range": (0.5, 1.0), "max_features": None},
    "large leaves": LARGE_LEAVES,
}


class _Coalescence(VariableRandomForest):
    """What both Coalescence estimators share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LIMITS,
        **SAMPLES,
        **{name: [*LIMITS[name], StrOptions({AUTO})] for name in CHOSEN[1:]},
        "alpha_range": ["array-like", StrOptions({AUTO})],
    }
    _usual: ClassVar[dict[str, Any]]
    _alternatives: ClassVar[dict[str, dict[str, Any]]]

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
        usual = self._setting("usual", {})
        tried: list[Setting] = []
        for name, changes in self._alternatives.items():
            setting = self._setting(name, changes)
            # What was given may have made two of them the same.
            if all(replace(setting, name=other.name) != other for other in tried):
                tried.append(setting)
        return CoalescenceForest(
            **{**self._options(), "policy": usual.policy},
            alpha_range=usual.alpha_range,
            settings=tuple(tried) if len(tried) > 1 else (),
        )

    def _setting(self, name: str, changes: dict[str, Any]) -> Setting:
        """Return the usual setting with some changes, but with what was given in any case."""
        found = {**self._usual, **changes}
        given = {key: getattr(self, key) for key in CHOSEN}
        found |= {key: value for key, value in given.items() if not _is_auto(value)}
        policy = VariableRandom(
            min_split=found["min_samples_split"],
            min_leaf=found["min_samples_leaf"],
            max_depth=self.max_depth,
            curtail=found["curtail"],
            max_features=found["max_features"],
            n_random_tests=self.n_random_tests,
        )
        return Setting(name, _range(found["alpha_range"]), policy)

    def _most_trees(self) -> int:
        losers = max(0, len(self._learner().settings) - 1)
        return super()._most_trees() + losers * min(MOST_PILOTS, int(self.n_estimators))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._setting("usual", {})


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == AUTO


def _range(alpha_range: Any) -> tuple[float, float]:
    wanted = "alpha_range must be two numbers, 0 <= low <= high <= 1"
    try:
        low, high = (float(end) for end in alpha_range)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{wanted}; got {alpha_range!r}") from error
    if not 0.0 <= low <= high <= 1.0:
        raise ValueError(f"{wanted}; got {alpha_range!r}")
    return low, high


class CoalescenceClassifier(_Coalescence, ForestClassifier):
    """Trees from mostly random to deterministic, in one ensemble: the flagship.

    How random the trees of an ensemble should be depends on the data: see
    :class:`VRForestClassifier`. Coalescence does not choose. Its first tree takes random tests at
    three of four nodes, each one after it a little less often, and the last takes the best test
    throughout. Trees of all kinds err differently, and their mean is nearly as good as the
    best kind alone.

    The paper's Coalescence, which goes from random to half deterministic on all rows, is
    :meth:`paper`.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees, N.
    alpha_range : (float, float), default=(0.25, 1.0)
        Tree i, from 0 to N - 1, takes the best test with probability
        ``low + (high - low) * i / N``. The paper's go from 0 to 0.5.
    sampling : str, default="subsample"
        What a tree sees; see :class:`VRForestClassifier`. The paper's Coalescence sees "all":
        then there are no rows out of bag that could judge.
    max_samples : float or (float, float), default=(0.6, 1.0)
        As in :class:`VRForestClassifier`: every tree draws how many of the rows it sees.
    subspace, min_samples_split, min_samples_leaf, max_depth, curtail
        As in :class:`VRForestClassifier`.
    max_features : {"sqrt", "log2"}, int, float or None, default=1/3
        As in :class:`VRForestClassifier`. The paper's trees take the best test of all features
        (None), which takes 20 to 70 % longer; the best of a third errs as much. "sqrt" is
        faster still, and errs more on nominal tables.
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
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`VRForestClassifier`.
    oob_score_, oob_decision_function_, estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestClassifier`.

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
        **_Coalescence._parameter_constraints,
        **ForestClassifier._parameter_constraints,
    }
    _importance_criterion = "entropy"
    _usual: ClassVar[dict[str, Any]] = {
        "alpha_range": (0.25, 1.0),
        "max_features": 1 / 3,
        "min_samples_split": 4,
        "min_samples_leaf": 2,
        "curtail": 1.0,
    }
    _alternatives = OF_CLASSES

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


class CoalescenceRegressor(_Coalescence, ForestRegressor):
    """Trees of all degrees of randomness, for a number.

    As :class:`CoalescenceClassifier`, with defaults of its own: the whole spectrum, and random
    tests that are chosen from more. They were chosen on one half of 48 tables and checked on the
    other half; see ``docs/guide/how-random.md``.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees, N.
    alpha_range : (float, float), default=(0.0, 1.0)
        As in :class:`CoalescenceClassifier`.
    sampling, subspace, max_samples, warm_start
        As in :class:`CoalescenceClassifier`.
    min_samples_split, min_samples_leaf, max_depth
        As in :class:`VRTreeRegressor`.
    curtail : float, default=0
        A leaf that does not weigh more than this answers as the nearest node above that
        does. 1 is better where numbers are mostly noise.
    max_features : {"sqrt", "log2"}, int, float or None, default=2/3
        As in :class:`VRTreeRegressor`.
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
    trees_, forest_, flow_, alphas_, smoothing_, smoothing_path_
        As in :class:`CoalescenceClassifier`.
    schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`CoalescenceClassifier`.
    oob_score_, oob_prediction_, estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestRegressor`.

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
        **_Coalescence._parameter_constraints,
        **ForestRegressor._parameter_constraints,
    }
    _usual: ClassVar[dict[str, Any]] = {
        "alpha_range": (0.0, 1.0),
        "max_features": 2 / 3,
        "min_samples_split": 4,
        "min_samples_leaf": 2,
        "curtail": 0.0,
    }
    _alternatives = OF_NUMBERS

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
