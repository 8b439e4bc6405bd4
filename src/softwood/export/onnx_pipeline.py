"""Our models in pipelines that skl2onnx converts."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.export.as_onnx import add_model, class_values, initializers
from softwood.export.onnx_algebra import ML, Graph
from softwood.export.source import source_of
from softwood.persist.registry import ESTIMATORS, class_named

TREE_ENSEMBLE = 5  # the version of ai.onnx.ml that has one for float64


def register_with_skl2onnx() -> None:
    """Tell skl2onnx how to convert softwood's models, so that pipelines with them convert.

    Rows are computed in float64, whatever is given. Call it once, before ``skl2onnx.to_onnx``;
    with ``target_opset={"": 18, "ai.onnx.ml": 5}`` hard trees become a ``TreeEnsemble``.

    Examples
    --------
    >>> from softwood.export import register_with_skl2onnx
    >>> register_with_skl2onnx()
    """
    from skl2onnx import update_registered_converter
    from skl2onnx.common.shape_calculator import (
        calculate_linear_classifier_output_shapes,
        calculate_linear_regressor_output_shapes,
    )

    for name in ESTIMATORS:
        is_classifier = name.endswith("Classifier")
        update_registered_converter(
            class_named(name),
            f"Softwood{name}",
            calculate_linear_classifier_output_shapes
            if is_classifier
            else calculate_linear_regressor_output_shapes,
            _convert,
            options={"zipmap": [True, False, "columns"], "nocl": [True, False]}
            if is_classifier
            else None,
        )


def _convert(scope: Any, operator: Any, container: Any) -> None:
    source = source_of(operator.raw_operator)
    graph = Graph(np.float64, prefix=scope.get_unique_operator_name("softwood") + "_")
    rows = graph.cast(operator.inputs[0].full_name, np.float64)
    whole = container.target_opset_any_domain(ML) >= TREE_ENSEMBLE
    outputs = add_model(graph, source, as_columns=False, matrix=rows, whole=whole)
    answers, place = outputs
    if place is not None:
        classes = class_values(source.imported.classes)  # type: ignore[arg-type]
        if classes.dtype.kind in "bf":  # labels are whole numbers or texts there
            classes = classes.astype(np.int64)
        label = graph.op("Gather", graph.const(classes), place, axis=0)
        _rename(graph, label, operator.outputs[0].full_name)
    last = operator.outputs[-1]
    wanted = np.float64 if "Double" in type(last.type).__name__ else np.float32
    _rename(graph, graph.cast(answers, wanted), last.full_name)
    _hand_over(graph, container)


def _rename(graph: Graph, name: str, wanted: str) -> None:
    from onnx import helper

    graph.nodes.append(helper.make_node("Identity", [name], [wanted]))


def _hand_over(graph: Graph, container: Any) -> None:
    from onnx import helper

    container.initializers.extend(initializers(graph))
    for at, node in enumerate(graph.nodes):
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        container.add_node(
            node.op_type,
            list(node.input),
            list(node.output),
            op_domain=node.domain,
            op_version=container.target_opset_any_domain(node.domain),
            name=f"{graph.prefix}n{at}",
            **attributes,
        )
