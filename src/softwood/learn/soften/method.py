"""What every method of softening can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from softwood._types import AnyArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Hard, Ramp
from softwood.learn.fitted import ONE_JOB
from softwood.learn.soften.sizes import SizePath
from softwood.refine.smoothing import SmoothingPath
from softwood.tree import NUMERIC, Tree

FOLDS = 10
Grow = Callable[[TrainingSet], Tree]


class Soft(NamedTuple):
    """A softened tree: what predicts, how lambda was found, and trees of other sizes."""

    tree: Tree
    flow: Flow
    path: SmoothingPath | None = None
    sizes: SizePath | None = None


@dataclass(frozen=True)
class Setting:
    """What a method is told besides its own options.

    Attributes
    ----------
    smoothing : {"cv", "holdout"} or float
        For "perturb": how to choose lambda, or its value.
    oblique : bool
        For "gradient": whether tests may become oblique.
    seed : int
        From which all that is random is drawn.
    jobs : Jobs
        How much may run at once.
    verbose : int
        Whether to tell of the progress.
    """

    smoothing: Any = "cv"
    oblique: bool = False
    seed: int = 0
    jobs: Jobs = ONE_JOB
    verbose: int = 0

    def folds(self, data: TrainingSet) -> list[tuple[AnyArray, AnyArray]]:
        """Return the folds that pruning and smoothing share; none for a single row."""
        n_folds = min(FOLDS, data.n_rows)
        if n_folds < 2:
            return []
        return deal_folds(data.label, n_folds, np.random.default_rng(self.seed))


@dataclass
class Method:
    """Base of the methods: options that can be listed, set and compared, as scikit-learn's are."""

    name: ClassVar[str] = ""
    takes_numbers: ClassVar[bool] = False  # whether it softens trees that predict numbers
    grows_large: ClassVar[bool] = False  # whether its tree is better not pruned before

    def soften(self, tree: Tree, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        """Soften a tree; ``grow`` grows others like it, from parts of the data."""
        if tree.n_leaves == 1 or not self.can_soften(tree):
            return Soft(tree, Hard())
        return self._softened(tree, data, grow, setting)

    def learn(self, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        """Grow a tree and soften it."""
        return self.soften(grow(data), data, grow, setting)

    def _softened(self, tree: Tree, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        raise NotImplementedError

    @property
    def shared_flow(self) -> Flow:
        """How rows flow through trees of an ensemble that were all softened so."""
        return Ramp()

    def can_soften(self, tree: Tree) -> bool:
        """Whether the tree has tests that the method softens."""
        return bool(np.any(tree.kind == NUMERIC))

    # -- as scikit-learn's parameters: method__n_epochs can be tuned ---------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def set_params(self, **options: Any) -> Self:
        """Set options by name."""
        for name, value in options.items():
            if name not in self.get_params():
                raise ValueError(
                    f"{type(self).__name__} has no option {name!r}; there are "
                    f"{', '.join(self.get_params())}"
                )
            setattr(self, name, value)
        return self
