"""A model and one row: how the model reads it, and what may become of it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.data.encode import is_frame
from softwood.data.objects import is_missing
from softwood.data.telling import untold
from softwood.errors import NoCounterfactualError
from softwood.estimators._wishes import (
    ClassWish,
    Limits,
    NumberWish,
    Wish,
    derived_columns,
    places_of_column,
    read_class,
    read_columns,
    read_interval,
)
from softwood.explain._one_row import one_row
from softwood.explain.counterfactual.distance import spread_of_cuts, spread_of_rows, usable
from softwood.explain.counterfactual.domain import Domain
from softwood.explain.counterfactual.goal import Goal, goal_of_classes, goal_of_numbers
from softwood.explain.counterfactual.known import unknown_codes
from softwood.explain.counterfactual.rows import RowForm
from softwood.forest.ties import TIE
from softwood.interop.imported import Imported, import_model
from softwood.tree import NUMERIC

SECONDS = 86_400.0  # of a day: dates with a time move by these


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A model and one row, read by it.

    Attributes
    ----------
    model : object
        What the user has given.
    imported : Imported
        The same as a forest.
    form : RowForm
        The row as the user holds it.
    row : ndarray of shape (n_features,)
        The row as the trees read it.
    scale : ndarray of shape (n_features,)
        What counts as a distance of 1 in each column.
    examples : ndarray of shape (n_rows, n_features), or None
        Rows that the user has given for the sake of the scale.
    """

    model: Any
    imported: Imported
    form: RowForm
    row: FloatArray
    scale: FloatArray
    examples: FloatArray | None

    @classmethod
    def of(cls, model: Any, x: Any, scale: Any = None) -> Self:
        """Read a row with a model."""
        imported = imported_of(model)
        with untold():
            row = encoded(model, imported, one_row(_reader_of(model, imported), x))[0]
        scales, examples = _read_scale(model, imported, scale)
        return cls(model, imported, RowForm(x, imported.schema), row, scales, examples)

    # -- what is wanted ----------------------------------------------------------

    def wish(self, target: Any) -> Wish:
        """Return what is wanted of the answer."""
        imported = self.imported
        if imported.classes is None:
            now = imported.forest.predict(self.row[None], imported.flow)[0, 0]
            return read_interval(target, float(now))
        if imported.classes.size < 2:
            raise NoCounterfactualError(
                f"this {imported.kind} knows one class only, {imported.classes.tolist()[0]!r}"
            )
        raw = imported.forest.raw(self.row[None], imported.flow)
        wanted = None if target is None else read_class(target, imported.classes)
        return ClassWish(wanted, int(self._labels(raw)[0]))

    def goal(self, wish: Wish) -> Goal:
        """Return what is wanted of raw scores."""
        imported = self.imported
        if isinstance(wish, NumberWish):
            return goal_of_numbers(imported.forest, wish.low, wish.high, wish.is_open)
        tie = TIE if imported.rule == "tied" and imported.forest.link == "identity" else 0.0
        return goal_of_classes(imported.forest, self._labels, wish.target, wish.now, tie)

    def _labels(self, raw: FloatArray) -> AnyArray:
        """Return the number of the class of each row."""
        classes = self.imported.classes
        assert classes is not None
        places = {name: place for place, name in enumerate(classes.tolist())}
        return np.array([places[name] for name in self.imported.label_of(raw).tolist()])

    def is_answered(self, wish: Wish, domain: Domain, row: FloatArray) -> bool:
        """Whether the model itself answers a row, in the form of the user, as is wanted."""
        is_changed = domain.is_changed(row[None])[0]
        written = self.form.changed(row, is_changed, domain.per_unit == 1.0)
        with untold(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = self._ask(written)
        if self.imported.classes is None:
            return wish.takes(float(answer))
        return wish.takes(self.imported.classes.tolist().index(answer))

    def _ask(self, written: Any) -> Any:
        """Return what the model predicts of a row as users write it."""
        own_reader = hasattr(self.model, "_rows")
        is_estimator = hasattr(self.model, "get_params") and hasattr(self.model, "predict")
        knows_classes = self.imported.classes is None or hasattr(self.model, "classes_")
        if is_estimator and knows_classes and self.form.is_table:
            rows = np.atleast_2d(written) if self.form.is_array else written
            return np.asarray(self.model.predict(rows)).tolist()[0]
        table = one_row(_reader_of(self.model, self.imported), written)
        model = self.model if own_reader else self.imported
        return model.predict(table).tolist()[0]

    # -- what may become of the row ------------------------------------------------

    def is_gap(self, j: int) -> bool:
        """Whether the user's row lacks a value, also if the model fills it in."""
        values = self.form.values()
        return j < len(values) and is_missing(values[j]) and bool(self.imported.reader.fill)

    def domain(self, fixed: Any, ranges: Mapping[Any, Any] | None) -> Domain:
        """Return what the row may become."""
        schema = self.imported.schema
        limits = Limits(schema, self.row)
        limits.read(ranges)
        held = read_columns(fixed, schema, "fixed")
        is_fixed = np.zeros(self.row.size, dtype=bool)
        is_fixed[held] = True
        is_fixed[[j for j in derived_columns(schema) if j not in limits.named]] = True
        self._rule_out(limits)
        domain = replace(
            Domain.of(self.row, self.imported.n_categories, self.scale),
            low=limits.low,
            high=limits.high,
            per_unit=self._per_unit(limits),
            codes=tuple(limits.codes),
            middle=_middle(self.imported, self.row),
        )
        for j in held:
            if not domain.allows_own[j]:
                raise ValueError(
                    f"column {schema.names[j]!r} is fixed, but what x has there is outside of its "
                    "range"
                )
        return replace(domain, is_fixed=is_fixed)

    def _rule_out(self, limits: Limits) -> None:
        """Rule out what cannot be: categories of no training row, and of all others; half truths.

        What somebody has named is not ruled out, but for the category of all others.
        """
        unknown = unknown_codes(self.imported.forest.trees, self.imported.n_categories)
        for j, value in enumerate(self.form.values()[: self.row.size]):
            codes, own = limits.codes[j], self.row[j]
            if codes is None:
                if isinstance(value, bool | np.bool_):
                    limits.low[j] = max(limits.low[j], 0.0)
                    limits.high[j] = min(limits.high[j], 1.0)
                    limits.is_whole[j] = True
                continue
            if self.imported.reader.unknown == "other" and codes.size:
                codes[-1] = False
            if j not in limits.named:
                codes[unknown[j][: codes.size]] = False
                if 0 <= own < codes.size:
                    codes[int(own)] = True

    def _per_unit(self, limits: Limits) -> FloatArray:
        """Return how many values a column has from one whole number to the next; 0 for any."""
        row, known = self.row, getattr(self.model, "whole_columns_", None)
        whole = _are_whole(self.form, row.size) if known is None else np.asarray(known)
        filled = np.array([self.is_gap(j) for j in range(row.size)])  # with a mean, mostly
        whole = whole & (np.isnan(row) | (row == np.floor(row)) | filled)
        per_unit = np.where(whole | limits.is_whole, 1.0, 0.0)
        for j, feature in enumerate(self.imported.schema.features):
            if feature.is_date:
                per_unit[j] = 1.0 if np.isnan(row[j]) or row[j] == np.floor(row[j]) else SECONDS
        return np.where(self.imported.n_categories > 0, 0.0, per_unit)


# -- reading -----------------------------------------------------------------------


def imported_of(model: Any) -> Imported:
    """Return a model as a forest; one that is read already, as it is."""
    return model if isinstance(model, Imported) else import_model(model)


def encoded(model: Any, imported: Imported, rows: Any) -> FloatArray:
    """Return rows as the trees read them."""
    read = getattr(model, "_rows", imported.encode)
    return np.asarray(read(rows))


def _reader_of(model: Any, imported: Imported) -> Any:
    """Return what says which columns there are, and whether they have names."""
    names = imported.feature_names if imported.reader.checks_names else None
    return SimpleNamespace(schema_=imported.schema, feature_names_in_=names)


def own_scales(model: Any, imported: Imported) -> FloatArray:
    """Return the scales that a model has kept, or those that its cuts suggest."""
    kept = kept_scales(model, imported)
    return spread_of_cuts(imported.forest.trees, imported.n_features) if kept is None else kept


def kept_scales(model: Any, imported: Imported) -> FloatArray | None:
    """Return the scales that a model has kept of its training rows, if it has."""
    for name in ("column_scales_", "deviations_"):
        kept: Any = getattr(model, name, None)
        if np.shape(kept) == (imported.n_features,):
            return np.where(imported.n_categories > 0, 1.0, usable(np.asarray(kept, dtype=float)))
    return None


def _read_scale(model: Any, imported: Imported, scale: Any) -> tuple[FloatArray, FloatArray | None]:
    """Return the scales, and the rows they were taken from, if it was rows."""
    if scale is None:
        return own_scales(model, imported), None
    if isinstance(scale, Mapping):
        scales = own_scales(model, imported).copy()
        for column, number in scale.items():
            scales[places_of_column(column, imported.schema, "scale")] = number
    elif is_frame(scale) or np.ndim(scale) == 2:
        with untold():
            rows = encoded(model, imported, scale)
        return spread_of_rows(rows, imported.n_categories), rows
    else:
        scales = np.asarray(scale, dtype=np.float64)
    if np.shape(scales) != (imported.n_features,) or not (np.isfinite(scales) & (scales > 0)).all():
        raise ValueError(
            "scale must be a table of rows, or a positive number for each of "
            f"{imported.n_features} columns; got {scale!r}"
        )
    return scales, None


def _are_whole(form: RowForm, n_features: int) -> BoolArray:
    """Return which values of a row are whole numbers by their type."""
    whole = np.zeros(n_features, dtype=bool)
    if form.is_array and form.given.dtype.kind != "O":
        whole[:] = form.given.dtype.kind in "iu"
        return whole
    for j, value in enumerate(form.values()[:n_features]):
        whole[j] = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole


def _middle(imported: Imported, row: FloatArray) -> FloatArray:
    """Return the median of the cuts of each column that the row lacks; 0 of others."""
    middle = np.zeros(row.size)
    gaps = np.isnan(row)
    if not gaps.any():
        return middle
    cuts: list[list[FloatArray]] = [[] for _ in range(row.size)]
    for tree in imported.forest.trees:
        for j in np.flatnonzero(gaps).tolist():
            cuts[j].append(tree.threshold[(tree.kind == NUMERIC) & (tree.feature == j)])
    for j in np.flatnonzero(gaps).tolist():
        found = np.concatenate(cuts[j])
        middle[j] = np.median(found) if found.size else 0.0
    return middle
