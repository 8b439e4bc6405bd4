"""Models as one Python module that needs nothing but the standard library."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood.export._leaves import only_answers
from softwood.export.source import Source, source_of
from softwood.flow import Hard

ARRAYS = (
    "n_children",
    "first_child",
    "kind",
    "feature",
    "threshold",
    "missing_child",
    "weight",
    "below",
    "above",
    "response",
    "term_start",
    "term_feature",
    "term_weight",
    "set_start",
    "set_child",
)
GATES = ("sd", "home", "redraw", "drawn")
PLAIN = (str, int, float, bool, bytes, type(None))


def export_python(model: Any, path: PathLike | None = None) -> str:
    """Write a model as one module of Python, without numpy or anything else.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, scikit-learn, LightGBM or XGBoost.
    path : str or path-like, optional
        File to write; the text is returned in any case.

    Returns
    -------
    str
        The module. It has ``predict_proba(row)`` and ``predict(row)``, which take one row: a
        mapping of column names to values, or a sequence of values.

    Notes
    -----
    Its answers are those of the model to the last bit; probabilities of boosted models, which
    pass through an exponential, may differ in it.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.export import export_python
    >>> text = export_python(CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"]))
    >>> module = {}
    >>> exec(text, module)
    >>> module["predict"]({"x0": 1.2})
    'no'
    """
    if path is not None:
        check_place(path)
    source = source_of(model)
    text = "\n".join([_head(source), *_constants(source), "", _engine()])
    if path is not None:
        write_atomically(path, text.encode("utf-8"))
    return text


@cache
def _engine() -> str:
    return files("softwood.export").joinpath("engine.py.txt").read_text(encoding="utf-8")


def _head(source: Source) -> str:
    n_trees = len(source.trees)
    return (
        f'"""A {source.imported.kind} of {n_trees} tree{"s" if n_trees > 1 else ""}, written by '
        'softwood: see predict and predict_proba."""\n\nimport math\nimport struct\nimport sys\n'
    )


def _constants(source: Source) -> list[str]:
    from softwood._kernels.normal import cdf_table

    imported, forest, reader = source.imported, source.imported.forest, source.imported.reader
    features, gates = imported.schema.features, source.gates
    most = source.most_by_blocks(gates)
    trees = [_tree(source, k, gates[k], float(most[k])) for k in range(len(source.trees))]
    values = {
        "COLUMNS": [feature.name for feature in features],
        "CATEGORIES": [f.categories and tuple(map(_label, f.categories)) for f in features],
        "CLASSES": None if imported.classes is None else [*map(_label, imported.classes.tolist())],
        "RULE": imported.rule,
        "UNKNOWN": reader.unknown,
        "MISSING_MARK": None if np.isnan(reader.missing_value) else reader.missing_value,
        "ZERO": reader.zero,
        "ZERO_IS_MISSING": set(reader.zero_is_missing) or (),
        "FILL": list(reader.fill),
        "LINK": forest.link,
        "SLOPE": forest.slope,
        "IS_MEAN": forest.is_mean,
        "BASE": forest.base.tolist(),
        "DIVISOR": source.divisor.tolist(),
        "FACTOR": forest.factor.tolist(),
        "OUTPUT": forest.output.tolist(),
        "CDF_TABLE": cdf_table().tolist() if (most >= 0.0).any() else [],
    }
    lines = [f"{name} = {value!r}" for name, value in values.items()]
    return [*lines, "TREES = [", *(f"    {tree!r}," for tree in trees), "]", ""]


def _label(value: Any) -> Any:
    """Return a class or a category that Python can write down, or say that it cannot."""
    if isinstance(value, PLAIN) and value == value:
        return value
    raise ValueError(
        f"{value!r} is a {type(value).__name__}, which cannot be written down; fit the model with "
        "texts or numbers"
    )


def _tree(source: Source, k: int, gate: Any, most: float) -> dict[str, Any]:
    tree = source.trees[k]
    written = {name: np.asarray(getattr(tree, name)).tolist() for name in ARRAYS}
    written |= {name: getattr(gate, name).tolist() for name in GATES}
    return written | {
        "only": only_answers(tree).tolist(),
        "shape": int(gate.shape),
        "drop": float(gate.drop),
        "span": float(gate.span),
        "most_by_blocks": most,
        "is_hard": isinstance(source.flows[k], Hard),
    }
