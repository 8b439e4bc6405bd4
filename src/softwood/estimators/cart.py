"""CART: classification and regression trees."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeClassifier, TreeEstimator, TreeRegressor
from softwood.estimators._limits import limit_of, real_from
from softwood.estimators._sklearn_compat import Interval, StrOptions, check_random_state
from softwood.flow import Flow, Gaussian, Hard
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.tree import Tree

_LIMITS: dict[str, list[Any]] = {
    "max_depth": [limit_of(1), None],
    "min_samples_split": [limit_of(2)],
    "min_samples_leaf": [limit_of(1)],
    "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
    "max_leaf_nodes": [limit_of(2), None],
    "ccp_alpha": [real_from(0.0)],
    "pruning": [StrOptions({"cv", "holdout"}), None],
    "n_standard_errors": [real_from(0.0)],
    "n_folds": [limit_of(2)],
    "holdout_fraction": [Interval(Real, 0.0, 1.0, closed="neither")],
}


class _CART(TreeEstimator):
    """What both CART estimators share: grow, limit the leaves, prune."""

    def _grow(self, data: TrainingSet) -> Tree:
        if self.pruning == "cv":
            return self._pruned_by_folds(data)
        if self.pruning == "holdout":
            return self._pruned_by_holdout(data)
        tree, alpha = self._grown(data), self._price_of_leaf(data)
        if alpha > 0:
            from softwood.refine.cost_complexity import pruning_sequence

            tree = pruning_sequence(tree, data.is_regression).at(alpha)
        return tree

    def _price_of_leaf(self, data: TrainingSet) -> float:
        return float(self.ccp_alpha)

    def _judging_flow(self, data: TrainingSet) -> Flow:
        """Return how held-out rows meet the trees that compete."""
        return Hard()

    def _grower(self, data: TrainingSet) -> Any:
        return GreedyGrower(Cart(self.criterion, *self._limits(data)))

    def _limits(self, data: TrainingSet) -> tuple[Any, ...]:
        least_weight = self.min_weight_fraction_leaf * float(data.weight.sum())
        return self.max_depth, self.min_samples_split, self.min_samples_leaf, least_weight

    def _grown(self, data: TrainingSet) -> Tree:
        tree: Tree = self._grower(data).grow(data)
        if self.max_leaf_nodes is not None:
            from softwood.refine.best_first import KeepBestLeaves

            tree = KeepBestLeaves(self.max_leaf_nodes, self.criterion).refine(tree)
        return tree

    def _pruned_by_folds(self, data: TrainingSet) -> Tree:
        from softwood.refine.cost_complexity import choose_by_folds, pruning_sequence

        grown = self._grown(data)
        if data.n_rows < 2:
            return grown
        sequence = pruning_sequence(grown, data.is_regression)
        folds = list(self._splitter(data.n_rows).split(data.X, data.label))
        alpha = choose_by_folds(
            sequence, data, folds, self._grown, self.n_standard_errors, self._judging_flow(data)
        )
        return sequence.at(max(alpha, self.ccp_alpha))

    def _pruned_by_holdout(self, data: TrainingSet) -> Tree:
        from softwood.refine.cost_complexity import choose_by_validation, pruning_sequence

        grow, held_out = self._holdout(data)
        part = data.take(grow)
        sequence = pruning_sequence(self._grown(part), data.is_regression)
        alpha = choose_by_validation(
            sequence, data.take(held_out), self.n_standard_errors, self._judging_flow(part)
        )
        return sequence.at(max(alpha, self.ccp_alpha))

    def _splitter(self, n_rows: int) -> Any:
        from sklearn.model_selection import KFold

        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        return KFold(min(self.n_folds, n_rows), shuffle=True, random_state=seed)

    def _holdout(self, data: TrainingSet) -> tuple[Any, Any]:
        from sklearn.model_selection import ShuffleSplit

        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        splitter = ShuffleSplit(1, test_size=self.holdout_fraction, random_state=seed)
        return next(iter(splitter.split(data.X)))  # type: ignore[no-any-return]


class CARTClassifier(_CART, TreeClassifier):
    """A classification tree as CART grows it.

    Every node takes the test that decreases impurity most: a cut half way between two
    values, or a set of categories against the rest. A missing value goes to both
    branches, in proportion to the training weight there.

    Parameters
    ----------
    criterion : {"gini", "entropy", "twoing", "vicinal"}, default="gini"
        Impurity whose decrease is sought. "vicinal" is gini on blurred rows: each stands
        for a normal cloud around it, a category for a draw of any other now and then.
        Tests then keep their distance from the rows, and what a leaf costs is the
        blurred weight it misclassifies, the vicinal risk.
    max_depth : int, optional
        Most tests on a path.
    min_samples_split : int, default=2
        Fewest rows of a node that is split. Where a missing value has sent a row to
        several branches, its parts are added up; so are those of blurred rows, but 2,
        the default, sets them no limit. What rows weigh makes no difference.
    min_samples_leaf : int, default=1
        Fewest rows of a branch; for blurred rows, 1 sets no limit.
    min_weight_fraction_leaf : float, default=0
        Least share of the total weight in a branch.
    max_leaf_nodes : int, optional
        Most leaves; the splits that decrease impurity most are kept.
    ccp_alpha : float, default=0
        Price of a leaf in cost-complexity pruning, in units of misclassified weight per
        unit of weight (scikit-learn's prices impurity instead). With "vicinal" a leaf
        costs at least half a row.
    pruning : {"cv", "holdout"}, optional
        How to choose the price: by cross-validation, or on rows held out from growing.
        With "vicinal" held-out rows are blurred, too.
    n_standard_errors : float, default=0
        Take the smallest tree within this many standard errors of the best; 1 is
        Breiman's rule.
    n_folds : int, default=10
        Folds of ``pruning="cv"``.
    holdout_fraction : float, default=1/3
        Share of the rows held out by ``pruning="holdout"``; the tree is grown on the rest.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask. Of a column of more than eight categories, the gain that chance would
        give does not count, and categories of one row in a node share a side.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    class_weight : dict, "balanced", or None, default=None
        Factors of the weights of classes, finite and positive.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of the rows held out.
    sigma2 : float or sequence of float, default=0.1
        Variance of the clouds of "vicinal", in units of the variance of each column; one
        for all columns or one for each. A category is drawn anew with half this chance.

    Attributes
    ----------
    tree_ : Tree
        The tree. With "vicinal" its weights and responses are those of the blurred rows.
    flow_ : Flow
        How rows flow through it.
    classes_ : ndarray
        The class labels, sorted.
    schema_ : Schema
        Names and categories of the training columns.
    n_features_in_, feature_names_in_, feature_importances_
        As in scikit-learn.

    See Also
    --------
    C45Classifier : one branch per category, gain ratio, pessimistic pruning.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). Classification and
       Regression Trees.
    .. [2] Y. Cao, P. I. Rockett. The use of vicinal-risk minimization for training decision
       trees. The risk; its trees are evolved.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import CARTClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = CARTClassifier(max_leaf_nodes=3).fit(X, y)
    >>> print(model.export_text())
    petal length (cm) <= 2.45: 0 (50.0)
    petal length (cm) > 2.45
    |   petal width (cm) <= 1.75: 1 (54.0/5.0)
    |   petal width (cm) > 1.75: 2 (46.0/1.0)

    No leaf of blurred rows is pure:

    >>> print(CARTClassifier("vicinal", max_leaf_nodes=4).fit(X, y).export_text())
    petal length (cm) <= 2.45: 0 (48.16/0.43)
    petal length (cm) > 2.45
    |   petal width (cm) <= 1.65
    |   |   petal length (cm) <= 5.35: 1 (46.14/6.22)
    |   |   petal length (cm) > 5.35: 2 (5.95/2.21)
    |   petal width (cm) > 1.65: 2 (49.75/7.44)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        **_LIMITS,
        "criterion": [StrOptions({"gini", "entropy", "twoing", "vicinal"})],
        "sigma2": [real_from(0.0), "array-like"],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        criterion: str = "gini",
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        pruning: str | None = None,
        n_standard_errors: float = 0.0,
        n_folds: int = 10,
        holdout_fraction: float = 1 / 3,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        random_state: Any = None,
        sigma2: Any = 0.1,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.n_standard_errors = n_standard_errors
        self.n_folds = n_folds
        self.holdout_fraction = holdout_fraction
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.random_state = random_state
        self.sigma2 = sigma2

    def _grower(self, data: TrainingSet) -> Any:
        if self.criterion != "vicinal":
            return super()._grower(data)
        from softwood.grow.vicinal import VicinalGrower

        return VicinalGrower(self._vicinity(data), *self._limits(data))

    def _vicinity(self, data: TrainingSet) -> Gaussian:
        from softwood.estimators._vicinity import vicinity

        return vicinity(data, self.sigma2)

    def _judging_flow(self, data: TrainingSet) -> Flow:
        return self._vicinity(data) if self.criterion == "vicinal" else Hard()

    def _price_of_leaf(self, data: TrainingSet) -> float:
        if self.criterion != "vicinal":
            return float(self.ccp_alpha)
        from softwood.estimators._vicinity import LEAF_IN_ROWS

        return max(float(self.ccp_alpha), LEAF_IN_ROWS / data.n_rows)


