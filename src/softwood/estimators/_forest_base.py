"""What every ensemble can do once it is fitted, and the frame of fitting it."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.schema import HANDLE_UNKNOWN, Schema
from softwood.data.seeds import drawn_seed
from softwood.data.training import TrainingSet
from softwood.ensemble import predict
from softwood.ensemble.jobs import Jobs, Report
from softwood.ensemble.out_of_bag import Witnesses
from softwood.ensemble.sampling import Sampling, mask_of_bags, rows_in_bag
from softwood.estimators._base import (
    TreeClassifier,
    TreeEstimator,
    TreeRegressor,
    all_or_nothing,
)
from softwood.estimators._calibrated import PredictsIntervals, PredictsSets
from softwood.estimators._forest_answers import FittedForest
from softwood.estimators._inputs import (
    causes_named,
    read_training_rows,
    tell_of_columns_left_out,
)
from softwood.estimators._limits import number_of, real_from
from softwood.estimators._restored import check_array, check_mean, check_number, check_sum
from softwood.estimators._sklearn_compat import (
    CallbackSupportMixin,
    ClassifierMixin,
    RegressorMixin,
    StrOptions,
    fit_context,
)
from softwood.learn.fitted import Fitted
from softwood.learn.forest import ForestLearner
from softwood.learn.oblique import filled
from softwood.refine.column_spread import facts_of_columns
from softwood.refine.smoothing import SmoothingPath

SMOOTHINGS = {"oob", "holdout"}
OPTIONAL = ("oob_score_", "oob_decision_function_", "oob_prediction_", "oob_importances_")


class ForestEstimator(CallbackSupportMixin, FittedForest):
    """Base of the estimators that hold many trees.

    A subclass says how its trees grow (``_learner``); everything after that is the same for
    all.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [number_of(1)],
        "smoothing": [StrOptions(SMOOTHINGS), real_from(0.0), None],
        "oob_score": ["boolean"],
        "warm_start": ["boolean"],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "handle_unknown": [StrOptions(set(HANDLE_UNKNOWN))],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
    }
    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "forest_",
        "alphas_",
        "alpha_losses_",
        "choice_",
        "smoothing_",
        "smoothing_path_",
        "oob_score_",
        "oob_importances_",
        "seed_",
        "n_samples_fit_",
    )
    _unsaved_attributes: ClassVar[tuple[str, ...]] = ("oob_decision_function_", "oob_prediction_")
    _late_attributes: ClassVar[tuple[str, ...]] = ("oob_importances_",)

    # Words about a model are the same for one tree and for many.
    explain, export_text, get_rules = (
        TreeEstimator.explain,
        TreeEstimator.export_text,
        TreeEstimator.get_rules,
    )

    smoothing_: float
    smoothing_path_: SmoothingPath | None

    @property
    def _counts_weights(self) -> bool:
        """Whether a row of a whole weight w is w cases: so it is to C4.5 and its kin."""
        return True

    @fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers, dates, categories, text and booleans; NaN and None are missing.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; rows of weight 0 are left out. A bootstrap draws rows in chances that
            are proportional to their weights. If all weights are whole numbers, a row of
            weight w is w cases to C4.5 and variable-random trees; else weights are scaled to
            an average of 1, and limits such as ``min_samples_leaf`` count rows. To bagged
            CART trees the scale of the weights makes no difference.

        Returns
        -------
        self
        """
        self._check_parameters()
        context = self._init_callback_context(max_subtasks=self._most_trees())
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        with all_or_nothing(self):
            earlier = self._earlier()
            matrix, schema = read_training_rows(self, X)
            report = _reporter(self, context)
            self._learn(matrix, schema, y, sample_weight, earlier=earlier, report=report)
            self._remember(X, y, sample_weight, matrix)
        context.call_on_fit_task_end(estimator=self, X=X, y=y)
        return self

    # -- steps of fitting ------------------------------------------------------

    def _learn(
        self,
        matrix: FloatArray,
        schema: Schema,
        y: Any,
        sample_weight: Any,
        is_fold: bool = False,
        *,
        earlier: Fitted | None = None,
        report: Report | None = None,
    ) -> None:
        data, known, kept = self._read_training_set(matrix, y, sample_weight, schema)
        self._check_same(earlier, schema, known)
        if earlier is None:
            self.seed_ = drawn_seed(self.random_state)
        jobs = Jobs(self.n_jobs, self.verbose)
        with causes_named(schema, data):
            fitted = self._learner().fit(data, self.seed_, jobs, earlier=earlier, report=report)
        self._forget(warm=earlier is not None)
        self._store(schema=schema, **known, **self._found(fitted), **facts_of_columns(data))
        if not is_fold:
            self._note_samples(data, kept, matrix.shape[0])

    def _learner(self) -> ForestLearner:
        """Return what learns the trees, with the parameters of this estimator."""
        raise NotImplementedError

    def _sampling(self) -> Sampling:
        return self._learner().sampling

    def _found(self, fitted: Fitted) -> dict[str, Any]:
        """Return the fitted attributes, without the underscore at the end of their names."""
        found = {"forest": fitted.forest, "flow": fitted.flow, **fitted.facts}
        tell_of_columns_left_out(self, found.pop("left_out"))
        return found

    def _most_trees(self) -> int:
        """Return how many trees a fit may grow: what progress is measured against."""
        return int(self.n_estimators) * (2 if self.smoothing == "holdout" else 1)

    def _check_parameters(self) -> None:
        if self._sampling().leaves_out_rows:
            return
        for name, wanted in (("smoothing", "oob"), ("oob_score", True)):
            if getattr(self, name) == wanted:
                instead = "or smoothing='holdout' or a number" if name == "smoothing" else ""
                raise ValueError(
                    f"{name}={wanted!r} asks the trees about rows they have not seen, and with "
                    f"sampling={self._sampling().kind!r} they see all: use "
                    f"sampling='bootstrap' {instead}".rstrip()
                )

    def _earlier(self) -> Fitted | None:
        """Return the forest that a warm start goes on from."""
        if not (self.warm_start and self.__sklearn_is_fitted__()):
            return None
        n_trees = self.forest_.n_trees
        if n_trees > self.n_estimators:
            raise ValueError(
                f"n_estimators must not be smaller than the number of trees that warm_start "
                f"goes on from, {n_trees}; got {self.n_estimators}"
            )
        known = {"alphas": getattr(self, "alphas_", ()), "choice": getattr(self, "choice_", {})}
        return Fitted(self.forest_, self.flow_, known)

    def _check_same(self, earlier: Fitted | None, schema: Schema, known: dict[str, Any]) -> None:
        if earlier is None:
            return
        if schema != self.schema_:
            raise ValueError(
                "warm_start goes on from trees that were grown on other columns or categories; "
                "give X with the same ones, or set warm_start=False"
            )
        if "classes" in known and not np.array_equal(known["classes"], self.classes_):
            raise ValueError(
                f"warm_start goes on from trees that know the classes {self.classes_.tolist()}; "
                f"y has {known['classes'].tolist()}: set warm_start=False"
            )

    def _forget(self, warm: bool) -> None:
        """Drop what an earlier fit with other parameters may have left."""
        self._let_go()
        for name in OPTIONAL if warm else (*OPTIONAL, "alpha_losses_", "fill_values_"):
            self.__dict__.pop(name, None)

    def _note_samples(self, data: TrainingSet, kept: AnyArray | None, n_rows: int) -> None:
        """Keep what it takes to draw the samples again, and judge by the rows left out."""
        if hasattr(self, "fill_values_"):  # so rows are answered, and so they are judged
            data = replace(data, X=filled(data.X, self.fill_values_))
        self.n_samples_fit_ = data.n_rows
        even = bool(np.all(data.weight == data.weight[0]))
        self._drawn_from = (kept, None if even else data.weight)
        self.__dict__.pop("_witnesses", None)
        if self._sampling().leaves_out_rows:
            self._witnesses = Witnesses.of(data, self.seed_)
        if not self.oob_score:
            return
        bags = rows_in_bag(self._sampling(), self.seed_, self.forest_.n_trees, data.weight)
        use = ~mask_of_bags(bags, data.n_rows)
        answers = predict.predict(self.forest_, data.X, self.flow_, Jobs(self.n_jobs), use)
        asked = np.flatnonzero(use.any(axis=1))
        everywhere = np.full((n_rows, answers.shape[1]), np.nan)
        everywhere[slice(None) if kept is None else kept] = answers
        self._store_out_of_bag(everywhere, answers[asked], data.take(asked))

    def _store_out_of_bag(
        self, everywhere: FloatArray, answers: FloatArray, judged: TrainingSet
    ) -> None:
        raise NotImplementedError

    def _check_restored(self) -> None:
        """Complain about what a model file holds; see :mod:`softwood.persist.format`."""
        check_mean(getattr(self, "forest_", None))
        check_sum(self.forest_, is_classifier=hasattr(self, "classes_"))
        for name, least in (("seed_", 0), ("n_samples_fit_", 1)):
            if hasattr(self, name):  # what was grown on a cluster has no sample of its own
                check_number(self, name, int, least, np.iinfo(np.int32).max)
        if "oob_importances_" in vars(self):
            check_array(self, "oob_importances_", (self.n_features_in_,))
        score = getattr(self, "oob_score_", np.nan)
        if type(score) is not float or score > 1.0:
            raise ValueError("the attribute 'oob_score_' must be a number up to 1")


def _reporter(estimator: ForestEstimator, context: Any) -> Report | None:
    """Return what tells the callbacks of each tree; None if nobody listens."""
    if not hasattr(estimator, "_skl_callbacks"):
        return None

    def report() -> None:
        task = context.subcontext(task_name="tree")
        task.call_on_fit_task_begin(estimator=estimator)
        task.call_on_fit_task_end(estimator=estimator)

    return report


class ForestClassifier(PredictsSets, ClassifierMixin, ForestEstimator):
    """Many trees that predict classes."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ForestEstimator._parameter_constraints,
        "loss": [StrOptions({"brier", "log_loss", "error"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    classes_: AnyArray

    # Whatever the trees, rows are read and classes chosen as by a single one.
    _read_training_set = TreeClassifier._read_training_set
    predict = TreeClassifier.predict
    predict_proba = TreeClassifier.predict_proba
    predict_log_proba = TreeClassifier.predict_log_proba
    predict_confidence = TreeClassifier.predict_confidence

    def _store_out_of_bag(
        self, everywhere: FloatArray, answers: FloatArray, judged: TrainingSet
    ) -> None:
        from softwood.refine.losses import mean_loss

        self.oob_decision_function_ = everywhere
        self.oob_score_ = 1.0 - mean_loss(answers, judged) if judged.n_rows else np.nan


class ForestRegressor(PredictsIntervals, RegressorMixin, ForestEstimator):
    """Many trees that predict a number."""

    _importance_criterion = "squared_error"
    _read_training_set = TreeRegressor._read_training_set
    predict = TreeRegressor.predict

    def _store_out_of_bag(
        self, everywhere: FloatArray, answers: FloatArray, judged: TrainingSet
    ) -> None:
        from sklearn.metrics import r2_score

        self.oob_prediction_ = everywhere[:, 0]
        enough = judged.n_rows > 1  # one number has no spread to be explained
        weight = judged.weight
        self.oob_score_ = (
            float(r2_score(judged.target, answers[:, 0], sample_weight=weight))
            if enough
            else np.nan
        )
