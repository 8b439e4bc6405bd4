"""How an import is checked: hostile rows, and the same answers on them."""

import pickle
from contextlib import contextmanager

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from softwood.interop import import_model
from softwood.tree import NUMERIC
from tests.strategies import WITHOUT_JIT

N_ROWS = 80 if WITHOUT_JIT else 300
MAX32 = float(np.finfo(np.float32).max)


def table(seed=0, n_features=4, missing=False):
    """Rows on scales from thousandths to thousands, and a target of three classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, n_features)) * 10.0 ** rng.integers(-3, 4, n_features)
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > np.median(X[:, 1])) * (rng.random(N_ROWS) < 0.8)
    if missing:
        X[rng.random(X.shape) < 0.15] = np.nan
    return X, y


def hostile_rows(forest, X, seed=0, n_tests=60):
    """Return X and rows within a step of thresholds, in float64 and in float32."""
    rng = np.random.default_rng(seed)
    tests = [
        (tree.feature[node], tree.threshold[node])
        for tree in forest.trees
        for node in np.flatnonzero(tree.kind == NUMERIC)
        if abs(tree.threshold[node]) < MAX32
    ]
    rows = [X]
    for k in rng.permutation(len(tests))[:n_tests]:
        feature, cut = tests[k]
        near = np.float32(cut)
        values = [cut, np.nextafter(cut, np.inf), np.nextafter(cut, -np.inf), near]
        values += [np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-9e9))]
        made = X[rng.integers(0, len(X), len(values))].copy()
        made[:, feature] = values
        rows.append(made)
    return np.vstack(rows)


@contextmanager
def unchanged(model):
    """Check that the model is bit for bit what it was."""
    before = pickle.dumps(model)
    yield
    assert pickle.dumps(model) == before


def imported(model):
    """Import a model and check that this left it alone."""
    with unchanged(model):
        return import_model(model)


def assert_sound(forest):
    """Check what every imported forest promises of its inner nodes."""
    for tree in forest.trees:
        assert (tree.missing_child[~tree.is_leaf] >= 0).all()
        for node in np.flatnonzero(~tree.is_leaf):
            children = list(tree.children(node))
            weight = tree.weight[children]
            assert_allclose(tree.weight[node], weight.sum(), rtol=1e-9)
            if weight.sum() > 0:
                mean = weight @ tree.response[children] / weight.sum()
                assert_allclose(tree.response[node], mean, rtol=1e-9, atol=1e-12)


def assert_same_answers(ours, theirs, X, rtol=1e-12, atol=1e-14):
    """Compare labels exactly, and probabilities or numbers up to rounding, with the original's."""
    expected = theirs.predict(X)
    if ours.classes is None:
        assert_allclose(ours.predict(X), expected, rtol=rtol, atol=atol)
        return
    assert_array_equal(ours.predict(X), expected)
    assert ours.predict(X).dtype == expected.dtype
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=rtol, atol=atol)
