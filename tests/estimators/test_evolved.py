import signal
import threading
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from softwood import EvolvedTreeClassifier, load, save
from softwood.data.table import Column, Table
from softwood.datasets import make_gaussians, make_separable
from softwood.flow import Gaussian, Hard
from softwood.grow.evolve_front import ParetoFront
from softwood.learn.vicinity import vicinity
from tests.strategies import WITHOUT_JIT

pytestmark = pytest.mark.skipif(WITHOUT_JIT, reason="evolution takes minutes in plain Python")
QUICK = {"n_iter": 400, "population_size": 20, "max_depth": 6, "random_state": 0}


@pytest.fixture(scope="module")
def rows():
    return make_gaussians(80, random_state=0)


@pytest.fixture(scope="module")
def fitted(rows):
    return EvolvedTreeClassifier(**QUICK).fit(*rows)


def quick(**options):
    return EvolvedTreeClassifier(**{**QUICK, **options})


def mixed_table(n_rows=90, seed=0):
    rng = np.random.default_rng(seed)
    size, kind = rng.normal(size=n_rows), rng.integers(0, 4, n_rows).astype(np.int32)
    y = np.where((kind == 2) | (size > 1.0), "yes", np.where(size < -1, "no", "perhaps"))
    size[::9] = np.nan
    table = Table((Column("size", size), Column("kind", kind, ("a", "b", "c", "d"))))
    return table, y


# -- what is fitted ------------------------------------------------------------


def test_vicinal_trees_keep_their_distance():
    """Few rows, a wide margin: the tree of least vicinal risk errs less than the other."""
    errors = {"vicinal": [], "empirical": []}
    X_test, y_test = make_separable(2000, random_state=99)
    for seed in range(3):
        X, y = make_separable(40, random_state=seed)
        for risk, found in errors.items():
            model = EvolvedTreeClassifier(risk, n_iter=3000, random_state=seed).fit(X, y)
            found.append(1 - model.score(X_test, y_test))
    assert np.mean(errors["vicinal"]) < 0.6 * np.mean(errors["empirical"])


def test_risk_is_that_of_the_tree(rows, fitted):
    X, y = rows
    labels = np.eye(2)[fitted.tree_.response.argmax(axis=1)]
    mass = fitted.noise_.predict(fitted.tree_, X, labels)
    assert fitted.risk_ == pytest.approx(1 - mass[np.arange(80), y].mean(), abs=1e-5)
    empirical = quick(risk="empirical").fit(X, y)
    assert empirical.risk_ == pytest.approx(1 - empirical.score(X, y))


def test_noise_is_in_deviations_and_cuts_in_the_users_units(rows, fitted):
    X, y = rows
    far = quick().fit(X * 1000.0 + 5.0, y)
    np.testing.assert_allclose(far.noise_.scale, 1000.0 * np.array(fitted.noise_.scale))
    np.testing.assert_allclose(
        np.array(fitted.noise_.scale) ** 2, 0.1 * X.var(axis=0, ddof=1), rtol=1e-12
    )
    assert far.score(X * 1000.0 + 5.0, y) > 0.6
    assert np.abs(far.tree_.threshold[far.tree_.kind == 1]).max() > 50.0


def test_hard_and_soft_are_two_answers_of_one_tree(rows, fitted):
    X, y = rows
    soft = quick(prediction="soft").fit(X, y)
    assert soft.tree_ == fitted.tree_
    assert fitted.flow_ == Hard()
    assert isinstance(soft.flow_, Gaussian)
    assert not np.allclose(soft.predict_proba(X), fitted.predict_proba(X))


def test_confidence_is_one_minus_the_risk_of_the_answer(rows, fitted):
    X, _ = rows
    confidence = fitted.predict_confidence(X)
    rng = np.random.default_rng(0)
    noisy = [X + rng.normal(size=X.shape) * fitted.noise_.scale for _ in range(2000)]
    same = np.mean([fitted.predict(rows) == fitted.predict(X) for rows in noisy], axis=0)
    assert np.abs(confidence - same).max() < 5 * 0.5 / np.sqrt(2000)


def test_the_front_goes_from_one_leaf_to_the_tree(fitted):
    front = fitted.pareto_front_
    assert isinstance(front, ParetoFront)
    assert front.trees[-1] == fitted.tree_
    assert front.risks[-1] == fitted.risk_
    assert np.all(np.diff(front.n_leaves) > 0)
    assert np.all(np.diff(front.risks) < 0)
    assert front.n_nodes_evolved[-1] == fitted.n_nodes_evolved_ >= fitted.tree_.n_nodes


