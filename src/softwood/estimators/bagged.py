"""Bagging: trees that differ by the rows they were grown from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from softwood.ensemble.jobs import Report
from softwood.ensemble.sampling import Sampling
from softwood.ensemble.shared_data import CartOfSample, SampleGrower, SharedTrainingData
from softwood.estimators._forest_base import (
    ForestClassifier,
    ForestEstimator,
    ForestRegressor,
    Plan,
)
from softwood.estimators._limits import limit_of
from softwood.estimators._sklearn_compat import StrOptions
from softwood.grow.greedy import Cart
from softwood.grow.random import RandomGrower, VariableRandom
from softwood.tree import Tree


class _BaggedTrees(ForestEstimator):
    """What both bagging estimators share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_depth": [limit_of(1), None],
        "min_samples_split": [limit_of(2)],
        "min_samples_leaf": [limit_of(1)],
    }

    @property
    def _counts_weights(self) -> bool:
        """Whether a row of a whole weight w is w cases: so it is to C4.5, not to CART."""
        return bool(self.criterion == "gain_ratio")

    def _sampling(self) -> Sampling:
        return Sampling("bootstrap")

    def _distrusts(self) -> bool:
        return bool(self.criterion == "gain_ratio")  # CART judges them itself

    def _plan(
        self, shared: SharedTrainingData, earlier: Sequence[Tree], report: Report | None
    ) -> Plan:
        return Plan([self._grower()] * self.n_estimators, earlier)

    def _grower(self) -> SampleGrower:
        if self.criterion == "gain_ratio":
            policy = VariableRandom(
                alpha=1.0,
                min_split=self.min_samples_split,
                min_leaf=self.min_samples_leaf,
                max_depth=self.max_depth,
                curtail=0.0,
            )
            return RandomGrower(policy)
        return CartOfSample(
            Cart(self.criterion, self.max_depth, self.min_samples_split, self.min_samples_leaf)
        )


class BaggedTreesClassifier(_BaggedTrees, ForestClassifier):
    """Unpruned trees, each grown from a bootstrap sample, that predict classes.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"gini", "entropy", "twoing", "gain_ratio"}, default="gini"
        What a test is chosen by. "gain_ratio" grows C4.5 trees, with one branch per
        category; the others grow CART trees.
    max_depth : int, optional
        Most tests on a path.
    min_samples_split : int, default=2
        Fewest rows of a node that is split. A row that was drawn twice counts twice.
    min_samples_leaf : int, default=1
        Fewest rows of a branch; for C4.5 trees, of at least two branches. C4.5 itself has 2.
    smoothing, loss, oob_score, warm_start
        As in :class:`VRForestClassifier`.
    categorical_features, handle_unknown, class_weight, n_jobs, verbose, random_state
        As in :class:`VRForestClassifier`.

    Attributes
    ----------
    trees_, forest_, flow_, smoothing_, smoothing_path_
        As in :class:`VRForestClassifier`.
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`VRForestClassifier`.
    oob_score_, oob_decision_function_, estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestClassifier`.

    Notes
    -----
    With ``smoothing="oob"`` this is the soft bagging of Geurts and Wehenkel [2]_.

    References
    ----------
    .. [1] L. Breiman (1996). Bagging predictors. Machine Learning 24.
    .. [2] P. Geurts, L. Wehenkel (2005). Closed-form dual perturb and combine for
       tree-based models. ICML.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from softwood import BaggedTreesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BaggedTreesClassifier(30, oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ > 0.93
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_BaggedTrees._parameter_constraints,
        **ForestClassifier._parameter_constraints,
        "criterion": [StrOptions({"gini", "entropy", "twoing", "gain_ratio"})],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        smoothing: Any = None,
        loss: str = "brier",
        oob_score: bool = False,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.smoothing = smoothing
        self.loss = loss
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state


class BaggedTreesRegressor(_BaggedTrees, ForestRegressor):
    """Unpruned trees, each grown from a bootstrap sample, that predict a number.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"squared_error"}, default="squared_error"
        Error whose decrease is sought.
    max_depth, min_samples_split, min_samples_leaf
        As in :class:`BaggedTreesClassifier`.
    smoothing, oob_score, warm_start
        As in :class:`VRForestRegressor`.
    categorical_features, handle_unknown, n_jobs, verbose, random_state
        As in :class:`VRForestClassifier`.

    Attributes
    ----------
    trees_, forest_, flow_, smoothing_, smoothing_path_
        As in :class:`BaggedTreesClassifier`.
    schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`BaggedTreesClassifier`.
    oob_score_, oob_prediction_, estimators_samples_, seed_, n_samples_fit_
        As in :class:`VRForestRegressor`.

    Examples
    --------
    >>> from softwood import BaggedTreesRegressor
    >>> from softwood.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> X_test, y_test = make_friedman1(1000, random_state=1)
    >>> for smoothing in (None, "oob"):
    ...     model = BaggedTreesRegressor(20, smoothing=smoothing, random_state=0).fit(X, y)
    ...     print(f"{((model.predict(X_test) - y_test) ** 2).mean():.1f}")
    6.3
    6.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_BaggedTrees._parameter_constraints,
        **ForestRegressor._parameter_constraints,
        "criterion": [StrOptions({"squared_error"})],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        smoothing: Any = None,
        oob_score: bool = False,
        warm_start: bool = False,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.smoothing = smoothing
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
