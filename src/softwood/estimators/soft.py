"""Soft trees: grown, then softened."""

from __future__ import annotations

import copy
from numbers import Integral
from typing import Any, ClassVar, Self

from softwood.estimators._base import TreeClassifier, TreeEstimator, TreeRegressor
from softwood.estimators._learners import (
    CLASSIFIER_METHODS,
    REGRESSOR_METHODS,
    WithMethod,
    method_of,
    options_of,
    tree_learner,
)
from softwood.estimators._limits import limit_of, real_from
from softwood.estimators._restored import check_array, check_ranges
from softwood.estimators._sklearn_compat import HasMethods, StrOptions, check_is_fitted
from softwood.learn.soft_tree import SoftTreeLearner
from softwood.learn.soften.teacher import AUTO


class _SoftTree(WithMethod, TreeEstimator):
    """What both soft trees share."""

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "smoothing_",
        "smoothing_path_",
        "deviations_",
        "ranges_",
    )
    _unsaved_attributes: ClassVar[tuple[str, ...]] = ("fidelity_", "size_path_")
    _foreign_parameters: ClassVar[tuple[str, ...]] = ("estimator",)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        "estimator": [HasMethods(["fit", "predict"]), None],
        "smoothing": [StrOptions({"cv", "holdout"}), real_from(0.0)],
        "max_leaf_nodes": [limit_of(2), StrOptions({AUTO}), None],
        "min_samples_leaf": [limit_of(1)],
        "oblique": ["boolean", StrOptions({AUTO})],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def _learner(self) -> SoftTreeLearner:
        first = None if self.estimator is None else tree_learner(self.estimator, keeps_seed=True)
        options = {**options_of(self, SoftTreeLearner), "method": method_of(self)}
        return SoftTreeLearner(**options, first=first)

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        check_array(self, "deviations_", (self.n_features_in_,), least=0.0)
        check_ranges(self, self.n_features_in_)

    def select(self, n_leaves: int) -> Self:
        """Return a copy of the model with a tree of another size.

        Parameters
        ----------
        n_leaves : int
            Most leaves that the tree may have.

        Returns
        -------
        SoftTreeClassifier or SoftTreeRegressor
            With the largest of the trees in ``size_path_`` that has no more, which was trained
            more briefly than the chosen one. This model stays as it is.
        """
        check_is_fitted(self)
        if not hasattr(self, "size_path_"):
            raise AttributeError(
                "there are trees of other sizes if max_leaf_nodes='auto' and a teacher judged "
                "them, and model files do not hold them"
            )
        model = copy.copy(self)
        model._let_go()
        model.tree_ = self.size_path_.at_most(n_leaves)
        return model

    def harden(self) -> Any:
        """Return the crisp model with the same tests; see :func:`softwood.harden`."""
        from softwood.estimators.soften import harden

        return harden(self)


