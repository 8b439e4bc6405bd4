"""The first pass: what each partition holds, and what all of them must agree on."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import MAX_CLASSES, AnyArray, FloatArray
from softwood.dask.agreement import agreed_columns, agreed_schema
from softwood.dask.partitions import Part
from softwood.dask.reading import Reader, located, weights_of
from softwood.data.encode import is_frame
from softwood.data.schema import Schema
from softwood.estimators._inputs import read_classes, read_target, read_training_rows
from softwood.estimators._weights import class_weights


@dataclass(frozen=True, eq=False)
class Facts:
    """What is to be known of a partition that holds rows.

    Attributes
    ----------
    schema : Schema
        What this partition alone would say of the columns.
    is_blank : ndarray of bool of shape (n_features,)
        Which columns have no value here.
    names : ndarray or None
        The names by which scikit-learn knows the columns.
    classes : ndarray
        The classes that occur here; empty for regression.
    n_rows, weight : ndarray of shape (n_classes,)
        Rows and weight of each of them; one number for regression.
    """

    schema: Schema
    is_blank: AnyArray
    names: AnyArray | None
    classes: AnyArray
    n_rows: AnyArray
    weight: AnyArray


Look = tuple[tuple[Any, ...], Facts | None]  # columns, and what is to be known of their rows


@dataclass(frozen=True, eq=False)
class Survey:
    """What all partitions have agreed on.

    Attributes
    ----------
    reader : Reader
        Reads each of them as all others.
    used : ndarray
        Numbers of the partitions that hold rows of positive weight.
    weight : ndarray of shape (n_used,)
        Weights of these.
    """

    reader: Reader
    used: AnyArray
    weight: FloatArray


def survey(estimator: Any, parts: Sequence[Part]) -> Survey:
    """Look at all partitions, where they lie.

    Parameters
    ----------
    estimator : estimator
        An estimator of softwood that is not fitted. It notes the columns.
    parts : sequence of Part
        The partitions.

    Returns
    -------
    Survey
    """
    from dask import compute, delayed

    look = delayed(look_at)
    tasks = [look(estimator, number, *part) for number, part in enumerate(parts)]
    return _agreed(estimator, compute(*tasks))


def look_at(estimator: Any, number: int, X: Any, y: Any, sample_weight: Any) -> Look:
    """Return the columns of a partition, and its facts; None if it has no rows."""
    with located(number):
        _check_lengths(len(X), y=y, sample_weight=sample_weight)
        columns = tuple(X.columns) if is_frame(X) else tuple(range(X.shape[1]))
        if len(X) == 0:
            return columns, None
        reading = copy(estimator)  # it will note the columns, and others may read too
        matrix, schema = read_training_rows(reading, X)
        weight = weights_of(matrix, sample_weight)
        if _is_classifier(estimator):
            classes, label = read_classes(reading, y)
        else:
            target = read_target(reading, y)
            classes, label = np.empty(0), np.zeros(target.size, dtype=np.intp)
        return columns, Facts(
            schema=schema,
            is_blank=np.asarray(np.isnan(matrix).all(axis=0)),
            names=getattr(reading, "feature_names_in_", None),
            classes=classes,
            n_rows=np.bincount(label),
            weight=np.bincount(label, weight),
        )


def _check_lengths(n_rows: int, **columns: Any) -> None:
    for name, column in columns.items():
        if column is not None and len(column) != n_rows:
            raise ValueError(f"{name} must have as many rows as X, {n_rows}; got {len(column)}")


def _is_classifier(estimator: Any) -> bool:
    from sklearn.base import is_classifier

    return bool(is_classifier(estimator))


def _agreed(estimator: Any, looks: Sequence[Look]) -> Survey:
    columns = agreed_columns([columns for columns, _ in looks])
    facts = {number: fact for number, (_, fact) in enumerate(looks) if fact is not None}
    if not facts:
        raise ValueError(f"X has no rows in any of its {len(looks)} partition(s)")
    full = list(facts.values())
    estimator.n_features_in_ = len(columns)
    if full[0].names is not None:
        estimator.feature_names_in_ = full[0].names
    estimator.schema_ = agreed_schema(
        list(facts), [fact.schema for fact in full], [fact.is_blank for fact in full]
    )
    classes = _all_classes(full) if _is_classifier(estimator) else None
    factor = np.ones(1) if classes is None else _factors(estimator.class_weight, classes, full)
    weight = np.array([_weight(fact, classes, factor) for fact in full])
    if not weight.any():
        raise ValueError("sample_weight is 0 for every row; at least one must be positive")
    kept = weight > 0
    return Survey(Reader(estimator, classes, factor), np.array(list(facts))[kept], weight[kept])


def _all_classes(facts: Sequence[Facts]) -> AnyArray:
    found = [np.asarray(fact.classes) for fact in facts]
    if len({classes.dtype.kind in "OUS" for classes in found}) > 1:
        raise TypeError(
            "y holds numbers in some partitions and text in others; give it one type (y.astype)"
        )
    classes = np.unique(np.concatenate(found))
    if classes.size > MAX_CLASSES:
        raise ValueError(
            f"y has {classes.size} classes, and {MAX_CLASSES} is the limit; "
            "is it a number to predict? then use a regressor"
        )
    return classes


def _factors(class_weight: Any, classes: AnyArray, facts: Sequence[Facts]) -> FloatArray:
    if class_weight != "balanced":
        return class_weights(class_weight, classes, np.arange(classes.size))
    count = np.zeros(classes.size)
    for fact in facts:
        count[np.searchsorted(classes, fact.classes)] += fact.n_rows
    return np.asarray(count.sum() / (classes.size * count))


def _weight(fact: Facts, classes: AnyArray | None, factor: FloatArray) -> float:
    """Return what a partition weighs once the classes have their factors."""
    own = factor if classes is None else factor[np.searchsorted(classes, fact.classes)]
    return float(np.sum(fact.weight * own))