def test_a_smaller_tree_can_be_taken(rows, fitted):
    X, y = rows
    small = fitted.select(n_leaves=3)
    assert small.get_n_leaves() <= 3 < fitted.get_n_leaves()
    assert small.risk_ > fitted.risk_
    assert small.score(X, y) > 0.5
    with pytest.raises(ValueError, match="n_leaves must be at least"):
        fitted.select(n_leaves=0)


def test_history_never_rises(fitted):
    assert fitted.history_["iteration"].tolist() == [0, 400]
    assert fitted.history_["risk"].shape == (2, 1)
    assert np.all(np.diff(fitted.history_["risk"], axis=0) <= 0)


@pytest.mark.parametrize(
    "options",
    [
        {"objectives": "single"},
        {"refine": "descent", "n_iter": 1200},
        {"init": "seeded"},
        {"cuts": "values"},
        {"risk": "empirical", "refine": "descent"},
    ],
    ids=str,
)
def test_variants(rows, fitted, options):
    X, y = rows
    model = quick(**options).fit(X, y)
    assert model.score(X, y) > 0.65
    assert model.tree_ != fitted.tree_


def test_seeds_make_a_better_start(rows):
    X, y = rows
    random, seeded = (quick(n_iter=0, init=init).fit(X, y) for init in ("random", "seeded"))
    assert seeded.risk_ < random.risk_


def test_nominal_columns_missing_values_classes_and_weights():
    table, y = mixed_table()
    model = quick(n_iter=2000).fit(table, y)
    assert model.score(table, y) > 0.8
    assert (model.tree_.kind == 2).any()
    assert model.noise_.redraw == pytest.approx(0.05)
    weight = np.where(y == "no", 1000.0, 1.0)
    heavy = quick(n_iter=2000).fit(table, y, weight)
    assert np.mean(heavy.predict(table)[y == "no"] == "no") >= np.mean(
        model.predict(table)[y == "no"] == "no"
    )
    assert heavy.risk_ < 0.2


def test_variances_of_columns(rows):
    X, y = rows
    model = quick(sigma2=[0.1, 0.4]).fit(X, y)
    assert model.sigma2_.tolist() == [0.1, 0.4]
    deviation = X.std(axis=0, ddof=1)
    np.testing.assert_allclose(model.noise_.scale, np.sqrt([0.1, 0.4]) * deviation)


def test_variance_by_cross_validation(rows):
    X, y = rows
    model = quick(sigma2="cv", n_folds=3, n_jobs=2).fit(X, y)
    path = model.sigma2_path_
    assert model.sigma2_[0] == path["sigma2"][path["error"] == path["error"].min()][-1]
    alone = quick(sigma2="cv", n_folds=3).fit(X, y)
    assert alone.tree_ == model.tree_
    np.testing.assert_array_equal(alone.sigma2_path_["error"], path["error"])


# -- runs ------------------------------------------------------------------------


def test_the_same_tree_for_any_number_of_jobs(rows):
    X, y = rows
    trees = [quick(n_runs=3, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 3)]
    assert trees[0].tree_ == trees[1].tree_
    assert trees[0].front_trees_ == trees[1].front_trees_
    assert trees[0].history_["risk"].shape == (2, 3)
    assert trees[0].risk_ <= trees[0].history_["risk"][-1].min() + 1e-9


def test_a_callback_sees_the_progress_and_may_end_it(rows):
    seen = []

    def callback(progress):
        seen.append(progress)
        return len(seen) == 2

    model = quick(n_iter=5000, callback=callback).fit(*rows)
    assert [progress.iteration for progress in seen] == [1000, 2000]
    assert seen[0].n_iter == 5000
    assert seen[1].risk <= seen[0].risk
    assert model.history_["iteration"][-1] == 2000


def test_progress_is_told(rows, capsys):
    quick(verbose=1).fit(*rows)
    assert "400 of 400 iterations, least risk 0." in capsys.readouterr().err


@pytest.mark.parametrize("n_runs", [1, 2])
def test_an_interruption_keeps_the_best_so_far(rows, n_runs):
    def interrupt(progress):
        if progress.iteration == 2000:
            raise KeyboardInterrupt

    model = quick(n_iter=10**5, n_runs=n_runs, n_jobs=n_runs, callback=interrupt)
    with pytest.warns(ConvergenceWarning, match="interrupted after 2000 of 100000"):
        model.fit(*rows)
    assert model.score(*rows) > 0.6


