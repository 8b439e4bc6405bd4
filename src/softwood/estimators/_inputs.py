"""Users' X, y and weights, checked the way scikit-learn checks them, become arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from softwood._types import MAX_CASES, MAX_CLASSES, AnyArray, BoolArray, FloatArray
from softwood.data.columns.apply import prepared_rows
from softwood.data.dates import are_dates, may_be_dates
from softwood.data.encode import (
    chosen_columns,
    is_frame,
    names_of,
    table_of,
    with_chosen,
    with_nominal,
)
from softwood.data.frames import matrix_of_frame
from softwood.data.identifiers import tell_of_identifiers, tell_of_untested
from softwood.data.schema import Feature, Schema, with_missing_as_category
from softwood.data.table import Table
from softwood.data.training import TrainingSet
from softwood.errors import MalformedTreeError
from softwood.estimators._sklearn_compat import (
    check_array,
    check_classification_targets,
    check_consistent_length,
    check_sample_weight,
    column_or_1d,
    validate_data,
)

LARGEST_TARGET = 1e100  # squares, and sums of them over all rows, remain numbers
SUSPECT = 1e100  # numbers above this can leave the range of floats: squares, sums, differences


def read_training_rows(estimator: Any, X: Any) -> tuple[FloatArray, Schema]:
    """Return the matrix and the schema of a training table; note names on ``estimator``.

    Text that holds nothing but dates becomes numbers; that, and columns that look like
    identifiers, are told.
    """
    table = _training_table(estimator, X)
    if not isinstance(table, Table):
        return _limited(table, _numeric_schema(estimator, X, table.shape[1]))
    table = with_nominal(table, estimator.categorical_features)
    tell_of_identifiers(table, chosen_columns(estimator.categorical_features, table.names))
    return _limited(*_encoded(estimator, table))


def read_part_of_training_rows(estimator: Any, X: Any) -> tuple[FloatArray, Schema, BoolArray]:
    """Return matrix and schema of a part of a table, in which nothing is guessed or told.

    The third is a mask of the columns of text: other parts may show that they hold dates.
    """
    table = _training_table(estimator, X)
    if not isinstance(table, Table):
        schema = _numeric_schema(estimator, X, table.shape[1])
        return *_limited(table, schema), np.zeros(table.shape[1], dtype=bool)
    chosen = chosen_columns(estimator.categorical_features, table.names)
    kept = np.zeros(table.shape[1], dtype=bool) if chosen is None else chosen
    is_text = np.array([may_be_dates(column) for column in table.columns]) & ~kept
    if chosen is not None:
        columns = zip(table.columns, is_text, strict=True)
        chosen = chosen | [text and are_dates(c.categories, least=1) for c, text in columns]
    return *_limited(*_encoded(estimator, with_chosen(table, chosen))), is_text


def _training_table(estimator: Any, X: Any) -> Any:
    """Return a Table, or an array of numbers of which none are to be categories."""
    choice = estimator.categorical_features
    any_chosen = choice is not None and not (isinstance(choice, str) and choice == "from_dtype")
    table = _checked_table(estimator, X, reset=True, at_once=not any_chosen)
    return table_of(table) if any_chosen else table


def _limited(matrix: FloatArray, schema: Schema) -> tuple[FloatArray, Schema]:
    _refuse_infinite(matrix, schema)
    if matrix.shape[0] > MAX_CASES:
        raise ValueError(f"X has {matrix.shape[0]} rows, and {MAX_CASES} is the limit of one tree")
    return matrix, schema


def read_rows(estimator: Any, X: Any) -> FloatArray:
    """Return the matrix of rows to predict, encoded as the training table was."""
    schema: Schema = estimator.schema_
    if schema.preparation is not None:
        X = prepared_rows(schema, X)
    plain = (
        type(X) is np.ndarray
        and X.dtype == np.float64
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] == len(schema.features)
        and not hasattr(estimator, "feature_names_in_")
    )
    # Checking one row the long way takes longer than sending it down the tree.
    all_numeric = schema.all_numeric
    at_once = all_numeric and not any(feature.is_date for feature in schema.features)
    table = X if plain else _checked_table(estimator, X, reset=False, at_once=at_once)
    if isinstance(table, Table):
        matrix = schema.encode(table, estimator.handle_unknown)
    elif all_numeric:
        matrix = table
    else:
        matrix = schema.encode(schema.table_of_matrix(table), estimator.handle_unknown)
    _refuse_infinite(matrix, schema)
    return matrix


def _encoded(estimator: Any, table: Table) -> tuple[FloatArray, Schema]:
    if getattr(estimator, "handle_missing", "spread") == "category":
        table = with_missing_as_category(table)
    schema = Schema.of(table)
    return schema.encode(table), schema


def _numeric_schema(estimator: Any, X: Any, n_features: int) -> Schema:
    names = names_of(X) if is_frame(X) else _names(estimator, n_features)
    return Schema(tuple(map(Feature, names)))


def _names(estimator: Any, n_features: int) -> list[str]:
    names = getattr(estimator, "feature_names_in_", [f"x{j}" for j in range(n_features)])
    return [str(name) for name in names]


def tell_of_columns_left_out(estimator: Any, features: AnyArray) -> None:
    """Warn of features that variable-random trees do not test."""
    names = _names(estimator, estimator.n_features_in_)
    tell_of_untested([names[feature] for feature in features])


def _checked_table(estimator: Any, X: Any, reset: bool, at_once: bool) -> Any:
    """Return a float64 array where X is one, and a Table where columns have types.

    ``at_once`` frames of nothing but numbers are arrays, too.
    """
    if isinstance(X, Table):
        _check_names_of_table(estimator, X, reset)
        return X
    if is_frame(X):
        if reset or not _has_names_of_training(estimator, X):
            validate_data(estimator, X, skip_check_array=True, reset=reset)
        matrix = matrix_of_frame(X) if at_once else None
        table = table_of(X) if matrix is None else matrix
        _refuse_empty(estimator, table.shape)
        return table
    array = X if isinstance(X, np.ndarray) else _as_array(X)
    if array.dtype.kind in "OUSbM":
        checked = validate_data(estimator, array, dtype=None, ensure_all_finite=False, reset=reset)
        table = table_of(checked)
        if any(column.is_nominal or column.is_date for column in table.columns):
            return table
    return validate_data(
        estimator, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=reset
    )


def _has_names_of_training(estimator: Any, X: Any) -> bool:
    """Whether a look tells that the names are right: to check them takes longer than one row."""
    known = getattr(estimator, "feature_names_in_", None)
    if known is None or type(X).__name__ != "DataFrame" or len(X.columns) != len(known):
        return False
    names = np.asarray(X.columns, dtype=object)
    return names.shape == known.shape and bool(np.all(known == names))


def _as_array(X: Any) -> AnyArray:
    """Return lists as an array, and anything else as something harmless to look at."""
    if isinstance(X, list | tuple):
        try:
            array = np.asarray(X)
            # A list of mixed rows would become text in every column.
            return np.asarray(X, dtype=object) if array.dtype.kind in "US" else array
        except ValueError:  # ragged: the check that follows says so properly
            return np.empty(0)
    return np.empty(0)


def _check_names_of_table(estimator: Any, table: Table, reset: bool) -> None:
    _refuse_empty(estimator, table.shape)
    names = np.array(table.names, dtype=object)
    if reset:
        estimator.n_features_in_ = len(names)
        estimator.feature_names_in_ = names
    elif list(getattr(estimator, "feature_names_in_", names)) != list(names):
        raise ValueError(
            f"the columns must be those of training, {list(estimator.feature_names_in_)}; "
            f"got {list(names)}"
        )


def _refuse_empty(estimator: Any, shape: tuple[int, int]) -> None:
    name = type(estimator).__name__
    if shape[1] == 0:
        raise ValueError(f"X has 0 feature(s) (shape={shape}) while {name} needs at least 1")
    if shape[0] == 0:
        raise ValueError(f"X has 0 sample(s) (shape={shape}) while {name} needs at least 1")


def _refuse_infinite(matrix: FloatArray, schema: Schema) -> None:
    # A sum is finite unless some value is not: one pass, no temporary array.
    if np.isfinite(matrix.sum()):
        return
    infinite = np.isinf(matrix)
    if infinite.any():
        row, column = (int(index) for index in np.argwhere(infinite)[0])
        raise ValueError(
            f"column {schema.names[column]!r} has the infinite value {matrix[row, column]} "
            f"(row {row}); Input X contains infinity. Use NaN for a missing value"
        )


def read_classes(estimator: Any, y: Any) -> tuple[AnyArray, AnyArray]:
    """Return the classes, sorted, and the code of each row's class."""
    _refuse_no_target(estimator, y)
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f":
        check_array(y, ensure_2d=False, input_name="y")  # neither NaN nor infinite
    check_classification_targets(y)
    classes = np.unique(y)
    if classes.size > MAX_CLASSES:
        raise ValueError(
            f"y has {classes.size} classes, and {MAX_CLASSES} is the limit; "
            "is it a number to predict? then use a regressor"
        )
    # Not return_inverse: that sorts positions as well, and takes twice the memory.
    return classes, np.searchsorted(classes, y)


