"""The sections of a report, each in a file of its own.

A section has a ``TITLE`` and a function ``content(page)`` that returns what its template, of the
same name, shows; or raises :class:`~softwood.view._subject.NotPossible` with a sentence that
says why there is nothing to show.
"""
