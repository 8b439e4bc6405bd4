import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from softwood.data.table import Column, Table
from softwood.datasets import load_dataset
from softwood.evaluate.problems import problems_of, take_rows

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
Y = np.array(["a", "b", "a", "b"])
COLUMNS = {"u": X[:, 0], "v": X[:, 1]}
KINDS = {
    "array": X,
    "list": X.tolist(),
    "pandas": pd.DataFrame(COLUMNS),
    "polars": pl.DataFrame(COLUMNS),
    "table": Table(tuple(Column(name, values) for name, values in COLUMNS.items())),
    "sparse": csr_array(X),
}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_any_kind(kind):
    [problem] = problems_of({"d": (KINDS[kind], Y)})
    part = take_rows(problem.X, np.array([0, 2]))
    if isinstance(part, Table):
        values = np.column_stack([column.values for column in part.columns])
    else:
        values = part.toarray() if kind == "sparse" else np.asarray(part)
    np.testing.assert_array_equal(values, X[[0, 2]])
    assert problem.classes.tolist() == ["a", "b"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_digest_sees_every_value(kind):
    def digest(X, y=Y):
        return problems_of({"d": (X, y)})[0].digest

    made = {
        "array": np.array,
        "list": np.ndarray.tolist,
        "pandas": lambda x: pd.DataFrame(x, columns=["u", "v"]),
        "polars": lambda x: pl.DataFrame(x, schema=["u", "v"]),
        "table": lambda x: Table((Column("u", x[:, 0]), Column("v", x[:, 1]))),
        "sparse": csr_array,
    }[kind]
    assert digest(KINDS[kind]) == digest(made(X))
    changed = X.copy()
    changed[2, 1] += 1e-12
    assert digest(made(changed)) != digest(KINDS[kind])
    assert digest(KINDS[kind], Y[::-1]) != digest(KINDS[kind])


def test_names_and_data_sets():
    iris = load_dataset("iris")
    names = [problem.name for problem in problems_of(["iris", load_dataset("wine")])]
    assert names == ["iris", "wine"]
    same = problems_of({"flowers": iris, "again": "iris"})
    assert same[0].digest == same[1].digest
    assert problems_of("friedman1")[0].task == "regression"


def test_strings_of_frames_are_classes():
    y = pd.Series(Y, dtype="category")
    [problem] = problems_of({"d": (KINDS["pandas"], y)}, "classification")
    assert problem.y.tolist() == Y.tolist()


@pytest.mark.parametrize(
    ("datasets", "task", "words"),
    [
        (["irsi"], None, "did you mean 'iris'"),
        ([], None, "datasets is empty"),
        (["iris", "iris"], None, "'iris' twice"),
        (["iris"], "regression", "'iris' is for classification, but the methods do regression"),
        ({"d": (X, Y[:2])}, None, "X has 4 rows, y has 2"),
        ({"d": (X[0], Y)}, None, "two dimensions"),
        ({"d": (X, np.full(4, "a"))}, None, "only the class"),
        ({"d": (X, Y)}, "regression", "methods predict numbers"),
        ({"d": (X, [0.5, 1.7, 2.1, 3.3])}, "classification", "continuous.*predict classes"),
        ({"d": (X, [0.5, np.nan, 2.1, 3.3])}, None, "missing or infinite"),
        ({"d": (X, np.array(["a", None, "b", "a"], dtype=object))}, None, "missing values"),
    ],
)
def test_mistakes(datasets, task, words):
    with pytest.raises(ValueError, match=words):
        problems_of(datasets, task)


@pytest.mark.parametrize("datasets", [3, [3], {"d": 3}, {"d": (X, Y, Y)}])
def test_wrong_types(datasets):
    with pytest.raises(TypeError, match="got"):
        problems_of(datasets)
