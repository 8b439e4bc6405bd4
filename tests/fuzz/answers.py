"""What answers of any fitted model must be."""

import numpy as np
from sklearn.base import is_classifier


def expect(is_so, told):
    """Complain, in words, if something is not so; unlike assert, also where asserts are off."""
    if not is_so:
        raise AssertionError(told)


def answers(model, X):
    """Return probabilities, or numbers."""
    return model.predict_proba(X) if is_classifier(model) else model.predict(X)


def check_answers(model, X, n_rows, within=None):
    """Return the answers, after a look at them.

    Parameters
    ----------
    within : (float, float), optional
        Where numbers must lie.
    """
    if not is_classifier(model):
        found = model.predict(X)
        expect(found.shape == (n_rows,), f"predict has shape {found.shape} for {n_rows} rows")
        expect(np.isfinite(found).all(), f"predict is not finite: {found}")
        if within is not None:
            low, high = within
            room = 1e-6 * max(abs(low), abs(high), 1e-300)
            inside = (found >= low - room) & (found <= high + room)
            expect(inside.all(), f"{found[~inside]} is outside of {low!r} to {high!r}")
        return found
    shares, classes = model.predict_proba(X), model.classes_
    expect(shares.shape == (n_rows, len(classes)), f"shape {shares.shape} for {n_rows} rows")
    expect(np.isfinite(shares).all(), "predict_proba is not finite")
    expect(shares.min(initial=0.0) >= 0.0, f"a probability of {shares.min()!r}")
    expect(np.abs(shares.sum(axis=1) - 1.0).max(initial=0.0) < 1e-9, "probabilities sum to more")
    said = model.predict(X)
    place = {label: j for j, label in enumerate(np.asarray(classes).tolist())}
    expect(set(said.tolist()) <= set(place), f"a class that is not there: {said}")
    own = shares[np.arange(n_rows), [place[label] for label in said.tolist()]]
    expect((shares.max(axis=1) - own < 1e-9).all(), "predict is not the most probable class")
    return shares


def same(a, b):
    """Whether two arrays of answers have the same bits, but for the sign of zero."""
    return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=True))
