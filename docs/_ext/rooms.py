"""The rooms of the house as a picture, from the import contracts of pyproject.toml.

docs/architecture.md has a mermaid diagram, which GitHub draws. Here its place is taken by the
layers themselves: a row of boxes each, imports pointing downwards.
"""

import tomllib
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).parent.parent.parent


def layers() -> list[list[str]]:
    """Return the names in each layer, from the top."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    lines = next(each["layers"] for each in contracts if each["name"] == "layers")
    return [[name.strip() for name in line.split("|")] for line in lines]


class Rooms(Directive):
    """Stands where the diagram stood."""

    has_content = True

    def run(self):
        rows = "".join(
            "<div>" + "".join(f"<span>{escape(name)}</span>" for name in row) + "</div>"
            for row in layers()
        )
        picture = f'<div class="rooms" role="img" aria-label="Layers of softwood">{rows}</div>'
        return [nodes.raw("", picture, format="html")]


def setup(app):
    app.add_directive("mermaid", Rooms)
    app.add_config_value("rooms", None, "env")
    return {"parallel_read_safe": True}