def read_target(estimator: Any, y: Any) -> FloatArray:
    """Return the numbers to predict."""
    _refuse_no_target(estimator, y)
    y = column_or_1d(y, warn=True)
    with _no_overflow("y"):
        target: FloatArray = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    most = float(np.max(np.abs(target), initial=0.0))
    if most > LARGEST_TARGET or 0.0 < most < 1.0 / LARGEST_TARGET:
        wrong, instead = ("large", "divide") if most > 1.0 else ("small", "multiply")
        raise ValueError(
            f"y is too {wrong} for squares of it to be numbers: its largest absolute value must "
            f"be 0 or from {1.0 / LARGEST_TARGET} to {LARGEST_TARGET}; got {most}. Use another "
            f"unit: {instead} y by a constant"
        )
    return target


@contextmanager
def _no_overflow(name: str) -> Iterator[None]:
    """Say which argument has a whole number that no float can hold."""
    try:
        yield
    except OverflowError:
        largest = np.finfo(np.float64).max
        raise ValueError(
            f"{name} holds a number beyond {largest:.4g}, the largest that a float can be; rescale"
        ) from None


def _refuse_no_target(estimator: Any, y: Any) -> None:
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )


def read_weights(X: FloatArray, y: AnyArray, sample_weight: Any) -> FloatArray:
    """Return a weight for every row; check that X, y and weights have one length."""
    check_consistent_length(X, y)
    if sample_weight is None:
        return np.ones(X.shape[0])
    with _no_overflow("sample_weight"):
        weight: FloatArray = check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
    if not weight.any():
        raise ValueError("sample_weight is 0 for every row; at least one must be positive")
    return weight


@contextmanager
def causes_named(schema: Schema, data: TrainingSet) -> Iterator[None]:
    """Tell why no tree could be made in terms of the user's columns and parameters.

    Parameters
    ----------
    schema : Schema
        The columns.
    data : TrainingSet
        What the tree was to be made of.

    Raises
    ------
    ValueError
        In place of an error about the arrays of a tree, if one of the numbers is so large
        that what is computed from it overflows.
    """
    try:
        yield
    except MalformedTreeError as error:
        name, size = _largest(schema, data)
        if size < SUSPECT:
            raise
        raise ValueError(
            f"{name} holds {size:g}, and what is computed from it overflows: divide it by a "
            "power of ten"
        ) from error


def _largest(schema: Schema, data: TrainingSet) -> tuple[str, float]:
    """Return the largest number of all, by size, and what it stands in."""
    found = {"sample_weight": float(data.weight.max())}
    for feature, column in zip(schema.features, data.X.T, strict=True):
        found[f"column {feature.name!r}"] = float(np.fmax.reduce(np.abs(column), initial=0.0))
    if data.is_regression:
        found["y"] = float(np.abs(data.target).max())
    name = max(found, key=found.__getitem__)
    return name, found[name]
