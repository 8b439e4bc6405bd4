"""Softening by confidence: as far as the training errors hardly notice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from softwood.data.training import TrainingSet
from softwood.flow import Ramp
from softwood.learn.soften.method import Grow, Method, Setting, Soft
from softwood.tree import Tree


@dataclass
class Confidence(Method):
    """Widen each test as far as moving its cut would hardly change the training errors.

    Parameters
    ----------
    rule : {"c50", "c50-cut", "c45"}, default="c50"
        Whose rule.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import Confidence, SoftTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SoftTreeClassifier(method=Confidence(rule="c45"), random_state=0).fit(X, y).flow_
    Ramp(drop=1e-15, shape='linear')
    """

    name: ClassVar[str] = "confidence"

    rule: str = "c50"

    def _softened(self, tree: Tree, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        from softwood.refine.confidence import SoftenByConfidence

        return Soft(SoftenByConfidence(self.rule).refine(tree, data), Ramp())
