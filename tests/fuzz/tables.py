"""Every estimator on hostile tables: refuses in words, or answers as it must, again and again."""

import pickle
import tempfile
from pathlib import Path

import numpy as np
from sklearn.base import clone, is_classifier

import softwood as sw
from tests.fuzz.answers import answers, check_answers, expect, same
from tests.fuzz.hostile import (
    SIZES,
    choose,
    draw_classes,
    draw_shape,
    draw_target,
    draw_weights,
)
from tests.fuzz.learners import draw_learner

# A category column that is drawn without a word is a column of numbers to a model.
OTHER_TYPE = ("is numeric in this model, but holds", "was numeric")


def prepare():
    """Return a folder to write to."""
    return Path(tempfile.mkdtemp())


def case(rng, folder):
    """Fit an estimator to a table, and ask it in every way."""
    model, shape, n = draw_learner(rng), draw_shape(rng), choose(rng, *SIZES)
    X = shape.rows(rng, n)
    y = draw_classes(rng, n) if is_classifier(model) else draw_target(rng, n)
    weight = draw_weights(rng, n)
    fresh = shape.with_unseen_words() if rng.random() < 0.3 else shape
    m = choose(rng, 1, 2, 7, 40)
    X_new = fresh.rows(rng, m)
    before = dict(vars(model))
    try:
        try:
            model.fit(X, y, sample_weight=weight)
        except (ValueError, TypeError) as error:
            expect(str(error).strip(), "refused without a word")
            expect(vars(model) == before, f"half fitted: {set(vars(model)) - set(before)}")
            return "refused"
        return _asked(rng, model, (X, y, weight), X_new, m, folder)
    except Exception as error:
        error.add_note(f"{' '.join(repr(model).split())}\n{shape}\n{n} rows, y {y!r}, {weight=}")
        raise


def _asked(rng, model, given, X_new, m, folder):
    X, y, weight = given
    within = _within(model, y, weight)
    first = check_answers(model, X, len(y), within)
    try:
        found = check_answers(model, X_new, m, within)
    except ValueError as error:
        if not any(words in str(error) for words in OTHER_TYPE):
            raise
        return "refused rows"
    turn = choose(rng, *TURNS)
    turn(model, given, X_new, (first, found), folder)
    return "answered"


def _within(model, y, weight):
    """Return where numbers must lie; trained leaves may lie beyond the target."""
    if is_classifier(model) or isinstance(model, sw.SoftTreeRegressor):
        return None
    counts = np.ones(len(y), bool) if weight is None else weight > 0
    if weight is not None and weight[counts].min(initial=1.0) < 1e-290:
        return None  # such weights cannot be exact
    return (float(y[counts].min()), float(y[counts].max())) if counts.any() else None


def _fits_again(model, given, X_new, found, folder):
    X, y, weight = given
    again = clone(model).fit(X, y, sample_weight=weight)
    expect(same(found[0], answers(again, X)), "the same seed, other answers")
    expect(same(found[1], answers(again, X_new)), "the same seed, other answers to new rows")


def _jobs(model, given, X_new, found, folder):
    X, y, weight = given
    if "n_jobs" in model.get_params():
        again = clone(model).set_params(n_jobs=2).fit(X, y, sample_weight=weight)
        expect(same(found[1], answers(again, X_new)), "two jobs, other answers")


def _pickled(model, given, X_new, found, folder):
    again = pickle.loads(pickle.dumps(model))
    expect(same(found[1], answers(again, X_new)), "pickled, other answers")


def _saved(model, given, X_new, found, folder):
    path, other = folder / "model.softwood", folder / "again.softwood"
    sw.save(model, path)
    again = sw.load(path)
    expect(same(found[1], answers(again, X_new)), "saved, other answers")
    sw.save(again, other)
    expect(path.read_bytes() == other.read_bytes(), "saved again, other bytes")


def _one_by_one(model, given, X_new, found, folder):
    for i in range(min(5, len(found[1]))):
        row = X_new[i : i + 1] if not hasattr(X_new, "iloc") else X_new.iloc[i : i + 1]
        row = X_new.slice(i, 1) if hasattr(X_new, "slice") else row
        alone = answers(model, row)
        is_same = np.allclose(alone, found[1][i : i + 1], rtol=1e-9, atol=1e-12)
        expect(is_same, f"row {i} alone: {alone}, among others: {found[1][i]}")


def _importances(model, given, X_new, found, folder):
    share = getattr(model, "feature_importances_", None)
    if share is not None:
        expect(np.isfinite(share).all() and (share >= 0).all(), f"importances {share}")


def _mass(model, given, X_new, found, folder):
    if hasattr(model, "tree_") and hasattr(model, "flow"):
        mass = np.asarray(model.flow(X_new).sum(axis=1)).ravel()
        expect(np.abs(mass - 1.0).max(initial=0.0) < 1e-9, f"masses sum to {mass}")


TURNS = (_fits_again, _jobs, _pickled, _saved, _saved, _one_by_one, _importances, _mass)
