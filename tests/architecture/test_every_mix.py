"""Any grower, any refiner, any combiner: it works, or says early why not."""

import numpy as np
import pytest
from sklearn.base import clone

from softwood import (
    Anneal,
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    Confidence,
    EvolvedTreeClassifier,
    Gradient,
    ObliqueTreeClassifier,
    Perturb,
    SoftenedClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRTreeClassifier,
    VRTreeRegressor,
    load,
    prune,
    save,
    soften,
    widen_margins,
)
from tests.architecture.fingerprints import mixed, numbers

SEED = {"random_state": 0}
GROWERS = {
    "cart": CARTClassifier(min_samples_leaf=3),
    "cart pruned": CARTClassifier(pruning="cv", **SEED),
    "vicinal": CARTClassifier("vicinal"),
    "c4.5": C45Classifier(),
    "c4.5 laplace": C45Classifier(laplace=True),
    "vr tree": VRTreeClassifier(**SEED),
    "oblique": ObliqueTreeClassifier(n_restarts=2, **SEED),
    "evolved": EvolvedTreeClassifier(n_iter=200, population_size=10, **SEED),
}
NUMBER_GROWERS = {
    "cart": CARTRegressor(min_samples_leaf=3),
    "cart pruned": CARTRegressor(pruning="cv", **SEED),
    "vr tree": VRTreeRegressor(**SEED),
}
METHODS = {
    "gradient": Gradient(teacher=3, n_epochs=2),
    "anneal": Anneal(n_candidates=1),
    "perturb": Perturb(),
    "confidence": Confidence(),
}
NUMBER_METHODS = ("gradient", "perturb")
REFINERS = ("none", "prune", "widen", *METHODS)
# What is refused, with the reason that is given.
REFUSED = {
    ("perturb", "bagged"): "method='perturb' finds a lambda for each tree",
}


def refined(model, refiner, X, y):
    """Return the fitted model after a refiner that takes models."""
    if refiner == "prune":
        return prune(model, X, y, alpha=0.005)
    return widen_margins(model, X, y) if refiner == "widen" else model


def softened_learner(grower, refiner):
    """Return the learner of trees that are softened as they are grown."""
    kind = SoftTreeRegressor if "Regressor" in type(grower).__name__ else SoftTreeClassifier
    return kind(clone(grower), METHODS[refiner], smoothing=0.2, **SEED)


def made(grower, refiner, combiner, X, y):
    learner = softened_learner(grower, refiner) if refiner in METHODS else clone(grower)
    if combiner == "bagged":
        is_number = "Regressor" in type(grower).__name__
        bag = BaggedTreesRegressor if is_number else BaggedTreesClassifier
        learner = bag(3, learner, oob_score=True, **SEED)
    return refined(learner.fit(X, y), refiner, X, y)


def check(model, X, y, path):
    answers = getattr(model, "predict_proba", model.predict)(X)
    assert np.isfinite(answers).all()
    save(model, path)
    again = load(path)
    np.testing.assert_array_equal(getattr(again, "predict_proba", again.predict)(X), answers)
    assert model.flow(X).sum(axis=1) == pytest.approx(1.0)
    assert model.feature_importances_.shape == (np.shape(X)[1],)


@pytest.mark.parametrize("combiner", ["single", "bagged"])
@pytest.mark.parametrize("refiner", REFINERS)
@pytest.mark.parametrize("table", [numbers, mixed], ids=["numbers", "mixed"])
@pytest.mark.parametrize("name", GROWERS)
@pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
def test_classes(name, table, refiner, combiner, tmp_path):
    X, y, _ = table(80)
    said = REFUSED.get((refiner, combiner))
    if said is not None:
        with pytest.raises(ValueError, match=said):
            made(GROWERS[name], refiner, combiner, X, y)
        return
    model = made(GROWERS[name], refiner, combiner, X, y)
    assert model.score(X, y) > 0.5
    check(model, X, y, tmp_path / "model")


@pytest.mark.parametrize("combiner", ["single", "bagged"])
@pytest.mark.parametrize("refiner", ["none", "prune", "widen", *NUMBER_METHODS])
@pytest.mark.parametrize("name", NUMBER_GROWERS)
@pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")
def test_numbers(name, refiner, combiner, tmp_path):
    X, _, y = mixed(80)
    said = REFUSED.get((refiner, combiner))
    if said is not None:
        with pytest.raises(ValueError, match=said):
            made(NUMBER_GROWERS[name], refiner, combiner, X, y)
        return
    check(made(NUMBER_GROWERS[name], refiner, combiner, X, y), X, y, tmp_path / "model")


@pytest.mark.parametrize("name", GROWERS)
def test_fitted_trees_and_ensembles_can_be_softened_afterwards(name):
    X, y, _ = numbers(80)
    tree = clone(GROWERS[name]).fit(X, y)
    for method in METHODS.values():
        soft = soften(tree, X, y, method, smoothing=0.2, random_state=0)
        assert soft.score(X, y) > 0.5
    bagged = BaggedTreesClassifier(3, clone(GROWERS[name]), random_state=0).fit(X, y)
    assert soften(bagged, X, y, smoothing=0.2).score(X, y) > 0.5
    with pytest.raises(ValueError, match="softens single trees"):
        soften(bagged, X, y, "gradient")


def test_the_ensemble_refuses_what_it_would_not_look_at():
    X, y, _ = numbers(60)
    soft = SoftTreeClassifier(method="confidence")
    for model, said in (
        (BaggedTreesClassifier(2, soft, smoothing=0.1), "are soft already: use smoothing=None"),
        (BaggedTreesClassifier(2, C45Classifier(), max_depth=3), "max_depth=3 is of the default"),
        (
            BaggedTreesClassifier(2, C45Classifier(class_weight="balanced")),
            "class_weight='balanced' of estimator is not used",
        ),
        (BaggedTreesClassifier(2, EvolvedTreeClassifier(prediction="soft")), "prediction='hard'"),
        (BaggedTreesClassifier(2, C45Classifier(confidence=-1.0)), "'confidence' parameter"),
    ):
        with pytest.raises(ValueError, match=said):
            model.fit(X, y)
        assert not hasattr(model, "forest_")


def test_what_is_no_tree_of_its_own_is_refused():
    X, y, _ = numbers(60)
    softened = SoftenedClassifier(CARTClassifier(), smoothing=0.2)
    for model, said in (
        (BaggedTreesClassifier(2, softened), "use SoftTreeClassifier or SoftTreeRegressor"),
        (SoftTreeClassifier(softened), "use SoftTreeClassifier or SoftTreeRegressor"),
        (BaggedTreesClassifier(2, BaggedTreesClassifier(2)), "grows ensembles"),
    ):
        with pytest.raises(TypeError, match=said):
            model.fit(X, y)
    columns = np.array([0])
    with pytest.raises(ValueError, match="of estimator is not used"):
        BaggedTreesClassifier(2, C45Classifier(categorical_features=columns)).fit(X, y)


@pytest.mark.parametrize("name", ["oblique", "evolved", "c4.5"])
def test_jobs_and_warm_starts_make_no_difference(name):
    X, y, _ = numbers(80)
    one, two = (
        BaggedTreesClassifier(4, clone(GROWERS[name]), n_jobs=n, random_state=3).fit(X, y)
        for n in (1, 2)
    )
    grown = BaggedTreesClassifier(2, clone(GROWERS[name]), warm_start=True, random_state=3)
    grown.fit(X, y).set_params(n_estimators=4).fit(X, y)
    assert one.trees_ == two.trees_ == grown.trees_
    assert one.trees_[0] != one.trees_[1]  # each has rows, and a seed, of its own
