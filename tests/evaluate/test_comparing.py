from threading import Lock

import joblib
import numpy as np
import pytest
from joblib.parallel import ParallelBackendBase, SequentialBackend
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from softwood import C45Classifier
from softwood.datasets import load_dataset
from softwood.evaluate import Comparison, KFoldProtocol, compare
from softwood.evaluate.store import Store
from tests.evaluate.small_study import Coin, Deadly, Fussy, Nearest, data, study
from tests.evaluate.test_resume import without_times

TREES = {
    "tree": DecisionTreeClassifier(random_state=0),
    "stump": DecisionTreeClassifier(max_depth=1),
}


def test_the_same_bits_for_any_number_of_jobs():
    methods = {"coin": Coin(), "near": Nearest()}
    one, two = (compare(methods, data(), "kfold:4", n_jobs=n) for n in (1, 2))
    assert without_times(one) == without_times(two)
    with joblib.parallel_config("threading", n_jobs=2):
        assert without_times(compare(methods, data(), "kfold:4")) == without_times(one)


def test_numbers_are_those_of_cross_validation():
    X, y = data()["large"]
    result = compare(TREES["tree"], {"d": (X, y)}, "kfold:5")
    folds = KFoldProtocol(5).splits(y, 0)
    expected = 1 - cross_val_score(TREES["tree"], X, y, cv=folds)
    np.testing.assert_allclose(result.split_scores()[0, 0], expected, rtol=1e-14)


def test_methods_and_data_sets_do_not_change_each_others_cells():
    both = compare(TREES, data(), "kfold:3")
    alone = compare({"stump": TREES["stump"]}, {"large": data()["large"]}, "kfold:3")
    column = [r for r in without_times(both) if r[0] in {k for k, *_ in without_times(alone)}]
    assert column == without_times(alone)


def test_nominal_data_for_everyone():
    methods = {
        "C4.5": C45Classifier(),
        "forest": RandomForestClassifier(5),
        "base": DummyClassifier(),
    }
    result = compare(methods, ["tic-tac-toe"], "random_splits:2x0.7")
    assert not result.failures
    assert (result.scores() < 0.36).all()
    assert result.scores()[0, 0] < 0.25


def test_regression():
    methods = {
        "tree": DecisionTreeRegressor(random_state=0),
        "stump": DecisionTreeRegressor(max_depth=1),
    }
    result = compare(methods, ["friedman1"], "kfold:3", ["r2", "squared_error"])
    assert result.metrics == ["r2", "squared_error"]
    scores = result.scores("squared_error")
    assert scores[0, 0] < scores[0, 1]
    assert result.losses()[0][0, 0] == -result.scores("r2")[0, 0]


def test_a_failing_cell_is_recorded_and_the_rest_goes_on(tmp_path):
    store = tmp_path / "r.sqlite"
    methods = {"fussy": Fussy(), "near": Nearest()}
    result = compare(methods, data(), "kfold:5", store=store)
    assert len(result.records) == 30
    assert {(r.cell.dataset, r.cell.method) for r in result.failures} == {("medium", "fussy")}
    assert result.left_out() == ["medium"]
    assert np.isnan(result.scores()[1, 0])
    assert "ValueError: 48 rows: no" in result.summary()
    # Failures are results: they are run again only if asked for.
    failed = [repr(r) for r in result.failures]
    assert [repr(r) for r in compare(methods, data(), "kfold:5", store=store).failures] == failed
    again = compare(methods, data(), "kfold:5", store=store, resume="retry")
    assert len(again.failures) == 5
    assert [repr(r) for r in again.failures] != failed
    assert len(again.records) == 30


def test_a_worker_that_dies_fails_its_cell_alone():
    sets = {name: data()[name] for name in ("large", "small")}
    # 90 rows in three folds are 60 in training, as are four fifths of 75.
    result = compare({"deadly": Deadly(75), "near": Nearest()}, sets, "kfold:3", n_jobs=2)
    assert {(r.cell.dataset, r.cell.method) for r in result.failures} == {("large", "deadly")}
    assert len(result.failures) == 3
    assert result.failures[0].outcome.error.startswith("WorkerDied")
    assert len(result.records) == 12


