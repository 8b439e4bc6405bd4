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
from softwood.papers import report
from softwood.papers.findings import Finding
from softwood.papers.paper import Part, load_paper
from softwood.papers.pictures import close
from softwood.papers.setting import Setting

Tell = Callable[[str], None]


def reproduce(
    paper: str,
    parts: list[str] | None = None,
    setting: Setting | None = None,
    output: Path | None = None,
    tell: Tell = lambda line: None,
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
        at once.
    tell : callable, optional
        Is given every line of the report as it becomes known.

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
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        check_place(output / "README.md")
    tell(f"{chosen.key}: {chosen.citation}")
    found: dict[str, Finding] = {}
    for part in wanted:
        tell(f"\n{part.key}: {part.title}")
        start = perf_counter()
        finding = part.run(replace(setting, experiment=f"{chosen.key}/{part.key}"))
        found[part.key] = finding
        tell(report.text(finding))
        tell(f"({perf_counter() - start:.0f} s)")
        if output is not None:
            pictures = _draw(part, finding, output, tell)
            for name, content in report.files(part, finding, pictures).items():
                write_atomically(output / name, content.encode())
    if output is not None:
        overview = report.overview(chosen, wanted, found, setting)
        write_atomically(output / "README.md", overview.encode())
        tell(f"\nwritten to {output}")
    return found


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
        figure.savefig(picture, format="png", dpi=150, bbox_inches="tight")
        write_atomically(output / file, picture.getvalue())
        close(figure)
        tell(f"picture: {output / file}")
        drawn.append(file)
    return drawn
