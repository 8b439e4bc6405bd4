"""An ensemble that sees the more important half of the attributes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from softwood._types import AnyArray, FloatArray
from softwood.papers.spectrum.methods import N_TREES


class HalfOfAttributes(ClassifierMixin, BaseEstimator):
    """Drop the less important half of the attributes, then fit a classifier.

    Importance is that of random forests: what their trees lose on rows they have not seen
    when an attribute is shuffled (Breiman 2001). It is measured on the training rows alone.

    Parameters
    ----------
    estimator : classifier
        What is fitted to the other half. It must take tables.
    random_state : int, optional
        Seed of the forest that tells importances.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    dropped_ : list of str
        Names of the attributes that it does not see.

    Examples
    --------
    >>> from softwood import CoalescenceClassifier
    >>> from softwood.datasets import load_dataset
    >>> table = load_dataset("iris").table
    >>> X, y = table.drop(["class"]), table["class"].as_objects().astype(str)
    >>> model = HalfOfAttributes(CoalescenceClassifier(20, random_state=0), random_state=0)
    >>> sorted(model.fit(X, y).dropped_)
    ['sepal_length', 'sepal_width']
    """

    def __init__(self, estimator: Any, random_state: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Rank the attributes, and fit the classifier to the better half."""
        importance = forest_importances(X, np.asarray(y), self.random_state)
        # Of equals the later ones go.
        order = np.lexsort((np.arange(importance.size), -importance))
        kept = importance.size - importance.size // 2
        self.dropped_ = [X.names[j] for j in order[kept:]]
        self.estimator_ = clone(self.estimator).fit(X.drop(self.dropped_), y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the classes."""
        return np.asarray(self.estimator_.predict(X.drop(self.dropped_)))

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of classes."""
        return np.asarray(self.estimator_.predict_proba(X.drop(self.dropped_)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def forest_importances(X: Any, y: AnyArray, seed: int | None) -> FloatArray:
    """Return the importance of each column to a random forest, by shuffling it out of bag.

    Categories are codes here, so that an attribute is one column.
    """
    from sklearn.ensemble import RandomForestClassifier

    from softwood.data.training import TrainingSet
    from softwood.ensemble.out_of_bag import permutation_importances
    from softwood.evaluate.encoding import TableEncoder
    from softwood.flow import Hard
    from softwood.interop import import_model

    codes = TableEncoder("ordinal").fit_transform(X)
    forest = RandomForestClassifier(N_TREES, random_state=seed).fit(codes, y)
    imported = import_model(forest)
    assert imported.bootstrap_indices is not None  # a random forest has them
    bags = list(imported.bootstrap_indices)
    data = TrainingSet.of_classes(codes, np.searchsorted(forest.classes_, y))
    found = permutation_importances(imported.forest, data, Hard(), bags, seed or 0)
    return np.asarray(found.mean(axis=1))
