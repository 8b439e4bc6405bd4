"""Softening by perturbation (Geurts and Wehenkel): blur the row, and tune by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.flow import Flow
from softwood.learn.soften.method import Grow, Method, Setting, Soft
from softwood.refine.perturbation import Perturbation
from softwood.refine.smoothing import SmoothingPath
from softwood.tree import Tree


@dataclass
class Perturb(Method):
    """Blur the row by normal noise, lambda deviations of each feature.

    Parameters
    ----------
    flow : {"exact", "product", "sampled"}, default="exact"
        Whether all tests of a feature see the same noise, each its own, or random noise
        is drawn.
    loss : {"error", "log_loss", "brier", "squared_error"}, optional
        What lambda is chosen by; the share of errors or the squared error by default.
    scale : array-like of shape (n_features,), optional
        Deviations of the noise for lambda = 1, such as known errors of measurement.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import Perturb, SoftTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SoftTreeClassifier(method=Perturb(loss="log_loss"), random_state=0).fit(X, y)
    >>> 0.0 < model.smoothing_ < 1.0
    True
    """

    name: ClassVar[str] = "perturb"
    takes_numbers: ClassVar[bool] = True

    flow: str = "exact"
    loss: str | None = None
    scale: Any = None

    def can_soften(self, tree: Tree) -> bool:
        """Whatever a tree tests can be blurred."""
        return True

    @property
    def shared_flow(self) -> Flow:
        """There is none: every tree has a lambda of its own."""
        raise ValueError(
            "method='perturb' finds a lambda for each tree, and trees of an ensemble share one: "
            "bag the trees without softening them, and use smoothing='oob' of the ensemble"
        )

    def perturbation(self, data: TrainingSet, seed: int) -> Perturbation:
        """Return what lambda multiplies."""
        return Perturbation.of(data, self.scale, flow=self.flow, random_state=seed)

    def _softened(self, tree: Tree, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        noise = self.perturbation(data, setting.seed)
        if not isinstance(setting.smoothing, str):
            return Soft(tree, noise.at(float(setting.smoothing)))
        path = self._tuned(data, grow, noise, setting)
        return Soft(tree, path.flow, path)

    def _tuned(
        self, data: TrainingSet, grow: Grow, noise: Perturbation, setting: Setting
    ) -> SmoothingPath:
        """Choose lambda for one tree."""
        from softwood.refine.perturb import tune_by_folds, tune_by_holdout

        if setting.smoothing == "holdout":
            train, test = deal_folds(data.label, 3, np.random.default_rng(setting.seed))[0]
            return tune_by_holdout(grow(data.take(train)), data.take(test), noise, self.loss)
        if setting.smoothing == "oob":
            raise ValueError("smoothing='oob' needs bagged trees; for a single tree use 'cv'")
        return tune_by_folds(grow, data, setting.folds(data), noise, self.loss)