class SoftTreeClassifier(_SoftTree, TreeClassifier):
    """A single classification tree with soft splits: the flagship.

    A row near a cut goes down both branches, in shares that change gradually. The tree
    can still be read, but its answers have no jumps, and it errs less.

    With no arguments, the tree is taught: ensembles answer for the training rows, out of bag,
    and for blurred copies of them; trees of 4 to 32 leaves are grown on these answers, and
    their cuts, widths and leaves are trained on them by gradients; the smallest that is not
    clearly worse than the best is kept. Where none can say what the teachers know, a plain tree
    takes its place if it errs clearly less often on rows held out: CART pruned by folds, or C4.5,
    with shrunk leaves. Cuts stay within the values of the training rows, and tests that no row
    passes are removed.

    Parameters
    ----------
    estimator : estimator, optional
        Grows the tree to be softened: a single tree of softwood or scikit-learn. By
        default a tree pruned by cross-validation; for ``method="gradient"`` one of at most
        ``max_leaf_nodes`` leaves.
    method : {"gradient", "anneal", "perturb", "confidence"} or Method, default="gradient"
        How to soften: a name, or an object with options of its own. "gradient" or
        :class:`Gradient` trains cuts, widths and leaves. "anneal" or :class:`Anneal` chooses
        widths by simulated annealing. "perturb" or :class:`Perturb` blurs the row, and
        tunes by how much. "confidence" or :class:`Confidence` widens each test as far as the
        training errors hardly notice.
    smoothing : {"cv", "holdout"} or float, default="cv"
        For "perturb": how to choose lambda, the noise in deviations of the features; or
        its value. 0 is the hard tree.
    max_leaf_nodes : int, "auto" or None, default="auto"
        Most leaves of the tree that gradients train, or that annealing prunes. With "auto" and
        a teacher, trees of 4, 8, 16 and 32 leaves are trained, and the smallest is kept that is
        not clearly worse than the best; see ``size_path_`` and :meth:`select`. Only a plain tree
        that errs clearly less often, see above, may have more than 32; a number asks for a
        trained tree.
    min_samples_leaf : int, default=5
        Fewest rows of its leaves, whatever these weigh.
    oblique : bool or "auto", default="auto"
        For "gradient": whether tests may become weighted sums of several features, of those
        that are numeric and of which a tenth of the values is missing in training, or less.
        Such a tree needs fewer leaves: 32 do the work of 128. "auto", where ``max_leaf_nodes``
        is "auto" too, takes them if 16 leaves (for numbers, 8) do better so than 32 with plain
        tests, keeps three or six features a test where more do not clearly pay, and is False
        elsewhere. Tests of ``estimator`` that are oblique already are trained along the features
        they have, also without this.
    categorical_features, handle_unknown, class_weight
        As in :class:`CARTClassifier`.
    n_jobs : int, optional
        Threads that grow the teacher.
    verbose : int, default=0
        Whether to tell the loss of every epoch.
    random_state : int, RandomState or None, default=None
        Seed of all that is drawn.

    Attributes
    ----------
    tree_ : Tree
        The tree, with the widths of its tests. The weights of its nodes are those of the
        training rows; after "gradient" and "anneal" they are the mass that flows there.
    flow_ : Flow
        How rows flow through it.
    smoothing_ : float
        The lambda of "perturb".
    smoothing_path_ : SmoothingPath or None
        The loss for every lambda tried.
    size_path_ : SizePath
        With ``max_leaf_nodes="auto"``: ``trees`` of all sizes, their ``n_leaves`` and
        ``losses``, and which was ``chosen``. That one was trained at length, the others as
        briefly as it takes to compare them.
    deviations_ : ndarray of shape (n_features,)
        Standard deviations of the training columns. Times these, the weights of an oblique
        test can be compared.
    ranges_ : ndarray of shape (n_features, 2)
        Least and largest values of the training columns, between which ramps are printed.
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`CARTClassifier`.

    See Also
    --------
    softwood.soften : Soften a model that is fitted already, also an ensemble.
    softwood.harden : The crisp tree of a soft one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from softwood import CARTClassifier, SoftTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> for model in (CARTClassifier(pruning="cv", random_state=0), SoftTreeClassifier(
    ...         random_state=0)):
    ...     print(f"{1 - cross_val_score(model, X, y, cv=3).mean():.3f}")
    0.084
    0.040
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_SoftTree._parameter_constraints,
        "method": CLASSIFIER_METHODS,
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        estimator: Any = None,
        method: Any = "gradient",
        *,
        smoothing: Any = "cv",
        max_leaf_nodes: int | str | None = AUTO,
        min_samples_leaf: int = 5,
        oblique: bool | str = AUTO,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.smoothing = smoothing
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.oblique = oblique
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state


class SoftTreeRegressor(_SoftTree, TreeRegressor):
    """A single regression tree with soft splits.

    Parameters
    ----------
    estimator : estimator, optional
        Grows the tree to be softened; see :class:`SoftTreeClassifier`.
    method : {"gradient", "perturb"} or Method, default="gradient"
        How to soften. "gradient" or :class:`Gradient` trains cuts, widths and leaves.
        "perturb" or :class:`Perturb` blurs the row, and tunes by how much.
    smoothing, max_leaf_nodes, min_samples_leaf, oblique
        As in :class:`SoftTreeClassifier`; for numbers, ``oblique="auto"`` also takes them if 8
        leaves lose less than half of what 8 leaves with plain tests do.
    categorical_features, handle_unknown, n_jobs, verbose, random_state
        As in :class:`SoftTreeClassifier`.

    Attributes
    ----------
    tree_, flow_, smoothing_, smoothing_path_, deviations_, ranges_
        As in :class:`SoftTreeClassifier`.
    schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`CARTRegressor`.

    Examples
    --------
    >>> from softwood import CARTRegressor, SoftTreeRegressor
    >>> from softwood.datasets import make_friedman1
    >>> X, y = make_friedman1(300, random_state=0)
    >>> X_test, y_test = make_friedman1(2000, random_state=1)
    >>> for model in CARTRegressor(min_samples_split=5), SoftTreeRegressor(random_state=0):
    ...     print(f"{((model.fit(X, y).predict(X_test) - y_test) ** 2).mean():.1f}")
    10.4
    4.5
    """

    _importance_criterion = "squared_error"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_SoftTree._parameter_constraints,
        "method": REGRESSOR_METHODS,
    }

    def __init__(
        self,
        estimator: Any = None,
        method: Any = "gradient",
        *,
        smoothing: Any = "cv",
        max_leaf_nodes: int | str | None = AUTO,
        min_samples_leaf: int = 5,
        oblique: bool | str = AUTO,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.smoothing = smoothing
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.oblique = oblique
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
