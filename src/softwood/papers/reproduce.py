"""Run the parts of a paper, and write what they found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any

from softwood._files import check_place, write_atomically
from softwood.errors import missing_extra
from softwood.evaluate.dispatch import n_workers
from softwood.papers import kept, report
from softwood.papers.findings import Finding
from softwood.papers.kept import Done
from softwood.papers.pages import claims_page, every_claim, overview
from softwood.papers.paper import KEYS, Paper, Part, load_paper
from softwood.papers.pictures import close, in_few_colours
from softwood.papers.remaining import Remaining
from softwood.papers.setting import Clock, Setting

Tell = Callable[[str], None]
DPI = 80  # pictures are kept with the code


def reproduce(
    paper: str,
    parts: list[str] | None = None,
    setting: Setting | None = None,
    output: Path | None = None,
    tell: Tell = lambda line: None,
    left: Remaining | None = None,
) -> dict[str, Finding]:
    """Run tables and figures of a paper again.

    Parameters
    ----------
    paper : str
        Short name, such as "vicinal".
    parts : list of str, optional
        Keys of tables and figures; all by default.
    setting : Setting, optional
        Quick or full, and where results are kept.
    output : Path, optional
        Folder for a report in Markdown, CSV files and pictures. A part that ends is written
        at once. What a full run found there is not replaced by a quick one: that has a
        folder of its own in it, called "quick", and its verdicts are set against the others.
    tell : callable, optional
        Is given every line of the report as it becomes known.
    left : Remaining, optional
        What else is to be done in this run, for the time that is told.

    Returns
    -------
    dict
        Finding by key of the part.

    Examples
    --------
    >>> found = reproduce("spectrum", ["statistics"])
    >>> print(found["statistics"].claims[1].verdict)
    holds
    """
    chosen = load_paper(paper)
    setting = setting or Setting()
    wanted = chosen.parts_named(parts or [])
    done = Done(setting.store, setting.resume)
    left = left or _remaining([(chosen.key, part.key) for part in wanted], setting)
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        check_place(output / "README.md")
    tell(f"{chosen.key}: {chosen.citation}")
    found: dict[str, Finding] = {}
    for part in wanted:
        tell(f"\n{part.key}: {part.title}")
        place = None if output is None else kept.place(output, part.key, setting)
        if place is not None:
            before = done.entry(kept.command(chosen.key, part.key, setting), place)
            if before is not None:
                tell("(done before)")
                _keep(place, chosen, part, before)
                left.done((chosen.key, part.key))
                continue
        with left.during((chosen.key, part.key)):
            found[part.key], seconds = _run(chosen, part, setting, tell)
        if place is not None and output is not None:
            made = kept.entry(chosen, part, found[part.key], setting, seconds)
            names = _write(part, found[part.key], place, tell)
            done.note(made, place, names, seconds)
            _keep(place, chosen, part, made)
            if place != output:
                tell(kept.beside(kept.read(output)[part.key], made, place))
        left.done((chosen.key, part.key), seconds)
        tell(f"({left.told()})")
    if output is not None:
        tell(f"\nwritten to {output}")
    return found


def reproduce_all(
    setting: Setting, stores: Path, output: Path, tell: Tell = lambda line: None
) -> None:
    """Run all papers again, each into a folder of its own, and write the page of all claims.

    Parameters
    ----------
    setting : Setting
        Quick or full.
    stores : Path
        Folder for the stores of cells.
    output : Path
        Folder for everything else.
    tell : callable, optional
        Is given every line of the report.
    """
    stores.mkdir(parents=True, exist_ok=True)
    parts = [(key, part.key) for key in KEYS for part in load_paper(key).parts]
    left = _remaining(parts, setting)
    for key in KEYS:
        here = replace(setting, store=stores / f"{key}.sqlite")
        reproduce(key, None, here, output / key, tell, left)
        write_page(output)


def write_pages(output: Path) -> None:
    """Write all pages anew from what is kept, as after a change of reasons; nothing is run."""
    for key in KEYS:
        parts = kept.read(output / key)
        if parts:
            _write_pages_of(output / key, load_paper(key), parts)
    write_page(output)


def write_page(output: Path) -> None:
    """Write the page of all claims of all papers that are kept in a folder."""
    found = {key: kept.read(output / key) for key in KEYS}
    write_atomically(output / "README.md", every_claim(found).encode())


def _remaining(parts: list[tuple[str, str]], setting: Setting) -> Remaining:
    return Remaining(parts, setting.length, n_workers(setting.n_jobs))


def _run(paper: Paper, part: Part, setting: Setting, tell: Tell) -> tuple[Finding, float]:
    """Return what a part finds, and its seconds on one core, those of earlier runs included."""
    start, clock = perf_counter(), Clock()
    finding = part.run(replace(setting, experiment=f"{paper.key}/{part.key}", clock=clock))
    tell(report.text(finding))
    tell(f"({perf_counter() - start:.0f} s)")
    return finding, perf_counter() - start - clock.waited + clock.in_cells


def _write(part: Part, finding: Finding, output: Path, tell: Tell) -> list[str]:
    """Write the files of a part; return their names."""
    output.mkdir(exist_ok=True)
    pictures = _draw(part, finding, output, tell)
    pages = report.files(part, finding, pictures)
    for name, content in pages.items():
        write_atomically(output / name, content.encode())
    return [*pictures, *pages]


def _keep(output: Path, paper: Paper, part: Part, made: kept.Entry) -> None:
    """Put a part into the kept file of its paper, and make the paper's pages of it."""
    parts = {**kept.read(output), part.key: made}
    kept.write(output, paper, parts)
    _write_pages_of(output, paper, parts)


def _write_pages_of(output: Path, paper: Paper, parts: dict[str, kept.Entry]) -> None:
    write_atomically(output / "README.md", overview(paper, parts).encode())
    write_atomically(output / "claims.md", claims_page(paper, parts).encode())


@contextmanager
def on_cluster(address: str | None) -> Iterator[None]:
    """Send the cells of comparisons to a Dask cluster, if an address is given."""
    if address is None:
        yield
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise missing_extra("dask.distributed", "dask") from None
    import joblib

    with Client(address), joblib.parallel_config(backend="dask"):
        yield


def _draw(part: Part, finding: Finding, output: Path, tell: Tell) -> list[str]:
    """Save the pictures; without matplotlib say so and go on: the numbers matter more."""
    drawn: list[str] = []
    for name, draw in finding.pictures.items():
        file = f"{part.key}-{name}.png"
        try:
            figure: Any = draw()
        except ImportError as error:
            tell(f"no pictures: {error}")
            return drawn
        picture = BytesIO()
        figure.savefig(picture, format="png", dpi=DPI, bbox_inches="tight")
        write_atomically(output / file, in_few_colours(picture.getvalue()))
        close(figure)
        tell(f"picture: {output / file}")
        drawn.append(file)
    return drawn
