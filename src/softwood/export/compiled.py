"""Models for one row at a time: all that can be done ahead is done, then kernels are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.encode import is_frame
from softwood.export.source import Source, source_of
from softwood.flow import Hard
from softwood.flow.spreading import frozen
from softwood.forest.sums import rows_for_packed
from softwood.interop.imported import Imported
from softwood.tree import Tree

Raw = Callable[[FloatArray], FloatArray]


class Compiled:
    """A model that answers one row, or a few, without delay; see :func:`compile_model`."""

    def __init__(self, source: Source) -> None:
        self._imported: Imported = source.imported
        self._n_features = source.imported.n_features
        forest = source.imported.forest
        self._divisor, self._base, self._is_mean = source.divisor, forest.base, forest.is_mean
        self._is_plain = forest.link == "identity" and forest.slope == 1.0
        is_as_it_is = not (source.imported.reader.zero or source.imported.reader.zero_is_missing)
        is_as_it_is &= bool(np.isnan(source.imported.reader.missing_value))
        self._add = _quick(source) if source.imported.schema.all_numeric and is_as_it_is else None

    def __call__(self, X: Any) -> FloatArray:
        """Return the probabilities of the classes, or the numbers predicted.

        Parameters
        ----------
        X : array-like of shape (n_features,) or (n_rows, n_features), or frame
            One row, or several.

        Returns
        -------
        ndarray of shape (n_outputs,) or (n_rows, n_outputs)
        """
        raw = self._raw(X)
        answer = raw if self._is_plain else self._imported.forest.answer(raw)
        return answer[0] if _is_row(X) else answer

    def predict(self, X: Any) -> Any:
        """Return the class, or the number, of one row, or of each of several.

        Parameters
        ----------
        X : array-like of shape (n_features,) or (n_rows, n_features), or frame
            One row, or several.

        Returns
        -------
        label or number, or ndarray of shape (n_rows,)
        """
        raw = self._raw(X)
        if self._imported.classes is None:
            found: AnyArray = self._imported.forest.answer(raw)[:, 0]
        else:
            found = self._imported.label_of(raw)
        return found[0] if _is_row(X) else found

    def _raw(self, X: Any) -> FloatArray:
        if type(X) is np.ndarray and X.dtype == np.float64 and self._add is not None:
            rows = X.reshape(1, -1) if X.ndim == 1 else X
            if rows.shape[1] == self._n_features and np.isfinite(rows).all():
                return self._summed(np.ascontiguousarray(rows))
        table = [X] if _is_row(X) else X
        matrix = self._imported.encode(table)
        self._refuse_infinite(table)
        return self._imported.forest.raw(matrix, self._imported.flow)

    def _summed(self, rows: FloatArray) -> FloatArray:
        assert self._add is not None
        total = np.zeros((rows.shape[0], self._base.size))
        if not self._is_mean:
            total += self._base
        self._add(rows, total)
        if self._is_mean:
            total /= self._divisor
            total += self._base
        return total

    def _refuse_infinite(self, rows: Any) -> None:
        if is_frame(rows):
            columns = {str(name): np.asarray(rows[name]) for name in rows.columns}
        else:
            columns = dict(zip(self._imported.feature_names, np.asarray(rows).T, strict=True))
        for name, values in columns.items():
            if values.dtype == object:
                values = np.array([v for v in values if isinstance(v, float)])
            if values.dtype.kind == "f" and np.isinf(values).any():
                raise ValueError(f"column {name!r} is infinite; give a number or NaN")


def compile_model(model: Any) -> Compiled:
    """Return a model that answers one row, or a few, without delay.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, scikit-learn, LightGBM or XGBoost. Later fits do not change
        what is returned.

    Returns
    -------
    Compiled
        Called with a row, it returns what ``predict_proba`` returns for it, to the last bit, or
        ``predict`` for numbers; its ``predict`` returns the class.

    Notes
    -----
    Arrays of float64 without gaps are answered soonest. Names of columns are not compared.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import CoalescenceClassifier
    >>> from softwood.export import compile_model
    >>> X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), ["no", "no", "yes", "yes"]
    >>> answer = compile_model(CoalescenceClassifier(5, random_state=0).fit(X, y))
    >>> print(answer.predict(np.array([3.9])))
    yes
    """
    return Compiled(source_of(model))


def _is_row(X: Any) -> bool:
    """Whether this is one row, and not a table of them."""
    if hasattr(X, "ndim"):
        return bool(X.ndim == 1)
    return (
        isinstance(X, (list, tuple)) and bool(X) and not isinstance(X[0], (list, tuple, np.ndarray))
    )


def _quick(source: Source) -> Any:
    """Return what adds the answers of all trees to complete rows."""
    forest = source.imported.forest
    probe = np.zeros((1, forest.n_features))
    if rows_for_packed(forest, probe, source.flows).all() and forest.packed.one_hot is None:  # type: ignore[union-attr]
        return _by_packed(source)
    adders = [_by_tree(source, k) for k in range(len(source.trees))]

    def add(rows: FloatArray, total: FloatArray) -> None:
        rows = frozen(rows)
        for one in adders:
            one(rows, total)

    return add


def _by_packed(source: Source) -> Any:
    from softwood._kernels.packing.walk_forest import add_answers

    forest = source.imported.forest
    packed = forest.packed
    assert packed is not None
    given = (packed.key, packed.link, packed.bits, packed.root, forest.factor, packed.table)
    n_pure, everyone = packed.n_pure, np.empty((0, 0), dtype=np.bool_)

    def add(rows: FloatArray, total: FloatArray) -> None:
        add_answers(*given, n_pure, rows, everyone, total)

    return add


def _by_tree(source: Source, k: int) -> Any:
    forest, tree, flow = source.imported.forest, source.trees[k], source.flows[k]
    factor, output = forest.factor[k], int(forest.output[k])
    columns = slice(None) if output < 0 else slice(output, output + 1)
    ask = _leaves_of(tree) if isinstance(flow, Hard) else _masses_of(source, k)

    def add(rows: FloatArray, total: FloatArray) -> None:
        answer = ask(rows)
        if answer is None:
            answer = flow.predict(tree, rows)
        total[:, columns] += factor * answer

    return add


def _leaves_of(tree: Tree) -> Any:
    from softwood._kernels.flow.route import leaf_of_rows

    nodes, response = tree.nodes, tree.response

    def ask(rows: FloatArray) -> FloatArray | None:
        leaf = np.empty(rows.shape[0], np.int32)
        return None if leaf_of_rows(nodes, rows, leaf) else response.take(leaf, axis=0)

    return ask


def _masses_of(source: Source, k: int) -> Any:
    """Return what asks a soft tree with its gates made ahead; None where it cannot say."""
    from softwood._kernels.flow.spread import predict_rows
    from softwood._kernels.flow.spread_blocks import predict_blocks, shared_cuts
    from softwood._kernels.normal import cdf_table
    from softwood.flow.spreading import goes_by_blocks, most_in_blocks

    tree = source.trees[k]
    gates = source.flows[k]._gates(tree)  # type: ignore[attr-defined]
    nodes, response, table = tree.nodes, tree.response, cdf_table()
    by_blocks, most = goes_by_blocks(tree, gates), most_in_blocks(tree)
    cut_of_node, node_of_cut = shared_cuts(nodes, gates.sd, 1)

    def ask(rows: FloatArray) -> FloatArray | None:
        if rows.shape[0] != 1 or (by_blocks and not np.abs(rows).max() <= most):
            return None
        out = np.empty((1, response.shape[1]))
        if by_blocks:
            predict_blocks(nodes, gates, rows, response, table, cut_of_node, node_of_cut, out)
        else:
            predict_rows(nodes, gates, rows, response, out)
        return out

    return ask
