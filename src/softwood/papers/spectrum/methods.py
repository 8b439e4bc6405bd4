"""The paper's ensembles, by name: points of the spectrum, Coalescence, random forests.

"Agg 0.3" is an ensemble of variable-random trees with alpha 0.3, all grown from the same
rows; "Bag" has bootstrap samples, "Subspace" half of the features, "Bag+Subspace" both.
"""

from __future__ import annotations

from typing import Any

from softwood.papers.setting import Setting

N_TREES = 100
SAMPLINGS = {
    "Agg": "all",
    "Bag": "bootstrap",
    "Subspace": "subspace",
    "Bag+Subspace": "bootstrap+subspace",
}
KINDS = tuple(SAMPLINGS)
COALESCENCE, FOREST = "Coalescence", "Random forest"
DEFAULT = "CoalescenceClassifier()"  # what softwood makes of it, beside the paper's
# The paper's trees: no pruning, nodes of four rows or more (L-E1), all features at every node.
TREES: dict[str, Any] = {
    "subspace": 0.5, "min_samples_split": 4, "min_samples_leaf": 2, "max_depth": None,
    "curtail": 1.0, "max_features": None, "n_random_tests": 1, "nominal_split": "multiway",
    "handle_missing": "spread", "smoothing": None,
}  # fmt: skip
ALPHAS = {
    "quick": (0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0),
    "full": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
}
MIDDLE = 0.5  # the last alpha of the random half of the spectrum
# What Table 3 calls the methods that have a place in the spectrum.
IN_TABLE3 = {
    "Coalescence": COALESCENCE,
    "Aggregating": "Agg 0",
    "Bagging": "Bag 1",
    "Subspacing": "Subspace 1",
    "Random forest": FOREST,
}


def point(kind: str, alpha: float) -> str:
    """Return the name of a point of the spectrum.

    Examples
    --------
    >>> point("Agg", 0.5)
    'Agg 0.5'
    """
    return f"{kind} {alpha:g}"


def points(kind: str, setting: Setting) -> tuple[str, ...]:
    """Return the names of all points of one kind of ensemble, from random to deterministic."""
    return tuple(point(kind, alpha) for alpha in setting.pick(**ALPHAS))


def ensemble(name: str) -> Any:
    """Return the estimator of a name.

    Examples
    --------
    >>> ensemble("Bag 0.5").sampling
    'bootstrap'
    """
    if name == FOREST:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(N_TREES)
    if name in (COALESCENCE, DEFAULT):
        from softwood.estimators.coalescence import CoalescenceClassifier

        return CoalescenceClassifier() if name == DEFAULT else CoalescenceClassifier.paper(N_TREES)
    from softwood.estimators.vr_forest import VRForestClassifier

    kind, alpha = name.rsplit(" ", 1)
    return VRForestClassifier(N_TREES, alpha=float(alpha), sampling=SAMPLINGS[kind], **TREES)
