"""Docstrings that scikit-learn's classes lend ours: their references lead nowhere here."""

import re

REFERENCE = re.compile(r":ref:`([^`<]+?)\s*(?:<[^`>]*>)?`")


def _plain(app, what, name, obj, options, lines) -> None:
    lines[:] = [REFERENCE.sub(r"\1", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", _plain)
    return {"parallel_read_safe": True}
