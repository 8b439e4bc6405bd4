"""Warnings about tables, as lines on stderr."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from softwood.errors import TableWarning


@contextmanager
def warnings_on_stderr() -> Iterator[None]:
    """Print each warning about a table once, in one line; others go where they always go."""
    said: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", TableWarning)
        show_others = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, TableWarning):
                show_others(message, category, *where, **more)
                return
            text = " ".join(str(message).split())
            if text not in said:
                said.add(text)
                print(f"softwood: warning: {text}", file=sys.stderr)

        warnings.showwarning = show
        yield
