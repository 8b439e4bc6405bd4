"""Every estimator with parameters drawn from all that it takes."""

import softwood as sw
from tests.fuzz.hostile import choose

ANY = {"categorical_features": ("from_dtype",), "random_state": (0,)}
ROWS = {"handle_unknown": ("spread", "spread", "missing"), **ANY}
WEIGHED = {"class_weight": (None, None, "balanced")}
JOBS = {"n_jobs": (None, 1), "verbose": (0,)}
CART = {
    "max_depth": (None, None, 1, 3, 50),
    "min_samples_split": (2, 5),
    "min_samples_leaf": (1, 2, 40),
    "min_weight_fraction_leaf": (0.0, 0.0, 0.1, 0.5),
    "max_leaf_nodes": (None, None, 2, 7),
    "ccp_alpha": (0.0, 0.0, 0.01, 10.0),
    "pruning": (None, None, "cv", "holdout"),
    "n_standard_errors": (0.0, 1.0),
    "n_folds": (2, 10),
    "holdout_fraction": (1 / 3, 0.01, 0.99),
    **ROWS,
}
RANDOM = {
    "min_samples_split": (4, 2),
    "min_samples_leaf": (2, 1),
    "max_depth": (None, 2),
    "curtail": (1.0, 0.0, 10.0),
    "max_features": (None, "sqrt", "log2", 1, 0.3),
    "n_random_tests": (1, 3, 6),
    "nominal_split": ("multiway", "one_vs_rest"),
    **ROWS,
}
FOREST = {
    "n_estimators": (1, 2, 5),
    "smoothing": (None, None, "oob", "holdout", 0.2),
    "oob_score": (False, False, True),
    "warm_start": (False,),
    **JOBS,
}
SAMPLES = {
    "sampling": ("all", "bootstrap", "subspace", "subsample"),
    "subspace": (0.5, 1.0, 0.01),
    "max_samples": (0.8, (0.6, 1.0), 0.01),
    "handle_missing": ("spread", "category"),
}
LOSS = {"loss": ("brier", "log_loss", "error")}
SOFT = {
    "smoothing": ("cv", "holdout", 0.0, 0.3, 1e300, 1e-300),
    "max_leaf_nodes": ("auto", 8, 2, None),
    "min_samples_leaf": (5, 1),
    "oblique": ("auto", False, True),
    **JOBS,
    **ROWS,
}


def _gradient(rng):
    return sw.Gradient(
        teacher=choose(rng, 0, 2, "auto"),
        shape=choose(rng, "logistic", "linear", "normal"),
        n_epochs=choose(rng, 1, 3),
        learning_rate=choose(rng, 0.03, 1.0),
        width_penalty=choose(rng, 0.0, 1.0),
        test_price=choose(rng, 0.0, 0.15),
        early_stopping=choose(rng, None, None, 0.3),
    )


def _perturb(rng):
    return sw.Perturb(flow=choose(rng, "exact", "product", "sampled"))


def _anneal(rng):
    return sw.Anneal(n_candidates=choose(rng, 1, 2))


def _own_tree(rng):
    return choose(rng, None, None, sw.C45Classifier(), sw.CARTClassifier(max_depth=3))


def _own_regressor(rng):
    return choose(rng, None, None, sw.CARTRegressor(max_depth=3))


def _bagged_tree(rng):
    oblique = sw.ObliqueTreeClassifier(n_restarts=1, n_jumps=0)
    return choose(rng, None, None, sw.C45Classifier(), sw.CARTClassifier(pruning="cv"), oblique)


METHODS = (_gradient, _gradient, _perturb, _anneal, lambda rng: sw.Confidence())