class CARTRegressor(_CART, TreeRegressor):
    """A regression tree as CART grows it.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        Error whose decrease is sought.
    max_depth : int, optional
        Most tests on a path.
    min_samples_split : int, default=2
        Fewest rows of a node that is split, whatever these weigh. Where a missing value has
        sent a row to several branches, its parts are added up.
    min_samples_leaf : int, default=1
        Fewest rows of a branch.
    min_weight_fraction_leaf : float, default=0
        Least share of the total weight in a branch.
    max_leaf_nodes : int, optional
        Most leaves; the splits that decrease impurity most are kept.
    ccp_alpha : float, default=0
        Price of a leaf in cost-complexity pruning, in units of squared error per
        unit of weight (scikit-learn's prices impurity instead).
    pruning : {"cv", "holdout"}, optional
        How to choose the price: by cross-validation, or on rows held out from growing.
    n_standard_errors : float, default=0
        Take the smallest tree within this many standard errors of the best; 1 is
        Breiman's rule.
    n_folds : int, default=10
        Folds of ``pruning="cv"``.
    holdout_fraction : float, default=1/3
        Share of the rows held out by ``pruning="holdout"``; the tree is grown on the rest.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask. Of a column of more than eight categories, the gain that chance would
        give does not count, and categories of one row in a node share a side.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of the rows held out.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    flow_ : Flow
        How rows flow through it.
    schema_ : Schema
        Names and categories of the training columns.
    n_features_in_, feature_names_in_, feature_importances_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from softwood import CARTRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = CARTRegressor(pruning="cv", n_standard_errors=1, random_state=0).fit(X, y)
    >>> model.get_n_leaves() < 12
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        **_LIMITS,
        "criterion": [StrOptions({"squared_error"})],
    }

    def __init__(
        self,
        criterion: str = "squared_error",
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        pruning: str | None = None,
        n_standard_errors: float = 0.0,
        n_folds: int = 10,
        holdout_fraction: float = 1 / 3,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.pruning = pruning
        self.n_standard_errors = n_standard_errors
        self.n_folds = n_folds
        self.holdout_fraction = holdout_fraction
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.random_state = random_state
