"""Models as scikit-learn's own trees and forests, where those can hold them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from softwood.export.source import Source, source_of
from softwood.interop.imported import Imported
from softwood.interop.sklearn import to_sklearn_arrays
from softwood.tree import LEAF, NUMERIC, Tree


def to_sklearn(model: Any) -> Any:
    """Return a model as a fitted tree or forest of scikit-learn.

    Parameters
    ----------
    model : estimator
        A fitted model of hard trees with tests of single numbers, whose answer is that of
        a tree or the mean of trees.

    Returns
    -------
    estimator
        A ``DecisionTreeClassifier`` or ``DecisionTreeRegressor`` for a single tree, a
        ``RandomForestClassifier`` or ``RandomForestRegressor`` for an ensemble. It predicts, and
        is drawn, exported and explained as if scikit-learn had fitted it; only ``impurity`` of
        regression trees is unknown, and NaN.

    Raises
    ------
    ValueError
        If scikit-learn has nothing that could hold the model. What could not be held is named.

    Notes
    -----
    Answers are the same for rows of float32 without gaps. scikit-learn rounds other numbers to
    float32 first, so values within this rounding of a cut may take the other side. Where our
    models send a gap to all children, scikit-learn's trees send it to the heaviest.

    Examples
    --------
    >>> from sklearn.tree import export_text
    >>> from softwood import CARTClassifier, to_sklearn
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0]], ["no", "yes", "yes"])
    >>> print(export_text(to_sklearn(model)), end="")
    |--- feature_0 <= 1.50
    |   |--- class: no
    |--- feature_0 >  1.50
    |   |--- class: yes
    """
    source = source_of(model)
    imported = source.imported
    _refuse_columns(imported)
    _refuse_trees(source)
    _refuse_sums(imported)
    members = [_tree_of(imported, tree) for tree in source.trees]
    if imported.is_single_tree:
        whole = members[0]
        whole.random_state = None
    else:
        whole = _forest_of(imported, members)
    if imported.classes is not None:
        whole.classes_ = np.asarray(imported.classes)
    if imported.reader.checks_names:
        whole.feature_names_in_ = np.array(imported.feature_names, dtype=object)
    return whole


def _refuse_columns(imported: Imported) -> None:
    for feature in imported.schema.features:
        if feature.is_nominal or feature.is_date:
            what = "dates" if feature.is_date else "categories"
            raise ValueError(
                f"scikit-learn's trees read numbers, and column {feature.name!r} holds {what}; "
                "to_onnx, export_sql or export_json hold them"
            )
    reader = imported.reader
    if reader.zero or reader.zero_is_missing or not np.isnan(reader.missing_value):
        raise ValueError(
            f"this {imported.kind} takes zeros or other numbers for gaps, which scikit-learn's "
            "trees do not; to_onnx, export_sql or export_json hold it"
        )


def _refuse_trees(source: Source) -> None:
    imported = source.imported
    if not source.is_hard or any(np.any(t.below + t.above) for t in source.trees):
        raise ValueError(
            f"this {imported.kind} has soft splits, which scikit-learn's trees have not; "
            "softwood.harden makes them hard"
        )
    for tree in source.trees:
        if not np.isin(tree.kind, (LEAF, NUMERIC)).all():
            raise ValueError(
                f"this {imported.kind} has tests of several columns at once, and scikit-learn's "
                "trees test one number at each node; to_onnx, export_sql or export_json hold it"
            )


def _refuse_sums(imported: Imported) -> None:
    """Complain about sums that are no mean of trees."""
    forest = imported.forest
    is_mean = forest.is_mean and not forest.base.any() and np.ptp(forest.factor) == 0.0
    is_plain = forest.link == "identity" and forest.slope == 1.0 and (forest.output < 0).all()
    if not (is_mean and is_plain):
        raise ValueError(
            f"this {imported.kind} is not the mean of its trees, as scikit-learn's forests are; "
            "to_onnx, export_sql or export_json hold it"
        )


def _tree_of(imported: Imported, tree: Tree) -> Any:
    """Return a fitted decision tree."""
    if imported.reader.fill:  # gaps are filled, so it is known where they go
        fill = np.asarray(imported.reader.fill)[np.maximum(tree.feature, 0)]
        goes_right = (fill > tree.threshold).astype(np.int32)
        tree = tree.replace(missing_child=np.where(tree.is_leaf, -1, goes_right))
    arrays = to_sklearn_arrays(tree)
    empty = _stump(imported.classes is not None)
    nodes = np.zeros(tree.n_nodes, dtype=empty.tree_.__getstate__()["nodes"].dtype)
    names = {"left_child": "children_left", "right_child": "children_right"}
    for name in nodes.dtype.names or ():
        nodes[name] = getattr(arrays, names.get(name, name))
    n_outputs = tree.n_outputs
    theirs = type(empty.tree_)(tree.n_features, np.array([n_outputs], dtype=np.intp), 1)
    theirs.__setstate__(
        {
            "max_depth": tree.depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(arrays.value, dtype=np.float64),
        }
    )
    whole = type(empty)(random_state=0)
    whole.tree_ = theirs
    whole.max_features_ = imported.n_features
    return _described(whole, imported)


def _forest_of(imported: Imported, members: list[Any]) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if imported.classes is None else RandomForestClassifier
    whole = kind(n_estimators=len(members))
    whole.estimator_ = type(members[0])()
    whole.estimators_ = members
    return _described(whole, imported)


def _described(whole: Any, imported: Imported) -> Any:
    """Return an estimator with what scikit-learn notes of the table."""
    whole.n_features_in_, whole.n_outputs_ = imported.n_features, 1
    if imported.classes is not None:
        whole.n_classes_ = len(imported.classes)
        whole.classes_ = np.arange(len(imported.classes), dtype=np.float64)  # codes, in a forest
    return whole


@cache
def _stump(is_classifier: bool) -> Any:
    """Return a tree of scikit-learn's own making, to learn what its arrays look like."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if is_classifier else DecisionTreeRegressor
    return kind(random_state=0).fit([[0.0], [1.0]], [0, 1])
