"""Whether every link inside the built pages leads somewhere: to a file, and an anchor in it.

Usage: python docs/_ext/check_links.py docs/_build/html
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.add(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def broken_links(folder: Path) -> Iterator[str]:
    """Yield a line for every link that leads nowhere."""
    folder = folder.resolve()
    files = (path for path in folder.rglob("*.html") if path.parts[len(folder.parts)] != "_static")
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in files}
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path.relative_to(folder)}: {link}: no such file"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(folder)}: {link}: no such anchor"


def main(folder: Path) -> int:
    broken = list(broken_links(folder))
    print(*broken, sep="\n")
    print(f"{len(broken)} broken links in {folder}")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
