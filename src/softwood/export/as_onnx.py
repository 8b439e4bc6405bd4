"""Models as ONNX."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood._types import AnyArray
from softwood.data.encode import is_frame
from softwood.export.levels import answers_of
from softwood.export.onnx_algebra import ML, Graph, OnnxAlgebra
from softwood.export.onnx_hard import spreading, tree_ensemble
from softwood.export.onnx_rows import declared, encoded
from softwood.export.source import Source, source_of

OPSET, ML_OPSET, IR_VERSION = 18, 5, 10
DTYPES: dict[str, type] = {"float64": np.float64, "float32": np.float32}


def to_onnx(
    model: Any, X: Any = None, *, dtype: str = "float64", path: PathLike | None = None
) -> Any:
    """Return a model as ONNX.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, scikit-learn, LightGBM or XGBoost.
    X : array or frame, optional
        Rows like those that will be given. For a frame the graph has an input for each column,
        called like it, of shape (n_rows, 1): texts for categories, "" where one is missing,
        and numbers, NaN where one is. For an array it has one input, ``X``: categories are given
        by their codes, as in ``model.schema_``, and -2 is an unknown one. By default a model
        with categories is taken to be given frames, and others arrays.
    dtype : {"float64", "float32"}, default="float64"
        Type of numbers in the graph. With float64 answers are within 1e-12 of the model's. With
        float32 they are within 1e-5, unless a value is so near a cut that float32 cannot tell
        on which side it is.
    path : str or path-like, optional
        File to write.

    Returns
    -------
    onnx.ModelProto
        Its outputs are ``label`` and ``probabilities`` for classes, and ``prediction`` for
        numbers. A row with an infinite number, or with a category that the model refuses, gets
        NaN for these; its label means nothing.

    Notes
    -----
    Hard trees are one ``TreeEnsemble`` (ai.onnx.ml 5); where rows spread over several leaves,
    because of gaps or unknown categories, and for soft trees, masses are computed level by
    level with standard operators.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.export import to_onnx
    >>> graph = to_onnx(CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"]))
    >>> [output.name for output in graph.graph.output]
    ['label', 'probabilities']
    """
    from onnx import checker, helper

    if dtype not in DTYPES:
        raise ValueError(f"dtype must be one of {', '.join(DTYPES)}; got {dtype!r}")
    if path is not None:
        check_place(path)
    source = source_of(model)
    imported = source.imported
    as_columns = not imported.schema.all_numeric if X is None else is_frame(X)
    graph = Graph(DTYPES[dtype])
    outputs = _show(graph, source, add_model(graph, source, as_columns=as_columns))
    inputs = declared(imported, as_columns, graph.dtype)
    made = helper.make_graph(
        graph.nodes, imported.kind, inputs, _declared_outputs(outputs), initializers(graph)
    )
    domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(ML, ML_OPSET)]
    proto = helper.make_model(
        made, opset_imports=domains, ir_version=IR_VERSION, producer_name="softwood"
    )
    checker.check_model(proto)
    if path is not None:
        write_atomically(path, proto.SerializeToString())
    return proto


class Outputs(NamedTuple):
    """Tensors that a model answers with."""

    answers: str  # probabilities, or numbers
    place: str | None  # of the class among the classes


def add_model(
    graph: Graph, source: Source, *, as_columns: bool, matrix: str = "X", whole: bool = True
) -> Outputs:
    """Add the nodes of a model to a graph.

    Parameters
    ----------
    graph : Graph
        Where to.
    source : Source
        The model.
    as_columns : bool
        Whether rows are given as one tensor for each column.
    matrix : str, default="X"
        The tensor of rows, if they are not.
    whole : bool, default=True
        Whether the operators of ai.onnx.ml 5 can be used, and not standard ones alone.
    """
    imported = source.imported
    rows, refused = encoded(graph, imported, as_columns, matrix)
    raw = _sums(graph, source, rows, whole)
    if imported.forest.base.any():
        raw = graph.op("Add", raw, graph.number(imported.forest.base))
    answers = _linked(graph, source, raw)
    if refused is not None:
        answers = graph.op("Where", refused, graph.number(np.nan), answers)
    return Outputs(
        answers, _place(graph, source, raw, answers) if imported.classes is not None else None
    )


def _show(graph: Graph, source: Source, outputs: Outputs) -> dict[str, Any]:
    """Give the outputs their names; return the type and width of each."""
    if outputs.place is None or source.imported.classes is None:
        _rename(graph, outputs.answers, "prediction")
        return {"prediction": (graph.dtype, source.imported.forest.n_outputs)}
    classes = class_values(source.imported.classes)
    _rename(graph, graph.op("Gather", graph.const(classes), outputs.place, axis=0), "label")
    _rename(graph, outputs.answers, "probabilities")
    return {"label": (classes.dtype, None), "probabilities": (graph.dtype, len(classes))}


def _rename(graph: Graph, name: str, wanted: str) -> None:
    from onnx import helper

    graph.nodes.append(helper.make_node("Identity", [name], [wanted]))


# -- trees -------------------------------------------------------------------------------


def _sums(graph: Graph, source: Source, rows: str, whole: bool) -> str:
    grove, n_categories = source.grove, source.imported.n_categories
    if not (source.is_hard and whole):
        return str(answers_of(OnnxAlgebra(graph, rows, n_categories), grove))
    gaps, codes = spreading(grove)
    if not gaps and not codes:
        return tree_ensemble(graph, OnnxAlgebra(graph, rows, n_categories), grove)
    algebra, parts = OnnxAlgebra(graph, rows, n_categories), []
    if gaps:
        has_gap = graph.op("IsNaN", algebra.row(np.array(sorted(gaps))))
        parts.append(graph.cast(has_gap, graph.dtype))
    parts += [algebra.lookup(feature, table[:, None]) for feature, table in codes.items()]
    joined = parts[0] if len(parts) == 1 else graph.op("Concat", *parts, axis=1)
    count = graph.op("ReduceSum", joined, keepdims=0)
    some_spread = graph.op("Greater", count, graph.const(0.5, graph.dtype))
    branches = {}
    for branch, is_level in (("then_branch", True), ("else_branch", False)):
        inner = Graph(graph.dtype, graph)
        algebra = OnnxAlgebra(inner, rows, n_categories)
        answers = answers_of(algebra, grove) if is_level else tree_ensemble(inner, algebra, grove)
        branches[branch] = _subgraph(inner, branch, str(answers))
    return graph.op("If", some_spread, **branches)


def _subgraph(inner: Graph, name: str, output: str) -> Any:
    from onnx import helper

    number = helper.np_dtype_to_tensor_dtype(np.dtype(inner.dtype))
    shown = helper.make_tensor_value_info(output, number, None)
    return helper.make_graph(inner.nodes, name, [], [shown])


# -- answers -----------------------------------------------------------------------------


def _linked(graph: Graph, source: Source, raw: str) -> str:
    forest = source.imported.forest
    if forest.slope != 1.0:
        raw = graph.op("Mul", raw, graph.number(forest.slope))
    if forest.link == "logistic":
        second = graph.op("Sigmoid", raw)
        return graph.op("Concat", graph.op("Sub", graph.number(1.0), second), second, axis=1)
    operator = {"sigmoid": "Sigmoid", "softmax": "Softmax", "exponential": "Exp"}.get(forest.link)
    if operator is None:
        return raw
    return graph.op(operator, raw, axis=1) if operator == "Softmax" else graph.op(operator, raw)


def _place(graph: Graph, source: Source, raw: str, answers: str) -> str:
    """Return the place of the class, chosen as the model chooses."""
    rule, zero = source.imported.rule, graph.const(0.0, graph.dtype)
    if rule in ("positive", "not_negative"):
        if source.imported.forest.n_outputs > 1:
            return graph.op("ArgMax", raw, axis=1, keepdims=0)
        score = graph.op("Reshape", raw, graph.const([-1], np.int64))
        kind = "Greater" if rule == "positive" else "GreaterOrEqual"
        return graph.cast(graph.op(kind, score, zero), np.int64)
    if rule == "largest":
        return graph.op("ArgMax", answers, axis=1, keepdims=0)
    slack = 1e-9 if graph.dtype is np.float64 else 1e-6  # what only rounding tells apart
    most = graph.op("ReduceMax", answers, graph.const([1], np.int64), keepdims=1)
    least = graph.op("Sub", most, graph.number(slack))
    is_most = graph.cast(graph.op("GreaterOrEqual", answers, least), graph.dtype)
    return graph.op("ArgMax", is_most, axis=1, keepdims=0)


def class_values(classes: AnyArray) -> AnyArray:
    """Return classes as an array of a type that graphs have."""
    labels = classes.tolist()
    if all(isinstance(label, bool) for label in labels):
        return np.array(labels, dtype=np.bool_)
    if all(isinstance(label, int) for label in labels):
        return np.array(labels, dtype=np.int64)
    if all(isinstance(label, (int, float)) for label in labels):
        return np.array(labels, dtype=np.float64)
    if all(isinstance(label, str) for label in labels):
        return np.array(labels, dtype=object)
    raise ValueError(
        f"the classes {labels[:3]} cannot be written down together; fit the model with texts or "
        "with numbers"
    )


def _declared_outputs(outputs: dict[str, Any]) -> list[Any]:
    from onnx import TensorProto, helper

    declared_outputs = []
    for name, (dtype, width) in outputs.items():
        is_text = np.dtype(dtype) == object
        kind = TensorProto.STRING if is_text else helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        shape = [None] if width is None else [None, width]
        declared_outputs.append(helper.make_tensor_value_info(name, kind, shape))
    return declared_outputs


def initializers(graph: Graph) -> list[Any]:
    """Return the constants that are used."""
    from onnx import numpy_helper

    used = _inputs_of(graph.nodes)
    pairs = graph.constants.items()
    return [numpy_helper.from_array(array, name) for name, array in pairs if name in used]


def _inputs_of(nodes: Any) -> set[str]:
    """Return all that nodes read, those of graphs within them too."""
    found: set[str] = set()
    for node in nodes:
        found |= set(node.input)
        for attribute in node.attribute:
            found |= _inputs_of(attribute.g.node)
    return found
