"""A column of text that tells nothing does no harm, however many categories it has."""

import numpy as np
import pytest

from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    CoalescenceRegressor,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRForestClassifier,
    VRForestRegressor,
    VRTreeClassifier,
    VRTreeRegressor,
)

# Such columns are told of, and rows of categories that were never seen too.
pytestmark = [
    pytest.mark.filterwarnings("ignore::softwood.errors.IdentifierWarning"),
    pytest.mark.filterwarnings("ignore::softwood.errors.UntestedColumnWarning"),
    pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning"),
]

N_TRAINED, N_TESTED = 300, 2000
ONE = {"nominal_split": "one_vs_rest"}
MODELS = {
    "cart": CARTClassifier(pruning="cv"),
    "cart entropy": CARTClassifier(criterion="entropy", pruning="cv"),
    "cart twoing": CARTClassifier(criterion="twoing", pruning="cv"),
    "cart vicinal": CARTClassifier(criterion="vicinal", pruning="cv"),
    "cart number": CARTRegressor(pruning="cv"),
    "oblique": ObliqueTreeClassifier(n_restarts=3),
    "soft": SoftTreeClassifier(),
    "soft number": SoftTreeRegressor(),
    "bagged": BaggedTreesClassifier(30),
    "bagged c4.5": BaggedTreesClassifier(30, criterion="gain_ratio"),
    "bagged number": BaggedTreesRegressor(30),
    "vr tree": VRTreeClassifier(),
    "vr tree number": VRTreeRegressor(**ONE),
    "vr forest": VRForestClassifier(30),
    "vr forest of one_hot": VRForestClassifier(30, **ONE),
    "vr forest number": VRForestRegressor(30),
    "coalescence": CoalescenceClassifier(30),
    "coalescence of branches": CoalescenceClassifier(30, nominal_split="multiway"),
    "coalescence number": CoalescenceRegressor(30),
    "evolved": EvolvedTreeClassifier(n_iter=2000),
}


def rows_and_target(n_categories, seed):
    """People of some age, a target that depends on it, and text that has nothing to do with it.

    ``n_categories`` 0 is every row its own text.
    """
    rng = np.random.default_rng(seed)
    n = N_TRAINED + N_TESTED
    age, hours = rng.uniform(18, 80, n), rng.uniform(0, 60, n)
    clean = (age > 45) ^ ((hours > 40) & (age < 60))
    label = clean ^ (rng.random(n) < 0.08)
    number = 10 * clean + rng.normal(0, 3, n)
    text = rng.permutation(n) if n_categories == 0 else rng.integers(0, n_categories, n)
    X = np.empty((n, 3), dtype=object)
    X[:, 0], X[:, 1], X[:, 2] = age, hours, [f"text {i}" for i in text]
    return X, label, number


def error_of(model, X, y):
    model = type(model)(**model.get_params() | {"random_state": 0})
    answer = model.fit(X[:N_TRAINED], y[:N_TRAINED]).predict(X[N_TRAINED:])
    if y.dtype == bool:
        return np.mean(answer != y[N_TRAINED:])
    return np.mean((answer - y[N_TRAINED:]) ** 2) / np.var(y[N_TRAINED:])


@pytest.mark.parametrize("n_categories", [0, 100, 30])
@pytest.mark.parametrize("name", MODELS)
def test_text_that_tells_nothing_does_no_harm(name, n_categories):
    """With a text for each row, most of these answered the larger class."""
    more = []
    for seed in range(3):
        X, label, number = rows_and_target(n_categories, seed)
        y = number if "Regressor" in type(MODELS[name]).__name__ else label
        more.append(error_of(MODELS[name], X, y) - error_of(MODELS[name], X[:, :2], y))
    assert np.mean(more) <= 0.02
