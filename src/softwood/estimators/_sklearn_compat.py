"""The only place that imports scikit-learn's private names, and it imports them leanly.

``sklearn.utils.fixes`` imports scipy.stats and pandas at the top, uses neither until
asked, and so more than doubles the time to the first fit of a fresh process. While
scikit-learn is imported from here, pandas is hidden (it is optional there) and
scipy.stats is loaded on first use, by the standard library's lazy loader. See
docs/decisions/004-lean-import.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import Any


@contextmanager
def _lean_imports() -> Iterator[None]:
    hide_pandas = "pandas" not in sys.modules
    if hide_pandas:
        sys.modules["pandas"] = None  # type: ignore[assignment]
    if "scipy.stats" not in sys.modules:
        _load_lazily("scipy.stats")
    try:
        yield
    finally:
        if hide_pandas:
            del sys.modules["pandas"]


def _load_lazily(name: str) -> None:
    parent, _, child = name.rpartition(".")
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        return
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    setattr(sys.modules[parent], child, module)


def _import() -> dict[str, Any]:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, _fit_context
    from sklearn.utils._param_validation import Interval, StrOptions
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        _check_sample_weight,
        check_array,
        check_consistent_length,
        check_is_fitted,
        check_random_state,
        column_or_1d,
        validate_data,
    )

    return dict(locals())


if "sklearn" in sys.modules:
    _names = _import()
else:
    with _lean_imports():
        _names = _import()

BaseEstimator = _names["BaseEstimator"]
ClassifierMixin = _names["ClassifierMixin"]
RegressorMixin = _names["RegressorMixin"]
fit_context = _names["_fit_context"]
Interval = _names["Interval"]
StrOptions = _names["StrOptions"]
check_classification_targets = _names["check_classification_targets"]
check_sample_weight = _names["_check_sample_weight"]
check_array = _names["check_array"]
check_consistent_length = _names["check_consistent_length"]
check_is_fitted = _names["check_is_fitted"]
check_random_state = _names["check_random_state"]
column_or_1d = _names["column_or_1d"]
validate_data = _names["validate_data"]
