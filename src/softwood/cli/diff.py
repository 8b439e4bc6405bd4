"""``softwood diff``: what changed from one model file to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softwood._files import write_atomically
from softwood.cli import _fitted, _options
from softwood.cli._bar import progress
from softwood.cli._outputs import check_outputs, check_picture, save_figure
from softwood.cli._screen import answer, say, without_nan

if TYPE_CHECKING:
    from softwood.explain.difference import Difference

OldModel = Annotated[Path, typer.Argument(help="Model file, the old one", show_default=False)]
NewModel = Annotated[Path, typer.Argument(help="Model file, the new one", show_default=False)]
Target = Annotated[
    str | None,
    typer.Option(
        help="Column that is predicted, to say what has become better",
        show_default="as in training, if it is there",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Rows that change, as .csv; or a picture: .png, .pdf, .svg",
        show_default=False,
    ),
]
Tolerance = Annotated[
    float | None,
    typer.Option(help="By how much predicted numbers may differ", show_default="rounding"),
]


def run(
    old: OldModel,
    new: NewModel,
    data: _options.Data,
    target: Target = None,
    output: Output = None,
    tolerance: Tolerance = None,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Say what changed from one model to another: answers, leaves, tests.

    Each model reads the rows as the table that it was fitted to.
    """
    check_outputs([output], [old, new, *map(Path, data)])
    if output is not None and not _is_table(output):
        check_picture(output)
    from softwood.data.telling import untold
    from softwood.estimators.diff import diff_of_tables
    from softwood.persist import load

    models = load(old), load(new)
    options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    with progress("reading"):
        rows = _fitted.tables_for_each(models, data, target, options)
    with untold():  # what is unknown to a model is among the notes
        found = diff_of_tables(*models, rows.tables, rows.y, tolerance=tolerance, index=rows.number)
    say(found)
    if output is not None:
        _write(found, output)
        say(f"\nwritten to {output}")
    facts = found.to_dict()
    for row in facts["rows"]:
        row["row"] = int(rows.number[row["row"]])
    answer(without_nan({**facts, "saved": None if output is None else str(output)}))


def _is_table(output: Path) -> bool:
    return output.suffix.lower() == ".csv"


def _write(found: Difference, output: Path) -> None:
    """Write the rows that change, or draw the trees."""
    if _is_table(output):
        write_atomically(output, found.rows().to_csv(index_label="row").encode())
        return
    import matplotlib.pyplot as plt

    from softwood.plot import plot_diff

    figure = plot_diff(found)[0].figure
    save_figure(figure, output, bbox_inches="tight")
    plt.close(figure)
