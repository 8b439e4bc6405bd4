"""Figures of matplotlib as SVG within a page: text is text, ids are the page's own."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from softwood.errors import missing_extra
from softwood.explain.labels import value_text
from softwood.plot._axes import figure_of
from softwood.plot._palette import INK, PALE

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_DROPPED = {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}  # styles would hold for the whole page
_LINK = re.compile(r"url\(#([^)]*)\)")
# What is ink on paper follows the page, by day and by night.
_VARIABLES = {
    INK: "ink",
    "#000000": "ink",
    PALE: "pale",
    "#ffffff": "paper",
}
_COLOUR = re.compile("|".join(_VARIABLES), re.IGNORECASE)

WIDE, SQUARE = (5.2, 4.2), (4.6, 4.2)  # inches
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,  # a dollar in a name is a dollar
    "font.size": 10.0,
    "axes.titlesize": 10.0,
    "axes.edgecolor": PALE,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "savefig.dpi": 150,
    "legend.fontsize": 9.0,
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure of a page.

    Attributes
    ----------
    svg : Markup
        The figure.
    caption : str
        What is to be read below it.
    natural : bool
        Whether it keeps about its size and is scrolled, however narrow the page is.
    width : int
        Its own width, in pixels.
    on_paper : bool
        Whether it has colours of its own, made for white, and stays so by night.
    """

    svg: Markup
    caption: str
    natural: bool = False
    width: int = 0
    on_paper: bool = False


class Figures:
    """Makes the figures of one page.

    Ids are prefixed by the number of the figure: no two figures share one.
    """

    def __init__(self) -> None:
        self.n_drawn = 0

    def draw(
        self,
        picture: Callable[[Axes], Any],
        alt: str,
        caption: str,
        size: tuple[float, float] = WIDE,
        on_paper: bool = False,
    ) -> Drawn:
        """Return what ``picture`` draws on axes of a size in inches.

        Parameters
        ----------
        picture : callable
            Takes the axes.
        alt : str
            What is to be seen, for those who cannot see it.
        caption : str
            What is to be read below.
        size : (float, float)
            Inches.
        on_paper : bool, default=False
            See :class:`Drawn`.
        """
        with _styled():
            from matplotlib.figure import Figure

            figure = Figure(figsize=size, layout="constrained")
            picture(figure.add_subplot())
            return Drawn(self._inline(figure, alt), caption, on_paper=on_paper)

    def draw_new(self, picture: Callable[[], Axes], alt: str, caption: str) -> Drawn:
        """Return what ``picture`` draws on a figure of its own, in its own size."""
        with _styled():
            import matplotlib.pyplot as plt

            figure = figure_of(picture())
            try:
                svg, width = self._inline(figure, alt), round(96 * figure.get_figwidth())
                return Drawn(svg, caption, natural=True, width=width, on_paper=True)
            finally:
                plt.close(figure)

    def _inline(self, figure: Figure, alt: str) -> Markup:
        self.n_drawn += 1
        return inline_svg(figure, f"f{self.n_drawn}", alt)


def inline_svg(figure: Figure, prefix: str, alt: str) -> Markup:
    """Return a figure as an SVG element for the middle of a page.

    Parameters
    ----------
    figure : Figure
        Drawn in the style :data:`STYLE`.
    prefix : str
        Begins all ids; letters and digits.
    alt : str
        For those who cannot see.
    """
    import matplotlib as mpl
    from markupsafe import Markup
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_text(_printable(text.get_text()))
    file = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": prefix}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    root = ET.fromstring(file.getvalue())
    for parent in root.iter():
        for child in [child for child in parent if child.tag in _DROPPED]:
            parent.remove(child)
    for element in root.iter():
        for name, value in element.attrib.items():
            element.set(name, _attribute(name, value, prefix))
    root.set("role", "img")
    root.set("aria-label", _printable(alt))
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    return Markup(ET.tostring(root, encoding="unicode"))


def _attribute(name: str, value: str, prefix: str) -> str:
    """Return an attribute with ids of the page, and its colours."""
    if name == "id":
        return f"{prefix}-{value}"
    if name in ("href", f"{{{_XLINK}}}href") and value.startswith("#"):
        return f"#{prefix}-{value[1:]}"
    if name in ("style", "clip-path", "fill", "stroke"):
        value = _LINK.sub(rf"url(#{prefix}-\1)", value)
        return _COLOUR.sub(lambda found: f"var(--{_VARIABLES[found[0].lower()]})", value)
    return value


def _printable(text: str) -> str:
    """Return a text of which nothing is invisible; its lines stay lines."""
    lines = (line if line.isprintable() else value_text(line) for line in text.split("\n"))
    return "\n".join(lines)


@contextmanager
def _styled() -> Iterator[None]:
    """Draw in our style within the block, whatever the user's is."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise missing_extra("matplotlib", "plot") from None
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield
