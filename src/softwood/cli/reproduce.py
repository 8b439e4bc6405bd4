"""``softwood reproduce``: the tables and figures of a paper, run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from softwood.cli._screen import SCREEN, answer, say


def run(
    paper: Annotated[
        str | None,
        typer.Argument(help="Short name of the paper; none lists them all", show_default=False),
    ] = None,
    parts: Annotated[
        list[str] | None,
        typer.Argument(help="Tables and figures, such as table4; all by default"),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full/--quick", help="The paper's own numbers of runs, or minutes")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Take finished cells from an earlier run")
    ] = False,
    n_jobs: Annotated[int, typer.Option(help="Processes at work; -1 for all cores")] = -1,
    dask: Annotated[
        str | None,
        typer.Option(help="Address of a Dask scheduler to send the work to", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for report, CSV files and pictures"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Makes the run repeatable")] = 0,
) -> None:
    """Run the tables and figures of a paper, beside the numbers it prints."""
    if paper is None:
        _list_papers()
        return
    from softwood.papers.paper import load_paper
    from softwood.papers.reproduce import on_cluster, reproduce
    from softwood.papers.setting import Setting

    key = load_paper(paper).key
    folder = output if output is not None else Path("reproduced") / key
    folder.mkdir(parents=True, exist_ok=True)
    setting = Setting(
        full=full,
        store=folder / "results.sqlite",
        resume=resume,
        n_jobs=n_jobs,
        seed=seed,
        verbose=int(not (SCREEN.is_quiet or SCREEN.is_json)),
    )
    with on_cluster(dask):
        reproduce(key, parts, setting, folder, tell=say)
    answer({"paper": key, "folder": str(folder)})


def _list_papers() -> None:
    from softwood.papers.paper import KEYS, load_paper

    for key in KEYS:
        paper = load_paper(key)
        say(f"{key}: {paper.citation}")
        for part in paper.parts:
            say(f"    {part.key:<12} {part.title}")
