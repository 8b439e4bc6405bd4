"""What changed between two fitted models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.encode import is_frame
from softwood.data.identity import places
from softwood.estimators._diff_columns import (
    common_columns,
    in_order_of,
    named_columns,
    unknown_categories,
)
from softwood.estimators._diff_model import (
    ROUNDING,
    Model,
    common_classes,
    moved_share,
    renamed,
)
from softwood.estimators._sklearn_compat import check_consistent_length, column_or_1d
from softwood.explain.difference import Difference, Judged
from softwood.explain.tree_changes import TreeChanges, tree_changes
from softwood.explain.tree_pairs import Side
from softwood.explain.wording import Subject
from softwood.statistics import sign_test

DECIMALS = 4


def diff(a: Any, b: Any, X: Any, y: Any = None, *, tolerance: float | None = None) -> Difference:
    """Say what changed from one fitted model to another.

    Parameters
    ----------
    a, b : fitted estimator
        The old model and the new one: trees and ensembles of softwood, scikit-learn, LightGBM
        or XGBoost, of one kind or of two, that read the same columns. Frames may have them in
        another order for each, and categories that one does not know.
    X : array-like or frame of shape (n_samples, n_features)
        Rows on which they are compared.
    y : array-like of shape (n_samples,), optional
        What is true of these rows, to say which changes were for the better.
    tolerance : float, optional
        Of predicted numbers: by how much they may differ without counting as changed; by
        default as much as rounding.

    Returns
    -------
    Difference
        Prints as a summary; ``rows()``, ``tests()``, ``leaves()`` and ``importances()`` are
        frames. Of ensembles there are answers, importances, and how their trees scatter; of two
        single trees also leaves and tests.

    Raises
    ------
    ValueError
        If the models read different columns, have no class in common, or one predicts classes
        and the other numbers.

    See Also
    --------
    softwood.plot.plot_diff : The two trees, with what changed marked.
    softwood.stability : How much a learner's trees change with the sample.
    softwood.refresh : The same tests, answers from new rows.

    Notes
    -----
    Tests are paired from the root down. Two tests that look at the same column are a pair,
    wherever they cut, and so are their branches; below tests on different columns nothing is
    paired. A row changes its leaf if its leaves are not a pair.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import CARTClassifier, diff
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> old = CARTClassifier(max_leaf_nodes=3).fit(X[::2], y[::2])
    >>> new = CARTClassifier(max_leaf_nodes=4).fit(X, y)
    >>> print(diff(old, new, X, y))
    CARTClassifier (3 leaves) -> CARTClassifier (4 leaves), 150 rows
    answers   6 of 150 change (4%): 5 from 1 to 2, 1 from 2 to 1
    shares    4.1% of the probability moves, on average
    truth     4 right now, 2 wrong now (p 0.688); error 0.04 -> 0.02667
    leaves    54 of 150 rows end in another one; 36% of the mass moves
    tests     1 the same, 1 moved, 1 grown
    <BLANKLINE>
    Tests that changed, those that part most rows first:
      depth 2: grown, petal length (cm) <= 4.95 and below it 2 leaves, for 36% of the rows
      depth 1: petal width (cm) <= 1.65 -> 1.75 (+0.1, 1.3% of all rows between); 1.3% part here
    """
    index = X.index if hasattr(X, "index") and is_frame(X) else None
    return diff_of_tables(a, b, [X, X], y, tolerance=tolerance, index=index)


def diff_of_tables(
    a: Any,
    b: Any,
    tables: Sequence[Any],
    y: Any = None,
    *,
    tolerance: float | None = None,
    index: Any = None,
) -> Difference:
    """Compare two models as :func:`diff` does, each with a table of its own of the same rows."""
    if tolerance is not None and not 0.0 <= tolerance < np.inf:
        raise ValueError(f"tolerance must be finite and not negative; got {tolerance!r}")
    models = old, new = Model.of(a), Model.of(b)
    tables = [in_order_of(model.imported, X) for model, X in zip(models, tables, strict=True)]
    column = common_columns(old.imported, new.imported)
    classes, new_class = common_classes(old, new)
    rows = [model.read(table) for model, table in zip(models, tables, strict=True)]
    check_consistent_length(*rows)
    raw = [
        model.imported.forest.raw(part, model.imported.flow)
        for model, part in zip(models, rows, strict=True)
    ]
    shares = [m.imported.forest.answer(one) for m, one in zip(models, raw, strict=True)]
    if classes is None:
        answers = [share[:, 0] for share in shares]
        shift = answers[1] - answers[0]
        changed = np.abs(shift) > _threshold(answers, tolerance)
        shift = np.where(np.abs(shift) > _threshold(answers, None), shift, 0.0)
    else:
        answers = [m.imported.label_of(one) for m, one in zip(models, raw, strict=True)]
        answers[1] = renamed(answers[1], new, classes, new_class)
        changed = np.array([a != b for a, b in zip(*(x.tolist() for x in answers), strict=True)])
        shift = moved_share(shares[0], shares[1], len(classes), new_class)
    names = named_columns(old.imported, new.imported)
    return Difference(
        old_kind=old.kind,
        new_kind=new.kind,
        classes=None if classes is None else tuple(classes),
        old_answer=answers[0],
        new_answer=answers[1],
        changed=changed.astype(bool),
        shift=shift,
        trees=_trees(models, rows, column, new_class, names),
        columns=tuple(names),
        old_importance=old.importance(),
        new_importance=new.importance()[np.argsort(column)],
        old_scatter=old.scatter(rows[0], answers[0]),
        new_scatter=new.scatter(rows[1], new.imported.label_of(raw[1]) if classes else answers[1]),
        judged=None if y is None else _judged(answers, y, classes),
        notes=tuple(unknown_categories([m.imported for m in models], tables)),
        index=range(len(rows[0])) if index is None else index,
    )


def _threshold(answers: Sequence[FloatArray], tolerance: float | None) -> float:
    if tolerance is not None:
        return float(tolerance)
    return ROUNDING * float(max(np.abs(part).max(initial=0.0) for part in answers))


# -- trees -----------------------------------------------------------------------------


def _trees(
    models: tuple[Model, Model],
    rows: Sequence[FloatArray],
    column: IndexArray,
    new_class: list[int] | None,
    names: Sequence[str],
) -> TreeChanges | None:
    """Compare two single trees; None if there are more."""
    if not all(model.imported.is_single_tree for model in models):
        return None
    columns = np.arange(column.size, dtype=np.int32), column
    sides = [
        _side(model, part, own, [names[j] for j in own])
        for model, part, own in zip(models, rows, columns, strict=True)
    ]
    known = models[0].classes
    place = None if known is None else [at if at < len(known) else -1 for at in new_class or ()]
    return tree_changes(sides[0], sides[1], place)


def _side(model: Model, rows: FloatArray, column: IndexArray, names: list[str]) -> Side:
    imported = model.imported
    features = imported.schema.features
    ranges: Any = getattr(model.fitted, "ranges_", None)
    subject = Subject(
        tree=imported.forest.trees[0],
        feature_names=names,
        categories=[feature.categories for feature in features],
        classes=model.classes,
        decimals=DECIMALS,
        is_date=[feature.is_date for feature in features],
        ranges=ranges if np.shape(ranges) == (len(features), 2) else None,
    )
    flow: Any = imported.flow
    return Side(subject, flow, rows, column)


# -- the truth -------------------------------------------------------------------------


def _judged(answers: Sequence[AnyArray], y: Any, classes: list[Any] | None) -> Judged:
    """Say which changes were for the better."""
    truth = np.asarray(column_or_1d(y))
    check_consistent_length(truth, answers[0])
    if classes is None:
        old, new = ((part - truth.astype(np.float64)) ** 2 for part in answers)
        close = ROUNDING * max(float(np.max(part, initial=0.0)) for part in (old, new))
        new = np.where(np.abs(new - old) <= close, old, new)
    else:
        codes = [_codes(values, classes) for values in (*answers, truth)]
        old, new = ((part != codes[2]) | (codes[2] < 0) for part in codes[:2])
    better, worse = int(np.sum(new < old)), int(np.sum(new > old))
    same = np.asarray(new == old)
    return Judged(
        n_better=better,
        n_worse=worse,
        n_right=int(np.sum(same & (new == 0))),
        n_wrong=int(np.sum(same & (new != 0))),
        old_error=float(np.mean(old)),
        new_error=float(np.mean(new)),
        pvalue=sign_test(new.astype(float), old.astype(float)).pvalue,
    )


def _codes(values: AnyArray, classes: list[Any]) -> AnyArray:
    """Return the place of each value among the classes; -1 for one that is no class."""
    distinct = list(dict.fromkeys(values.tolist()))
    place = dict(zip(distinct, places(distinct, classes, unknown=-1), strict=True))
    return np.array([place[value] for value in values.tolist()])
