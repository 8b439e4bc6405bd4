"""The pages of the guide, and their pictures."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parent.parent / "docs" / "guide"
PAGES = sorted(GUIDE.rglob("*.md"))
PAPERS = sorted((GUIDE / "papers").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_examples(page):
    assert "\n>>> " in page.read_text(encoding="utf-8")  # pytest runs them


def test_pictures_of_the_pages_are_there():
    shown = {
        page.parent / line.split("](")[1].rstrip(")")
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("![")
    }
    assert shown == set((GUIDE / "images").glob("*.png"))


@pytest.mark.parametrize("page", PAPERS, ids=lambda page: page.stem)
def test_tables_of_the_papers_are_read_from_what_is_kept(page):
    """A heading that is no longer in the kept file would leave the page without its table."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(
        r"```\{include\} (\S+)\n:start-after: \"(.+)\"\n:end-before: \"(.+)\"\n```", text
    )
    assert blocks
    for file, start, end in blocks:
        kept = (page.parent / file).read_text(encoding="utf-8")
        table = kept.split(f"{start}\n")[1].split(end)[0]
        assert table.count("\n| ") > 2
    assert not re.search(r"^\|", text, re.M)  # none is typed
