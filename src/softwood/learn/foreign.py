"""Trees of scikit-learn as learners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.learn.fitted import ONE_JOB, Fitted, Learner
from softwood.tree import Tree


@dataclass(frozen=True)
class ForeignLearner:
    """An estimator of scikit-learn, which is given codes of nominal columns as numbers.

    Parameters
    ----------
    estimator : estimator
        Grows single trees; it is cloned. Its own ``random_state`` is used, or, where it has
        none, that of the fit.
    """

    estimator: Any

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree."""
        from sklearn.base import clone

        from softwood.interop.imported import import_model

        model = clone(self.estimator)
        if "random_state" in model.get_params() and model.get_params()["random_state"] is None:
            model.set_params(random_state=seed)
        target = data.target if data.is_regression else data.label
        imported = import_model(model.fit(data.X, target, sample_weight=data.weight))
        if not imported.is_single_tree:
            raise TypeError(
                f"estimator must grow single trees; {type(self.estimator).__name__} grows "
                "ensembles: fit it and pass it to soften"
            )
        return Fitted.of_tree(_with_all_classes(imported.forest.trees[0], imported.classes, data))


@dataclass(frozen=True)
class SeededLearner:
    """A learner with a seed of its own, which is used in place of the fit's."""

    learner: Learner
    seed: int

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return what the learner finds with its own seed."""
        return self.learner.fit(data, self.seed, jobs)


def _with_all_classes(tree: Tree, classes: AnyArray | None, data: TrainingSet) -> Tree:
    """Return the tree with a column for every class, also those missing from its rows."""
    if classes is None or classes.size == data.n_classes:
        return tree
    response = np.zeros((tree.n_nodes, data.n_classes))
    response[:, classes.astype(np.intp)] = tree.response
    return tree.replace(response=response)
