"""Models as JSON: a text that any language reads, and that we read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood.data.schema import Feature, Schema
from softwood.errors import ModelFileError
from softwood.export.source import source_of
from softwood.flow import Flow, Gaussian, Hard, Ramp
from softwood.forest import Forest
from softwood.interop._rows import RowReader
from softwood.interop.imported import Imported
from softwood.tree import Tree

FORMAT, VERSION = "softwood-model", 1
FLOWS: dict[str, type] = {"hard": Hard, "ramp": Ramp, "gaussian": Gaussian}
PLAIN = (str, int, float, bool, type(None))

# Arrays of a tree as the text has them; see softwood.Tree for what they mean.
TREE_ARRAYS = (
    "n_children",
    "kind",
    "feature",
    "threshold",
    "below",
    "above",
    "missing_child",
    "weight",
    "response",
    "term_start",
    "term_feature",
    "term_weight",
    "set_start",
    "set_child",
)


def export_json(model: Any, path: PathLike | None = None, *, indent: int | None = None) -> str:
    """Write a model as JSON.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, scikit-learn, LightGBM or XGBoost.
    path : str or path-like, optional
        File to write; the text is returned in any case.
    indent : int, optional
        Spaces by which to indent; by default the text is one line.

    Returns
    -------
    str
        The model. ``docs/guide/deploying.md`` describes every field.

    Examples
    --------
    >>> import json
    >>> from softwood import CARTClassifier
    >>> from softwood.export import export_json, from_json
    >>> model = CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    >>> text = export_json(model)
    >>> json.loads(text)["trees"][0]["threshold"]
    [1.5, 0.0, 0.0]
    >>> from_json(text).predict([[1.2]]).tolist()
    ['no']
    """
    if path is not None:
        check_place(path)
    source = source_of(model)
    imported, forest = source.imported, source.imported.forest
    content = {
        "format": FORMAT,
        "version": VERSION,
        "kind": imported.kind,
        "classes": None if imported.classes is None else _labels(imported.classes),
        "is_single_tree": imported.is_single_tree,
        "rule": imported.rule,
        "columns": [_column(feature) for feature in imported.schema.features],
        "reader": _reader(imported.reader),
        "sum": {
            "link": forest.link,
            "slope": forest.slope,
            "is_mean": forest.is_mean,
            "base": forest.base.tolist(),
            "factor": forest.factor.tolist(),
            "output": forest.output.tolist(),
        },
        "flows": [_flow(flow) for flow in source.flows],
        "trees": [
            {name: np.asarray(getattr(tree, name)).tolist() for name in TREE_ARRAYS}
            for tree in source.trees
        ],
    }
    text = json.dumps(content, indent=indent, allow_nan=False)
    if path is not None:
        write_atomically(path, text.encode("utf-8"))
    return text


def _labels(values: Any) -> list[Any]:
    return [_plain(value, "class") for value in np.asarray(values).tolist()]


def _plain(value: Any, what: str) -> Any:
    """Return a label as JSON can hold it, or say that it cannot."""
    if isinstance(value, PLAIN) and value == value:
        return value
    raise ValueError(
        f"JSON has no {type(value).__name__}, and the {what} {value!r} is one; "
        "fit the model with texts or numbers"
    )


def _column(feature: Feature) -> dict[str, Any]:
    categories = feature.categories
    return {
        "name": feature.name,
        "categories": None
        if categories is None
        else [_plain(category, "category") for category in categories],
        "is_date": feature.is_date,
    }


def _reader(reader: RowReader) -> dict[str, Any]:
    return {
        "checks_names": reader.checks_names,
        "codes_above": reader.codes_above,
        "unnamed": list(reader.unnamed),
        "unknown": reader.unknown,
        "missing_value": None if np.isnan(reader.missing_value) else reader.missing_value,
        "zero": reader.zero,
        "zero_is_missing": list(reader.zero_is_missing),
        "rounds_integers": reader.rounds_integers,
        "fill": list(reader.fill),
    }


def _flow(flow: Flow) -> dict[str, Any]:
    name = next(name for name, kind in FLOWS.items() if isinstance(flow, kind))
    fields = getattr(type(flow), "__dataclass_fields__", {})
    return {"name": name, **{field: getattr(flow, field) for field in fields}}


# -- and back ------------------------------------------------------------------------


def from_json(source: str | PathLike) -> Imported:
    """Read a model that :func:`export_json` has written.

    Parameters
    ----------
    source : str or path-like
        The text itself, or the file that holds it.

    Returns
    -------
    Imported
        A model with ``predict`` and ``predict_proba`` that answers as the original does, bit for
        bit. :func:`softwood.soften`, :func:`softwood.prune` and exporters take it.

    Raises
    ------
    ModelFileError
        If the text is no such model, or its parts do not fit together: everything is checked.
    """
    text = _text_of(source)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ModelFileError(f"it is no JSON: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ModelFileError(f"it is JSON, but no {FORMAT}")
    if content.get("version") != VERSION:
        raise ModelFileError(
            f"it has version {content.get('version')!r}; this softwood reads {VERSION}"
        )
    try:
        return _restored(content)
    except ModelFileError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        raise ModelFileError(f"its parts do not fit together: {error}") from error


def _text_of(source: str | PathLike) -> str:
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source
    return Path(source).read_text(encoding="utf-8")


def _restored(content: dict[str, Any]) -> Imported:
    schema = Schema(tuple(_feature(column) for column in content["columns"]))
    n_features = len(schema.features)
    trees = [
        Tree(n_features=n_features, **{name: tree[name] for name in TREE_ARRAYS})
        for tree in content["trees"]
    ]
    reader = dict(content["reader"])
    for name in ("unnamed", "zero_is_missing", "fill"):
        reader[name] = tuple(reader[name])
    if reader["missing_value"] is None:
        reader["missing_value"] = float("nan")
    flows = [FLOWS[flow["name"]](**_options(flow)) for flow in content["flows"]]
    classes = content["classes"]
    return Imported(
        forest=Forest(trees, **content["sum"]),
        reader=RowReader(schema=schema, **reader),
        classes=None if classes is None else np.array(classes),
        kind=str(content["kind"]),
        is_single_tree=bool(content["is_single_tree"]),
        flow=flows[0] if all(flow == flows[0] for flow in flows) else flows,
        rule=content["rule"],
    )


def _feature(column: dict[str, Any]) -> Feature:
    categories = column["categories"]
    return Feature(
        str(column["name"]),
        None if categories is None else tuple(categories),
        bool(column["is_date"]),
    )


def _options(flow: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in flow.items() if name != "name"}
