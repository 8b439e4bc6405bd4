"""What each estimator declares is checked in sealed files: fronts, forests, seeds, fillings."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from softwood import (
    CARTClassifier,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    Perturb,
    SoftTreeClassifier,
    VRForestClassifier,
    VRForestRegressor,
    load,
    soften,
)
from softwood.errors import ModelFileError
from softwood.refine.perturbation import Perturbation
from tests.persist.models import mixed_table, numeric_rows
from tests.persist.test_sealed import array, put, remove, sealed


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


@pytest.fixture(scope="module")
def evolved():
    return EvolvedTreeClassifier(n_iter=300, population_size=10, random_state=0).fit(
        *numeric_rows()
    )


@pytest.fixture(scope="module")
def forest():
    return CoalescenceClassifier(4, random_state=0).fit(*numeric_rows())


@pytest.fixture(scope="module")
def oblique():
    return ObliqueTreeClassifier(n_restarts=1, random_state=0).fit(*mixed_table())


@pytest.fixture(scope="module")
def softened():
    X, y = numeric_rows()
    return soften(RandomForestClassifier(3, random_state=0).fit(X, y), X, y, smoothing=0.1)


def refused(path, model, change, message):
    sealed(path, model, change)
    with pytest.raises(ModelFileError, match=f"{path.name}: .*({message})"):
        load(path)


def of(name, *keys, value):
    return put("attributes", name, *keys, value=value)


def floats(*values, shape=None):
    listed = [{"float": str(v)} if v != v else v for v in values]
    return {"array": {"dtype": "<f8", "shape": shape or [len(values)], "values": listed}}


NAN = float("nan")
EVOLVED = {
    "no front": (remove("attributes", "front_trees_"), "'front_trees_' must be a tuple"),
    "front of numbers": (of("front_trees_", value={"tuple": [1]}), "'front_trees_' must be"),
    "empty front": (of("front_trees_", value={"tuple": []}), "'front_trees_' must be a tuple"),
    "front as a list": (of("front_trees_", value=[{"tree": 0}]), "'front_trees_' must be a tuple"),
    "one tree": (of("front_trees_", value={"tuple": [{"tree": 0}]}), "'front_risks_' must be"),
    "risks of text": (of("front_risks_", value="x"), "'front_risks_' must be an array"),
    "no risks": (remove("attributes", "front_risks_"), "'front_risks_' must be an array"),
    "no sizes": (remove("attributes", "front_n_nodes_evolved_"), "must be an array of numbers"),
    "risk": (of("risk_", value=1.5), "'risk_' must be of type float"),
    "risk of text": (of("risk_", value="x"), "'risk_' must be of type float"),
    "size": (of("n_nodes_evolved_", value=0), "'n_nodes_evolved_' must be"),
    "noise": (of("noise_", value=None), "'noise_' must be a Gaussian"),
    "no noise": (remove("attributes", "noise_"), "'noise_' must be a Gaussian"),
    "sigma2": (of("sigma2_", value=floats(0.1)), "'sigma2_' must be an array"),
    "sigma2 NaN": (of("sigma2_", value=floats(NAN, 0.1, 0.1)), "'sigma2_' must hold finite"),
    "sigma2 of 0": (of("sigma2_", value=floats(0.0, 0.1, 0.1)), "'sigma2_' must hold"),
    "path": (of("sigma2_path_", value=[1]), "'sigma2_path_' must have sigma2, error"),
    "history": (of("history_", value=[1, 2]), "'history_' must have iteration"),
    "no history": (remove("attributes", "history_"), "'history_' must have iteration"),
    "history of numbers": (
        of("history_", value={"dict": [["iteration", 1], ["risk", 2], ["n_nodes", 3]]}),
        "equally many",
    ),
}


@pytest.mark.parametrize("case", EVOLVED)
def test_an_evolved_tree(case, evolved, path):
    change, message = EVOLVED[case]
    refused(path, evolved, change, message)


def test_a_front_must_get_better_as_it_gets_larger(evolved, path):
    assert len(evolved.front_trees_) > 1

    def reverse(said, members):
        said["attributes"]["front_trees_"]["tuple"].reverse()

    refused(path, evolved, reverse, "must get larger")


def test_a_file_does_not_say_where_a_fit_writes(tmp_path, path):
    place = str(tmp_path / "run.checkpoint")
    model = EvolvedTreeClassifier(n_iter=10, population_size=5, random_state=0, checkpoint=place)
    model.fit(*numeric_rows())
    sealed(path, model, lambda said, members: None)
    assert load(path).checkpoint is None
    sealed(path, model, put("parameters", "checkpoint", value="/etc/chosen-by-a-stranger"))
    assert load(path).checkpoint is None


FOREST = ("attributes", "forest_", "forest")
ENSEMBLE = {
    "forest 7": (put(*FOREST, "packed", value=7), "names forest 7 of 1"),
    "base": (put(*FOREST, "base", value=floats(1.0, 0.0)), "answers a mean"),
    "factor": (put(*FOREST, "factor", "array", "values", 0, value=2.0), "answers a mean"),
    "slope": (put(*FOREST, "slope", value=2.0), "answers a mean"),
    "sum": (put(*FOREST, "is_mean", value=False), "answers a mean"),
    "link": (put(*FOREST, "link", value="softmax"), "answers a mean"),
    "no forest": (of("forest_", value=None), "does not make|answers a mean|fitted"),
    "alphas": (of("alphas_", value=floats(0.5)), "'alphas_' must be an array"),
    "no alphas": (remove("attributes", "alphas_"), "'alphas_' must be an array"),
    "alpha of 2": (of("alphas_", value=floats(2.0, 0.0, 0.0, 0.0)), "'alphas_' must hold"),
    "alpha NaN": (of("alphas_", value=floats(NAN, 0.0, 0.0, 0.0)), "'alphas_' must hold"),
    "seed": (of("seed_", value=-1), "'seed_' must be of type int"),
    "seed of text": (of("seed_", value="x"), "'seed_' must be of type int"),
    "samples": (of("n_samples_fit_", value=10**12), "'n_samples_fit_' must be"),
    "score": (of("oob_score_", value="x"), "'oob_score_' must be a number"),
    "losses": (of("alpha_losses_", value=[1]), "'alpha_losses_' must have"),
    "losses of text": (of("alpha_losses_", value={"dict": [["a", 1.0]]}), "'alpha_losses_'"),
    "no threads": (put("parameters", "n_jobs", value=0), "'n_jobs' of .* must not be 0"),
    "trees": (put("parameters", "n_estimators", value=-5), "'n_estimators' parameter"),
    "smoothing": (put("parameters", "smoothing", value="loud"), "'smoothing' parameter"),
}


@pytest.mark.parametrize("case", ENSEMBLE)
def test_an_ensemble(case, forest, path):
    change, message = ENSEMBLE[case]
    refused(path, forest, change, message)


def test_losses_of_alphas_come_back(path):
    model = VRForestClassifier(4, alpha="search", random_state=0).fit(*numeric_rows())
    sealed(path, model, lambda said, members: None)
    assert load(path).alpha_losses_ == model.alpha_losses_


def test_numbers_of_trees_must_have_a_finite_sum(path):
    X, y = numeric_rows()
    model = VRForestRegressor(3, random_state=0).fit(X, y.astype(float))
    huge = array("table", "<f8", lambda values: np.full_like(values, 1e308), "forests/0")
    refused(path, model, huge, "finite sum")


SOFTENED = ("attributes", "imported_", "record", "fields", "forest", "forest")
SHARES = {
    "leaves": (array("response", "<f8", lambda values: values * 0.5), "do not sum to 1"),
    "negative": (array("response", "<f8", lambda values: 1.0 - 2 * values), "do not sum to 1"),
    "base": (put(*SOFTENED, "base", value=floats(0.5, 0.5)), "no probabilities"),
    "slope": (put(*SOFTENED, "slope", value=3.0), "no probabilities"),
    "link": (put(*SOFTENED, "link", value="exponential"), "no probabilities"),
    "sum": (put(*SOFTENED, "is_mean", value=False), "averaged"),
    "factors": (put(*SOFTENED, "factor", value=floats(1e308, 1e308, 1e308)), "finite sum"),
    "tiny factor": (put(*SOFTENED, "factor", value=floats(1.0, 1.0, 5e-324)), "compared"),
}


@pytest.mark.parametrize("case", SHARES)
def test_a_softened_forest(case, softened, path):
    change, message = SHARES[case]
    refused(path, softened, change, message)


FILLED = {
    "too few": (of("fill_values_", value=floats(0.0)), "'fill_values_' must be an array"),
    "none": (remove("attributes", "fill_values_"), "'fill_values_' must be an array"),
    "NaN": (of("fill_values_", value=floats(NAN, 0.0, 0.0)), "'fill_values_' must hold finite"),
    "no category": (of("fill_values_", value=floats(0.0, 99.0, 0.0)), "must be one of the column"),
    "half": (of("fill_values_", value=floats(0.0, 0.5, 0.0)), "must be one of the column"),
    "margins": (of("margins_", value=floats(1.0, 2.0, 3.0, 4.0)), "'margins_' must be"),
}


@pytest.mark.parametrize("case", FILLED)
def test_an_oblique_tree(case, oblique, path):
    change, message = FILLED[case]
    refused(path, oblique, change, message)


def test_soft_trees_and_their_noise(path):
    X, y = numeric_rows()
    options = {"method": Perturb("sampled"), "smoothing": 0.2, "random_state": 0}
    model = SoftTreeClassifier(**options).fit(X, y)
    refused(path, model, of("deviations_", value=floats(1.0)), "'deviations_' must be an array")
    refused(path, model, of("deviations_", value=floats(NAN, 1.0, 1.0)), "'deviations_' must hold")
    many = of("flow_", "flow", "fields", "n", value=10**9)
    refused(path, model, many, "n must be at most 100000; got 1000000000")
    truth = of("flow_", "flow", "fields", "n", value=True)
    refused(path, model, truth, "has a n of the wrong type")
    with pytest.raises(ValueError, match="n must be at most 100000"):
        Perturbation((1.0,), n=10**9)


def test_copies_of_very_wide_rows_are_bounded(path):
    model = CARTClassifier(max_depth=1).fit(*numeric_rows(n_features=2000))
    fields = {"scale": 1.0, "n": 100_000, "random_state": 0, "redraw": 0.0}
    fields["marginals"] = {"tuple": []}
    many = of("flow_", value={"flow": {"name": "Sampled", "fields": fields}})
    refused(path, model, many, "100000 copies of rows of 2000 features")


def test_classes_weights_and_categories(forest, oblique, path):
    classes = ("attributes", "classes_")
    odd = {"array": {"dtype": "|O", "shape": [2], "values": ["a", 1]}}
    refused(path, forest, put(*classes, value=odd), "distinct classes")
    refused(path, forest, put(*classes, value=floats(NAN, 1.0)), "distinct classes")
    heavy = array("weight", "<f8", lambda values: np.full_like(values, 1e308))
    refused(path, oblique, heavy, "weights of a tree must have a finite sum")
    schema = ("attributes", "schema_", "schema", 1, "categories", 0)
    refused(path, oblique, put(*schema, value={"float": "nan"}), "NaN for a category")
