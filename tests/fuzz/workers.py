"""The same seed by other workers: jobs, joblib's threads and processes, the user's own threads."""

from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
from sklearn.base import clone, is_classifier

from tests.fuzz.answers import answers, expect, same
from tests.fuzz.hostile import choose, draw_classes, draw_shape, draw_target, draw_weights
from tests.fuzz.learners import draw_learner

N_ASKERS = 4


def prepare():
    """Nothing is shared by cases."""


def case(rng, state):
    """Fit an estimator as usual, and again by other workers: not a bit may differ."""
    model, shape, n = draw_learner(rng), draw_shape(rng), choose(rng, 20, 60, 300)
    X, X_new = shape.rows(rng, n), shape.rows(rng, 20)
    y = draw_classes(rng, n) if is_classifier(model) else draw_target(rng, n)
    weight = draw_weights(rng, n)
    how = choose(rng, *WAYS)
    try:
        try:
            said = answers(clone(model).fit(X, y, sample_weight=weight), X_new)
        except (ValueError, TypeError):
            return "refused"
        for other in how(model, (X, y, weight), X_new):
            expect(same(said, other), f"{how.__name__}: other answers")
    except Exception as error:
        error.add_note(f"{' '.join(repr(model).split())}\n{shape}\n{n} rows, {how.__name__}")
        raise
    return how.__name__.strip("_").replace("_", " ")


def _two_jobs(model, given, X_new):
    yield answers(_fitted(_with_jobs(model, 2), given), X_new)


def _joblib_threads(model, given, X_new):
    with joblib.parallel_config("threading", n_jobs=3):
        yield answers(_fitted(_with_jobs(model, None), given), X_new)


def _joblib_processes(model, given, X_new):
    with joblib.parallel_config("loky", n_jobs=2):
        yield answers(_fitted(_with_jobs(model, None), given), X_new)


def _fitted_by_threads(model, given, X_new):
    with ThreadPoolExecutor(N_ASKERS) as pool:
        fitted = pool.map(lambda _: _fitted(model, given), range(N_ASKERS))
        yield from [answers(one, X_new) for one in fitted]


def _asked_by_threads(model, given, X_new):
    """One model, which works out some things when it is first asked."""
    fitted = _fitted(model, given)
    with ThreadPoolExecutor(N_ASKERS) as pool:
        yield from pool.map(lambda _: answers(fitted, X_new), range(N_ASKERS))


WAYS = (_two_jobs, _joblib_threads, _joblib_processes, _fitted_by_threads, _asked_by_threads)


def _fitted(model, given):
    X, y, weight = given
    with np.errstate(all="ignore"):
        return clone(model).fit(X, y, sample_weight=weight)


def _with_jobs(model, n_jobs):
    return clone(model).set_params(n_jobs=n_jobs) if "n_jobs" in model.get_params() else model
