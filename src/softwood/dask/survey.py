"""The first pass: what each partition holds, and what all of them must agree on."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import MAX_CLASSES, AnyArray, FloatArray
from softwood.dask.agreement import agreed_columns, agreed_schema, with_guessed_dates
from softwood.dask.partitions import Part
from softwood.dask.reading import Reader, located, weights_of
from softwood.data.encode import chosen_columns, is_frame
from softwood.data.identifiers import tell_of_identifier
from softwood.data.schema import Schema
from softwood.data.table import Table
from softwood.data.weights import WeightScale, are_whole, below_one, power_above
from softwood.estimators._inputs import (
    read_classes,
    read_part_of_training_rows,
    read_target,
)
from softwood.estimators._weights import class_weights, multiplied


@dataclass(frozen=True, eq=False)
class Facts:
    """What is to be known of a partition that holds rows.

    Attributes
    ----------
    schema : Schema
        What this partition alone would say of the columns.
    n_known : ndarray of shape (n_features,)
        How many rows have a value in each column.
    is_text : ndarray of bool of shape (n_features,)
        Which columns hold text that may turn out to be dates.
    names : ndarray or None
        The names by which scikit-learn knows the columns.
    classes : ndarray
        The classes that occur here; empty for regression.
    n_rows, n_used, most, least, weight : ndarray of shape (n_classes,)
        Rows of each of them, those of positive weight, the largest and the least weight of
        these, and their sum, :func:`below_one` over the largest of all classes; one number
        for regression.
    whole : bool
        Whether all weights are whole, times those of the classes unless these are balanced.
    """

    schema: Schema
    n_known: AnyArray
    is_text: AnyArray
    names: AnyArray | None
    classes: AnyArray
    n_rows: AnyArray
    n_used: AnyArray
    most: AnyArray
    least: AnyArray
    weight: AnyArray
    whole: bool


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
    n_rows : ndarray of shape (n_used,)
        How many rows of positive weight each has.
    """

    reader: Reader
    used: AnyArray
    weight: FloatArray
    n_rows: AnyArray


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
        columns = _columns_of(X)
        if len(X) == 0:
            return columns, None
        reading = copy(estimator)  # it will note the columns, and others may read too
        matrix, schema, is_text = read_part_of_training_rows(reading, X)
        if schema.preparation is not None:  # it is known what the columns are
            is_text = np.zeros(len(schema.features), dtype=bool)
        weight = weights_of(matrix, sample_weight)
        if _is_classifier(estimator):
            classes, label = read_classes(reading, y)
        else:
            target = read_target(reading, y)
            classes, label = np.empty(0), np.zeros(target.size, dtype=np.intp)
        n_rows, used = np.bincount(label), weight > 0
        most, least = np.zeros(n_rows.size), np.full(n_rows.size, np.inf)
        np.maximum.at(most, label, weight)
        np.minimum.at(least, label[used], weight[used])
        return columns, Facts(
            schema=schema,
            n_known=np.count_nonzero(~np.isnan(matrix), axis=0),
            is_text=is_text,
            names=getattr(reading, "feature_names_in_", None),
            classes=classes,
            n_rows=n_rows,
            n_used=np.bincount(label, used),
            most=most,
            least=least,
            weight=np.bincount(label, below_one(weight, float(most.max()))),
            whole=_are_whole(estimator, weight, classes, label),
        )


def _columns_of(X: Any) -> tuple[Any, ...]:
    if isinstance(X, Table):
        return tuple(X.names)
    return tuple(X.columns) if is_frame(X) else tuple(range(X.shape[1]))


def _are_whole(estimator: Any, weight: FloatArray, classes: AnyArray, label: AnyArray) -> bool:
    given = getattr(estimator, "class_weight", None)
    if isinstance(given, dict):
        here = set(classes.tolist())
        known = {name: factor for name, factor in given.items() if name in here}
        weight = multiplied(weight, class_weights(known or None, classes, label))
    return are_whole(weight)


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
    estimator.schema_ = _schema(estimator, facts)
    classes = _all_classes(full) if _is_classifier(estimator) else None
    factor = np.ones(1) if classes is None else _factors(estimator.class_weight, classes, full)
    most, least, weight = _weights(full, classes, factor)
    if not weight.any():
        raise ValueError("sample_weight is 0 for every row; at least one must be positive")
    kept, total = weight > 0, float(weight.sum())
    counted = estimator._counts_weights and all(fact.whole for fact in full)
    if getattr(estimator, "class_weight", None) == "balanced":
        counted = counted and are_whole(factor)
    n_rows = np.array([int(fact.n_used.sum()) for fact in full])
    scale = WeightScale.from_facts(most, least, total, int(n_rows.sum()))
    reader = Reader(estimator, classes, factor, None if counted else scale)
    return Survey(reader, np.array(list(facts))[kept], weight[kept], n_rows[kept])


def _schema(estimator: Any, facts: dict[int, Facts]) -> Schema:
    """Return the columns of the whole table; say what is guessed of them."""
    full = list(facts.values())
    schema = agreed_schema(
        list(facts), [fact.schema for fact in full], [fact.n_known == 0 for fact in full]
    )
    # A partition that has no value in a column has no say in it.
    is_text = np.all([fact.is_text | (fact.n_known == 0) for fact in full], axis=0)
    chosen = chosen_columns(estimator.categorical_features, schema.names)
    schema = with_guessed_dates(schema, is_text, chosen)
    n_known = np.sum([fact.n_known for fact in full], axis=0)
    for feature, text, n_rows in zip(schema.features, is_text, n_known, strict=True):
        if feature.categories is not None and text:
            tell_of_identifier(feature.name, len(feature.categories), int(n_rows))
    return schema


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


def _weights(
    facts: Sequence[Facts], classes: AnyArray | None, factor: FloatArray
) -> tuple[float, float, FloatArray]:
    """Return the largest and the least weight, and what each partition weighs.

    That is :func:`below_one` over the largest; classes have their factors.
    """
    own = [
        factor if classes is None else factor[np.searchsorted(classes, fact.classes)]
        for fact in facts
    ]
    pairs = list(zip(own, facts, strict=True))
    with np.errstate(over="ignore", under="ignore"):
        most = max(float(np.max(part * fact.most)) for part, fact in pairs)
        least = min(float(np.min(part * fact.least)) for part, fact in pairs)
    if most == np.inf:
        raise ValueError(
            "sample_weight times class_weight must be finite; got a largest sample_weight of "
            f"{max(float(fact.most.max()) for fact in facts)} and class weights {factor.tolist()}"
        )
    power = power_above(most)
    weight = [
        float(np.ldexp(np.sum(fact.weight * part), power_above(float(fact.most.max())) - power))
        for part, fact in pairs
    ]
    return most, least, np.array(weight)
