"""Small fitted models, and an ensemble that plugs into model files."""

from typing import ClassVar

import numpy as np

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.data.table import Column, Table
from softwood.estimators._base import TreeClassifier
from softwood.flow import Hard

ODD_NAMES = ["a, b", "", "naïve 名前", 'say "so"', "it's", "two\nlines", " lead", "{x}", "\ud800"]


def mixed_table(n_rows=40, seed=0):
    """A table of a numeric and two nominal columns, all oddly named, and its classes."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n_rows).round(2)
    kind = rng.integers(0, len(ODD_NAMES), n_rows).astype(np.int32)
    flag = rng.integers(-1, 2, n_rows).astype(np.int32)
    size[3] = np.nan
    table = Table(
        (
            Column("size, in cm", size),
            Column("", kind, tuple(ODD_NAMES)),
            Column('the "flag"\n', flag, (False, True)),
        )
    )
    y = np.array(ODD_NAMES, dtype=object)[(kind % 2) + (np.nan_to_num(size) > 0)]
    return table, y


def mixed_model(kind=C45Classifier, **parameters):
    table, y = mixed_table()
    if kind is CARTRegressor:
        y = np.arange(len(table), dtype=float)
    return kind(**parameters).fit(table, y), table


def rich_model():
    """A tree with numeric and nominal tests, multiway, on three classes."""
    return mixed_model(C45Classifier, class_weight="balanced", pruning=None, min_samples_leaf=1)[0]


def numeric_rows(n_rows=30, n_features=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, n_features)), rng.integers(0, 2, n_rows)


class TinyForest(TreeClassifier):
    """Trees of different depths, with attributes of its own."""

    _saved_attributes: ClassVar[tuple[str, ...]] = ("alphas_", "notes_", "spare_")

    def __init__(self, estimator=None, categorical_features="from_dtype", handle_unknown="spread"):
        self.estimator = estimator
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown

    _parameter_constraints: ClassVar[dict[str, list]] = {"estimator": "no_validation"}

    def fit(self, X, y):
        members = [CARTClassifier(max_depth=depth).fit(X, y) for depth in (1, 2, 5)]
        first = members[0]
        self.trees_ = [member.tree_ for member in members]
        self.flow_, self.schema_, self.classes_ = Hard(), first.schema_, first.classes_
        self.n_features_in_ = first.n_features_in_
        self.alphas_ = np.array([[0.5, np.nan], [np.inf, -0.0]], dtype=np.float32)
        self.notes_ = {"best": (1, "two"), 3: [None, True, 2.5]}
        self.spare_ = first.tree_
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "trees_")

    def predict_proba(self, X):
        rows = self._rows(X)
        return np.mean([self.flow_.predict(tree, rows) for tree in self.trees_], axis=0)

    def _rows(self, X):
        return np.asarray(X, dtype=float)

    def _check_restored(self):
        if self.alphas_.shape[0] != 2:
            raise ValueError("alphas_ must have two rows")
