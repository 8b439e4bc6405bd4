"""The page's script: modules as they stand in files, put together without a build tool.

Modules import each other by name, as in any browser. Here these lines go: all modules share one
scope, in which a name must be declared once only.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# Every module after those that it imports from.
MODULES = (
    "engine/normal.js",
    "engine/block.js",
    "engine/trees.js",
    "engine/flow.js",
    "engine/forest.js",
    "engine/reader.js",
    "engine/dates.js",
    "engine/nearest.js",
    "page/words.js",
    "page/elements.js",
    "page/state.js",
    "page/layout.js",
    "page/drawing.js",
    "page/canvas.js",
    "page/pictures.js",
    "page/node_panel.js",
    "page/row_panel.js",
    "page/rules_panel.js",
    "page/model_panel.js",
    "page/saving.js",
    "page/main.js",
)
IMPORT = re.compile(r"^import\s[^;]*;\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)


@cache
def script() -> str:
    """Return all modules as one script that leaves no names behind."""
    parts = [_bare(_text(name)) for name in MODULES]
    _check_names(parts)
    return f'(() => {{\n"use strict";\n{"".join(parts)}}})();\n'


@cache
def style() -> str:
    """Return the page's style sheet."""
    return _text("page/explorer.css")


@cache
def template() -> str:
    """Return the page, in which script, style and data are still to be filled in."""
    return _text("page/explorer.html")


def _text(name: str) -> str:
    return files("softwood.view.explorer").joinpath(name).read_text(encoding="utf-8")


def _bare(module: str) -> str:
    return COMMENT.sub("", EXPORT.sub("", IMPORT.sub("", module)))


def _check_names(parts: list[str]) -> None:
    names = [name for part in parts for name in DECLARED.findall(part)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"names of the page's modules must be declared once; twice is {twice[0]}")
