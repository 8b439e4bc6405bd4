"""What if: the nearest row with another answer, of any model that can be read as a forest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.errors import NoCounterfactualError
from softwood.estimators._question import Question, encoded, imported_of, own_scales
from softwood.explain.counterfactual.distance import parts_of_distances, spread_of_rows
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.labels import number_text

if TYPE_CHECKING:
    from softwood.estimators._wishes import Wish
    from softwood.explain.counterfactual.hard import Found
    from softwood.explain.counterfactual.result import Change, Counterfactual


def counterfactual(
    model: Any,
    x: Any,
    target: Any = None,
    fixed: Any = (),
    ranges: Mapping[Any, Any] | None = None,
    *,
    scale: Any = None,
    max_regions: int | None = None,
) -> Counterfactual:
    """Return the nearest row that a model gives another answer.

    Parameters
    ----------
    model : fitted estimator or Imported
        Any model of softwood, or of another library that
        :func:`softwood.interop.import_model` takes. It is not changed.
    x : array-like of shape (n_features,) or (1, n_features), mapping, Series, or frame of one row
        The row.
    target : class, number, pair or str, optional
        What is to be answered. A class; by default any but the present one. For a model that
        predicts numbers it must be given: a pair ``(low, high)``, where None is no end; a rule
        such as ``">= 10"``; or a number that is to be reached, from below or from above.
    fixed : column or sequence of columns, default=()
        Columns that must not change, by name or by number.
    ranges : mapping, optional
        What columns may hold in the answer. Of a column of numbers or dates a pair ``(low,
        high)``, where None is no end; a ``range`` of whole numbers; or ``"increase"``,
        ``"decrease"`` or ``"whole"``. Of a nominal column a list of categories. A value of x that
        is outside has to change.
    scale : table of rows, mapping or array-like of shape (n_features,), optional
        What counts as a distance of 1 in each column of numbers: of a table of rows the standard
        deviation of its columns, or numbers, by column or for all. By default what the model
        knows; see :func:`softwood.column_scales`.
    max_regions : int, optional
        How many regions an exact search may look at, in an ensemble of hard trees. By default as
        many as take about a second: 20 000 if the trees are small, 1000 for a forest of some ten
        thousand leaves. 0 leaves it at a row that is near.

    Returns
    -------
    Counterfactual
        Prints as a sentence; has the row, its changes, and how sure it is that no row is nearer.

    Raises
    ------
    NoCounterfactualError
        A ValueError, if no row that is allowed is answered so, or none was found; it says which.

    See Also
    --------
    softwood.explain.explain_row : Why a row is answered as it is.

    Notes
    -----
    The distance is the sum over columns of ``|change| / scale``, and 1 for each category that
    changes and each gap that is filled. Among rows that are as near, one that changes fewer
    columns is taken.

    *Hard trees* answer the same all over a box, and the nearest point of the nearest box with the
    wanted answer is looked for. A single tree is searched to the end, whatever its size; leaves
    of oblique trees by linear programs, to a millionth of the scales. An ensemble is searched to
    the end, too, if that takes no more than ``max_regions`` regions: so it is for some tens of
    trees. Otherwise the answer is near, and ``is_exact`` is False. *Soft trees* and ensembles of
    oblique ones are searched by descent: no single column could go back any further, but another
    row may be nearer.

    A column has whole numbers if it is said so by ``ranges``, if it had them in training as far
    as the model knows, or if x has them as integers. Dates move by whole days, or by seconds if x
    has a time of day; those whose month or weekday is a column of its own stay. A gap may stay or
    be filled; no value becomes missing, and no category becomes one that, by the tests, no
    training row had.

    Where a value must be above a cut, it is put behind it by less than a millionth of the scale,
    so that it has few digits. The row is always one that ``model.predict`` answers as is wanted:
    that is tried before it is returned.

    Examples
    --------
    >>> import pandas as pd
    >>> from softwood import C45Classifier, counterfactual
    >>> frame = pd.DataFrame({
    ...     "outlook": ["sunny", "sunny", "overcast", "rain", "rain", "rain", "overcast",
    ...                 "sunny", "sunny", "rain", "sunny", "overcast", "overcast", "rain"],
    ...     "humidity": [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80],
    ...     "windy": [False, True, False, False, False, True, True,
    ...               False, False, False, True, True, False, True],
    ... })
    >>> play = ["no", "no", "yes", "yes", "yes", "no", "yes",
    ...         "no", "yes", "yes", "yes", "yes", "yes", "no"]
    >>> model = C45Classifier().fit(frame, play)
    >>> today = {"outlook": "sunny", "humidity": 85, "windy": False}
    >>> found = counterfactual(model, today)
    >>> print(found)
    no would be yes if outlook were overcast (now sunny)
    >>> print(counterfactual(model, today, fixed="outlook"))
    no would be yes if humidity were at most 75 (now 85)
    >>> found.row, found.distance, found.is_exact
    ({'outlook': 'overcast', 'humidity': 85, 'windy': False}, 1.0, True)
    """
    from softwood.explain.counterfactual.search import nearest_row

    question = Question.of(model, x, scale)
    wish = question.wish(target)
    domain = question.domain(fixed, ranges)

    def nearest(domain: Domain) -> Found:
        return nearest_row(
            question.imported.forest,
            question.imported.flow,
            domain,
            question.goal(wish),
            max_regions=max_regions,
            examples=question.examples,
            verify=lambda row: question.is_answered(wish, domain, row),
        )

    found = nearest(domain)
    if found.row is None:
        raise _none_found(question, wish, domain, found, nearest)
    return _answer(question, domain, wish, found)


def column_scales(model: Any, X: Any = None) -> FloatArray:
    """Return what counts as a distance of 1 in each column, to :func:`softwood.counterfactual`.

    The distance of two rows is the sum over columns of ``|difference| / scale`` for numbers, and
    for dates in days; of 1 for every nominal column whose category differs; and of 1 for every
    column that one of both lacks.

    Parameters
    ----------
    model : fitted estimator or Imported
        Any that :func:`softwood.interop.import_model` takes.
    X : array-like or frame of shape (n_samples, n_features), optional
        Rows by which to tell.

    Returns
    -------
    ndarray of shape (n_features,)
        Standard deviations: of ``X`` if it is given, else of the training rows if the model has
        kept them (``column_scales_``). Of other models they are guessed from the cuts: the
        deviation of the cuts, weighted by the training weight that came there; of a column that
        is cut at one place only the size of the cut. 1 for nominal columns, constant ones, and
        those that are never cut.

    Examples
    --------
    >>> from softwood import CARTClassifier, column_scales
    >>> model = CARTClassifier().fit([[1.0, 20.0], [2.0, 60.0], [3.0, 40.0]], [0, 1, 1])
    >>> column_scales(model).round(3).tolist()
    [0.816, 16.33]
    """
    imported = imported_of(model)
    if X is not None:
        return spread_of_rows(encoded(model, imported, X), imported.n_categories)
    return own_scales(model, imported)


# -- the answer ----------------------------------------------------------------------


def _answer(question: Question, domain: Domain, wish: Wish, found: Found) -> Counterfactual:
    from softwood.explain.counterfactual.result import Counterfactual

    assert found.row is not None
    imported = question.imported
    rows = np.array([question.row, found.row])
    raw = imported.forest.raw(rows, imported.flow)
    if imported.classes is None:
        was, now = imported.forest.answer(raw)[:, 0].tolist()
        before = after = None
    else:
        was, now = imported.label_of(raw).tolist()
        classes = imported.classes.tolist()
        shares = imported.forest.answer(raw).tolist()
        before, after = (dict(zip(classes, share, strict=True)) for share in shares)
    distance = float(domain.distance(found.row[None])[0])
    is_changed = domain.is_changed(found.row[None])[0]
    return Counterfactual(
        row=question.form.changed(found.row, is_changed, domain.per_unit == 1.0),
        encoded=found.row,
        changes=_changes(question, domain, wish, found.row),
        distance=distance,
        was=was,
        prediction=now,
        probabilities_before=before,
        probabilities=after,
        is_exact=found.is_exact,
        bound=distance if found.is_exact else min(found.bound, distance),
    )


def _changes(question: Question, domain: Domain, wish: Wish, row: FloatArray) -> tuple[Change, ...]:
    """Return what is different, the largest part of the distance first."""
    from softwood.explain.counterfactual.result import Change
    from softwood.explain.counterfactual.spans import spans_of_changes

    imported, form = question.imported, question.form
    own = form.values()
    parts = parts_of_distances(domain.row, row[None], domain.scale, domain.n_categories)[0]
    spans = spans_of_changes(imported.forest, imported.flow, domain, question.goal(wish), row)
    changed = np.flatnonzero(domain.is_changed(row[None])[0])
    found = []
    for j in sorted(changed.tolist(), key=lambda j: -parts[j]):
        feature, is_whole = imported.schema.features[j], bool(domain.per_unit[j] == 1.0)
        above, up_to = spans.get(j, (None, None))
        found.append(
            Change(
                column=feature.name,
                before=_before(question, domain, j, own[j] if j < len(own) else None),
                after=form.value(j, float(row[j]), own[j] if j < len(own) else None, is_whole),
                above=above,
                up_to=up_to,
                is_date=feature.is_date,
                is_whole=is_whole,
            )
        )
    return tuple(found)


def _before(question: Question, domain: Domain, j: int, own: Any) -> Any:
    """Return what x has in a column: a number as the model reads it, else as it was given."""
    x, feature = float(domain.row[j]), question.imported.schema.features[j]
    if feature.is_nominal and domain.has_own[j]:
        return own
    if np.isnan(x) or question.is_gap(j):
        return None
    return question.form.value(j, x, own, bool(x == np.floor(x)))


# -- no answer -----------------------------------------------------------------------


def _none_found(
    question: Question,
    wish: Wish,
    domain: Domain,
    found: Found,
    nearest: Callable[[Domain], Found],
) -> NoCounterfactualError:
    """Return the error that says what is in the way."""
    free = question.domain((), None)
    wanted = wish.words(question.imported.classes)
    if not found.is_exact:
        return NoCounterfactualError(
            f"no row was found that is answered {wanted}, though there may be one: give rows as "
            "scale, from which to start, or set fewer limits by fixed and ranges"
        )
    other = nearest(free)
    if other.row is None:
        return NoCounterfactualError(
            f"this {question.imported.kind} answers no row {wanted}, whatever it holds"
        )
    names = question.imported.schema.names
    needed = np.flatnonzero(free.is_changed(other.row[None])[0]).tolist()
    columns = ", ".join(repr(names[j]) for j in needed)
    without = [
        name
        for name, part in (
            ("fixed", replace(domain, is_fixed=free.is_fixed)),
            ("ranges", replace(free, is_fixed=domain.is_fixed)),
        )
        if nearest(part).row is not None
    ]
    blame = " or ".join(without) if without else "fixed and ranges together"
    distance = number_text(float(free.distance(other.row[None])[0]), 3)
    return NoCounterfactualError(
        f"no row that is allowed is answered {wanted}, because of {blame}; with no limits it would "
        f"take a change of {columns}, at a distance of {distance}"
    )
