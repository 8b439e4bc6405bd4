"""Models fitted elsewhere, or here, as a forest that gives the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.schema import Schema
from softwood.flow import Flow, Hard
from softwood.forest import Forest
from softwood.forest.ties import most_probable
from softwood.interop._rows import RowReader
from softwood.interop.sklearn import BAGGING, FORESTS, TREES

RULES = ("largest", "tied", "positive", "not_negative")

# (package, classes, where they are imported): found by name, so that nothing else loads.
IMPORTERS = (
    ("sklearn", TREES + FORESTS + BAGGING, "softwood.interop.sklearn_forest"),
    (
        "sklearn",
        ("GradientBoostingClassifier", "GradientBoostingRegressor"),
        "softwood.interop.sklearn_boosting",
    ),
    (
        "sklearn",
        ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"),
        "softwood.interop.sklearn_hist",
    ),
    ("lightgbm", ("LGBMModel", "Booster"), "softwood.interop.lightgbm"),
    ("xgboost", ("XGBModel", "Booster"), "softwood.interop.xgboost"),
)


@dataclass(frozen=True, eq=False)
class Imported:
    """A fitted model as a forest, and what it takes to ask it what the original was asked.

    Attributes
    ----------
    forest : Forest
        The trees and their sum.
    reader : RowReader
        Turns users' rows into what the trees read.
    classes : ndarray or None
        The classes, in the order of the columns of probabilities; None for regression.
    kind : str
        Name of the original's class.
    is_single_tree : bool
        Whether the original is one tree and not an ensemble.
    flow : Flow or sequence of Flow
        How rows flow in the original; hard for all but our own soft models.
    rule : {"largest", "tied", "positive", "not_negative"}
        How the original picks a class: the most probable, the first among equals, or
        among those that only rounding tells apart, as our own models do; or by
        the raw score: the largest, and with a single score the second class if the score
        is above 0, or not below it.
    bootstrap_indices : list of ndarray or None
        The training rows of each tree, if the original can tell and left some out.
    """

    forest: Forest
    reader: RowReader
    classes: AnyArray | None
    kind: str
    is_single_tree: bool = False
    flow: Flow | Sequence[Flow] = field(default_factory=Hard)
    rule: str = "largest"
    bootstrap_indices: list[IndexArray] | None = None

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"rule must be one of {', '.join(RULES)}; got {self.rule!r}")
        if self.forest.n_features != len(self.schema.features):
            raise ValueError(
                f"the forest must read the columns of the reader, {len(self.schema.features)}; "
                f"it reads {self.forest.n_features}"
            )
        n_answers = 2 if self.forest.link == "logistic" else self.forest.n_outputs
        if self.classes is not None and np.shape(self.classes) != (n_answers,):
            raise ValueError(
                f"classes must have one entry for each of the {n_answers} probabilities of the "
                f"forest; got shape {np.shape(self.classes)}"
            )
        if self.is_single_tree and self.forest.n_trees != 1:
            raise ValueError(f"a single tree must be one; the forest has {self.forest.n_trees}")

    @property
    def schema(self) -> Schema:
        """The columns of the original's training table, as far as it knows them."""
        return self.reader.schema

    @property
    def feature_names(self) -> list[str]:
        """Names of the columns; x0, x1 and so on if the original has none."""
        return self.schema.names

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.forest.n_features

    @property
    def n_categories(self) -> IndexArray:
        """Number of categories of each nominal column, 0 for numeric ones."""
        return self.schema.n_categories

    def encode(self, X: Any) -> FloatArray:
        """Return rows as the trees read them: numbers, codes, NaN for missing.

        Parameters
        ----------
        X : array-like or frame of shape (n_rows, n_features)
            What the original would be given.

        Returns
        -------
        ndarray of float64 of shape (n_rows, n_features)
        """
        return self.reader.encode(X)

    def predict(self, X: Any) -> AnyArray:
        """Return the classes, or the numbers, that the original predicts.

        Parameters
        ----------
        X : array-like or frame of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        raw = self.forest.raw(self.encode(X), self.flow)
        if self.classes is None:
            return self.forest.answer(raw)[:, 0]
        return self.label_of(raw)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like or frame of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
        """
        self._class_list()
        return self.forest.predict(self.encode(X), self.flow)

    def label_of(self, raw: FloatArray) -> AnyArray:
        """Return the class of each row of raw scores, chosen as the original chooses.

        Parameters
        ----------
        raw : ndarray of shape (n_rows, n_outputs)
            Raw scores, under any flow.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        classes = self._class_list()
        if self.rule == "largest":
            return np.asarray(classes[self.forest.answer(raw).argmax(axis=1)])
        if self.rule == "tied":
            return np.asarray(classes[most_probable(self.forest.answer(raw))])
        if raw.shape[1] > 1:
            return np.asarray(classes[raw.argmax(axis=1)])
        second = raw[:, 0] > 0.0 if self.rule == "positive" else raw[:, 0] >= 0.0
        return np.asarray(classes[second.astype(int)])

    def _class_list(self) -> AnyArray:
        if self.classes is None:
            raise ValueError(f"this {self.kind} predicts numbers, so it has no classes")
        return self.classes


def import_model(model: Any) -> Imported:
    """Return a fitted model as a forest that gives the same answers.

    Parameters
    ----------
    model : estimator or booster
        A fitted softwood model; a decision tree, forest, bagging of trees, gradient
        boosting or histogram gradient boosting of scikit-learn; or a model of LightGBM or
        XGBoost. It is not changed.

    Returns
    -------
    Imported

    Raises
    ------
    TypeError
        If the model is of a kind that cannot be imported.
    sklearn.exceptions.NotFittedError
        If it is not fitted.
    NotImplementedError or ValueError
        If it uses something that a forest cannot repeat exactly; the message names it.

    Notes
    -----
    Rows go to the same leaves as in the original, missing values and values beside a
    threshold included. Sums are taken in the original's order and in float64: they are
    equal to the last bits, except that XGBoost sums in float32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import GradientBoostingClassifier
    >>> from softwood.interop import import_model
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = GradientBoostingClassifier(n_estimators=10, max_depth=2).fit(X, y)
    >>> ours = import_model(theirs)
    >>> ours.forest
    Forest(n_trees=30, n_features=4, n_outputs=3, link='softmax')
    >>> bool((ours.predict(X) == theirs.predict(X)).all())
    True
    """
    home = _home_of(model)
    if home is None:
        raise TypeError(f"cannot import a {type(model).__name__}; {_what_can_be()}")
    if hasattr(model, "fit"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model)
    imported: Imported = import_module(home).import_fitted(model)
    return imported


def _home_of(model: Any) -> str | None:
    """Return the module that imports models of this class, or of one it derives from."""
    if any(hasattr(model, name) for name in ("tree_", "trees_")) and hasattr(model, "schema_"):
        return "softwood.interop.own"
    for kind in type(model).__mro__:
        package = kind.__module__.partition(".")[0]
        for owner, names, home in IMPORTERS:
            if package == owner and kind.__name__ in names:
                return home
    is_ours = any(kind.__module__.startswith("softwood.estimators") for kind in type(model).__mro__)
    return "softwood.interop.own" if is_ours else None


def _what_can_be() -> str:
    names = [name for owner, names, _ in IMPORTERS if owner == "sklearn" for name in names]
    return (
        "what can be imported are fitted models of softwood, LightGBM and XGBoost, and of "
        f"scikit-learn: {', '.join(names)}"
    )
