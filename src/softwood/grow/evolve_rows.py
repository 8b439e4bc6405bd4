"""Training sets as evolution reads them: columns, class after class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray, IndexArray
from softwood.data.training import TrainingSet
from softwood.flow import Gaussian, Hard

if TYPE_CHECKING:
    from softwood._kernels.evolve.tests import Tests
    from softwood._kernels.vicinal.columns import Rows

LANES = 16  # a class is filled up to a multiple of this, so that loops have no rest
SMALL_STEP = 0.1  # of the deviation of a feature: how far mutation nudges a cut
MOST_DEVIATIONS = 2.0**20  # of the noise from the middle of a feature: float32 has 24 digits


def rows_of(data: TrainingSet, flow: Gaussian | Hard) -> Rows:
    """Return the rows of a training set, whose mass moves as ``flow`` says.

    Parameters
    ----------
    data : TrainingSet
        Rows, classes and weights.
    flow : Gaussian or Hard
        The exact Gaussian flow, or the hard one.

    Returns
    -------
    Rows
    """
    from softwood._kernels.vicinal.columns import Rows, total_by_class

    order, class_start = _by_class(data)
    X = np.where(order[:, None] >= 0, data.X[order], 0.0).T
    missing = np.isnan(X)
    known = np.ascontiguousarray(np.where(missing, 0.0, X))
    mass = np.where(order >= 0, data.weight[order] / data.weight.max(), 0.0).astype(np.float32)
    whole = np.zeros(data.n_classes, np.int64)
    total_by_class(mass, class_start, whole)
    scale, centre = _scales(data, flow), _middles(data)
    z = (known - centre[:, None]) / np.where(scale > 0.0, scale, np.inf)[:, None]
    groups = [groups_of(data, feature) for feature in range(X.shape[0])]
    redraw, drawn = _draws(flow, groups)
    return Rows(
        z=np.where(missing, 0.0, z).astype(np.float32),
        value=known,
        group=np.array([_grouped(*pair) for pair in zip(known, groups, strict=True)]),
        class_start=class_start,
        mass=mass,
        whole=whole,
        missing_start=np.concatenate(([0], np.cumsum(missing.sum(axis=1)))),
        missing_row=np.nonzero(missing)[1].astype(np.int32),
        scale=scale,
        centre=centre,
        n_groups=n_groups_of(groups),
        redraw=redraw,
        drawn=drawn,
    )


def choices_of(data: TrainingSet, cuts: str) -> Tests:
    """Return what random tests of a training set are drawn from.

    Parameters
    ----------
    data : TrainingSet
        The rows.
    cuts : {"uniform", "values"}
        Whether a cut lies anywhere in the range of a feature, or half way between two values.

    Returns
    -------
    Tests
    """
    from softwood._kernels.evolve.tests import Tests

    columns = [column[~np.isnan(column)] for column in data.X.T]
    low = np.array([column.min(initial=np.inf) for column in columns])
    high = np.array([column.max(initial=-np.inf) for column in columns])
    sizes = [0, *(column.size for column in columns)]
    return Tests(
        features=np.flatnonzero(low < high).astype(np.int32),
        n_groups=n_groups_of([groups_of(data, feature) for feature in range(len(columns))]),
        low=low,
        high=high,
        step=np.array([SMALL_STEP * column.std() if column.size else 0.0 for column in columns]),
        value_start=np.cumsum(sizes).astype(np.int32),
        value=np.concatenate(columns),
        from_values=cuts == "values",
    )


def groups_of(data: TrainingSet, feature: int) -> IndexArray:
    """Return the bit of each category of a feature; empty for a numeric one.

    A word has 64 bits. Of more categories, the most frequent have one each, and the rest
    share the last.
    """
    from softwood._kernels.vicinal.columns import N_GROUPS

    n_categories = int(data.n_categories[feature])
    if n_categories <= N_GROUPS:
        return np.arange(n_categories, dtype=np.int32)
    code = data.X[:, feature]
    count = np.bincount(code[~np.isnan(code)].astype(np.intp), minlength=n_categories)
    place = np.empty(n_categories, np.int32)
    place[np.argsort(-count, kind="stable")] = np.arange(n_categories)
    return np.minimum(place, N_GROUPS - 1)


def n_groups_of(groups: list[IndexArray]) -> IndexArray:
    """Return the number of bits of each feature."""
    return np.array([bits.max(initial=-1) + 1 for bits in groups], dtype=np.int32)


def _by_class(data: TrainingSet) -> tuple[AnyArray, AnyArray]:
    """Return the rows, class after class, -1 for those that fill up, and where classes begin."""
    parts, start = [], [0]
    for c in range(data.n_classes):
        rows = np.flatnonzero(data.label == c)
        parts += [rows, np.full(-rows.size % LANES, -1)]
        start.append(start[-1] + rows.size + -rows.size % LANES)
    return np.concatenate(parts), np.array(start, dtype=np.int64)


def _scales(data: TrainingSet, flow: Gaussian | Hard) -> FloatArray:
    """Return the deviation of each feature's noise, 0 where the digits cannot tell it from none.

    Values in units of a noise far smaller than their range would share places in float32, or
    be infinite there; tests without noise compare the values themselves.
    """
    scale = np.zeros(data.X.shape[1])
    if isinstance(flow, Gaussian):
        scale += flow.scale
    low, high = np.fmin.reduce(data.X, axis=0), np.fmax.reduce(data.X, axis=0)
    half = np.nan_to_num(0.5 * high - 0.5 * low)
    return np.where(data.is_nominal | (scale < half / MOST_DEVIATIONS), 0.0, scale)


def _middles(data: TrainingSet) -> FloatArray:
    """Return the middle of each feature's range: small numbers keep their digits in float32."""
    low, high = np.fmin.reduce(data.X, axis=0), np.fmax.reduce(data.X, axis=0)
    return np.asarray(np.nan_to_num(low + 0.5 * (high - low)))


def _draws(flow: Gaussian | Hard, groups: list[IndexArray]) -> tuple[FloatArray, FloatArray]:
    """Return the chance that a category is drawn anew, and in which shares, by feature."""
    from softwood._kernels.vicinal.columns import N_GROUPS

    redraw, drawn = np.zeros(len(groups)), np.zeros((len(groups), N_GROUPS))
    if isinstance(flow, Gaussian) and flow.redraw > 0.0:
        for feature, shares in enumerate(flow.marginals):
            if shares:
                redraw[feature] = flow.redraw
                drawn[feature] = np.bincount(groups[feature], shares, N_GROUPS)
    return redraw, drawn


def _grouped(codes: FloatArray, groups: IndexArray) -> IndexArray:
    if groups.size == 0:
        return np.zeros(codes.size, np.int32)
    return groups[codes.astype(np.intp)]
