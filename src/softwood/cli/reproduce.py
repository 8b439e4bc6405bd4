"""``softwood reproduce``: the tables and figures of a paper, run again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from softwood.cli._screen import SCREEN, answer, say

if TYPE_CHECKING:
    from softwood.papers.setting import Setting

REPRODUCED = Path("reproduced")


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
        typer.Option("--output", "-o", help="Folder for reports, CSV files and pictures"),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(help="Folder for the stores of results; by default that of the report"),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All papers, and a page of all their claims")
    ] = False,
    pages: Annotated[
        bool, typer.Option("--pages", help="Only write the pages of what is kept, run nothing")
    ] = False,
    seed: Annotated[int, typer.Option(help="Makes the run repeatable")] = 0,
) -> None:
    """Run the tables and figures of a paper, beside the numbers it prints."""
    if everything and paper is not None:
        raise ValueError(f"--all runs all papers; leave out {paper!r}, or --all")
    if paper is None and not everything and not pages:
        _list_papers()
        return
    from softwood.papers.reproduce import on_cluster, reproduce_all, write_pages
    from softwood.papers.setting import Setting

    if pages:
        write_pages(output or REPRODUCED)
        return
    setting = Setting(
        full=full,
        resume=resume,
        n_jobs=n_jobs,
        seed=seed,
        verbose=int(not (SCREEN.is_quiet or SCREEN.is_json)),
    )
    with on_cluster(dask):
        if paper is not None:
            _one(paper, parts, setting, output, store)
            return
        folder = output or REPRODUCED
        reproduce_all(setting, store or folder, folder, tell=say)
    answer({"folder": str(folder)})


def _one(
    paper: str, parts: list[str] | None, setting: Setting, output: Path | None, store: Path | None
) -> None:
    from softwood.papers.paper import load_paper
    from softwood.papers.reproduce import reproduce, write_page

    key = load_paper(paper).key
    folder = output or REPRODUCED / key
    results = folder / "results.sqlite" if store is None else store / f"{key}.sqlite"
    for needed in (folder, results.parent):
        needed.mkdir(parents=True, exist_ok=True)
    reproduce(key, parts, replace(setting, store=results), folder, tell=say)
    if folder.name == key and (folder.parent / "README.md").exists():
        write_page(folder.parent)  # the page of all claims has these too
    answer({"paper": key, "folder": str(folder)})


def _list_papers() -> None:
    from softwood.papers.paper import KEYS, load_paper

    for key in KEYS:
        paper = load_paper(key)
        say(f"{key}: {paper.citation}")
        for part in paper.parts:
            say(f"    {part.key:<12} {part.title}")
