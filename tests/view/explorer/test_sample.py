import numpy as np

from softwood import CARTClassifier
from softwood.interop import import_model
from softwood.view.explorer.arrays import Block
from softwood.view.explorer.sample import MOST_BYTES, UNKNOWN, chosen_rows, sample_of


def test_a_sample_is_of_all_rows_and_repeatable():
    rows = chosen_rows(10_000, 5, most=400)
    assert rows.tolist() == chosen_rows(10_000, 5, most=400).tolist()
    assert np.unique(rows).size == 400
    assert rows.max() > 9_000


def test_wide_tables_bring_fewer_rows():
    rows = chosen_rows(10_000, 20_000, most=500)
    assert 1 <= rows.size * 20_000 * 8 <= MOST_BYTES


def test_classes_are_places_in_the_models_list():
    X = np.arange(4.0)[:, None]
    imported = import_model(CARTClassifier().fit(X, ["b", "a", "b", "a"]))
    block = Block()
    made = sample_of(imported, X, np.array(["a", "b", "zebra", "a"]), 10, block)
    _, start, size = made["target"]
    data = np.frombuffer(b"".join(block._parts), "<f8", size, start)
    assert data.tolist() == [0.0, 1.0, UNKNOWN, 0.0]
    assert made["nRows"] == made["ofRows"] == 4
