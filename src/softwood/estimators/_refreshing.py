"""How each family of models takes answers, widths and lambda from rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.estimators._base import Estimator
from softwood.estimators._forest_base import ForestEstimator
from softwood.estimators._learners import method_of
from softwood.estimators._settings import curtail_of_trees
from softwood.estimators._softened_base import Softened
from softwood.estimators.c45 import C45Classifier
from softwood.estimators.coalescence import Coalescence
from softwood.estimators.evolved import EvolvedTreeClassifier
from softwood.flow import Flow, Hard, Ramp
from softwood.forest import Forest
from softwood.learn.evolved import DEFAULT_SIGMA2
from softwood.learn.refresh import Refresher
from softwood.learn.soften import Confidence, Gradient, Method, Perturb
from softwood.learn.vicinity import vicinity
from softwood.refine.perturbation import Perturbation
from softwood.refine.refresh import RefreshLeaves
from softwood.refine.smoothing import SmoothingPath


def refresher_of(model: Any, data: TrainingSet | None, keep: float) -> Refresher:
    """Return what estimates the leaves of a model on ``data`` as they were when it was fitted."""
    method = _method_of(model) if isinstance(model.flow_, Ramp) else None
    if isinstance(method, Gradient):
        return Refresher(RefreshLeaves(model.flow_, keep, solve=True))
    grower = _grower_of(model)
    return Refresher(
        leaves=RefreshLeaves(_leaf_flow(grower, data), keep),
        curtail=_curtail_of(model, grower),
        laplace=grower is not model and getattr(grower, "laplace", False),
        rule=method.rule if isinstance(method, Confidence) else None,
    )


def _curtail_of(model: Any, grower: Any) -> float | tuple[float, ...] | None:
    """Return below what weight leaves do not answer themselves: Coalescence may have chosen it."""
    if not isinstance(grower, Coalescence):
        return getattr(grower, "curtail", None)
    usual = grower._learner().policy.curtail
    return curtail_of_trees(getattr(model, "choice_", {}), usual, model.forest_.n_trees)


def _grower_of(model: Any) -> Any:
    """Return the estimator whose rules the leaves follow: what is bagged or softened, at last."""
    while True:
        inner = getattr(model, "model" if isinstance(model, Softened) else "estimator", None)
        if not isinstance(inner, Estimator | Softened):
            return model
        model = inner


def _method_of(model: Any) -> Method | None:
    """Return how the trees of a model were softened, if they were."""
    if isinstance(model, C45Classifier):
        return Confidence() if model.soft_thresholds else None
    if hasattr(model, "method"):
        return method_of(model)
    inner = getattr(model, "estimator", None)
    return None if inner is None else _method_of(inner)


def _leaf_flow(grower: Any, data: TrainingSet | None) -> Flow:
    """Return how rows flow to the leaves they count for: blurred, in vicinal trees."""
    if getattr(grower, "criterion", None) == "vicinal":
        assert data is not None  # without rows only hard flows are known
        return vicinity(data, grower.sigma2)
    if isinstance(grower, EvolvedTreeClassifier) and grower.risk == "vicinal":
        sigma2 = getattr(grower, "sigma2_", grower.sigma2)
        assert data is not None
        return vicinity(data, DEFAULT_SIGMA2 if isinstance(sigma2, str) else sigma2)
    return Hard()


@dataclass(frozen=True)
class Smoothing:
    """How lambda is to be found for a model that blurs its rows.

    Attributes
    ----------
    given : float or None
        Lambda, if it is not to be chosen.
    method : Perturb
        What lambda multiplies, and what it is chosen by.
    rule : str
        Which lambda is taken, of those that were tried.
    does_blur : bool
        Whether the model blurs rows by perturbation at all.
    sigma2 : object
        Variances of the noise of a model that answers by its vicinity; None for others.
    """

    given: float | None
    method: Perturb
    rule: str = "best"
    does_blur: bool = True
    sigma2: Any = None

    @classmethod
    def of(cls, model: Any, smoothing: Any) -> Smoothing:
        """Return what the user wants of a model."""
        before = getattr(model, "smoothing_", None)
        method = _method_of(model)
        if not isinstance(method, Perturb):
            method = Perturb(loss=getattr(model, "loss", None))
        if isinstance(model, EvolvedTreeClassifier) and not isinstance(model.flow_, Hard):
            return cls(None, method, does_blur=False, sigma2=model.sigma2_)
        was_hardened = isinstance(model.flow_, Hard) and before
        if before is None or model.smoothing is None or was_hardened:
            if not isinstance(smoothing, str):
                raise ValueError(
                    f"smoothing={smoothing!r} is for models that blur their rows, and this "
                    f"{type(model).__name__} does not: use soften"
                )
            return cls(None, method, does_blur=False)
        was_chosen = isinstance(model.smoothing, str)
        given = None if smoothing == "auto" and was_chosen else before
        is_vote = isinstance(model, ForestEstimator) and hasattr(model, "classes_")
        return cls(
            given if isinstance(smoothing, str) else float(smoothing),
            method,
            "sure" if is_vote else "best",
        )

    def chosen(
        self,
        flow: Flow,
        refresher: Refresher,
        forest: Forest,
        data: TrainingSet,
        seed: int,
        jobs: Jobs,
    ) -> tuple[Flow, dict[str, Any]]:
        """Return how rows flow, and the facts that change with it."""
        if self.sigma2 is not None:
            return vicinity(data, self.sigma2), {}
        if not self.does_blur:
            return flow, {}
        noise = self.method.perturbation(data, seed)
        path: SmoothingPath | None = None
        if self.given is None:
            path = refresher.tuned(
                forest, data, noise, self.method.loss, self.rule, seed=seed, jobs=jobs
            )
        found = path.smoothing if path is not None else self.given or 0.0
        return _blurred(forest, noise, found), {"smoothing": found, "smoothing_path": path}


def _blurred(forest: Forest, noise: Perturbation, smoothing: float) -> Flow:
    return noise.at(smoothing) if forest.has_tests else Hard()
