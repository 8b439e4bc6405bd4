"""``softwood info``: what a model file holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from softwood.cli._screen import answer, say, show, without_nan
from softwood.cli.terminal import forest_panel, tree_panel

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
MaxLines = Annotated[int, typer.Option(help="Lines to print of the model; 0 for none")]


def run(model: ModelFile, max_lines: MaxLines = 30) -> None:
    """Say what a model file holds: what it reads and answers, and the tree itself."""
    from softwood.persist import load

    fitted = load(model)
    facts = _facts(fitted, model)
    say(f"{model}: {facts['model']}, {model.stat().st_size:,} bytes")
    for name, value in facts["parameters"].items():
        say(f"  {name} = {value!r}")
    say(f"answers: {_answers(facts)}")
    say(_calibrated(facts["calibration"]))
    say(f"reads {len(facts['columns'])} columns:")
    for column in facts["columns"]:
        say(f"  {column['name']}: {column['kind']}")
    say(f"{facts['n_trees']} tree{'s' if facts['n_trees'] > 1 else ''}, {facts['n_leaves']} leaves")
    if max_lines:
        say()
        panel = tree_panel if hasattr(fitted, "tree_") else forest_panel
        show(lambda: fitted.export_text(max_lines=max_lines), lambda: panel(fitted))
    answer(dict(without_nan(facts)))


def _facts(fitted: Any, path: Path) -> dict[str, Any]:
    trees = fitted.trees_ if hasattr(fitted, "trees_") else [fitted.tree_]
    preparation = fitted.schema_.preparation
    target = preparation.target.name if preparation is not None and preparation.target else None
    classes = getattr(fitted, "classes_", None)
    return {
        "file": str(path),
        "model": type(fitted).__name__,
        "parameters": _changed(fitted),
        "task": "regression" if classes is None else "classification",
        "target": target,
        "classes": None if classes is None else np.asarray(classes).tolist(),
        "calibration": _calibration(fitted),
        "columns": _columns(fitted.schema_),
        "n_trees": len(trees),
        "n_leaves": int(sum(tree.n_leaves for tree in trees)),
    }


def _calibration(fitted: Any) -> dict[str, Any] | None:
    found = getattr(fitted, "calibration_", None)
    return None if found is None else {"method": found.method, "n_rows": found.n_rows}


def _calibrated(found: dict[str, Any] | None) -> str:
    if found is None:
        return "sets and intervals: not calibrated"
    rows = {"oob": "out of bag", "cv": "by folds", "holdout": "held out"}[found["method"]]
    return f"sets and intervals: calibrated on {found['n_rows']} rows {rows}"


def _changed(fitted: Any) -> dict[str, Any]:
    """Return the parameters that differ from their defaults."""
    try:
        usual = type(fitted)().get_params(deep=False)
    except TypeError:  # a softened model is nothing without the one that was softened
        usual = {}
    own = fitted.get_params(deep=False)
    return {name: value for name, value in own.items() if repr(usual.get(name)) != repr(value)}


def _columns(schema: Any) -> list[dict[str, Any]]:
    if schema.preparation is not None:
        return [{"name": plan.name, "kind": plan.kind} for plan in schema.preparation.used]
    return [
        {"name": f.name, "kind": "date" if f.is_date else "category" if f.is_nominal else "number"}
        for f in schema.features
    ]


def _answers(facts: dict[str, Any]) -> str:
    what = f"{facts['target']}: " if facts["target"] else ""
    if facts["classes"] is None:
        return f"{what}a number"
    shown = ", ".join(map(str, facts["classes"][:12]))
    return f"{what}{shown}{', ...' if len(facts['classes']) > 12 else ''}"
