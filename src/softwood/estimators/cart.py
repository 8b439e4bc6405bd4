"""CART: classification and regression trees."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from softwood.data.seeds import drawn_seed
from softwood.estimators._base import TreeClassifier, TreeEstimator, TreeRegressor
from softwood.estimators._learners import options_of
from softwood.estimators._limits import limit_of, real_from
from softwood.estimators._sklearn_compat import Interval, StrOptions
from softwood.learn.cart import CartLearner

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
    """What both CART estimators share."""

    def _learner(self) -> CartLearner:
        return CartLearner(**options_of(self, CartLearner))

    def _seed(self) -> int:
        return drawn_seed(self.random_state) if self.pruning is not None else 0  # nothing is drawn


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
