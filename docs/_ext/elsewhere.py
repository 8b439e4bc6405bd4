"""Files outside of docs/ as pages, and links to them as GitHub follows them.

A page of the guide may link to ``../../benchmarks/README.md``: on GitHub that is the file, here the
page that includes it. Links to other files of the repository lead to the repository.
"""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

ROOT = Path(__file__).parent.parent.parent
SOURCE = "https://github.com/softwood-trees/softwood/blob/main"
PAGES = {
    "benchmarks/README.md": "docs/benchmarks.md",
    "CHANGELOG.md": "docs/changelog.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "README.md": "docs/index.md",
    "reproduced/README.md": "docs/reproductions.md",
    "examples": "docs/gallery/index",
}
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")


def linked(text: str, source: str, page: str) -> str:
    """Return a text of the file ``source`` with links that work on ``page``, both from the root."""

    def led(match: re.Match[str]) -> str:
        opening, target, anchor, closing = match.groups()
        if ":" in target:
            return match.group()
        path = normpath(str(PurePosixPath(source).parent / target))
        if path in PAGES:
            path = PAGES[path]
        if path.startswith("docs/"):
            return f"{opening}{relpath(path, PurePosixPath(page).parent)}{anchor or ''}{closing}"
        return f"{opening}{SOURCE}/{path}{anchor or ''}{closing}"

    return LINK.sub(led, text)


def _read(app, name, content) -> None:
    page = f"docs/{name}.md"
    if (ROOT / page).exists():
        content[0] = linked(content[0], page, page)


def _included(app, path, parent, content) -> None:
    source = str((ROOT / "docs" / path).resolve().relative_to(ROOT))
    content[0] = linked(content[0], source, f"docs/{parent}.md")


def setup(app):
    app.connect("source-read", _read)
    app.connect("include-read", _included)
    return {"parallel_read_safe": True}
