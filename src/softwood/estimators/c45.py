"""C4.5, node for node as Weka's J48."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from softwood._types import FloatArray
from softwood.estimators._base import TreeClassifier, TreeEstimator
from softwood.estimators._learners import options_of
from softwood.estimators._limits import limit_of, real_above
from softwood.estimators._sklearn_compat import Interval, StrOptions
from softwood.learn.c45 import C45Learner, laplace_corrected


class C45Classifier(TreeClassifier):
    """A classification tree as C4.5 grows and prunes it, node for node as Weka's J48.

    Every node takes the test with the best gain ratio among those whose gain is at least
    average. A nominal test has one branch per category. A row with a missing value goes
    to every branch with part of its weight. The tree is then collapsed and pruned by
    pessimistic estimates of its errors, which may also raise a subtree to its parent's
    place.

    Parameters
    ----------
    min_samples_leaf : float, default=2
        Fewest cases of at least two branches of a test (``-M`` of J48). A row is a case, or
        w cases if it has the weight w and all weights are whole numbers; its parts are
        added up where a missing value has sent it to several branches.
    confidence : float, default=0.25
        Confidence of the error estimates, at most 0.5; smaller prunes more (``-C``).
    pruning : {"pessimistic"} or None, default="pessimistic"
        None leaves the collapsed tree as it is (``-U``).
    subtree_raising : bool, default=True
        Whether a node may be replaced by its largest branch (``-S`` turns it off).
    collapse : bool, default=True
        Whether subtrees that do not reduce training error become leaves.
    mdl_correction : bool, default=True
        Whether the gain of a numeric test pays for the number of cuts it was chosen from.
    laplace : bool, default=False
        Whether probabilities count one more case of every class (``-A``).
    soft_thresholds : bool, default=False
        Whether numeric tests pass gradually from one branch to the other, over the range in
        which moving the cut would hardly change the training errors (C5.0's rule).
    max_depth : int, optional
        Most tests on a path.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    class_weight : dict, "balanced", or None, default=None
        Factors of the weights of classes, finite and positive.
    random_state : int, RandomState or None, default=None
        Not used: nothing here is random.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    flow_ : Flow
        How rows flow through it.
    classes_ : ndarray
        The class labels, sorted.
    schema_ : Schema
        Names and categories of the training columns.
    n_features_in_, feature_names_in_, feature_importances_
        As in scikit-learn.

    Notes
    -----
    J48 knows the declared classes of a data set, this class only those that occur in
    ``y``. Both their number (in the least size of a numeric split) and the order in which
    ties are broken can differ where a declared class has no rows.

    References
    ----------
    .. [1] J. R. Quinlan (1993). C4.5: Programs for Machine Learning.

    Examples
    --------
    >>> from softwood import C45Classifier
    >>> from softwood.datasets import load_dataset
    >>> table = load_dataset("tic-tac-toe").table
    >>> X, y = table.drop(["class"]), table["class"].as_objects().astype(str)
    >>> model = C45Classifier(max_depth=2).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 3)
    (5, 0.706)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        "min_samples_leaf": [real_above(0.0)],
        "confidence": [Interval(Real, 0.0, 0.5, closed="right")],
        "pruning": [StrOptions({"pessimistic"}), None],
        "subtree_raising": ["boolean"],
        "collapse": ["boolean"],
        "mdl_correction": ["boolean"],
        "laplace": ["boolean"],
        "soft_thresholds": ["boolean"],
        "max_depth": [limit_of(1), None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    _importance_criterion = "entropy"
    _counts_weights = True

    def __init__(
        self,
        min_samples_leaf: float = 2,
        *,
        confidence: float = 0.25,
        pruning: str | None = "pessimistic",
        subtree_raising: bool = True,
        collapse: bool = True,
        mdl_correction: bool = True,
        laplace: bool = False,
        soft_thresholds: bool = False,
        max_depth: int | None = None,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.confidence = confidence
        self.pruning = pruning
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.mdl_correction = mdl_correction
        self.laplace = laplace
        self.soft_thresholds = soft_thresholds
        self.max_depth = max_depth
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.random_state = random_state

    def _learner(self) -> C45Learner:
        return C45Learner(**options_of(self, C45Learner))

    def _seed(self) -> int:
        return 0  # nothing is drawn

    def _responses(self) -> FloatArray:
        return laplace_corrected(self.tree_) if self.laplace else self.tree_.response