def test_ctrl_c_in_the_middle(rows):
    """The signal comes while a kernel runs in another thread."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals go to the main thread")
    warm = quick(n_runs=2, n_jobs=2).fit(*rows)
    # A process that was started in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = quick(n_iter=10**7, n_runs=2, n_jobs=2).fit(*rows)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert any("interrupted" in str(warning.message) for warning in caught)
    assert model.risk_ <= warm.risk_


class Killed(Exception):
    pass


@pytest.mark.parametrize("options", [{}, {"n_runs": 2, "refine": "descent"}, {"sigma2": "cv"}])
def test_a_killed_fit_goes_on_and_ends_the_same(rows, tmp_path, options):
    def kill(progress):
        if progress.iteration == 3000:
            raise Killed

    options = {"n_iter": 5000, **options}
    path = tmp_path / "run.checkpoint"
    broken = quick(checkpoint=path, callback=kill, **options)
    with pytest.raises(Killed):
        broken.fit(*rows)
    assert not hasattr(broken, "tree_")
    assert path.stat().st_size > 0
    later = quick(checkpoint=path, **options).fit(*rows)
    unbroken = quick(**options).fit(*rows)
    assert later.front_trees_ == unbroken.front_trees_
    np.testing.assert_array_equal(later.history_["risk"], unbroken.history_["risk"])
    np.testing.assert_array_equal(later.sigma2_, unbroken.sigma2_)


def test_a_checkpoint_goes_on_beyond_its_end(rows, tmp_path):
    path = str(tmp_path / "run.checkpoint")
    quick(checkpoint=path, n_iter=1000).fit(*rows)
    assert (
        quick(checkpoint=path, n_iter=3000).fit(*rows).tree_ == quick(n_iter=3000).fit(*rows).tree_
    )


def test_a_checkpoint_of_another_fit_is_refused(rows, tmp_path):
    X, y = rows
    path = tmp_path / "run.checkpoint"
    quick(checkpoint=path).fit(X, y)
    for other, data, name in (
        (quick(checkpoint=path, sigma2=0.2), X, "sigma2"),
        (quick(checkpoint=path, max_depth=5), X, "max_depth"),
        (quick(checkpoint=path), X + 1.0, "training set"),
        (quick(checkpoint=path, random_state=1), X, "seed"),
    ):
        with pytest.raises(ValueError, match=f"another fit: its {name} is"):
            other.fit(data, y)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match=r"run\.checkpoint"):
        quick(checkpoint=path).fit(X, y)


def test_it_is_saved_and_loaded(rows, fitted, tmp_path):
    X, _ = rows
    save(fitted, tmp_path / "model.softwood")
    again = load(tmp_path / "model.softwood")
    assert again.front_trees_ == fitted.front_trees_
    np.testing.assert_array_equal(again.predict_confidence(X), fitted.predict_confidence(X))
    np.testing.assert_array_equal(again.history_["risk"], fitted.history_["risk"])


# -- what is not as it should be ---------------------------------------------------


def test_one_class_or_constant_columns_make_a_leaf(rows):
    X, y = rows
    for table, target in ((X, np.zeros(80)), (np.ones((80, 2)), y)):
        model = quick().fit(table, target)
        assert model.get_n_leaves() == 1
        assert (model.predict(table) == 0).all()
        assert len(model.pareto_front_) == 1


def test_a_constant_column_is_never_tested(rows):
    X, y = rows
    model = quick().fit(np.column_stack([np.ones(80), X, np.full(80, np.nan)]), y)
    assert set(model.tree_.feature[model.tree_.kind > 0]) <= {1, 2}


def test_no_iteration_is_the_best_of_the_first_population(rows):
    model = quick(n_iter=0).fit(*rows)
    assert model.history_["iteration"].tolist() == [0]
    assert model.score(*rows) > 0.5


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"sigma2": 0.0}, "'sigma2' parameter"),
        ({"sigma2": -1.0}, "'sigma2' parameter"),
        ({"sigma2": [0.1, 0.0]}, "sigma2 must be finite and positive"),
        ({"sigma2": [0.1]}, "one for each of the 2 columns"),
        ({"population_size": 1}, "'population_size' parameter"),
        ({"n_iter": -1}, "'n_iter' parameter"),
        ({"max_depth": 0}, "'max_depth' parameter"),
        ({"n_runs": 0}, "'n_runs' parameter"),
        ({"risk": "expected"}, "'risk' parameter"),
        ({"prediction": "firm"}, "'prediction' parameter"),
    ],
    ids=str,
)
def test_wrong_parameters_are_named(rows, options, text):
    model = quick(**options)
    with pytest.raises(ValueError, match=text):
        model.fit(*rows)
    assert not hasattr(model, "tree_")


def test_noise_is_the_vicinity(rows, fitted):
    from softwood.data.training import TrainingSet

    assert fitted.noise_ == vicinity(TrainingSet.of_classes(*rows), 0.1)
