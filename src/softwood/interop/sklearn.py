"""Trees from scikit-learn, with the same predictions, and back to its arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.interop._binary import NO_CHILD, breadth_first, first_children
from softwood.tree import KIND_NAMES, LEAF, NUMERIC, Tree

TREES = ("DecisionTreeClassifier", "DecisionTreeRegressor")  # the ExtraTree* derive from them
FORESTS = (
    "RandomForestClassifier",
    "RandomForestRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
)
BAGGING = ("BaggingClassifier", "BaggingRegressor")
NO_FEATURE = -2  # scikit-learn's mark of a leaf, besides NO_CHILD


class SklearnArrays(NamedTuple):
    """A tree in the arrays of ``sklearn.tree``: depth first, -1 and -2 at leaves."""

    children_left: AnyArray
    children_right: AnyArray
    feature: AnyArray
    threshold: FloatArray
    value: FloatArray
    n_node_samples: AnyArray
    weighted_n_node_samples: FloatArray
    impurity: FloatArray
    missing_go_to_left: AnyArray


def from_sklearn(model: Any) -> Tree | list[Tree]:
    """Return the tree of a scikit-learn model, or the list of its trees.

    On every float64 row that scikit-learn accepts, the hard flow gives the same
    answers. scikit-learn rounds a value to float32 before it compares it with a
    threshold; our thresholds are moved, by less than that rounding, to where the
    decision changes.

    Parameters
    ----------
    model : estimator
        A fitted decision tree or extra tree; or a random forest, extra-trees forest, or
        bagging ensemble of trees, whose prediction is the mean of its trees'.

    Returns
    -------
    Tree or list of Tree
        Class frequencies in the order of the model's ``classes_``, or means.

    Raises
    ------
    TypeError
        If the model is of another kind.
    ValueError
        If it is not fitted, or has several outputs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from softwood import Hard
    >>> from softwood.interop import from_sklearn
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    >>> ours = from_sklearn(theirs)
    >>> ours
    Tree(n_nodes=5, n_leaves=3, depth=2, n_features=4, n_outputs=3)
    >>> bool((Hard().predict(ours, X) == theirs.predict_proba(X)).all())
    True
    """
    if _is_one_of(model, TREES):
        return _tree_of(model)
    if _is_one_of(model, FORESTS):
        return [_tree_of(member) for member in _members(model)]
    if _is_one_of(model, BAGGING):
        members = zip(_members(model), model.estimators_features_, strict=True)
        return [_bagged(model, member, columns) for member, columns in members]
    raise TypeError(
        f"from_sklearn takes a fitted tree ({', '.join(TREES)}, ExtraTree*), forest "
        f"({', '.join(FORESTS)}) or bagging of trees; got {type(model).__name__}"
    )


def to_sklearn_arrays(tree: Tree) -> SklearnArrays:
    """Return a binary, axis-parallel, hard tree in the arrays of ``sklearn.tree``.

    Parameters
    ----------
    tree : Tree
        A tree of numeric tests without softness.

    Returns
    -------
    SklearnArrays
        ``n_node_samples`` is the training weight, rounded. ``impurity`` is Gini's for
        class frequencies; our trees do not know the variance at a node, so it is NaN
        for regression. Where a missing value would spread over both children,
        ``missing_go_to_left`` points to the heavier.

    Raises
    ------
    ValueError
        If the tree has tests that these arrays cannot hold.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.interop import to_sklearn_arrays
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    >>> arrays = to_sklearn_arrays(model.tree_)
    >>> arrays.children_left.tolist(), arrays.feature.tolist(), arrays.threshold.tolist()
    ([1, -1, -1], [0, -2, -2], [1.5, -2.0, -2.0])
    """
    _refuse_others(tree)
    order = np.array([node for node, _ in tree.walk()])
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    is_leaf = tree.is_leaf[order]
    first = np.where(is_leaf, 0, tree.first_child[order])
    second = np.where(is_leaf, 0, first + 1)
    weight, response = tree.weight[order], tree.response[order]
    left_heavier = tree.weight[first] >= tree.weight[second]
    missing = tree.missing_child[order]
    goes_left = np.where(missing < 0, left_heavier, missing == 0)
    return SklearnArrays(
        children_left=np.where(is_leaf, NO_CHILD, place[first]),
        children_right=np.where(is_leaf, NO_CHILD, place[second]),
        feature=np.where(is_leaf, NO_FEATURE, tree.feature[order]),
        threshold=np.where(is_leaf, float(NO_FEATURE), tree.threshold[order]),
        value=response[:, None, :].copy(),
        n_node_samples=np.rint(weight).astype(np.int64),
        weighted_n_node_samples=weight,
        impurity=_gini(response) if tree.n_outputs > 1 else np.full(order.size, np.nan),
        missing_go_to_left=(goes_left & ~is_leaf).astype(np.uint8),
    )


def largest_going_left(threshold: Any) -> FloatArray:
    """Return the largest float64 that, rounded to float32, is no larger than ``threshold``.

    That is half way between two neighbours in float32, or just below it: which, depends
    on how a tie is rounded, so we try.
    """
    threshold = np.asarray(threshold, dtype=np.float64)
    limit = np.finfo(np.float32)
    # A threshold may be infinite: then it only tells missing values from others.
    inside = np.clip(threshold, limit.min, limit.max)
    last = inside.astype(np.float32)
    with np.errstate(over="ignore"):
        last = np.where(last > inside, np.nextafter(last, np.float32(-np.inf)), last)
        following = np.nextafter(last, np.float32(np.inf)).astype(np.float64)
        following = np.where(np.isinf(following), 2.0**128, following)  # the next, were there one
        halfway = last + (following - last) / 2.0
        stays = halfway.astype(np.float32) <= threshold
    largest = np.where(stays, halfway, np.nextafter(halfway, -np.inf))
    return np.asarray(np.where(threshold < limit.min, np.finfo(np.float64).min, largest))


def _is_one_of(model: Any, names: tuple[str, ...]) -> bool:
    """Whether the model's class is, or derives from, one of scikit-learn's of that name."""
    return any(
        kind.__name__ in names and kind.__module__.startswith("sklearn.")
        for kind in type(model).__mro__
    )


def _members(model: Any) -> list[Any]:
    if not hasattr(model, "estimators_"):
        raise _not_fitted(model)
    for member in model.estimators_:
        if not _is_one_of(member, TREES):
            raise TypeError(
                f"from_sklearn takes ensembles of decision trees; this {type(model).__name__} has "
                f"a {type(member).__name__}"
            )
    return list(model.estimators_)


def _not_fitted(model: Any) -> ValueError:
    return ValueError(f"this {type(model).__name__} is not fitted yet; call fit first")


def _tree_of(model: Any) -> Tree:
    if not hasattr(model, "tree_"):
        raise _not_fitted(model)
    theirs = model.tree_
    if theirs.n_outputs != 1:
        raise ValueError(
            f"this {type(model).__name__} predicts {theirs.n_outputs} outputs; softwood's trees "
            "have one, so fit one model for each"
        )
    order = breadth_first(theirs.children_left, theirs.children_right)
    is_leaf = theirs.children_left[order] == NO_CHILD
    goes_left = getattr(theirs, "missing_go_to_left", np.zeros(theirs.node_count))[order] != 0
    return Tree.from_nodes(
        n_features=int(theirs.n_features),
        first_child=first_children(is_leaf),
        n_children=np.where(is_leaf, 0, 2),
        kind=np.where(is_leaf, LEAF, NUMERIC),
        feature=np.where(is_leaf, -1, theirs.feature[order]),
        threshold=np.where(is_leaf, 0.0, largest_going_left(theirs.threshold[order])),
        missing_child=np.where(is_leaf, -1, np.where(goes_left, 0, 1)),
        weight=theirs.weighted_n_node_samples[order],
        response=_response(theirs.value[order, 0, :], hasattr(model, "classes_")),
    )


def _response(value: FloatArray, is_classifier: bool) -> FloatArray:
    totals = value.sum(axis=1, keepdims=True)
    # Since 1.3 they are fractions, to be left as they are, to the last bit.
    if not is_classifier or np.abs(totals - 1.0).max() < 1e-6:
        return value
    return np.asarray(value / np.where(totals == 0.0, 1.0, totals))


def _bagged(model: Any, member: Any, columns: IndexArray) -> Tree:
    """Return the tree of a member that saw some columns and perhaps not all classes."""
    tree = _tree_of(member)
    response = tree.response
    if hasattr(model, "classes_"):
        response = np.zeros((tree.n_nodes, len(model.classes_)))
        response[:, member.classes_.astype(int)] = tree.response  # its classes are codes
    feature = np.where(tree.is_leaf, -1, np.asarray(columns)[tree.feature])
    return tree.replace(n_features=int(model.n_features_in_), feature=feature, response=response)


def _refuse_others(tree: Tree) -> None:
    odd = np.flatnonzero((tree.kind != LEAF) & (tree.kind != NUMERIC))
    if odd.size:
        kind = KIND_NAMES[tree.kind[odd[0]]]
        raise ValueError(
            f"scikit-learn's arrays hold tests x <= t only; node {odd[0]} has a test that is {kind}"
        )
    soft = np.flatnonzero((tree.below > 0) | (tree.above > 0))
    if soft.size:
        raise ValueError(f"scikit-learn's arrays hold hard tests only; node {soft[0]} is soft")


def _gini(response: FloatArray) -> FloatArray:
    return np.asarray(1.0 - np.square(response).sum(axis=1))