# Of each parameter the values to draw from, or what draws one.
PARAMETERS = {
    sw.CARTClassifier: {
        "criterion": ("gini", "entropy", "twoing", "vicinal"),
        "sigma2": (0.1, 0.0, 1e-300, 1e300),
        **CART,
        **WEIGHED,
    },
    sw.CARTRegressor: {"criterion": ("squared_error",), **CART},
    sw.C45Classifier: {
        "min_samples_leaf": (2, 1, 1e-9, 0.5, 30),
        "confidence": (0.25, 0.5, 1e-12),
        "pruning": ("pessimistic", None),
        "subtree_raising": (True, False),
        "collapse": (True, False),
        "mdl_correction": (True, False),
        "laplace": (False, True),
        "soft_thresholds": (False, True),
        "max_depth": (None, 1, 3),
        **WEIGHED,
        **ROWS,
    },
    sw.SoftTreeClassifier: {
        "estimator": _own_tree,
        "method": lambda rng: choose(rng, *METHODS)(rng),
        **SOFT,
        **WEIGHED,
    },
    sw.SoftTreeRegressor: {
        "estimator": _own_regressor,
        "method": lambda rng: choose(rng, _gradient, _perturb)(rng),
        **SOFT,
    },
    sw.ObliqueTreeClassifier: {
        "objective": ("oc1", "moc1", "moc2"),
        "criterion": ("twoing", "gini"),
        "search": ("exact", "classic"),
        "order": ("sequential", "best", "random_50"),
        "n_restarts": (1, 3),
        "n_jumps": (0, 2),
        "margin_weight": (0.05, 0.0, 1.0),
        "margin_scale": ("scaled", "raw"),
        "pruning": (None, "holdout", "cv"),
        "holdout_fraction": (0.1, 0.9),
        "n_folds": (2, 10),
        "widen": (False, True),
        "max_depth": (None, 2),
        "min_samples_split": (4, 2),
        **JOBS,
        **WEIGHED,
        **ROWS,
    },
    sw.EvolvedTreeClassifier: {
        "risk": ("vicinal", "empirical"),
        "objectives": ("multi", "single"),
        "sigma2": (0.1, 1e-300, 1e300, "cv"),
        "population_size": (2, 10),
        "n_iter": (0, 1, 30),
        "max_depth": (1, 4, 10),
        "n_runs": (1, 2),
        "init": ("random", "seeded"),
        "refine": ("none", "descent"),
        "prediction": ("hard", "soft"),
        "cuts": ("uniform", "values"),
        "n_folds": (2,),
        "checkpoint": (None,),
        "callback": (None,),
        **JOBS,
        **WEIGHED,
        **ROWS,
    },
    sw.VRTreeClassifier: {
        "alpha": (0.5, 0.0, 1.0),
        "criterion": ("gain_ratio",),
        **RANDOM,
        **WEIGHED,
    },
    sw.VRTreeRegressor: {"alpha": (0.5, 0.0, 1.0), "criterion": ("squared_error",), **RANDOM},
    sw.VRForestClassifier: {
        "alpha": (0.5, 0.0, 1.0, "search"),
        **RANDOM,
        **FOREST,
        **SAMPLES,
        **LOSS,
        **WEIGHED,
    },
    sw.VRForestRegressor: {"alpha": (0.5, 0.0, 1.0, "search"), **RANDOM, **FOREST, **SAMPLES},
    sw.CoalescenceClassifier: {
        "alpha_range": ("auto", (0.25, 1.0), (0.0, 0.5), (0.0, 0.0), (1.0, 1.0)),
        **RANDOM,
        **FOREST,
        **SAMPLES,
        **LOSS,
        **WEIGHED,
    },
    sw.CoalescenceRegressor: {
        "alpha_range": ("auto", (0.5, 1.0), (0.0, 0.5), (1.0, 1.0)),
        **RANDOM,
        **FOREST,
        **SAMPLES,
    },
    sw.BaggedTreesClassifier: {
        "estimator": _bagged_tree,
        "criterion": ("gini", "entropy", "twoing", "gain_ratio"),
        "max_depth": (None, 2),
        "min_samples_split": (2, 4),
        "min_samples_leaf": (1, 3),
        **FOREST,
        **LOSS,
        **WEIGHED,
        **ROWS,
    },
    sw.BaggedTreesRegressor: {
        "estimator": _own_regressor,
        "criterion": ("squared_error",),
        "max_depth": (None, 2),
        "min_samples_split": (2, 4),
        "min_samples_leaf": (1, 3),
        **FOREST,
        **ROWS,
    },
}
# What takes long is drawn less often.
SLOW = {sw.SoftTreeClassifier: 2, sw.SoftTreeRegressor: 2, sw.EvolvedTreeClassifier: 2}
DRAWN = [kind for kind in PARAMETERS for _ in range(SLOW.get(kind, 5))]


def draw_learner(rng, kinds=DRAWN):
    """Draw an estimator and its parameters."""
    kind = choose(rng, *kinds)
    drawn = {
        name: values(rng) if callable(values) else choose(rng, *values)
        for name, values in PARAMETERS[kind].items()
    }
    if kind in (sw.BaggedTreesClassifier, sw.BaggedTreesRegressor) and drawn["estimator"]:
        for name in ("criterion", "max_depth", "min_samples_split", "min_samples_leaf"):
            del drawn[name]  # they are of the trees that are grown if none is given
    return kind(**drawn)
