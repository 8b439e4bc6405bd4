"""The learners that can be asked for by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

CLASSES, NUMBERS = "classification", "regression"


@dataclass(frozen=True)
class Model:
    """A learner: the estimators to import for each task, and their options."""

    title: str
    module: str
    classifier: str
    regressor: str | None
    options: tuple[tuple[str, Any], ...] = ()
    n_kernels: int = 150  # about: functions that the first fit on a machine compiles

    def make(self, task: str, seed: int | None) -> Any:
        """Return the estimator for a task; without a seed, others may set it."""
        name = self.classifier if task == CLASSES else self.regressor
        estimator = getattr(import_module(self.module), str(name))(**dict(self.options))
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=seed)
        return estimator


_OURS, _FORESTS = "softwood", "sklearn.ensemble"
_CART = ("CARTClassifier", "CARTRegressor")
_SOFT = ("SoftTreeClassifier", "SoftTreeRegressor")
_RANDOM = ("VRTreeClassifier", "VRTreeRegressor")
MODELS = {
    "c45": Model("C4.5", _OURS, "C45Classifier", None, n_kernels=85),
    "cart": Model("CART, pruned", _OURS, *_CART, options=(("pruning", "cv"),), n_kernels=100),
    "cart-unpruned": Model("CART", _OURS, *_CART),
    "oblique": Model("oblique tree", _OURS, "ObliqueTreeClassifier", None),
    "soft": Model("soft tree", _OURS, *_SOFT, n_kernels=160),
    "soft-oblique": Model(
        "soft oblique tree",
        _OURS,
        *_SOFT,
        options=(("oblique", True), ("max_leaf_nodes", 32)),
    ),
    "soft-perturb": Model(
        "CART, pruned and smoothed", _OURS, *_SOFT, options=(("method", "perturb"),)
    ),
    "soft-anneal": Model(
        "CART, annealed",
        _OURS,
        "SoftTreeClassifier",
        None,
        options=(("method", "anneal"),),
    ),
    "vicinal": Model(
        "CART on blurred rows, pruned",
        _OURS,
        "CARTClassifier",
        None,
        options=(("criterion", "vicinal"), ("pruning", "cv")),
    ),
    "evolved": Model("evolved tree", _OURS, "EvolvedTreeClassifier", None),
    "vr-tree": Model("variable-random tree", _OURS, *_RANDOM),
    "coalescence": Model(
        "Coalescence", _OURS, "CoalescenceClassifier", "CoalescenceRegressor", n_kernels=200
    ),
    "vr-forest": Model(
        "variable-random forest",
        _OURS,
        "VRForestClassifier",
        "VRForestRegressor",
        n_kernels=200,
    ),
    "bagged": Model("bagged CART", _OURS, "BaggedTreesClassifier", "BaggedTreesRegressor"),
    "sklearn-tree": Model(
        "scikit-learn's tree", "sklearn.tree", "DecisionTreeClassifier", "DecisionTreeRegressor"
    ),
    "forest": Model("random forest", _FORESTS, "RandomForestClassifier", "RandomForestRegressor"),
    "extra-trees": Model("extra trees", _FORESTS, "ExtraTreesClassifier", "ExtraTreesRegressor"),
    "bagging": Model(
        "bagging",
        _FORESTS,
        "BaggingClassifier",
        "BaggingRegressor",
        options=(("n_estimators", 100),),
    ),
    "boosting": Model(
        "gradient boosting",
        _FORESTS,
        "HistGradientBoostingClassifier",
        "HistGradientBoostingRegressor",
    ),
    "baseline": Model("majority or mean", "sklearn.dummy", "DummyClassifier", "DummyRegressor"),
}
OURS = tuple(name for name, model in MODELS.items() if model.module == _OURS)  # can be saved
USUAL = {
    CLASSES: ("c45", "cart", "sklearn-tree", "forest"),
    NUMBERS: ("cart", "sklearn-tree", "forest"),
}


def model_named(name: str, among: Iterable[str] = tuple(MODELS)) -> Model:
    """Return the model of a name; an unknown one gets a suggestion."""
    names = list(among)
    if name in names:
        return MODELS[name]
    close = get_close_matches(name.lower(), names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
    raise ValueError(f"there is no model {name!r}; {hint}")


def estimators(names: Iterable[str], task: str) -> dict[str, Any]:
    """Return estimators by name, without seeds."""
    found = {name: model_named(name) for name in names}
    for name, model in found.items():
        if task == NUMBERS and model.regressor is None:
            fitting = ", ".join(n for n, m in MODELS.items() if m.regressor is not None)
            raise ValueError(
                f"the target is a number, and {name} predicts classes; there are {fitting}"
            )
    return {name: model.make(task, None) for name, model in found.items()}
