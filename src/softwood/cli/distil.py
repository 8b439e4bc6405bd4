"""``softwood distil``: the model of a file as one tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from softwood.cli import _fitted, _options
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import answer, say, without_nan

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Where to save the tree", show_default=False),
]
Leaves = Annotated[
    int | None,
    typer.Option(min=2, help="Most leaves of the tree", show_default="4 to 32, as needed"),
]
Oblique = Annotated[
    bool | None,
    typer.Option(
        "--oblique/--straight",
        help="Tests of several columns, or of one",
        show_default="what follows better",
    ),
]
Hard = Annotated[bool, typer.Option("--hard", help="A tree without soft tests")]
Labels = Annotated[
    bool, typer.Option("--labels", help="Learn from the target in the files, too, by halves")
]
Target = Annotated[
    str | None, typer.Option(help="Column with the target", show_default="as in training")
]


def run(
    model: ModelFile,
    data: _options.Data,
    output: Output = None,
    max_leaf_nodes: Leaves = None,
    oblique: Oblique = None,
    hard: Hard = False,
    labels: Labels = False,
    target: Target = None,
    jobs: _options.Jobs = 1,
    seed: _options.Seed = 0,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Make one tree that answers as a saved model does, and say how closely."""
    check_outputs([output], [model, *map(Path, data)])
    from softwood.estimators.distil import distil
    from softwood.persist import load, save

    teacher = load(model)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    with progress("reading"):
        X, y, name = _fitted.columns_and_known_target(teacher, data, target, options)
    if labels and name is None:
        raise ValueError("--labels needs the target, and the files have no column for it")
    with progress("distilling"):
        tree = distil(
            teacher,
            X,
            y if labels else None,
            soft=not hard,
            max_leaf_nodes="auto" if max_leaf_nodes is None else max_leaf_nodes,
            oblique="auto" if oblique is None else oblique,
            n_jobs=jobs,
            random_state=seed,
        )
    say(tree.export_text())
    told = _facts(teacher, tree, X, y, output)
    for line in _lines(teacher, told):
        say(line)
    if output is not None:
        save(tree, output)
        say(f"saved to {output}")
    answer(told)


def _facts(teacher: Any, tree: Any, X: Any, y: Any, output: Path | None) -> dict[str, Any]:
    found = {
        "n_rows": len(X),
        "n_leaves": tree.get_n_leaves(),
        "agreement": tree.fidelity_.agreement,
        "mean_difference": tree.fidelity_.mean_difference,
        "model_score": None if y is None else teacher.score(X, y),
        "tree_score": None if y is None else tree.score(X, y),
        "saved": None if output is None else str(output),
    }
    return dict(without_nan(found))


def _lines(teacher: Any, told: dict[str, Any]) -> list[str]:
    """Say how closely the tree follows, and how right both are on these rows."""
    is_classifier = hasattr(teacher, "classes_")
    same = f"{told['agreement']:.1%} of" if is_classifier else f"R² {told['agreement']:.3f} on"
    lines = [
        f"\n{type(teacher).__name__} as one tree of {told['n_leaves']} leaves",
        f"it answers as the model does: {same} {told['n_rows']} rows",
    ]
    if told["model_score"] is not None:
        right = "right on these rows" if is_classifier else "R² on these rows"
        scores = f"the model {told['model_score']:.3f}, the tree {told['tree_score']:.3f}"
        lines.append(f"{right}: {scores}; rows of training flatter both")
    return lines
