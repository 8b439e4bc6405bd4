"""Sets of classes and intervals of numbers that hold the truth as often as was asked for."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from numbers import Real
from typing import Any, Self
from zlib import crc32

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.conformal import METHODS, Calibration, class_scores
from softwood.ensemble.jobs import Jobs
from softwood.estimators._evidence import Evidence, blur_for, hear_folds, seed_of, unfitted
from softwood.estimators._inputs import read_target, read_weights
from softwood.estimators._sklearn_compat import check_is_fitted, column_or_1d
from softwood.flow import Flow

LET_GO = ("calibration_", "_fitted_rows")


class FittedRows:
    """The rows that a model was fitted to, until it is calibrated.

    The table is the user's own, and not copied; nor does it go into pickles or model files.
    """

    __slots__ = ("X", "digest", "parameters", "weight", "y")

    def __init__(
        self, X: Any, y: Any, sample_weight: Any, rows: FloatArray, parameters: dict[str, Any]
    ) -> None:
        self.X, self.y = X, np.array(column_or_1d(y))
        self.weight = None if sample_weight is None else np.array(sample_weight)
        self.digest, self.parameters = _digest(rows), parameters

    def unchanged(self, read: Callable[[Any], FloatArray]) -> FloatArray:
        """Return the rows, read; complain if the table has been changed."""
        try:
            rows = read(self.X)
        except ValueError:
            rows = np.empty((0, 0))
        if _digest(rows) == self.digest:
            return rows
        raise ValueError(
            "the rows that this model was fitted to have been changed since then; call "
            "calibrate(X, y, method='cv') with the rows as they were, or calibrate(X, y) with rows "
            "that are new to the model"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()

    def __copy__(self) -> FittedRows:
        return self

    def __deepcopy__(self, memo: Any) -> FittedRows:
        return self


def _digest(rows: FloatArray) -> tuple[tuple[int, ...], int]:
    return rows.shape, crc32(np.ascontiguousarray(rows).data)


class Calibrated:
    """A model that can be calibrated: to rows it has not seen, out of bag, or by folds."""

    calibration_: Calibration
    _fitted_rows: FittedRows | None

    def _remember(self, X: Any, y: Any, sample_weight: Any, rows: FloatArray) -> None:
        """Keep what was fitted to, for calibration; what an earlier one found is no longer true."""
        self._let_go()
        parameters = self.get_params(deep=False)  # type: ignore[attr-defined]
        self._fitted_rows = FittedRows(X, y, sample_weight, rows, parameters)

    def _let_go(self) -> None:
        for name in LET_GO:
            self.__dict__.pop(name, None)

    # -- what families of estimators say --------------------------------------------

    def _rows(self, X: Any) -> FloatArray:
        raise NotImplementedError

    def _read(self, X: Any) -> FloatArray:
        """Return rows as they are read, before anything is filled in."""
        return self._rows(X)

    def _completed(self, rows: FloatArray) -> FloatArray:
        """Return rows that were read as the trees take them."""
        return rows

    def _answers(
        self, rows: FloatArray, flow: Flow | None = None, use: BoolArray | None = None
    ) -> FloatArray:
        """Return what is answered to rows that were read; under another flow, or by some trees."""
        raise NotImplementedError

    def _scatter(self, rows: FloatArray, use: BoolArray | None = None) -> FloatArray | None:
        """Return how far apart the answers of the trees are; None if it does not matter."""
        return None

    def _table_of_folds(self, X: Any, read: FloatArray, y: AnyArray, weight: Any) -> Any:
        """Return what fits models to parts of the rows; see :func:`hear_folds`."""
        raise NotImplementedError

    def _asks_out_of_bag(self) -> bool:
        """Whether enough trees have not seen a row to speak for all."""
        return False

    def _hear_out_of_bag(self, evidence: Evidence, X: Any, y: AnyArray, weight: Any) -> None:
        raise ValueError(
            "method='oob' is for ensembles of trees that have not seen all rows; use 'cv', or "
            "'holdout' with rows that are new to the model"
        )

    # -- calibration ----------------------------------------------------------------

    def calibrate(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, *, method: str = "auto"
    ) -> Self:
        """Find out how sure the model may be, for sets and intervals.

        ``predict_set`` and ``predict_interval`` do so by themselves after ``fit``. Call it with
        rows that are new to the model, if you have any to spare; and before a model is saved or
        pickled, for then the training rows are gone.

        Parameters
        ----------
        X, y : array-like, optional
            Rows that the model has not seen, and their target; for the methods "oob" and "cv"
            the rows that it was fitted to. Without any, these are at hand after ``fit``, until
            the model is calibrated.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows: a row counts in proportion to its weight.
        method : {"auto", "holdout", "oob", "cv"}, default="auto"
            "holdout" asks the model about X. "oob" asks the trees of an ensemble about rows that
            they have not seen. "cv" fits the model anew to ten folds, as long as ten
            fits take, and asks about the rows left out. "auto" is "holdout" where X is given; else
            "oob" if 18 trees or more have not seen a row, on average, as of 50 that grow from
            bootstraps, and "cv" if not.

        Returns
        -------
        self
            With the attribute ``calibration_``.

        Notes
        -----
        Of more than 50 000 rows of training no more are asked, so that a few of the ten folds will
        do, or one.
        """
        check_is_fitted(self)
        if method not in ("auto", *METHODS):
            raise ValueError(f"method must be auto, {', '.join(METHODS)}; got {method!r}")
        if X is None:
            return self._calibrate_by_fitted_rows(method)
        if y is None:
            raise ValueError("y is needed with X: the target of the rows to calibrate on")
        self._calibrate_on(X, y, sample_weight, "holdout" if method == "auto" else method)
        return self

    def __getstate__(self) -> dict[str, Any]:
        # The user's table stays out of whatever is written, and pickle is not the only writer.
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        if "_fitted_rows" in state:
            state["_fitted_rows"] = None
        return state

    def __copy__(self) -> Self:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update(deepcopy(self.__dict__, memo))
        return copied

    def _calibrate_by_fitted_rows(self, method: str) -> Self:
        kept = getattr(self, "_fitted_rows", None)
        if kept is None:
            if method == "auto" and hasattr(self, "calibration_"):
                return self
            raise ValueError(
                "this model is not calibrated, and the rows that it was fitted to are not at hand: "
                "they do not go into model files and pickles, nor into models made from another. "
                "Call calibrate(X, y) with rows that are new to it; and calibrate() before saving"
            )
        if method == "holdout":
            raise ValueError("method='holdout' takes rows that are new to the model: give X and y")
        if method == "auto":
            method = "oob" if self._asks_out_of_bag() else "cv"
        self._calibrate_on(kept.X, kept.y, kept.weight, method, kept)
        return self

    def _calibrate_on(
        self, X: Any, y: Any, sample_weight: Any, method: str, kept: FittedRows | None = None
    ) -> None:
        read = self._read(X) if kept is None else kept.unchanged(self._read)
        y, weight, evidence = self._evidence_of(read, y, sample_weight)
        given = None if sample_weight is None else weight
        if method == "holdout":
            evidence.hear(self, self._completed(read), np.arange(y.size))
        elif method == "oob":
            self._hear_out_of_bag(evidence, X, y, given)
        else:
            table = self._table_of_folds(X, read, y, given)
            hear_folds(evidence, table, seed_of(self), Jobs(getattr(self, "n_jobs", 1)))
        self._conclude(evidence, method)

    def _evidence_of(
        self, read: FloatArray, y: Any, sample_weight: Any
    ) -> tuple[AnyArray, FloatArray, Evidence]:
        """Return the target and the weights of rows, and what hears models about them."""
        rows, y = self._completed(read), column_or_1d(y)
        if not hasattr(self, "classes_"):
            y = read_target(self, y)
        weight = read_weights(rows, y, sample_weight)
        return y, weight, Evidence(self, y, weight, blur_for(self, rows, weight))

    def _listening(self) -> Evidence | None:
        """Return what hears models that others fit to folds of the rows; None without rows."""
        kept = getattr(self, "_fitted_rows", None)
        if kept is None:
            return None
        return self._evidence_of(kept.unchanged(self._read), kept.y, kept.weight)[-1]

    def _conclude(self, evidence: Evidence, method: str) -> None:
        """Keep what follows from rows that were asked; those of training are no longer needed."""
        self.calibration_ = evidence.calibration(method)
        self.__dict__.pop("_fitted_rows", None)

    def _for_fold(self) -> Any:
        """Return an estimator with the parameters of the fit, to be fitted to a fold."""
        kept = getattr(self, "_fitted_rows", None)
        parameters = self.get_params(deep=False) if kept is None else kept.parameters  # type: ignore[attr-defined]
        return unfitted(type(self), parameters, seed_of(self))

    def _calibration(self) -> Calibration:
        """Return what calibration has found; find it out now if nobody has asked before."""
        check_is_fitted(self)
        if not hasattr(self, "calibration_"):
            self.calibrate()
        return self.calibration_


class PredictsSets(Calibrated):
    """A classifier that can answer with several classes, or none."""

    classes_: AnyArray

    def predict_set(
        self, X: Any, alpha: float = 0.1, *, by_class: bool = False, as_labels: bool = False
    ) -> Any:
        """Return the classes that cannot be ruled out: the true one is among them, mostly.

        A class is in the set of a row unless its probability is among the lowest that true
        classes get, on rows that the model has not seen: the lowest share ``alpha`` of them.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.
        alpha : float, default=0.1
            The share of rows whose class may be missing from the set, between 0 and 1.
        by_class : bool, default=False
            Whether that holds for the rows of each class, and not only for all together. Sets
            get larger, most of all where a class has few rows.
        as_labels : bool, default=False
            Whether to return labels, the most probable first, and not a mask.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; or a list of arrays of labels. A set is empty
            if all classes are less probable than true ones mostly are, which happens where the
            model errs less often than ``alpha``.

        See Also
        --------
        calibrate : Use other rows than those of training.
        predict_or_reject : Answer only where the set has one class.

        Notes
        -----
        The share is right for rows that come from where those of calibration came from. It is
        exact on average if these were new to the model, ``calibrate(X, y)``. Out of bag and by
        folds it is what is seen in practice, for the model that answers has seen all rows: see
        the guide, "How sure?".

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from softwood import SoftTreeClassifier
        >>> X, y = load_wine(return_X_y=True)
        >>> model = SoftTreeClassifier(random_state=0).fit(X[::2], y[::2])
        >>> sets = model.predict_set(X[1::2], alpha=0.05)
        >>> sets.shape, sets[:3].tolist()
        ((89, 3), [[True, False, False], [True, False, False], [True, False, False]])
        """
        check_alpha(alpha)
        calibration = self._calibration()
        rows = self._rows(X)
        share = self._answers(rows)
        blur = calibration.blur
        scores = class_scores(share, None if blur is None else self._answers(rows, blur))
        sets = calibration.sets(scores, alpha, by_class)
        if not as_labels:
            return sets
        order = np.argsort(scores, axis=1, kind="stable")
        return [self.classes_[best[held[best]]] for best, held in zip(order, sets, strict=True)]

    def predict_or_reject(
        self, X: Any, alpha: float = 0.1, *, by_class: bool = False, rejected: Any = None
    ) -> AnyArray:
        """Return the class of each row that can have but one, and ``rejected`` for the others.

        A row is answered if its set, see :meth:`predict_set`, has one class. So no more than a
        share ``alpha`` of all rows is answered wrongly.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.
        alpha : float, default=0.1
            The share of rows that may be answered wrongly, between 0 and 1.
        by_class : bool, default=False
            Whether that holds for the rows of each class.
        rejected : object, default=None
            What to return for a row that is not answered.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of the dtype of ``classes_`` if that can hold ``rejected``, else of objects.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from softwood import CoalescenceClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = CoalescenceClassifier(random_state=0).fit(X, y)
        >>> model.predict_or_reject([[5.0, 3.4, 1.5, 0.2], [6.2, 2.8, 4.9, 1.6]], rejected=-1)
        array([ 0, -1])
        """
        sets = self.predict_set(X, alpha, by_class=by_class)
        labels = self.classes_[sets.argmax(axis=1)].astype(_common_dtype(self.classes_, rejected))
        labels[sets.sum(axis=1) != 1] = rejected
        return np.asarray(labels)


class PredictsIntervals(Calibrated):
    """A regressor that can answer with an interval."""

    def predict_interval(self, X: Any, alpha: float = 0.1) -> FloatArray:
        """Return between which two numbers the target is, mostly.

        The interval reaches as far to both sides of the prediction as residuals reach on rows
        that the model has not seen, but for the largest share ``alpha`` of them. Of an ensemble
        it is wider where the trees disagree.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.
        alpha : float, default=0.1
            The share of rows whose target may be outside, between 0 and 1.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Lower and upper ends; infinite if there were too few rows to tell.

        See Also
        --------
        calibrate : Use other rows than those of training.

        Notes
        -----
        As in :meth:`CARTClassifier.predict_set`.

        Examples
        --------
        >>> from softwood import CoalescenceRegressor
        >>> from softwood.datasets import make_friedman1
        >>> X, y = make_friedman1(500, random_state=0)
        >>> X_new, y_new = make_friedman1(2000, random_state=1)
        >>> model = CoalescenceRegressor(random_state=0).fit(X, y)
        >>> low, high = model.predict_interval(X_new, alpha=0.1).T
        >>> float(((low <= y_new) & (y_new <= high)).mean().round(2))
        0.89
        """
        check_alpha(alpha)
        calibration = self._calibration()
        rows = self._rows(X)
        spread = self._scatter(rows) if calibration.spread > 0.0 else None
        return calibration.intervals(self._answers(rows)[:, 0], alpha, spread)


def check_alpha(alpha: Any) -> None:
    """Complain of a share that is none."""
    if not isinstance(alpha, Real) or isinstance(alpha, bool) or not 0.0 < float(alpha) < 1.0:
        raise ValueError(
            f"alpha must be a number between 0 and 1, the share that may be missed, such as 0.1; "
            f"got {alpha!r}"
        )


def _common_dtype(classes: AnyArray, value: Any) -> Any:
    """Return a dtype that holds labels and one other value, each as it is."""
    kind = np.asarray(value).dtype
    if {classes.dtype.kind, kind.kind} <= set("iuf") or classes.dtype.kind == kind.kind == "U":
        return np.result_type(classes.dtype, kind)
    return object
