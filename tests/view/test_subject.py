import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from softwood import CARTClassifier, CARTRegressor
from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.view._subject import subject_of

X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "d": ["2024-01-01", "2024-02-01", "2024-03-01"]})
CLASSIFIER = CARTClassifier().fit(X[["a"]], ["x", "y", "x"])
REGRESSOR = CARTRegressor().fit(X[["a"]], [1.0, 2.0, 3.0])


def test_columns_are_what_the_model_takes_them_for():
    with untold():
        model = CARTClassifier().fit(X, ["x", "y", "x"])
    subject = subject_of(model, X, ["x", "y", "x"], None, 0)
    assert [c.is_date for c in subject.table.columns] == [False, True]
    shown = subject.shown_table["d"].as_objects().tolist()
    assert shown == ["2024-01-01", "2024-02-01", "2024-03-01"]
    chosen = CARTClassifier(categorical_features=["a"]).fit(X[["a"]], ["x", "y", "x"])
    subject = subject_of(chosen, X[["a"]], ["x", "y", "x"], None, 0)
    assert subject.table["a"].is_nominal


def test_the_target_is_called_as_it_calls_itself():
    y = pd.Series(["x", "y", "x"], name="colour")
    assert subject_of(CLASSIFIER, X[["a"]], y, None, 0).target == "colour"
    assert subject_of(CLASSIFIER, X[["a"]], y, "shade", 0).target == "shade"
    assert subject_of(CLASSIFIER, X[["a"]], y.to_numpy(), None, 0).target == "the target"


def test_classes_and_shares():
    subject = subject_of(CLASSIFIER, X[["a"]], ["x", "y", "x"], None, 0)
    assert subject.classes.tolist() == ["x", "y"]
    np.testing.assert_allclose(subject.shares, [2 / 3, 1 / 3])


def test_a_frame_of_others_becomes_a_table():
    polars = pytest.importorskip("polars")
    subject = subject_of(CLASSIFIER, polars.DataFrame({"a": [1.0, 2.0]}), ["x", "y"], None, 0)
    assert isinstance(subject.X, Table)


@pytest.mark.parametrize(
    ("model", "rows", "y", "kind", "message"),
    [
        (CLASSIFIER, [[1.0]], ["x", "y"], ValueError, "X has 1 rows, and y 2"),
        (CLASSIFIER, [1.0], ["x"], ValueError, "two dimensions and y one; got 1 and 1"),
        (CLASSIFIER, np.empty((0, 1)), [], ValueError, "at least one row; got none"),
        (CLASSIFIER, csr_array(np.eye(2)), ["x", "y"], TypeError, r"pass X.toarray\(\)"),
        (CLASSIFIER, [[1.0], [2.0]], ["x", None], ValueError, "y has missing values"),
        (REGRESSOR, [[1.0], [2.0]], [1.0, np.inf], ValueError, "missing or infinite"),
        (REGRESSOR, [[1.0], [2.0]], ["x", "y"], ValueError, "y holds .*x.*predicts numbers"),
        (object(), [[1.0]], ["x"], TypeError, "got object"),
    ],
)
def test_what_cannot_be_reported_on(model, rows, y, kind, message):
    with pytest.raises(kind, match=message):
        subject_of(model, rows, y, None, 0)
