"""Variable-random trees: single ones."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeClassifier, TreeEstimator, TreeRegressor
from softwood.estimators._inputs import tell_of_columns_left_out
from softwood.estimators._limits import limit_of, number_of, real_above, real_from
from softwood.estimators._sklearn_compat import Interval, StrOptions
from softwood.grow.random import VariableRandom
from softwood.learn.fitted import Fitted
from softwood.learn.random_tree import RandomTreeLearner

LIMITS: dict[str, list[Any]] = {
    "min_samples_split": [real_above(0.0)],
    "min_samples_leaf": [real_above(0.0)],
    "max_depth": [limit_of(1), None],
    "curtail": [real_from(0.0)],
    "max_features": [
        StrOptions({"sqrt", "log2"}),
        limit_of(1),
        Interval(Real, 0.0, 1.0, closed="right"),
        None,
    ],
    "n_random_tests": [number_of(1)],
    "nominal_split": [StrOptions({"multiway", "one_vs_rest"})],
}
ALPHA = Interval(Real, 0.0, 1.0, closed="both")


def random_policy(estimator: Any, alpha: float = 0.5) -> VariableRandom:
    """Return how trees grow by an estimator whose parameters are :data:`LIMITS`."""
    return VariableRandom(
        alpha,
        min_split=estimator.min_samples_split,
        min_leaf=estimator.min_samples_leaf,
        max_depth=estimator.max_depth,
        curtail=estimator.curtail,
        max_features=estimator.max_features,
        n_random_tests=estimator.n_random_tests,
    )


class _VRTree(TreeEstimator):
    """What both variable-random trees share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        **LIMITS,
        "alpha": [ALPHA],
    }
    _counts_weights = True

    def _learner(self) -> RandomTreeLearner:
        one_vs_rest = self.nominal_split == "one_vs_rest"
        return RandomTreeLearner(random_policy(self, self.alpha), one_vs_rest)

    def _found(self, fitted: Fitted, data: TrainingSet) -> dict[str, Any]:
        found = super()._found(fitted, data)
        tell_of_columns_left_out(self, found.pop("left_out"))
        return found