def test_custom_metrics_are_measured_where_they_are_missing(tmp_path):
    store = tmp_path / "r.sqlite"
    study(store)
    result = study(store, metrics=["error", accuracy_score])
    np.testing.assert_allclose(result.scores("accuracy_score"), 1 - result.scores("error"))
    assert result.losses("accuracy_score")[0][0, 0] == -result.scores("accuracy_score")[0, 0]
    with Store(store) as file:
        assert len(file.read("repeated_kfold:2x5, seed 0")) == 90
    assert Comparison.from_store(store).metrics == ["error", "accuracy_score"]


def test_a_method_that_cannot_travel():
    methods = {"coin": Coin(seconds=Lock())}
    with pytest.raises(TypeError, match=r"cannot be sent to another process .*; use n_jobs=1"):
        compare(methods, data(), "kfold:2", n_jobs=2)


class OldFashioned(SequentialBackend):
    """A backend that returns all results at once."""

    supports_return_generator = False
    supports_retrieve_callback = False

    def effective_n_jobs(self, n_jobs):
        return 1


def test_backends_that_return_all_at_once(tmp_path):
    joblib.register_parallel_backend("old-fashioned", OldFashioned)
    assert issubclass(OldFashioned, ParallelBackendBase)
    with joblib.parallel_config("old-fashioned"):
        assert without_times(study()) == without_times(study())
        assert len(study(tmp_path / "r.sqlite").records) == 90


@pytest.mark.slow
def test_dask(tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        far = study(tmp_path / "r.sqlite")
    assert without_times(far) == without_times(study())


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"resume": "maybe"}, ValueError, "resume must be one of"),
        ({"random_state": None}, TypeError, "random_state must be a whole number"),
        ({"metrics": "eror"}, ValueError, "did you mean 'error'"),
        ({"protocol": "kfold:99"}, ValueError, "data set 'small': n_splits=99"),
    ],
)
def test_mistakes_come_before_any_work(options, kind, words):
    with pytest.raises(kind, match=words):
        compare({"fussy": Fussy()}, data(), **options)


def test_tasks_do_not_mix():
    class Either(Coin):
        _estimator_type = None

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.estimator_type = None
            return tags

    sets = {"numbers": (np.zeros((9, 1)), np.linspace(0, 1, 9)), **data()}
    with pytest.raises(ValueError, match="compare on one kind at a time"):
        compare({"either": Either()}, sets)


def test_a_store_of_several_experiments(tmp_path):
    store = tmp_path / "r.sqlite"
    study(store)
    study(store, experiment="another")
    with pytest.raises(ValueError, match="name one"):
        Comparison.from_store(store)
    assert len(Comparison.from_store(store, "another").records) == 90
    with pytest.raises(ValueError, match="no experiment 'third'"):
        Comparison.from_store(store, "third")


def test_progress_tells_failures_and_the_end(capfd):
    compare({"fussy": Fussy(40)}, data(), "kfold:5", verbose=1)
    assert capfd.readouterr().err.splitlines()[-1] == "15 of 15 cells done, 5 failed"
    compare({"fussy": Fussy(40)}, data(), "kfold:5")
    assert capfd.readouterr().err == ""


def test_a_dataset_object():
    result = compare({"C4.5": C45Classifier()}, [load_dataset("iris")], "half_splits:2")
    assert result.datasets == ["iris"]


class Bare:
    """As little of an estimator as there can be."""

    def fit(self, X, y):
        self.label = y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def test_an_estimator_that_is_not_quite_scikit_learns():
    result = compare({"bare": Bare()}, data(), "kfold:3")
    assert not result.failures
    assert 0 < result.scores()[0, 0] < 1
