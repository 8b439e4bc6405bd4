"""``softwood datasets``: what can be loaded, and the card of one set."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from softwood._files import write_atomically
from softwood.cli._outputs import check_outputs
from softwood.cli._screen import answer, say

if TYPE_CHECKING:
    from softwood.datasets import Card, Dataset


class Task(Enum):
    """What a data set is for."""

    classification = "classification"
    regression = "regression"


def run(
    name: Annotated[
        str | None, typer.Argument(help="Data set whose card to show", show_default=False)
    ] = None,
    task: Annotated[
        Task | None, typer.Option(help="Only sets of this task", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV file to write its rows to", show_default=False),
    ] = None,
) -> None:
    """List the data sets, show the card of one, or write its rows to a CSV file."""
    from softwood.datasets import list_datasets, load_dataset

    check_outputs([output], [])
    if name is None:
        if output is not None:
            raise ValueError(
                "name the data set to write, such as: softwood datasets iris -o iris.csv"
            )
        found = list_datasets(task=task.value if task else None)
        say(found)
        answer({"datasets": [_facts(card) for card in found]})
        return
    dataset = load_dataset(name)
    say(dataset)
    say(dataset.card)
    if output is not None:
        write_atomically(output, rows_as_csv(dataset).encode())
        say(f"{len(dataset.table)} rows written to {output}; predict {dataset.target_name!r}")
    answer(
        {"card": _facts(dataset.card), "target": dataset.target_name, "n_rows": len(dataset.table)}
    )


def _facts(card: Card) -> dict[str, Any]:
    facts = {field.name: getattr(card, field.name) for field in fields(card)}
    return facts | {"classes": None if card.classes is None else dict(card.classes)}


def rows_as_csv(dataset: Dataset) -> str:
    """Return the rows of a data set as CSV."""
    from softwood.data.readers.formats import frame_of_table

    return str(frame_of_table(dataset.table).write_csv())
