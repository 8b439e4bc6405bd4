"""What is drawn when a console is known: how wide it is, what it can show, whether in colour."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rich.box import ROUNDED
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.panel import Panel
from rich.text import Text

from softwood.cli.terminal._safe import END, ISOLATE, printable, shortened

NARROWEST = 20  # cells; what is narrower is cut off
FRAME = 4  # cells at both sides
COLOURS = (
    "dodger_blue1",
    "orange1",
    "green3",
    "orchid",
    "yellow3",
    "turquoise2",
    "salmon1",
    "slate_blue1",
    "chartreuse2",
    "hot_pink",
)


class Signs(NamedTuple):
    """What lines and bars are made of."""

    ellipsis: str
    fork: str
    last: str
    bar: str
    block: str
    rest: str
    eighths: str
    line: str


UNICODE = Signs("…", "├─", "└─", "│", "█", "░", " ▏▎▍▌▋▊▉", "─")
ASCII = Signs("..", "|-", "`-", "|", "#", ".", " ", "-")


@dataclass(frozen=True, slots=True)
class Canvas:
    """Where something is drawn.

    Attributes
    ----------
    width : int
        Cells on a line.
    encoding : str
        What the console's encoding can hold.
    is_coloured : bool
        Whether colours are seen; if not, bars must tell by their form alone.
    is_framed : bool
        Whether the drawing has a frame around it.
    """

    width: int
    encoding: str = "utf-8"
    is_coloured: bool = False
    is_framed: bool = False

    @property
    def signs(self) -> Signs:
        """The signs that the encoding has."""
        return UNICODE if self.encoding.startswith("utf") else ASCII

    def text(self, value: object, style: str = "") -> Text:
        """Return a text that is shown as it is: no markup, nothing that acts on the terminal."""
        shown = printable(value, self.encoding)
        return Text(shown, style if self.is_coloured else "", no_wrap=True, end="")

    def fitted(self, value: object, width: int, style: str = "") -> Text:
        """Return :meth:`text` of exactly so many cells: shortened in its middle, or padded."""
        plain = shortened(self.plain(value), width, self.signs.ellipsis)
        padding = " " * (width - cell_len(plain))
        return Text(no_wrap=True, end="").append_text(self.text(plain, style)).append(padding)

    def plain(self, value: object) -> str:
        """Return what will be seen of a text, to be measured or shortened."""
        return printable(value, self.encoding).replace(ISOLATE, "").replace(END, "")

    def colour(self, place: int) -> str:
        """Return the colour of a class; of many classes, some share one."""
        return COLOURS[place % len(COLOURS)]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A renderable: a title, and lines that are made when the console is known."""

    title: str
    lines: Callable[[Canvas], list[Text]]
    width: int | None = None
    colour: bool | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        canvas = canvas_of(console, options, self.width, self.colour)
        words = shortened(canvas.plain(self.title), canvas.width, canvas.signs.ellipsis)
        title = canvas.text(words, "bold")
        lines = self.lines(canvas)
        body = Text("\n").join(lines if canvas.is_framed else [title, *lines])
        body.no_wrap, body.overflow = True, "crop"
        if not canvas.is_framed:
            yield body
            return
        widest = max([title.cell_len + 2, *(line.cell_len for line in lines)])
        yield Panel(
            body,
            title=title,
            title_align="left",
            box=ROUNDED,
            width=min(widest, canvas.width) + FRAME,
            border_style="dim" if canvas.is_coloured else "",
            padding=(0, 1),
        )


def canvas_of(
    console: Console, options: ConsoleOptions, width: int | None, colour: bool | None
) -> Canvas:
    """Return where to draw on a console.

    Parameters
    ----------
    console, options
        As Rich gives them to renderables.
    width : int or None
        Cells to use, a frame included; no more than the console has.
    colour : bool or None
        Whether to use colours; None leaves it to the console.
    """
    outer = options.max_width if width is None else min(width, options.max_width)
    has_colours = console.color_system is not None and not console.no_color
    is_framed = console.is_terminal
    return Canvas(
        width=max(outer - (FRAME if is_framed else 0), NARROWEST),
        encoding=(options.encoding or "ascii").lower(),
        is_coloured=has_colours and colour is not False,
        is_framed=is_framed,
    )


def printed(renderable: RenderableType, width: int = 80, encoding: str = "utf-8") -> str:
    """Return what a renderable prints to a file of some encoding: no colours, no frames.

    Spaces at the ends of lines are left out.

    Examples
    --------
    >>> from rich.text import Text
    >>> print(printed(Text("two words"), width=5))
    two
    words
    """
    written = io.BytesIO()
    file = io.TextIOWrapper(written, encoding=encoding, newline="\n")
    Console(file=file, width=width, force_terminal=False, color_system=None).print(renderable)
    file.flush()
    lines = written.getvalue().decode(encoding).split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")
