"""Data sets are looked for where a test puts them, and nowhere else of the user's."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_user_folders(monkeypatch):
    monkeypatch.delenv("SOFTWOOD_DATA", raising=False)
