import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    to_onnx,
)
from tests.export.models import as_codes, as_values, asked
from tests.view.explorer.models import MAKE, made

pytest.importorskip("onnx", reason="onnx is not installed")
runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


def run(proto, given):
    session = runtime.InferenceSession(
        proto.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, given)


def is_near_a_cut(imported, codes):
    """Return which rows float32 moves across a cut, or so near that a sum might."""
    near = np.zeros(len(codes), dtype=bool)
    rounded = codes.astype(np.float32).astype(np.float64)
    for tree in imported.forest.trees:
        for node in np.flatnonzero(tree.kind == 1):
            x, low, cut = (
                codes[:, tree.feature[node]],
                rounded[:, tree.feature[node]],
                tree.threshold[node],
            )
            near |= (x <= cut) != (low <= cut)
    return near


@pytest.mark.parametrize("name", MAKE)
def test_a_runtime_answers_as_the_model_does(name):
    model, imported, rows, expected, labels = asked(name, 600)
    codes, size = as_codes(rows), max(1.0, np.abs(expected).max())
    *found_labels, found = run(to_onnx(model, codes), {"X": codes})
    assert np.abs(found - expected).max() < 1e-12 * size
    if imported.classes is not None:
        assert found_labels[0].tolist() == labels.tolist()


@pytest.mark.parametrize("name", [name for name in MAKE if name != "soft, 1000 leaves"])
def test_float32_is_near_unless_a_value_is_at_a_cut(name):
    model, imported, rows, expected, _ = asked(name, 600)
    codes, size = as_codes(rows), max(1.0, np.abs(expected).max())
    *_, found = run(to_onnx(model, codes, dtype="float32"), {"X": codes.astype(np.float32)})
    assert found.dtype == np.float32
    wrong = np.abs(found - expected).max(axis=1) > 1e-5 * size
    assert not (wrong & ~is_near_a_cut(imported, codes)).any()


@pytest.mark.parametrize("name", ["m-ary", "soft by perturbation", "LightGBM"])
def test_columns_are_given_by_their_names(name):
    model, imported, rows, expected, labels = asked(name, 300)
    given = [as_values(imported, row) for row in rows]
    columns = {}
    for j, feature in enumerate(imported.schema.features):
        values = [row[j] for row in given]
        if feature.is_nominal and any(isinstance(name, str) for name in feature.categories):
            column = np.array(["" if v is None else str(v) for v in values], dtype=object)
        else:
            column = np.array([np.nan if v is None else float(v) for v in values])
        columns[feature.name] = column.reshape(-1, 1)
    found_labels, found = run(to_onnx(model), columns)
    assert np.abs(found - expected).max() < 1e-12
    assert found_labels.tolist() == labels.tolist()


def test_many_categories_do_not_break_the_runtime():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": [f"c{k}" for k in rng.integers(0, 300, 4000)]})
    y = X["c"].str[1:].astype(int) % 3 == 0
    model = CARTClassifier(min_samples_leaf=2).fit(X, y)
    codes = np.arange(len(model.schema_.features[0].categories), dtype=float)[:, None]
    names = pd.DataFrame({"c": list(model.schema_.features[0].categories)})
    assert np.array_equal(run(to_onnx(model, codes), {"X": codes})[1], model.predict_proba(names))


def test_refused_rows_are_not_answered():
    X = np.array([["a", 1.0], ["b", 2.0]] * 2, dtype=object)
    model = C45Classifier(min_samples_leaf=1, handle_unknown="error").fit(X, [0, 1, 0, 1])
    codes = np.array([[0.0, 1.0], [-2.0, 1.0], [1.0, np.inf], [np.nan, np.nan]])
    _, found = run(to_onnx(model, codes), {"X": codes})
    assert np.isnan(found).any(axis=1).tolist() == [False, True, True, False]


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="dtype must be one of float64, float32; got 'float16'"):
        to_onnx(made("one leaf")[0], dtype="float16")


def test_a_file_is_written(tmp_path):
    proto = to_onnx(made("one leaf")[0], path=tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == proto.SerializeToString()


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        CARTClassifier(max_depth=4),
        SoftTreeClassifier(method="perturb", smoothing=0.3, random_state=0),
        CoalescenceClassifier(5, random_state=0),
        CARTRegressor(max_depth=4),
    ],
    ids=lambda model: type(model).__name__,
)
def test_pipelines_convert(model, whole):
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from softwood.export import register_with_skl2onnx

    register_with_skl2onnx()
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), model).fit(X, y)
    is_classifier = hasattr(pipeline, "predict_proba")
    proto = skl2onnx.to_onnx(
        pipeline,
        X[:1],
        options={"zipmap": False} if is_classifier else None,
        target_opset={"": 18, "ai.onnx.ml": 5 if whole else 3},
    )
    *labels, found = run(proto, {"X": X})
    expected = pipeline.predict_proba(X) if is_classifier else pipeline.predict(X)[:, None]
    assert np.abs(found - expected).max() < 1e-12
    if is_classifier:
        assert labels[0].tolist() == pipeline.predict(X).tolist()


def test_children_of_sets_are_shared_by_no_comparison():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"c": rng.choice(list("abcdefghij"), 600), "x": rng.normal(size=600)})
    y = np.where(X["c"].isin(list("adgj")), X["x"] > 0, X["x"] > 1)
    model = CARTClassifier().fit(X, y)  # tests below both children of a set
    codes = np.column_stack([X["c"].map({c: k for k, c in enumerate("abcdefghij")}), X["x"]])
    assert np.array_equal(run(to_onnx(model, codes), {"X": codes})[1], model.predict_proba(X))


def test_rows_on_a_hyperplane_stay_on_their_side():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    model = ObliqueTreeClassifier(random_state=0).fit(X, X @ np.arange(1, 7) > 0)
    tree = model.tree_
    terms = slice(tree.term_start[0], tree.term_start[1])
    feature, weight = tree.term_feature[terms], tree.term_weight[terms]
    rest = X[:, feature[1:]] @ weight[1:]
    X[:, feature[0]] = (tree.threshold[0] - rest) / weight[0]
    assert np.array_equal(run(to_onnx(model), {"X": X})[1], model.predict_proba(X))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_root_above_a_leaf_and_a_node_of_the_same_number(sign):
    X = sign * np.array([[1.0], [2.0], [3.0]])
    model = CARTClassifier().fit(X, [0, 1, 2])
    assert run(to_onnx(model), {"X": X})[0].tolist() == [0, 1, 2]
