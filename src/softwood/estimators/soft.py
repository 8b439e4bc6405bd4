"""Soft trees: grown, then softened."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from softwood.data.training import TrainingSet
from softwood.estimators._base import TreeClassifier, TreeEstimator, TreeRegressor
from softwood.estimators._growing import grower_of, pruned_by_folds
from softwood.estimators._limits import limit_of, number_of, real_from
from softwood.estimators._restored import check_array, check_ranges
from softwood.estimators._sklearn_compat import (
    HasMethods,
    Interval,
    StrOptions,
    check_random_state,
)
from softwood.estimators._softening import (
    METHODS,
    TERM_PRICE,
    Grow,
    Softening,
    fully_grown,
)
from softwood.flow import SHAPES, Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.best_first import KeepBestLeaves
from softwood.refine.column_spread import ranges_of_columns, spread_of_columns
from softwood.refine.smoothing import SmoothingPath
from softwood.tree import Tree

SOFTENING: dict[str, list[Any]] = {
    "smoothing": [StrOptions({"cv", "holdout"}), real_from(0.0)],
    "noise": [StrOptions({"exact", "product", "sampled"})],
    "loss": [StrOptions({"error", "log_loss", "brier", "squared_error"}), None],
    "scale": ["array-like", None],
    "shape": [StrOptions(set(SHAPES))],
    "n_epochs": [number_of(1), None],
    "learning_rate": [Interval(Real, 0.0, 1.0, closed="right")],  # more runs out of numbers
    "width_penalty": [real_from(0.0)],
    "oblique": ["boolean"],
    "term_price": [real_from(0.0)],
    "early_stopping": [Interval(Real, 0.0, 0.5, closed="right"), None],
    "teacher": [number_of(0)],
    "schedule": [StrOptions({"fast", "sann"})],
    "n_candidates": [number_of(1)],
    "rule": [StrOptions({"c50", "c50-cut", "c45"})],
    "n_jobs": [Integral, None],
    "verbose": ["verbose"],
}


def softening_of(estimator: Any, **others: Any) -> Softening:
    """Return the options of an estimator whose parameters have their names."""
    names = {"method", *SOFTENING} & set(estimator.get_params(deep=False))
    seed = int(check_random_state(estimator.random_state).randint(np.iinfo(np.int32).max))
    return Softening(**{name: getattr(estimator, name) for name in names}, seed=seed, **others)


def chosen_smoothing(path: SmoothingPath | None, given: Any) -> float:
    """Return lambda: chosen, given, or 0 where there was nothing to soften."""
    if path is not None:
        return path.smoothing
    return 0.0 if isinstance(given, str) else float(given)


class _SoftTree(TreeEstimator):
    """What both soft trees share."""

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "smoothing_",
        "smoothing_path_",
        "deviations_",
        "ranges_",
    )
    _unsaved_attributes: ClassVar[tuple[str, ...]] = ("fidelity_",)
    _foreign_parameters: ClassVar[tuple[str, ...]] = ("estimator",)

    # ``noise`` is what soften calls flow: here flow is a method.
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        **SOFTENING,
        "estimator": [HasMethods(["fit", "predict"]), None],
        "max_leaf_nodes": [limit_of(2), None],
        "min_samples_leaf": [limit_of(1)],
        "test_price": [real_from(0.0)],
    }

    def _fitted(self, data: TrainingSet) -> dict[str, Any]:
        columns = {"deviations": spread_of_columns(data)[1], "ranges": ranges_of_columns(data)}
        return {**self._softened(data), **columns}

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        if hasattr(self, "deviations_"):  # the first files did not have it
            check_array(self, "deviations_", (self.n_features_in_,), least=0.0)
        check_ranges(self, self.n_features_in_)

    def _softened(self, data: TrainingSet) -> dict[str, Any]:
        softening = softening_of(self)
        if softening.method == "gradient":
            # The tests of a tree that was asked for by name all stay.
            price = 0.0 if self.estimator is not None else self.test_price
            tree = softening.trained(data, self._first_tree(), price)
            return {"tree": tree, "flow": Ramp(shape=self.shape)}
        if softening.method == "anneal" and softening.n_candidates > 1:
            tree = softening.annealed_sequence(data, self._first_tree())
            return {"tree": tree, "flow": Ramp()}
        grow = self._grower(data, softening)
        soft = softening.of_tree(grow(data), data, grow)
        found = {"tree": soft.tree, "flow": soft.flow}
        if softening.method == "perturb":
            found["smoothing"] = chosen_smoothing(soft.path, self.smoothing)
            found["smoothing_path"] = soft.path
        return found

    def _first_tree(self) -> Grow:
        """Return what grows the tree to be trained."""
        if self.estimator is not None:
            return grower_of(self.estimator)

        def grow(data: TrainingSet) -> Tree:
            criterion = "squared_error" if data.is_regression else "gini"
            policy = Cart(criterion, min_samples_leaf=self.min_samples_leaf)
            tree = GreedyGrower(policy).grow(data)
            if self.max_leaf_nodes is None:
                return tree
            return KeepBestLeaves(self.max_leaf_nodes, criterion).refine(tree)

        return grow

    def _grower(self, data: TrainingSet, softening: Softening) -> Grow:
        """Return what grows trees to be softened: by default, pruned by cross-validation."""
        if self.estimator is not None:
            return grower_of(self.estimator)
        return pruned_by_folds(fully_grown, data, softening.folds(data))

    def harden(self) -> Any:
        """Return the crisp model with the same tests; see :func:`softwood.harden`."""
        from softwood.estimators.soften import harden

        return harden(self)


class SoftTreeClassifier(_SoftTree, TreeClassifier):
    """A single classification tree with soft splits: the flagship.

    A row near a cut goes down both branches, in shares that change gradually. The tree
    can still be read, but its answers have no jumps, and it errs less.

    With no arguments, the tree is taught: bagged trees answer for the training rows, out
    of bag, and for blurred copies of them; a tree of at most 128 leaves is grown on these
    answers; and its cuts, widths and leaves are trained on them by gradients. Cuts stay
    within the values of the training rows, and tests that no row passes are removed.

    Parameters
    ----------
    estimator : estimator, optional
        Grows the tree to be softened: a single tree of softwood or scikit-learn. By
        default a tree pruned by cross-validation; for ``method="gradient"`` one of at most
        ``max_leaf_nodes`` leaves.
    method : {"gradient", "anneal", "perturb", "confidence"}, default="gradient"
        How to soften. "gradient" trains cuts, widths and leaves. "anneal" chooses widths
        by simulated annealing. "perturb" blurs the row, and tunes by how much.
        "confidence" widens each test as far as the training errors hardly notice.
    smoothing : {"cv", "holdout"} or float, default="cv"
        For "perturb": how to choose lambda, the noise in deviations of the features; or
        its value. 0 is the hard tree.
    noise : {"exact", "product", "sampled"}, default="exact"
        For "perturb": whether all tests of a feature see the same noise, each its own, or
        random noise is drawn.
    loss : {"error", "log_loss", "brier"}, optional
        For "perturb": what lambda is chosen by; the share of errors by default.
    scale : array-like of shape (n_features,), optional
        For "perturb": deviations of the noise, such as known errors of measurement.
    max_leaf_nodes : int or None, default=128
        Most leaves of the tree that gradients train, or that annealing prunes.
    min_samples_leaf : int, default=5
        Fewest rows of its leaves, whatever these weigh.
    test_price : float, default=0.0
        For "gradient" with a teacher, unless ``estimator`` is given: a test is trained if
        it tells so much about the teacher's answers, in nats over all training rows. 0
        trains every test; 0.25 makes small trees of small data, which err a little more.
    shape : {"logistic", "linear", "normal"}, default="logistic"
        For "gradient": the curve of a soft test.
    n_epochs : int, optional
        For "gradient": passes through the rows; at least 30 by default.
    learning_rate : float, default=0.03
        For "gradient": size of the steps, at most 1.
    width_penalty : float, default=0.0
        For "gradient": how strongly widths are held where they start.
    oblique : bool, default=False
        For "gradient": whether tests may become weighted sums of several features, of those
        that are numeric and have no missing values in training. Such a tree needs fewer
        leaves: 32 do the work of 128. Tests of ``estimator`` that are oblique already are
        trained along the features they have, also without this.
    term_price : float, default=1e-4
        For "gradient": what an oblique test pays for spreading over many features, in units of
        the loss per row. More makes shorter sums, and 0.001 costs accuracy.
    early_stopping : float, optional
        For "gradient" without a teacher: share of the rows that is not learnt from; the
        epoch with the least loss on it is kept.
    teacher : int, default=50
        For "gradient": trees of the teacher; 0 learns from the labels alone.
    schedule : {"fast", "sann"}, default="fast"
        For "anneal": "sann" is the paper's own.
    n_candidates : int, default=10
        For "anneal": a tree is grown on two thirds of the rows; its pruned versions are
        softened on all of them until so many have become better, and the best is taken.
        1 softens the tree that cross-validation has pruned.
    rule : {"c50", "c50-cut", "c45"}, default="c50"
        For "confidence": whose rule.
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
    0.056
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_SoftTree._parameter_constraints,
        "method": [StrOptions(set(METHODS))],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        estimator: Any = None,
        method: str = "gradient",
        *,
        smoothing: Any = "cv",
        noise: str = "exact",
        loss: str | None = None,
        scale: Any = None,
        max_leaf_nodes: int | None = 128,
        min_samples_leaf: int = 5,
        test_price: float = 0.0,
        shape: str = "logistic",
        n_epochs: int | None = None,
        learning_rate: float = 0.03,
        width_penalty: float = 0.0,
        oblique: bool = False,
        term_price: float = TERM_PRICE,
        early_stopping: float | None = None,
        teacher: int = 50,
        schedule: str = "fast",
        n_candidates: int = 10,
        rule: str = "c50",
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
        self.noise = noise
        self.loss = loss
        self.scale = scale
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.test_price = test_price
        self.shape = shape
        self.n_epochs = n_epochs
        self.learning_rate = learning_rate
        self.width_penalty = width_penalty
        self.oblique = oblique
        self.term_price = term_price
        self.early_stopping = early_stopping
        self.teacher = teacher
        self.schedule = schedule
        self.n_candidates = n_candidates
        self.rule = rule
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
    method : {"gradient", "perturb"}, default="gradient"
        How to soften. "gradient" trains cuts, widths and leaves. "perturb" blurs the row,
        and tunes by how much.
    smoothing, noise, scale, max_leaf_nodes, min_samples_leaf, test_price
        As in :class:`SoftTreeClassifier`.
    shape, n_epochs, learning_rate, width_penalty, oblique, term_price
        As in :class:`SoftTreeClassifier`.
    early_stopping, teacher
        As in :class:`SoftTreeClassifier`.
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
    5.5
    """

    _importance_criterion = "squared_error"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{
            name: allowed
            for name, allowed in _SoftTree._parameter_constraints.items()
            if name not in ("loss", "schedule", "n_candidates", "rule")
        },
        "method": [StrOptions({"gradient", "perturb"})],
    }

    def __init__(
        self,
        estimator: Any = None,
        method: str = "gradient",
        *,
        smoothing: Any = "cv",
        noise: str = "exact",
        scale: Any = None,
        max_leaf_nodes: int | None = 128,
        min_samples_leaf: int = 5,
        test_price: float = 0.0,
        shape: str = "logistic",
        n_epochs: int | None = None,
        learning_rate: float = 0.03,
        width_penalty: float = 0.0,
        oblique: bool = False,
        term_price: float = TERM_PRICE,
        early_stopping: float | None = None,
        teacher: int = 50,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.smoothing = smoothing
        self.noise = noise
        self.scale = scale
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.test_price = test_price
        self.shape = shape
        self.n_epochs = n_epochs
        self.learning_rate = learning_rate
        self.width_penalty = width_penalty
        self.oblique = oblique
        self.term_price = term_price
        self.early_stopping = early_stopping
        self.teacher = teacher
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state