class VRTreeClassifier(_VRTree, TreeClassifier):
    """A classification tree that is partly random: the member of an ensemble.

    Every node tosses a coin. With probability alpha it takes the test that C4.5 would
    take, else a random one: a feature drawn from those that differ here, and a cut half way
    between the values of two random rows, or one branch per category. The tree is not
    pruned.

    Parameters
    ----------
    alpha : float, default=0.5
        Chance that a node takes the best test. 0 is random throughout, 1 is C4.5.
    criterion : {"gain_ratio"}, default="gain_ratio"
        What the best test is best in.
    min_samples_split : float, default=4
        Fewest cases of a node that is split. A row is a case, or w cases if it has the
        weight w and all weights are whole numbers; its parts are added up where a missing
        value has sent it to several branches.
    min_samples_leaf : float, default=2
        Fewest cases of at least two branches of a test that was chosen as the best.
        Random tests do not ask.
    max_depth : int, optional
        Most tests on a path.
    curtail : float, default=1
        A leaf that does not weigh more than this answers as the nearest node above that
        does; 0 lets every leaf answer for itself.
    max_features : {"sqrt", "log2"}, int, float or None, default=None
        Of how many features the best test is taken, drawn anew at every node that looks for
        it, and more if none of them divides; a float is their share. None looks at all.
    n_random_tests : int, default=1
        How many random tests a node draws that does not look for the best one; it takes the
        one of them that tells most about the class: information over the entropies of class
        and test, among 256 of its rows if it has more. With more than one, trees are smaller,
        and a little less random.
    nominal_split : {"multiway", "one_vs_rest"}, default="multiway"
        How nominal columns are tested. "multiway" has a branch for each category, and does not
        test the column again further down. "one_vs_rest" tests one category against all
        others; features are then drawn in proportion to their categories. Columns of more
        than 64 categories have a branch for each in any case, at nodes of two rows or more
        for each. A column of more than eight categories and fewer than 20 rows for each (of
        more than 16 and fewer than 200) is not tested at all unless it tells clearly more of
        the target than chance would.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    class_weight : dict, "balanced", or None, default=None
        Factors of the weights of classes, finite and positive.
    random_state : int, RandomState or None, default=None
        Seed of the coins, features and cuts.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    flow_ : Flow
        How rows flow through it.
    classes_, schema_, n_features_in_, feature_names_in_
        As in :class:`CARTClassifier`.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the total decrease of impurity. A curtailed leaf adds
        nothing to it.

    See Also
    --------
    VRForestClassifier : many of them.
    CoalescenceClassifier : many of them, with alphas of all sizes.

    References
    ----------
    .. [1] F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou (2008). Spectrum of variable-random
       trees. JAIR 32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import VRTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> for alpha in (0.0, 1.0):
    ...     model = VRTreeClassifier(alpha, random_state=0).fit(X, y)
    ...     print(model.get_n_leaves() > 10, model.score(X, y) > 0.9)
    True True
    False True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_VRTree._parameter_constraints,
        "criterion": [StrOptions({"gain_ratio"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    _importance_criterion = "entropy"

    def __init__(
        self,
        alpha: float = 0.5,
        *,
        criterion: str = "gain_ratio",
        min_samples_split: float = 4,
        min_samples_leaf: float = 2,
        max_depth: int | None = None,
        curtail: float = 1.0,
        max_features: Any = None,
        n_random_tests: int = 1,
        nominal_split: str = "multiway",
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.criterion = criterion
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.curtail = curtail
        self.max_features = max_features
        self.n_random_tests = n_random_tests
        self.nominal_split = nominal_split
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.random_state = random_state


class VRTreeRegressor(_VRTree, TreeRegressor):
    """A regression tree that is partly random: the member of an ensemble.

    As :class:`VRTreeClassifier`, but the best test is the one that decreases the squared
    error most. A nominal test has one branch per category.

    Parameters
    ----------
    alpha : float, default=0.5
        Chance that a node takes the best test.
    criterion : {"squared_error"}, default="squared_error"
        What the best test decreases most.
    min_samples_split : float, default=4
        Fewest cases of a node that is split, as in :class:`VRTreeClassifier`.
    min_samples_leaf : float, default=2
        Fewest cases of at least two branches of a test that was chosen as the best.
    max_depth, curtail, max_features
        As in :class:`VRTreeClassifier`.
    n_random_tests : int, default=1
        How many random tests a node draws that does not look for the best one; it takes the
        one of them that decreases the squared error most.
    nominal_split : {"multiway", "one_vs_rest"}, default="multiway"
        As in :class:`VRTreeClassifier`.
    categorical_features, handle_unknown, random_state
        As in :class:`VRTreeClassifier`.

    Attributes
    ----------
    tree_, flow_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`VRTreeClassifier`.

    Examples
    --------
    >>> from softwood import VRTreeRegressor
    >>> from softwood.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> X_test, y_test = make_friedman1(1000, random_state=1)
    >>> for alpha in (0.0, 1.0):
    ...     print(VRTreeRegressor(alpha, random_state=0).fit(X, y).score(X_test, y_test) > 0.4)
    False
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_VRTree._parameter_constraints,
        "criterion": [StrOptions({"squared_error"})],
    }
    _importance_criterion = "squared_error"

    def __init__(
        self,
        alpha: float = 0.5,
        *,
        criterion: str = "squared_error",
        min_samples_split: float = 4,
        min_samples_leaf: float = 2,
        max_depth: int | None = None,
        curtail: float = 1.0,
        max_features: Any = None,
        n_random_tests: int = 1,
        nominal_split: str = "multiway",
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.criterion = criterion
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.curtail = curtail
        self.max_features = max_features
        self.n_random_tests = n_random_tests
        self.nominal_split = nominal_split
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.random_state = random_state
