"""How a graph reads rows: one matrix of numbers and codes, or a tensor for each column."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.data.schema import Feature
from softwood.data.table import UNKNOWN_CODE
from softwood.export.onnx_algebra import ML, Graph
from softwood.interop.imported import Imported

GAP = ""  # what stands for a missing text: tensors of texts have no gaps


def declared(imported: Imported, as_columns: bool, dtype: type) -> list[Any]:
    """Return what the inputs of the graph are."""
    from onnx import TensorProto, helper

    number = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    if not as_columns:
        return [helper.make_tensor_value_info("X", number, [None, imported.n_features])]
    return [
        helper.make_tensor_value_info(
            feature.name, TensorProto.STRING if _is_text(feature) else number, [None, 1]
        )
        for feature in imported.schema.features
    ]


def encoded(
    graph: Graph, imported: Imported, as_columns: bool, matrix: str = "X"
) -> tuple[str, str | None]:
    """Return the rows as trees read them, and which of them the model refuses."""
    columns, refused = [], []
    for j, feature in enumerate(imported.schema.features):
        given = feature.name
        if not as_columns:
            given = graph.op("Gather", matrix, graph.const([j], np.int64), axis=1)
        if feature.is_nominal:
            code = _named(graph, feature, given) if as_columns else given
            value, is_unknown = _known(graph, imported, feature, code)
            if imported.reader.unknown == "error":
                refused.append(is_unknown)
        else:
            refused.append(graph.op("IsInf", given))
            value = _marked(graph, imported, given)
        columns.append(_habits(graph, imported, j, value))
    rows = columns[0] if len(columns) == 1 else graph.op("Concat", *columns, axis=1)
    any_refused = refused[0] if refused else None
    for other in refused[1:]:
        any_refused = graph.op("Or", any_refused or "", other)
    return rows, any_refused


def _is_text(feature: Feature) -> bool:
    return feature.is_nominal and any(isinstance(name, str) for name in feature.categories or ())


def _named(graph: Graph, feature: Feature, given: str) -> str:
    """Return codes of categories by their names; unknown ones and gaps as everywhere."""
    pairs = [(name, code) for code, name in enumerate(feature.categories or ()) if name is not None]
    if not _is_text(feature):
        names = np.array([[float(name) for name, _ in pairs]])
        codes = np.array([[code - UNKNOWN_CODE] for _, code in pairs])
        is_one = graph.cast(graph.op("Equal", given, graph.number(names)), graph.dtype)
        found = graph.op("MatMul", is_one, graph.const(codes, graph.dtype))
        found = graph.op("Add", found, graph.number(UNKNOWN_CODE))
        return graph.op("Where", graph.op("IsNaN", given), graph.number(np.nan), found)
    known = {str(name): float(code) for name, code in pairs}
    gap = known.setdefault(GAP, -1.0)
    found = graph.op(
        "LabelEncoder", given, domain=ML, keys_strings=list(known),
        values_floats=list(known.values()), default_float=float(UNKNOWN_CODE),
    )  # fmt: skip
    found = graph.cast(found, graph.dtype)
    if gap >= 0.0:
        return found
    is_gap = graph.op("Equal", found, graph.number(-1.0))
    return graph.op("Where", is_gap, graph.number(np.nan), found)


def _known(graph: Graph, imported: Imported, feature: Feature, code: str) -> tuple[str, str]:
    """Return codes with what the model makes of unknown and missing ones."""
    categories, rule = feature.categories or (), imported.reader.unknown
    n = len(categories)
    missing = n - 1.0 if None in categories else np.nan
    instead = {"spread": UNKNOWN_CODE, "error": UNKNOWN_CODE, "other": n - 1.0}.get(rule, missing)
    is_low = graph.op("Less", code, graph.number(0.0))
    is_unknown = graph.op("Or", is_low, graph.op("GreaterOrEqual", code, graph.number(n)))
    value = graph.op("Where", is_unknown, graph.number(instead), code)
    return graph.op("Where", graph.op("IsNaN", code), graph.number(missing), value), is_unknown


def _marked(graph: Graph, imported: Imported, value: str) -> str:
    mark = imported.reader.missing_value
    if np.isnan(mark):
        return value
    is_mark = graph.op("Equal", graph.cast(value, np.float32), graph.const(mark, np.float32))
    return graph.op("Where", is_mark, graph.number(np.nan), value)


def _habits(graph: Graph, imported: Imported, j: int, value: str) -> str:
    """Return a value as the reader of the model changes it: small numbers, zeros, gaps."""
    reader, zero = imported.reader, graph.number(0.0)
    if reader.zero > 0.0:
        is_small = graph.op("LessOrEqual", graph.op("Abs", value), graph.number(reader.zero))
        value = graph.op("Where", is_small, zero, value)
    if j in reader.zero_is_missing:
        value = graph.op("Where", graph.op("Equal", value, zero), graph.number(np.nan), value)
    if reader.fill:
        fill = graph.number(reader.fill[j])
        value = graph.op("Where", graph.op("IsNaN", value), fill, value)
        if imported.schema.features[j].is_nominal:
            is_unknown = graph.op("Equal", value, graph.number(UNKNOWN_CODE))
            value = graph.op("Where", is_unknown, graph.number(np.nan), value)
    return value
