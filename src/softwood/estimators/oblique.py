"""Oblique trees: tests of several features at once."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from softwood._types import FloatArray
from softwood.estimators._base import TreeClassifier, TreeEstimator
from softwood.estimators._learners import options_of
from softwood.estimators._limits import limit_of, number_of
from softwood.estimators._restored import check_array, check_fill
from softwood.estimators._sklearn_compat import Interval, StrOptions
from softwood.grow.oblique import CRITERIA, OBJECTIVES, ORDERS, Oblique
from softwood.learn.oblique import ObliqueLearner


class ObliqueTreeClassifier(TreeClassifier):
    """A classification tree whose tests are hyperplanes, as OC1 and its successors grow it.

    Every node starts from its best test of one feature, and from random hyperplanes, and
    moves one coefficient after the other to its best place. Where nothing moves any more it
    tries random directions. Hyperplanes that are no better than the test of one feature are
    not used, nor are they searched for at nodes with no more than two rows per numeric column.

    In a hyperplane a category counts as its number in ``schema_``, from 0 on, which is all
    there is to say of two categories and a makeshift for more; columns of more than 8 take no
    part. Besides, the best split of the categories of a column in two sets competes with the
    best hyperplane of the node, by the criterion alone.

    A missing number counts as the mean of its column in the training rows, a missing category
    as the most frequent one, while the tree grows and when it predicts. A category that was
    not seen in training leads to both branches of a test that asks for it.

    Parameters
    ----------
    objective : {"oc1", "moc1", "moc2"}, default="oc1"
        What a hyperplane is worth. "oc1": how well it parts the classes. "moc1": that, and a
        price for a narrow gap between the sides. "moc2": how well it parts the classes off a
        band around it.
    criterion : {"twoing", "gini", "entropy", "max_minority", "sum_minority"}, default="twoing"
        How well classes are parted. MOC2 is a kind of twoing.
    search : {"exact", "classic"}, default="exact"
        How a hyperplane moves along a line. "exact" finds the best place of all, visits the
        constant too, and drops coefficients that do not pay. "classic" is OC1's own search.
    order : {"sequential", "best_first", "random"}, default="sequential"
        Which coefficient moves next.
    n_restarts : int, default=20
        How many times a node searches; the first time from the best test of one feature.
    n_jumps : int, default=5
        Random directions that are tried where no coefficient moves.
    margin_weight : float, default=0.05
        Weight of the margin in MOC1, from 0 to 1.
    margin_scale : {"scaled", "raw"}, default="scaled"
        Whether MOC1 and MOC2 measure margins in standard deviations of the node, or in the
        units of the columns. Raw bands of MOC2 have the width that the search happens to
        give them; scaled ones have the best.
    pruning : {"holdout", "cv"} or None, default="holdout"
        How the price of a leaf in cost-complexity pruning is chosen: on rows held out from
        growing, or by cross-validation, which takes about ``n_folds`` times as long. None
        leaves the tree as it has grown. The root may be pruned, too; OC1 itself always keeps
        two leaves.
    holdout_fraction : float, default=0.1
        Share of the rows that "holdout" holds out, rounded down; the tree is grown on the
        rest.
    n_folds : int, default=10
        Folds of "cv".
    widen : bool, default=False
        Whether every hyperplane is replaced by the one of the widest margin that parts the
        training rows in the same way (FAT); see :func:`softwood.widen_margins`.
    max_depth : int, optional
        Most tests on a path.
    min_samples_split : int, default=4
        Fewest rows of a node that is split, whatever these weigh.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask. Of a column of more than eight categories, the score that chance would
        give does not count, and categories of one row in a node share a side.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    class_weight : dict, "balanced", or None, default=None
        Factors of the weights of classes, finite and positive.
    n_jobs : int, optional
        How many parts of the tree grow at once; -1 for one on each processor. The tree is
        the same for any number.
    verbose : int, default=0
        Whether to tell how much of the tree has grown.
    random_state : int, RandomState or None, default=None
        Seed of the search and of the rows held out.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    fill_values_ : ndarray of shape (n_features,)
        What a missing value of each column counts as; categories by number.
    margins_ : ndarray of shape (n_nodes,)
        Distance of the nearest row that the tree was grown on to each test, in the units of
        the columns; NaN at leaves and nominal tests.
    flow_, classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`CARTClassifier`.

    See Also
    --------
    CARTClassifier : tests of one feature.
    widen_margins : wider margins for any tree.

    References
    ----------
    .. [1] S. K. Murthy, S. Kasif, S. Salzberg (1994). A system for induction of oblique
       decision trees. JAIR 2.
    .. [2] D. Wu, K. P. Bennett, N. Cristianini, J. Shawe-Taylor (2000). Enlarging the
       margins in perceptron decision trees. Machine Learning 41.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import ObliqueTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = ObliqueTreeClassifier(random_state=0).fit(X, y)
    >>> model.get_n_leaves(), model.score(X, y) > 0.95
    (3, True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        "objective": [StrOptions(set(OBJECTIVES))],
        "criterion": [StrOptions(set(CRITERIA))],
        "search": [StrOptions({"exact", "classic"})],
        "order": [StrOptions(set(ORDERS))],
        "n_restarts": [number_of(1)],
        "n_jumps": [number_of(0)],
        "margin_weight": [Interval(Real, 0.0, 1.0, closed="both")],
        "margin_scale": [StrOptions({"scaled", "raw"})],
        "pruning": [StrOptions({"holdout", "cv"}), None],
        "holdout_fraction": [Interval(Real, 0.0, 1.0, closed="neither")],
        "n_folds": [limit_of(2)],
        "widen": ["boolean"],
        "max_depth": [limit_of(1), None],
        "min_samples_split": [limit_of(2)],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }
    _saved_attributes: ClassVar[tuple[str, ...]] = ("fill_values_", "margins_")

    fill_values_: FloatArray
    margins_: FloatArray

    def __init__(
        self,
        objective: str = "oc1",
        *,
        criterion: str = "twoing",
        search: str = "exact",
        order: str = "sequential",
        n_restarts: int = 20,
        n_jumps: int = 5,
        margin_weight: float = 0.05,
        margin_scale: str = "scaled",
        pruning: str | None = "holdout",
        holdout_fraction: float = 0.1,
        n_folds: int = 10,
        widen: bool = False,
        max_depth: int | None = None,
        min_samples_split: int = 4,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.objective = objective
        self.criterion = criterion
        self.search = search
        self.order = order
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.margin_weight = margin_weight
        self.margin_scale = margin_scale
        self.pruning = pruning
        self.holdout_fraction = holdout_fraction
        self.n_folds = n_folds
        self.widen = widen
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _learner(self) -> ObliqueLearner:
        if self.objective == "moc2" and self.criterion != "twoing":
            raise ValueError(
                "objective='moc2' is a kind of twoing and takes no other criterion; got "
                f"criterion={self.criterion!r}: use 'twoing', or another objective"
            )
        policy = Oblique(**options_of(self, Oblique))
        return ObliqueLearner(policy, **options_of(self, ObliqueLearner))

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        check_array(self, "fill_values_", (self.n_features_in_,))
        check_fill(self.fill_values_, self.schema_.n_categories)
        margins: Any = getattr(self, "margins_", None)
        shape = (self.tree_.n_nodes,)
        if np.shape(margins) != shape or np.asarray(margins).dtype.kind != "f":
            raise ValueError(f"the attribute 'margins_' must be numbers of shape {shape}")
