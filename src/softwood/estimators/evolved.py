"""Trees evolved by genetic programming, for the least empirical or vicinal risk."""

from __future__ import annotations

import copy
import os
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.ensemble.jobs import Jobs
from softwood.estimators._base import TreeClassifier, TreeEstimator, all_or_nothing
from softwood.estimators._evolved_restored import check_evolved
from softwood.estimators._inputs import read_training_rows
from softwood.estimators._learners import options_of
from softwood.estimators._limits import limit_of, number_of, real_above
from softwood.estimators._sklearn_compat import (
    CallbackSupportMixin,
    Interval,
    StrOptions,
    check_is_fitted,
    fit_context,
)
from softwood.flow import Gaussian
from softwood.forest.ties import most_probable
from softwood.grow.evolve import CUTS, OBJECTIVES
from softwood.grow.evolve_front import ParetoFront
from softwood.learn.evolved import DEFAULT_SIGMA2, EvolvedLearner
from softwood.learn.evolving import Watch, n_parts_of, reporter_of
from softwood.tree import Tree


class EvolvedTreeClassifier(CallbackSupportMixin, TreeClassifier):
    r"""A classification tree evolved by genetic programming (Cao and Rockett).

    A population of trees breeds: parents exchange subtrees, children are mutated, and the
    worst leave. What counts is the risk of a tree and, with two objectives, its number of
    nodes. The vicinal risk of a tree is the mean probability that a training row with some
    normal noise on its attributes is classified wrongly; trees that minimise it keep their
    distance from the rows. The empirical risk is the share of rows classified wrongly.

    A nominal test sends some categories left and the others right. In the vicinity of a row
    its category is drawn anew with half the chance of the variance of the noise. Attributes
    are measured in their standard deviations; cuts are in the units of the columns.

    Parameters
    ----------
    risk : {"vicinal", "empirical"}, default="vicinal"
        What is minimised.
    objectives : {"multi", "single"}, default="multi"
        Risk and number of nodes, by Pareto ranks; or risk alone, with a limit of depth that
        rises when a deeper tree is better than all before.
    sigma2 : float, "cv", or sequence of float, default=0.1
        Variance of the noise, over the variance of the attribute; one for each column, if
        they differ. "cv" chooses among eight variances by cross-validation, in runs of a
        tenth of ``n_iter``.
    population_size : int, default=100
        Trees of a population, at least 2.
    n_iter : int, default=200_000
        Breeding events of a run; two children each. 0 is the best of the first population.
    max_depth : int, default=10
        Most tests on a path.
    n_runs : int, default=1
        Independent runs, of which the best tree is taken, and one front for all.
    init : {"random", "seeded"}, default="random"
        What a population begins with: random trees (ramped half and half); or trees of CART
        and C4.5 among them, pruned to many sizes.
    refine : {"none", "descent"}, default="none"
        Whether the tests of good trees are also moved, one at a time, while that lowers the
        risk: now and then during the run, and in the end.
    prediction : {"hard", "soft"}, default="hard"
        Whether a row goes to one leaf, or to all of them in the shares that its noise
        gives them.
    cuts : {"uniform", "values"}, default="uniform"
        Whether a random cut lies anywhere in the range of an attribute, or half way between
        the values of two rows.
    n_folds : int, default=5
        Folds of ``sigma2="cv"``.
    checkpoint : str or path-like, optional
        A file from which a fit that was killed goes on, if it is called again with the same
        data and parameters, and ends as if nothing had happened. Where it has ended, a
        larger ``n_iter`` goes on.
    callback : callable, optional
        Called now and then with the progress: ``iteration``, ``n_iter``, ``risk`` and
        ``n_nodes`` of the best tree. The fit ends early if it returns True.
    categorical_features : "from_dtype", None, or sequence, default="from_dtype"
        Nominal columns: those of text, categories and booleans; none; or these, by name,
        index or mask.
    handle_unknown : {"spread", "missing", "error"}, default="spread"
        What becomes of a category that was not seen in training.
    class_weight : dict, "balanced", or None, default=None
        Factors of the weights of classes, finite and positive.
    n_jobs : int, optional
        Runs, or folds, at once; -1 for one on each processor. The tree is the same for any
        number.
    verbose : int, default=0
        Whether to tell the least risk so far.
    random_state : int, RandomState or None, default=None
        Seed of evolution and of the folds.

    Attributes
    ----------
    tree_ : Tree
        The tree of least risk, without tests that decide nothing. Its weights and class
        frequencies are the training mass under the flow whose risk was minimised.
    flow_ : Flow
        How rows flow through it.
    risk_ : float
        Its training risk.
    n_nodes_evolved_ : int
        Its number of nodes before tests that decide nothing were removed.
    pareto_front_ : ParetoFront
        The best trees of all sizes; ``select(n_leaves)`` takes one. Trees with more nodes
        than the best one are not on it.
    history_ : dict
        Arrays ``iteration``, and ``risk`` and ``n_nodes`` of the best tree of each run then.
    noise_ : Gaussian
        The noise of the vicinity.
    sigma2_ : ndarray of shape (n_features,)
        The variances in use.
    sigma2_path_ : dict or None
        Arrays ``sigma2`` and ``error`` of cross-validation.
    classes_, schema_, n_features_in_, feature_names_in_, feature_importances_
        As in :class:`CARTClassifier`.

    See Also
    --------
    softwood.plot.plot_pareto_front : The front as a picture.
    CARTClassifier : With ``criterion="vicinal"``, a greedy tree of the same kind.

    Notes
    -----
    An interrupted fit (Ctrl-C) ends with the best tree so far, and a warning. Training rows
    with a missing value go to both children, in proportion to the others. Of an attribute
    with more than 64 categories the rarest stay together.

    References
    ----------
    .. [1] Y. Cao, P. I. Rockett (2015). The use of vicinal-risk minimization for training
       decision trees. Applied Soft Computing.

    Examples
    --------
    >>> from softwood import EvolvedTreeClassifier
    >>> from softwood.datasets import make_separable
    >>> X, y = make_separable(40, random_state=0)
    >>> model = EvolvedTreeClassifier(n_iter=5000, random_state=0).fit(X, y)
    >>> X_test, y_test = make_separable(2000, random_state=1)
    >>> model.score(X_test, y_test) > 0.95
    True
    >>> model.select(n_leaves=4).get_n_leaves() <= 4 < model.get_n_leaves()
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **TreeEstimator._parameter_constraints,
        "risk": [StrOptions({"vicinal", "empirical"})],
        "objectives": [StrOptions(set(OBJECTIVES))],
        "sigma2": [real_above(0.0), StrOptions({"cv"}), "array-like"],
        "population_size": [number_of(2)],
        "n_iter": [number_of(0)],
        "max_depth": [Interval(Integral, 1, 60, closed="both")],
        "n_runs": [number_of(1)],
        "init": [StrOptions({"random", "seeded"})],
        "refine": [StrOptions({"none", "descent"})],
        "prediction": [StrOptions({"hard", "soft"})],
        "cuts": [StrOptions(set(CUTS))],
        "n_folds": [limit_of(2)],
        "checkpoint": [str, os.PathLike, None],
        "callback": [callable, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }
    _local_parameters: ClassVar[tuple[str, ...]] = ("checkpoint",)
    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "risk_",
        "n_nodes_evolved_",
        "front_trees_",
        "front_risks_",
        "front_n_nodes_evolved_",
        "history_",
        "noise_",
        "sigma2_",
        "sigma2_path_",
    )

    risk_: float
    n_nodes_evolved_: int
    front_trees_: tuple[Tree, ...]
    front_risks_: FloatArray
    front_n_nodes_evolved_: AnyArray
    history_: dict[str, AnyArray]
    noise_: Gaussian
    sigma2_: FloatArray
    sigma2_path_: dict[str, FloatArray] | None

    def __init__(
        self,
        risk: str = "vicinal",
        *,
        objectives: str = "multi",
        sigma2: Any = DEFAULT_SIGMA2,
        population_size: int = 100,
        n_iter: int = 200_000,
        max_depth: int = 10,
        n_runs: int = 1,
        init: str = "random",
        refine: str = "none",
        prediction: str = "hard",
        cuts: str = "uniform",
        n_folds: int = 5,
        checkpoint: Any = None,
        callback: Any = None,
        categorical_features: Any = "from_dtype",
        handle_unknown: str = "spread",
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.risk = risk
        self.objectives = objectives
        self.sigma2 = sigma2
        self.population_size = population_size
        self.n_iter = n_iter
        self.max_depth = max_depth
        self.n_runs = n_runs
        self.init = init
        self.refine = refine
        self.prediction = prediction
        self.cuts = cuts
        self.n_folds = n_folds
        self.checkpoint = checkpoint
        self.callback = callback
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Evolve the tree.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers, dates, categories, text and booleans; NaN and None are missing.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; rows of weight 0 are left out. Limits such as ``min_samples_leaf`` count
            rows, whatever these weigh, and the scale of the weights makes no difference.

        Returns
        -------
        self
        """
        context = self._init_callback_context(max_subtasks=n_parts_of(self.n_iter))
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        with all_or_nothing(self):
            matrix, schema = read_training_rows(self, X)
            data, known, _ = self._read_training_set(matrix, y, sample_weight, schema)
            watch = Watch(self.verbose, self.callback, reporter_of(self, context))
            learner = replace(self._learner(), watch=watch)
            fitted = learner.fit(data, self._seed(), Jobs(self.n_jobs))
            self._store(schema=schema, **known, **self._found(fitted, data))
            self._remember(X, y, sample_weight, matrix)
        context.call_on_fit_task_end(estimator=self, X=X, y=y)
        return self

    def _learner(self) -> EvolvedLearner:
        keeps_seed = isinstance(self.random_state, Integral)
        return EvolvedLearner(**options_of(self, EvolvedLearner), keeps_seed=keeps_seed)

    def _fold_learner(self) -> EvolvedLearner:
        return replace(self._learner(), watch=Watch(keeps_best=False))

    # -- what there is beside the tree -----------------------------------------

    @property
    def pareto_front_(self) -> ParetoFront:
        """The best trees of all sizes."""
        check_is_fitted(self)
        return ParetoFront(self.front_trees_, self.front_risks_, self.front_n_nodes_evolved_)

    def select(self, n_leaves: int) -> Self:
        """Return a copy of the model with a smaller tree of the front.

        Parameters
        ----------
        n_leaves : int
            Most leaves that the tree may have.

        Returns
        -------
        EvolvedTreeClassifier
            With the tree of least risk among those of at most this size. This model stays as
            it is.
        """
        front = self.pareto_front_
        place = front.place(n_leaves)
        model = copy.copy(self)
        model._let_go()
        model.tree_ = front.trees[place]
        model.risk_ = float(front.risks[place])
        model.n_nodes_evolved_ = int(front.n_nodes_evolved[place])
        return model

    def predict_confidence(self, X: Any) -> FloatArray:
        """Return how sure each prediction is: 1 minus its vicinal risk.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The probability that the row, with noise on it, is in a leaf of the class that is
            predicted.
        """
        rows = self._rows(X)
        predicted = most_probable(self.flow_.predict(self.tree_, rows))
        labels = np.eye(self.classes_.size)[most_probable(self.tree_.response)]
        mass = self.noise_.predict(self.tree_, rows, labels)
        return np.asarray(mass[np.arange(predicted.size), predicted])

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        check_evolved(self)
