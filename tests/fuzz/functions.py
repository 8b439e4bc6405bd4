"""Every public function on fitted models, ours and others': words of refusal, or right answers."""

import tempfile
from pathlib import Path

import lightgbm
import numpy as np
import xgboost
from sklearn import ensemble, tree
from sklearn.base import is_classifier

import softwood as sw
from softwood.errors import SoftwoodError
from softwood.interop import import_model
from tests.fuzz.answers import answers, check_answers, expect, same
from tests.fuzz.hostile import SIZES, choose, draw_classes, draw_shape, draw_target, draw_weights
from tests.fuzz.learners import draw_learner

REFUSALS = (ValueError, TypeError, SoftwoodError, NotImplementedError)
SOME = 40  # rows of training that functions are asked about


def prepare():
    """Return a folder to write to."""
    return Path(tempfile.mkdtemp())


def case(rng, folder):
    """Fit a model of ours or of another library, and hand it to a function."""
    function = choose(rng, *FUNCTIONS)
    is_theirs = function in FOR_THEIRS and rng.random() < 0.4
    model = _draw_theirs(rng) if is_theirs else draw_learner(rng)
    shape, n = draw_shape(rng), choose(rng, *SIZES)
    X, X_new = shape.rows(rng, n), shape.rows(rng, 7)
    y = draw_classes(rng, n) if is_classifier(model) else draw_target(rng, n)
    try:
        try:
            if shape.words and type(model).__module__.startswith("lightgbm"):
                return "refused by others"  # texts of Arrow end its process
            model.fit(X, y)
            model.predict(X_new)
        except Exception:
            if is_theirs:
                return "refused by others"
            raise
        function(rng, model, (X, y), X_new, folder)
    except REFUSALS as error:
        expect(str(error).strip(), f"{function.__name__} refused without a word")
        if isinstance(error, AssertionError):
            raise
        return "refused"
    except Exception as error:
        told = f"{function.__name__} of {' '.join(repr(model).split())}"
        error.add_note(f"{told}\n{shape}\n{n} rows, y {y!r}")
        raise
    return function.__name__.strip("_")


THEIRS = (
    lambda c: (tree.DecisionTreeClassifier if c else tree.DecisionTreeRegressor)(random_state=0),
    lambda c: (tree.ExtraTreeClassifier if c else tree.ExtraTreeRegressor)(random_state=0),
    lambda c: (ensemble.RandomForestClassifier if c else ensemble.RandomForestRegressor)(3),
    lambda c: (ensemble.ExtraTreesClassifier if c else ensemble.ExtraTreesRegressor)(3),
    lambda c: (ensemble.GradientBoostingClassifier if c else ensemble.GradientBoostingRegressor)(
        n_estimators=3
    ),
    lambda c: (
        ensemble.HistGradientBoostingClassifier if c else ensemble.HistGradientBoostingRegressor
    )(max_iter=3, min_samples_leaf=1),
    lambda c: (lightgbm.LGBMClassifier if c else lightgbm.LGBMRegressor)(
        n_estimators=3, min_child_samples=1, n_jobs=1, verbose=-1
    ),
    lambda c: (xgboost.XGBClassifier if c else xgboost.XGBRegressor)(n_estimators=3, n_jobs=1),
)


def _draw_theirs(rng):
    return choose(rng, *THEIRS)(rng.random() < 0.6)


def _soften(rng, model, given, X_new, folder):
    X, y = given
    options = {"smoothing": choose(rng, 0.0, 0.2, "auto", 1e300), "random_state": 0}
    if rng.random() < 0.3:
        options = {"method": choose(rng, "anneal", "confidence"), "random_state": 0}
    soft = sw.soften(model, X, y, sample_weight=draw_weights(rng, len(y)), **options)
    found = check_answers(soft, X_new, 7)
    imported = import_model(model)
    if options.get("smoothing") == 0.0 and imported.flow == sw.Hard():
        hard = imported.predict_proba(X_new) if is_classifier(model) else imported.predict(X_new)
        expect(np.allclose(found, hard, rtol=1e-9, atol=1e-9), "lambda 0 is not the model itself")


