"""Bagging: trees that differ by the rows they were grown from."""

from __future__ import annotations

from typing import Any, ClassVar

from softwood.estimators._forest_base import ForestClassifier, ForestEstimator, ForestRegressor
from softwood.estimators._learners import refuse_unused, tree_learner
from softwood.estimators._limits import limit_of
from softwood.estimators._restored import check_array, check_fill
from softwood.estimators._sklearn_compat import HasMethods, StrOptions
from softwood.grow.random import VariableRandom
from softwood.learn.bagging import Bagging
from softwood.learn.cart import CartLearner
from softwood.learn.fitted import Learner
from softwood.learn.random_tree import RandomTreeLearner

OF_DEFAULT_TREE = ("criterion", "max_depth", "min_samples_split", "min_samples_leaf")
OF_ENSEMBLE = ("categorical_features", "handle_unknown", "class_weight")


class _BaggedTrees(ForestEstimator):
    """What both bagging estimators share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "max_depth": [limit_of(1), None],
        "min_samples_split": [limit_of(2)],
        "min_samples_leaf": [limit_of(1)],
    }
    _saved_attributes: ClassVar[tuple[str, ...]] = (
        *ForestEstimator._saved_attributes,
        "fill_values_",
    )
    _foreign_parameters: ClassVar[tuple[str, ...]] = ("estimator",)

    @property
    def _counts_weights(self) -> bool:
        """Whether a row of a whole weight w is w cases: so it is to C4.5, not to CART."""
        if self.estimator is not None:
            return bool(getattr(self.estimator, "_counts_weights", False))
        return bool(self.criterion == "gain_ratio")

    def _learner(self) -> Bagging:
        return Bagging(
            n_trees=self.n_estimators,
            smoothing=self.smoothing,
            loss=getattr(self, "loss", None),
            member=self._member(),
        )

    def _check_parameters(self) -> None:
        self._learner().check()
        super()._check_parameters()

    def _member(self) -> Learner:
        if self.estimator is not None:
            refuse_unused(self, OF_DEFAULT_TREE, "is of the default tree: set it in estimator")
            if hasattr(self.estimator, "get_params"):
                where = "of estimator is not used: set it in the ensemble"
                refuse_unused(self.estimator, OF_ENSEMBLE, where)
            return tree_learner(self.estimator)
        limits = (self.max_depth, self.min_samples_split, self.min_samples_leaf)
        if self.criterion != "gain_ratio":
            return CartLearner(self.criterion, *limits)
        depth, split, leaf = limits
        return RandomTreeLearner(
            VariableRandom(alpha=1.0, min_split=split, min_leaf=leaf, max_depth=depth, curtail=0.0)
        )

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        super()._check_restored()
        if hasattr(self, "fill_values_"):
            check_array(self, "fill_values_", (self.n_features_in_,))
            check_fill(self.fill_values_, self.schema_.n_categories)


class BaggedTreesClassifier(_BaggedTrees, ForestClassifier):
    """Trees of any kind, each grown from a bootstrap sample, that predict classes.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    estimator : estimator, optional
        Grows the trees: any single tree of softwood, oblique, evolved and soft ones included,
        or a tree of scikit-learn. Its seeds are drawn from ``random_state``. By default an
        unpruned tree, to which the next four parameters belong.
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

    Any tree can be bagged, a soft one as well:

    >>> from softwood import SoftTreeClassifier
    >>> soft = SoftTreeClassifier(method="confidence")
    >>> BaggedTreesClassifier(5, soft, random_state=0).fit(X, y).flow_
    Ramp(drop=1e-15, shape='linear')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_BaggedTrees._parameter_constraints,
        **ForestClassifier._parameter_constraints,
        "criterion": [StrOptions({"gini", "entropy", "twoing", "gain_ratio"})],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        estimator: Any = None,
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
        self.estimator = estimator
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
    """Trees of any kind, each grown from a bootstrap sample, that predict a number.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    estimator : estimator, optional
        As in :class:`BaggedTreesClassifier`.
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
        estimator: Any = None,
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
        self.estimator = estimator
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
