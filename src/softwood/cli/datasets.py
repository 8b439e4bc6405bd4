"""``softwood datasets``: what can be loaded, and the card of one set."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


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
) -> None:
    """List the data sets, or show the card of one."""
    from softwood.datasets import list_datasets, load_dataset

    if name is None:
        print(list_datasets(task=task.value if task else None))
        return
    dataset = load_dataset(name)
    print(dataset)
    print(dataset.card)