def _harden(rng, model, given, X_new, folder):
    check_answers(sw.harden(model, given[0]), X_new, 7)


def _distil(rng, model, given, X_new, folder):
    X, y = given
    labels = y if rng.random() < 0.5 else None
    found = sw.distil(model, X, labels, max_leaf_nodes=choose(rng, 2, 4), random_state=0)
    check_answers(found, X_new, 7)


def _prune(rng, model, given, X_new, folder):
    method = choose(rng, "cost_complexity", "reduced_error", "pessimistic")
    check_answers(sw.prune(model, *given, method), X_new, 7)


def _widen(rng, model, given, X_new, folder):
    wide = sw.widen_margins(model, *given, axis=choose(rng, "auto", "keep", "turn"))
    check_answers(wide, X_new, 7)


def _refresh(rng, model, given, X_new, folder):
    check_answers(sw.refresh(model, *given, keep=choose(rng, 0.0, 1.0)), X_new, 7)


def _diff(rng, model, given, X_new, folder):
    X, y = given
    found = sw.diff(model, model, X, y)
    expect(found.n_changed == 0, "a model differs from itself")
    str(found)


def _counterfactual(rng, model, given, X_new, folder):
    row = _one_row(given[0])
    found = sw.counterfactual(model, row, scale=given[0])
    str(found)
    if found.row is not None:
        now = import_model(model).predict if not hasattr(model, "tree_") else model.predict
        expect(now(found.row)[0] != now(row)[0], "a counterfactual with the same answer")


def _shap(rng, model, given, X_new, folder):
    values = sw.shap_values(model, X_new, given[0])
    expect(np.isfinite(values.values).all(), "Shapley values are not finite")


def _words(rng, model, given, X_new, folder):
    for say in sw.export_text, sw.export_rules:
        expect(isinstance(say(model), str), f"{say.__name__} returns no text")
    if hasattr(model, "explain"):
        str(model.explain(_one_row(X_new)))
    if hasattr(model, "_repr_html_"):
        model._repr_html_()


def _json(rng, model, given, X_new, folder):
    again = sw.from_json(sw.export_json(model))
    ask = "predict_proba" if is_classifier(model) else "predict"
    said, right = getattr(again, ask)(X_new), getattr(import_model(model), ask)(X_new)
    expect(same(said, right), "JSON answers otherwise")


def _compiled(rng, model, given, X_new, folder):
    if not hasattr(model, "compile"):
        return
    ask, found = model.compile(), answers(model, X_new)
    for i in range(7):
        row = np.asarray(_one_row(X_new, i), dtype=object)[0]
        expect(
            np.array_equal(np.ravel(ask(row)), np.ravel(found[i])), "compile() answers otherwise"
        )


def _python(rng, model, given, X_new, folder):
    module = {}
    exec(sw.export_python(model), module)


def _sets(rng, model, given, X_new, folder):
    if hasattr(model, "predict_set"):
        found = model.predict_set(X_new, alpha=choose(rng, 0.05, 0.5))
        expect(found.shape == (7, len(model.classes_)), "sets of another shape")
    elif hasattr(model, "predict_interval"):
        low, high = model.predict_interval(X_new, alpha=0.2).T
        expect((low <= high).all(), "an interval that ends before it begins")


def _explorer(rng, model, given, X_new, folder):
    from softwood.view import explore

    page = explore(model, *given)
    page.save(folder / "page.html")


def _embedding(rng, model, given, X_new, folder):
    found = sw.LeafEmbedding(model, prefit=True).fit(given[0]).transform(X_new)
    expect(found.shape[0] == 7, "an embedding of other rows")


FOR_THEIRS = (_soften, _widen, _diff, _counterfactual, _shap, _words, _json, _prune, _explorer)
FUNCTIONS = (
    *FOR_THEIRS,
    *(_harden, _distil, _refresh, _compiled, _python, _sets, _embedding),
)


def _one_row(X, i=0):
    if hasattr(X, "iloc"):
        return X.iloc[i : i + 1]
    return X.slice(i, 1) if hasattr(X, "slice") else X[i : i + 1]
