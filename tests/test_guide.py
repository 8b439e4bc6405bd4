"""The pages of the guide do what they say."""

import doctest
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parent.parent / "docs" / "guide").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # pages save their pictures
    monkeypatch.setenv("MPLBACKEND", "agg")
    failures, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted > 0
    assert failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pictures_of_a_page_are_there(page):
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("!["):
            assert (page.parent / line.split("](")[1].rstrip(")")).is_file(), line
