"""Rows as the leaves they come to: a step of a pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self
from zlib import crc32

import numpy as np
from sklearn.base import TransformerMixin

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.columns.apply import prepared_rows
from softwood.ensemble.jobs import Jobs
from softwood.estimators._base import all_or_nothing
from softwood.estimators._limits import number_of
from softwood.estimators._refitting import fit_again
from softwood.estimators._sklearn_compat import (
    BaseEstimator,
    HasMethods,
    StrOptions,
    check_is_fitted,
    fit_context,
)
from softwood.estimators._softened_base import Softened
from softwood.estimators.coalescence import CoalescenceClassifier, CoalescenceRegressor
from softwood.flow import leaf_of
from softwood.flow.spreading import leaf_matrix
from softwood.forest.sums import flow_of_trees
from softwood.interop.imported import Imported, import_model

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class LeafEmbedding(TransformerMixin, BaseEstimator):
    """Describe rows by the leaves of trees: how much of each row is where.

    Each leaf of each tree is a column. In a hard tree a row has 1 in the column of its leaf and 0
    elsewhere; in a soft one, and where a value is missing, its mass is divided. A linear model
    on top weighs the leaves of all trees anew, and often answers better than the trees
    themselves.

    Parameters
    ----------
    estimator : estimator, optional
        Grows the trees: any tree or ensemble of softwood, or one of scikit-learn, LightGBM or
        XGBoost. By default :class:`CoalescenceClassifier` for classes and
        :class:`CoalescenceRegressor` for numbers with fractions.
    mass : {"flow", "leaf"}, default="flow"
        "flow" gives each leaf the mass of the row that comes there; "leaf" gives 1 to the leaf
        that gets most of it, also in soft trees.
    n_components : int, optional
        Put the leaves into so many columns, by a hash of tree and leaf: masses of leaves that
        meet in a column are added. By default every leaf has its own.
    sparse_output : bool, default=True
        Whether to return a sparse matrix. ``set_output(transform="pandas")`` wants a dense one.
    prefit : bool, default=False
        Whether the estimator is fitted already; then ``fit`` only looks at it.
    random_state : int, RandomState or None, default=None
        Seed of the default estimator.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator.
    imported_ : Imported
        Its trees, their flow, and how it reads rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    CoalescenceClassifier : Its method ``flow`` gives the same masses, each tree's divided by
        the number of trees.

    Notes
    -----
    The trees have seen the rows of ``fit``, so that these look better sorted than others will
    be: a model on top should be regularised, or be fitted to other rows.

    Model files hold models that answer. Save ``estimator_``, and make
    ``LeafEmbedding(load(path), prefit=True)`` of it; pickles hold all.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.pipeline import make_pipeline
    >>> from softwood import CoalescenceClassifier, LeafEmbedding
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> trees = CoalescenceClassifier(30, random_state=0)
    >>> linear = make_pipeline(LeafEmbedding(trees), LogisticRegression(C=0.1, max_iter=1000))
    >>> for model in trees, linear:
    ...     print(round(-cross_val_score(model, X, y, cv=5, scoring="neg_log_loss").mean(), 3))
    0.113
    0.103
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), HasMethods(["predict"]), None],
        "mass": [StrOptions({"flow", "leaf"})],
        "n_components": [number_of(1), None],
        "sparse_output": ["boolean"],
        "prefit": ["boolean"],
        "random_state": ["random_state"],
    }
    _how_to_save: ClassVar[str] = (
        "save its estimator_, and make LeafEmbedding(load(path), prefit=True) of it"
    )

    estimator_: Any
    imported_: Imported

    # Rows are read as by any model that stands on another.
    _check_columns = Softened._check_columns

    def __init__(
        self,
        estimator: Any = None,
        *,
        mass: str = "flow",
        n_components: int | None = None,
        sparse_output: bool = True,
        prefit: bool = False,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.mass = mass
        self.n_components = n_components
        self.sparse_output = sparse_output
        self.prefit = prefit
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=False)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the trees, unless they are fitted already.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows, as the estimator takes them.
        y : array-like of shape (n_samples,)
            The target; not needed with ``prefit``.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the rows, if the estimator takes any.

        Returns
        -------
        self
        """
        with all_or_nothing(self):
            self._check_columns(X, reset=True)
            fitted = self.estimator if self.prefit else self._fitted(X, y, sample_weight)
            if fitted is None:
                raise ValueError("prefit=True needs an estimator that is fitted; got None")
            self.imported_ = import_model(fitted)
            self.estimator_ = fitted
            if self.prefit:
                self.imported_.encode(prepared_rows(self.imported_.schema, X))
        return self

    def _fitted(self, X: Any, y: Any, sample_weight: Any) -> Any:
        from sklearn.base import clone
        from sklearn.utils.multiclass import type_of_target

        if y is None:
            raise ValueError(
                "LeafEmbedding requires y to be passed, but the target y is None; or give trees "
                "that are fitted, and prefit=True"
            )
        model = self.estimator
        if model is None:
            is_number = type_of_target(y).startswith("continuous")
            kind = CoalescenceRegressor if is_number else CoalescenceClassifier
            model = kind(random_state=self.random_state)
        return fit_again(clone(model), X, y, sample_weight)

    def transform(self, X: Any) -> Any:
        """Return how much of each row is at each leaf.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows, as the estimator takes them.

        Returns
        -------
        csr_array or ndarray of shape (n_samples, n_leaves) or (n_samples, n_components)
            The leaves of tree after tree; the columns of each tree sum to 1.
        """
        check_is_fitted(self, "imported_")
        self._check_columns(X, reset=False)
        imported = self.imported_
        rows = imported.encode(prepared_rows(imported.schema, X))
        masses = self._masses(rows)
        if self.n_components is not None:
            masses = masses @ self._hashing()
        return masses if self.sparse_output else masses.toarray()

    def _masses(self, rows: FloatArray) -> csr_array:
        from scipy.sparse import hstack

        forest = self.imported_.forest
        pairs = zip(forest.trees, flow_of_trees(self.imported_.flow, forest.n_trees), strict=True)
        jobs = Jobs(getattr(self.estimator_, "n_jobs", None))
        return hstack(
            jobs.each(lambda pair: self._of_tree(pair[0], pair[1], rows), pairs), format="csr"
        )

    def _of_tree(self, tree: Any, flow: Any, rows: FloatArray) -> csr_array:
        if self.mass == "flow":
            return flow.spread(tree, rows)
        leaf = leaf_of(tree, rows, flow)
        return leaf_matrix(tree, np.arange(leaf.size + 1), leaf, np.ones(leaf.size))

    def _hashing(self) -> csr_array:
        """Return the matrix of leaves by the columns that they fall in."""
        from scipy.sparse import csr_array

        n_columns = int(self.n_components or 1)
        column = [crc32(f"{tree},{leaf}".encode()) % n_columns for tree, leaf in self._leaves()]
        size = len(column)
        return csr_array((np.ones(size), column, np.arange(size + 1)), shape=(size, n_columns))

    def _leaves(self) -> Iterator[tuple[int, int]]:
        """Yield tree and node of each column, as they come."""
        for number, tree in enumerate(self.imported_.forest.trees):
            leaves: IndexArray = tree.leaves
            for leaf in leaves.tolist():
                yield number, leaf

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Return the names of the columns: ``leaf5``, ``tree2_leaf5``, or ``leaves5`` if hashed.

        Parameters
        ----------
        input_features : ignored
            As scikit-learn has it.

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self, "imported_")
        if self.n_components is not None:
            names = [f"leaves{k}" for k in range(self.n_components)]
        elif self.imported_.forest.n_trees == 1:
            names = [f"leaf{leaf}" for _, leaf in self._leaves()]
        else:
            names = [f"tree{tree}_leaf{leaf}" for tree, leaf in self._leaves()]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = not self.prefit
        model = CoalescenceClassifier() if self.estimator is None else self.estimator
        if hasattr(model, "__sklearn_tags__"):
            theirs = model.__sklearn_tags__().input_tags
            for name in ("allow_nan", "categorical", "string"):
                setattr(tags.input_tags, name, getattr(theirs, name))
        return tags
