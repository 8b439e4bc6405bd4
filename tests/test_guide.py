"""The pages of the guide, and their pictures."""

from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parent.parent / "docs" / "guide").glob("*.md"))


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
    assert shown == set((PAGES[0].parent / "images").glob("*.png"))
