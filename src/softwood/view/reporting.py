"""A report on a fitted model: one HTML file that needs nothing else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import ModuleType
from typing import Any

from softwood._files import PathLike, check_place, write_atomically
from softwood.errors import missing_extra
from softwood.view._evidence import Evidence, Progress, evidence_of
from softwood.view._page import Page
from softwood.view._rivals import USUAL, rivals_of
from softwood.view._subject import NotPossible, Subject, subject_of
from softwood.view._words import grouped, shown
from softwood.view.sections import (
    data_card,
    hard_rows,
    header,
    importances,
    quality,
    surface,
    tree,
    usage,
    validation,
)

SECTIONS: tuple[ModuleType, ...] = (
    data_card,
    validation,
    quality,
    importances,
    tree,
    surface,
    hard_rows,
    usage,
)


@dataclass(frozen=True, eq=False)
class Report:
    """A report, as :func:`report` makes it; notebooks show it.

    Attributes
    ----------
    html : str
        The whole page.
    """

    html: str

    def save(self, path: PathLike) -> None:
        """Write the page to a file, wholly or not at all.

        Parameters
        ----------
        path : str or path-like
            Where to write.
        """
        write_atomically(path, self.html.encode("utf-8"))

    def _repr_html_(self) -> str:
        from markupsafe import escape

        frame = 'sandbox style="width:100%;height:46rem;border:0" title="Report"'
        return f'<iframe srcdoc="{escape(self.html)}" {frame}></iframe>'

    def __repr__(self) -> str:
        return f"<Report of {len(self.html) // 1024} KiB: save(path) writes it>"


def report(  # noqa: PLR0913  (what to show, and under which names)
    model: Any,
    X: Any,
    y: Any,
    path: PathLike | None = None,
    *,
    title: str | None = None,
    folds: int = 10,
    rivals: Any = USUAL,
    description: Any = None,
    target: str | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
    day: date | None = None,
) -> Report:
    """Report on a fitted model: the data, how good it is, what it does, how to use it.

    The page is one HTML file without scripts, which loads nothing from anywhere: it can be
    mailed, printed, and read on a phone.

    Parameters
    ----------
    model : estimator
        A fitted classifier or regressor, best of softwood. Clones of it are fitted in
        cross-validation; it is not changed.
    X : Table, frame or array-like of shape (n_rows, n_columns)
        The rows that the model was fitted to.
    y : array-like of shape (n_rows,)
        Their target.
    path : str or path-like, optional
        Where to save the page; it can also be saved later.
    title : str, optional
        Heading of the page.
    folds : int, default=10
        Folds of cross-validation; fewer are used if there are fewer than twice as many rows.
    rivals : "usual", None, or mapping of str to estimator, default="usual"
        Models to compare with, on the same folds. The usual ones are CART, C4.5, a random
        forest, LightGBM if it is installed, and the most frequent class or the mean.
    description : object, optional
        What is known of the columns, also of those that the model is not given: its
        ``columns`` have ``name``, ``kind``, ``n_missing``, ``n_distinct`` and ``action``.
    target : str, optional
        Name of what is predicted; by default that of ``y``.
    n_jobs : int, optional
        Folds to run at once.
    random_state : int, default=0
        Seed of folds and samples. The same seed makes the same page.
    progress : callable, optional
        Called as ``progress(done, total, what)``.
    day : date, optional
        Date on the page: by default today or, if that is set, ``SOURCE_DATE_EPOCH``.

    Returns
    -------
    Report

    Notes
    -----
    Of tables of more than 20 000 rows, a sample of as many takes part in cross-validation, for
    all models alike; the page says so.

    Examples
    --------
    >>> from softwood import C45Classifier
    >>> from softwood.datasets import load_dataset
    >>> from softwood.view import report
    >>> data = load_dataset("iris")
    >>> X, y = data.table.drop(["class"]), data.target.as_objects().astype(str)
    >>> page = report(C45Classifier().fit(X, y), X, y, folds=3, rivals=None, target="species")
    >>> "<h1>Predicting species</h1>" in page.html
    True
    """
    if path is not None:
        check_place(path)
    _check_numbers(folds, random_state)
    environment = _environment()
    subject = subject_of(model, X, y, target, random_state)
    others = rivals_of(rivals, model, subject.is_classes)
    told = _Told(progress, n_cells=folds * (1 + len(others)))
    found, why_not = _evidence(subject, others, folds, n_jobs, told)
    page = Page(subject, found, why_not, title, day or _today(), description)
    made = Report(_rendered(page, environment, told))
    if path is not None:
        made.save(path)
    return made


class _Told:
    """Tells the user how far it is: cells of cross-validation, then sections."""

    def __init__(self, progress: Progress | None, n_cells: int) -> None:
        self._progress = progress
        self._total = n_cells + len(SECTIONS)
        self._n_cells = n_cells

    def cell(self, done: int, total: int, what: str) -> None:
        self._n_cells, self._total = total, total + len(SECTIONS)
        self._tell(done, what)

    def section(self, done: int, what: str) -> None:
        self._tell(self._n_cells + done, what)

    def _tell(self, done: int, what: str) -> None:
        if self._progress is not None:
            self._progress(done, self._total, what)


def _check_numbers(folds: int, seed: int) -> None:
    if folds < 2:
        raise ValueError(f"folds must be at least 2; got {folds!r}")
    if not isinstance(seed, int):
        raise TypeError(f"random_state must be a whole number, to be repeatable; got {seed!r}")


def _evidence(
    subject: Subject, rivals: dict[str, Any], folds: int, n_jobs: int | None, told: _Told
) -> tuple[Evidence | None, str]:
    """Return what cross-validation found, or why there was none."""
    try:
        return evidence_of(subject, rivals, folds, n_jobs, told.cell), ""
    except NotPossible as reason:
        return None, str(reason)


def _today() -> date:
    """Return the date of now, or the one that the environment asks for in its place."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC).date()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"SOURCE_DATE_EPOCH must be seconds since 1970; got {epoch!r}") from None


def _environment() -> Any:
    """Return Jinja2's environment: all that templates show is escaped."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise missing_extra("jinja2", "plot") from None
    environment = Environment(
        loader=PackageLoader("softwood.view"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"shown": shown, "grouped": grouped}
    return environment


def _rendered(page: Page, environment: Any, told: _Told) -> str:
    sections = []
    for number, module in enumerate(SECTIONS, 1):
        name = module.__name__.rpartition(".")[2]
        part = {"name": name, "title": module.TITLE, "body": None, "reason": ""}
        try:
            part["body"] = _body(environment, name, module.content(page))
        except NotPossible as reason:
            part["reason"] = str(reason)
        sections.append(part)
        told.section(number, module.TITLE)
    top = header.content(page)
    html: str = environment.get_template("report.html").render(sections=sections, **top)
    return html


def _body(environment: Any, name: str, content: dict[str, Any]) -> Any:
    """Return a section as text that is escaped already."""
    from markupsafe import Markup

    return Markup(environment.get_template(f"{name}.html").render(**content))
