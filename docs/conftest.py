"""The examples of the pages are tests."""

import sys

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Run a page in a folder of its own: pages save their pictures."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    yield
    if "matplotlib.pyplot" in sys.modules:  # pages draw many figures, and close none
        sys.modules["matplotlib.pyplot"].close("all")
