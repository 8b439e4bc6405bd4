"""The columns of two models that are compared: whether they are the same, and what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from softwood._types import IndexArray
from softwood.data.encode import is_frame, names_of, table_of
from softwood.data.schema import as_nominal, recoded
from softwood.data.table import UNKNOWN_CODE, Table
from softwood.data.unknown import Unknown
from softwood.interop.imported import Imported

_PLAIN = re.compile(r"(x|f|Column_|feature_|Feature_)(\d+)")  # what libraries call unnamed columns


def is_named(names: Sequence[str]) -> bool:
    """Whether columns have names of the user's, and not just numbers.

    Examples
    --------
    >>> is_named(["x0", "x1"]), is_named(["Column_0"]), is_named(["age", "x1"])
    (False, False, True)
    """
    found = [_PLAIN.fullmatch(name) for name in names]
    return not all(match and int(match[2]) == j for j, match in enumerate(found))


def named_columns(old: Imported, new: Imported) -> list[str]:
    """Return the names of the columns, in the order of the old model."""
    if is_named(old.feature_names) or not is_named(new.feature_names):
        return old.feature_names
    return new.feature_names


def common_columns(old: Imported, new: Imported) -> IndexArray:
    """Return which column of the old model each column of the new one is."""
    before, after = old.feature_names, new.feature_names
    if is_named(before) and is_named(after):
        if sorted(before) != sorted(after):
            raise ValueError(_unlike(before, after))
        place = {name: j for j, name in enumerate(before)}
        return np.array([place[name] for name in after], dtype=np.int32)
    if len(before) != len(after):
        raise ValueError(
            f"the models read different columns: the old one has {len(before)}, the new one "
            f"{len(after)}, and {'one' if is_named(before) or is_named(after) else 'neither'} "
            "knows their names"
        )
    return np.arange(len(before), dtype=np.int32)


def _unlike(before: Sequence[str], after: Sequence[str]) -> str:
    parts = [
        f"only the {who} one reads {', '.join(map(repr, names))}"
        for who, names in (
            ("old", [name for name in before if name not in after]),
            ("new", [name for name in after if name not in before]),
        )
        if names
    ]
    return f"the models read different columns: {'; '.join(parts)}"


def in_order_of(model: Imported, X: Any) -> Any:
    """Return a frame with its columns in the order of training, if it has just these."""
    if not is_frame(X) or model.schema.preparation is not None:
        return X
    names, wanted = names_of(X), model.feature_names
    if names == wanted or sorted(names) != sorted(wanted):
        return X
    if isinstance(X, Table):
        return Table(tuple(X[name] for name in wanted), X.preparation)
    return X.select(wanted) if hasattr(X, "select") else X[wanted]


def unknown_categories(models: Sequence[Imported], tables: Sequence[Any]) -> Iterator[str]:
    """Yield what is to be said of categories that one of the models does not know."""
    for who, model, X in zip(("old", "new"), models, tables, strict=True):
        is_prepared = model.schema.preparation is not None and not isinstance(X, Table)
        if is_prepared or model.schema.all_numeric or not (is_frame(X) or _has_objects(X)):
            continue
        table = table_of(X if is_frame(X) else np.asarray(X))
        for feature, column in zip(model.schema.features, table.columns, strict=True):
            if not (feature.is_nominal and column.is_nominal):
                continue
            codes = recoded(as_nominal(column), feature.categories or ())
            if (codes == UNKNOWN_CODE).any():
                yield f"not known to the {who} model: {Unknown.of(column, codes == UNKNOWN_CODE)}"


def _has_objects(X: Any) -> bool:
    return np.asarray(X).dtype.kind in "OUS"
