"""``softwood view``: a page in which a model can be explored."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

from softwood._files import check_place
from softwood.cli import _fitted, _options
from softwood.cli._bar import progress
from softwood.cli._screen import answer, say

ModelFile = Annotated[Path, typer.Argument(help="Model file", show_default=False)]
Data = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files with rows to choose from, or a data set's name; none will do",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="HTML file to write", show_default="a browser opens"),
]
Other = Annotated[
    Path | None, typer.Option(help="Second model file, to compare with", show_default=False)
]
Target = Annotated[
    str | None, typer.Option(help="Column that is predicted", show_default="as in training")
]
MaxRows = Annotated[
    int, typer.Option(help="Rows that the page has at most; they can be read there")
]
Title = Annotated[str | None, typer.Option(help="Heading of the page", show_default=False)]


def run(
    model: ModelFile,
    data: Data = None,
    output: Output = None,
    other: Other = None,
    target: Target = None,
    max_rows: MaxRows = 500,
    title: Title = None,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
) -> None:
    """Make a page to explore a model: its trees, and how rows flow through them."""
    from softwood.persist import load
    from softwood.view import explore

    if output is not None:
        check_place(output, inputs=[model, *([] if other is None else [other])])
    fitted = load(model)
    X, y, name = None, None, target
    if data:
        options = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
        with progress("reading"):
            X, y, name = _fitted.columns_and_known_target(fitted, data, target, options)
    page = explore(
        fitted,
        X,
        y,
        other=None if other is None else load(other),
        title=title,
        target=name or _target_of(fitted),
        max_rows=max_rows,
    )
    place = output or _temporary()
    page.save(place)
    say(f"written to {place} ({len(page.html) // 1024} KiB)")
    if output is None and not webbrowser.open(place.absolute().as_uri()):
        say("no browser could be opened: open the file yourself")
    answer({"file": str(place), "bytes": len(page.html.encode("utf-8"))})


def _temporary() -> Path:
    """Return a new file that stays when we are done: a browser reads it later."""
    return Path(tempfile.mkdtemp(prefix="softwood-")) / "model.html"


def _target_of(fitted: Any) -> str | None:
    preparation = fitted.schema_.preparation
    return None if preparation is None or preparation.target is None else preparation.target.name
